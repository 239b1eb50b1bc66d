//! Ctrl-C, each of them: one that comes while nobody waits is not lost.

#[cfg(unix)]
pub struct Interrupts(tokio::signal::unix::Signal);

#[cfg(unix)]
impl Interrupts {
    pub fn new() -> std::io::Result<Self> {
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt()).map(Self)
    }

    pub async fn next(&mut self) {
        self.0.recv().await;
    }
}

#[cfg(windows)]
pub struct Interrupts(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Interrupts {
    pub fn new() -> std::io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    pub async fn next(&mut self) {
        self.0.recv().await;
    }
}
