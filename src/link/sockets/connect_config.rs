use crate::clock::CreateError;
use crate::clock::for_parts::range::number;
use crate::link::ClientLinkConfig;

/// Maximum length of a DNS name in bytes.
const LONGEST_HOST: f64 = 253.0;

/// Settings for a [`LinkConnection`](super::LinkConnection). See [`LinkServer`](super::LinkServer).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectConfig {
    /// The server's name or address. (1 to 253 bytes)
    pub host: String,
    /// The port of the server's link. (1..=65535)
    pub port: u16,
    /// Settings for the link itself.
    pub link: ClientLinkConfig,
    /// Whether to use the kernel's arrival timestamps, if available. (default true)
    pub kernel_stamps: bool,
    /// Whether to use a separate thread. Without a thread, the caller must call
    /// [`poll`](super::LinkConnection::poll). (default true)
    pub thread: bool,
}

impl ConnectConfig {
    /// Returns the default settings for the server at `host` and `port`.
    pub fn to(host: &str, port: u16) -> Self {
        ConnectConfig {
            host: host.to_owned(),
            port,
            link: ClientLinkConfig::default(),
            kernel_stamps: true,
            thread: true,
        }
    }

    pub(super) fn validate(&self) -> Result<(), CreateError> {
        number("host", self.host.len() as f64, 1.0, LONGEST_HOST, "bytes")?;
        number("port", f64::from(self.port), 1.0, 65_535.0, "")?;
        Ok(())
    }
}
