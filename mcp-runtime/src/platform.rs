//! What only Unix has, with a plain fallback elsewhere: the descriptors that the protocol keeps for itself, and the
//! signals that tell a process to stop.

#[cfg(unix)]
mod imp {
    use std::fs::File;
    use std::io::{self, Write as _};
    use std::os::fd::AsFd as _;

    /// Whether an address that was listened on a moment ago can be listened on again only by saying so.
    #[cfg(feature = "http")]
    pub(crate) const REUSES_ADDRESSES: bool = true;

    /// Takes descriptors 0 and 1 for the protocol. From here on 1 points at stderr, so that nothing a program, a
    /// library or a child prints gets between messages, and 0 at `/dev/null`, so that no child reads them.
    pub(crate) fn claim() -> io::Result<(File, File)> {
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        rustix::stdio::dup2_stdout(io::stderr())?;
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        // What was printed before goes to stderr too.
        io::stdout().flush()?;
        Ok((input.into(), output.into()))
    }

    /// Waits for SIGTERM or SIGINT, any number of times.
    pub(crate) struct Signals {
        terminate: tokio::signal::unix::Signal,
        interrupt: tokio::signal::unix::Signal,
    }

    impl Signals {
        pub(crate) fn new() -> io::Result<Self> {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self {
                terminate: signal(SignalKind::terminate())?,
                interrupt: signal(SignalKind::interrupt())?,
            })
        }

        pub(crate) async fn next(&mut self) {
            tokio::select! {
                _ = self.terminate.recv() => {}
                _ = self.interrupt.recv() => {}
            }
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use std::io::{self, Stdin, Stdout};

    /// Elsewhere saying so would let two programs listen on one address.
    #[cfg(feature = "http")]
    pub(crate) const REUSES_ADDRESSES: bool = false;

    /// Standard input and output as they are: what a program prints gets between messages here.
    pub(crate) fn claim() -> io::Result<(Stdin, Stdout)> {
        Ok((io::stdin(), io::stdout()))
    }

    /// Waits for Ctrl-C, any number of times.
    pub(crate) struct Signals;

    impl Signals {
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) async fn next(&mut self) {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

#[cfg(feature = "http")]
pub(crate) use imp::REUSES_ADDRESSES;
pub(crate) use imp::{Signals, claim};
