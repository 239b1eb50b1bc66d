//! A client within the process, for tests of handlers.
