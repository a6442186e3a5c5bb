use std::net::{Ipv4Addr, SocketAddr};

/// By default, a page uses the port after the server's and is accessible only from this machine.
pub(in crate::demo) const DEFAULT: &str = "7118";

pub(in crate::demo) fn serving(text: &str) -> Result<SocketAddr, &'static str> {
    let own = text.parse().map(|port: u16| (Ipv4Addr::LOCALHOST, port).into());
    own.or_else(|_| text.parse())
        .map_err(|_| "give PORT for browsers on this machine, or ADDR:PORT, such as 7118 or 0.0.0.0:7118")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_means_this_machine_only() {
        let address = |text: &str| serving(text).map(|it| it.to_string());
        assert_eq!(address(DEFAULT), Ok("127.0.0.1:7118".to_owned()));
        assert_eq!(address("0"), Ok("127.0.0.1:0".to_owned()));
        assert_eq!(address("0.0.0.0:80"), Ok("0.0.0.0:80".to_owned()));
        assert_eq!(address("[::1]:80"), Ok("[::1]:80".to_owned()));
        for wrong in ["", "70000", "localhost", "127.0.0.1", "a:b"] {
            assert!(address(wrong).is_err_and(|error| error.contains("give PORT")), "{wrong}");
        }
    }
}
