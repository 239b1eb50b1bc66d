//! The terminal: lines from a thread of its own, and a bar that other lines do not tear.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Turn, mpsc};

/// Where the person is.
pub struct Terminal {
    lines: Turn<mpsc::Receiver<String>>,
    /// The line at the bottom that is written again: a bar, or what is asked.
    bottom: Mutex<String>,
    is_screen: bool,
}

impl Terminal {
    pub fn start() -> Arc<Self> {
        let (sender, lines) = mpsc::channel(1);
        // A thread that waits for a line keeps no program from ending.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        });
        let is_screen = std::io::stdout().is_terminal();
        Arc::new(Self { lines: Turn::new(lines), bottom: Mutex::default(), is_screen })
    }

    /// The next line of the person's; none once there are no more. Whoever asks first has the first.
    pub async fn line(&self, prompt: &str) -> Option<String> {
        let mut lines = self.lines.lock().await;
        self.write(prompt, None);
        let line = lines.recv().await;
        self.write("", None);
        line
    }

    /// Says something above the line at the bottom.
    pub fn say(&self, text: &str) {
        let bottom = self.bottom.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.write(&bottom, Some(text));
    }

    /// Shows how far something is; `None` takes the bar away.
    pub fn bar(&self, bar: Option<&str>) {
        if self.is_screen {
            self.write(bar.unwrap_or_default(), None);
        }
    }

    fn write(&self, bottom: &str, above: Option<&str>) {
        let mut kept = self.bottom.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = std::io::stdout().lock();
        // Nobody is left to tell where it cannot be written.
        let _ = (|| {
            if self.is_screen {
                write!(out, "\r\x1b[2K")?;
            }
            if let Some(text) = above.filter(|text| !text.is_empty()) {
                writeln!(out, "{text}")?;
            }
            if self.is_screen {
                write!(out, "{bottom}")?;
            }
            out.flush()
        })();
        *kept = bottom.to_owned();
    }
}
