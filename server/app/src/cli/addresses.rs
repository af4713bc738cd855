//! Addresses to listen on: where only this machine is, or where there are keys.

use super::Failure;
use tokio::net::TcpListener;

/// Whether this may be listened on: an address that others reach needs keys.
///
/// # Errors
/// When others reach it and there are no keys.
pub async fn check(address: &str, option: &str, has_keys: bool) -> Result<(), Failure> {
    // One that cannot be found is told about when it is bound.
    let Ok(found) = tokio::net::lookup_host(address).await else { return Ok(()) };
    let mut reached = found.filter(|address| !address.ip().to_canonical().is_loopback());
    match reached.next() {
        Some(_) if !has_keys => Err(Failure::Resource(format!(
            "{option} {address}: other machines reach this address, and there are no keys: anybody could do anything\n  \
             allowed  without keys an address of this machine alone, such as 127.0.0.1 or localhost\n  \
             hint     touchline key keys.toml NAME --role ROLE makes keys; then --keys keys.toml\n  \
             hint     or leave it on 127.0.0.1, and reach it by ssh -L (docs/competition.md)"
        ))),
        _ => Ok(()),
    }
}

/// Listens.
///
/// # Errors
/// When that is not possible there.
pub async fn bind(address: &str, option: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let hint = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "another program listens there, perhaps another touchline; stop it, or take port 0 for a free one"
            }
            std::io::ErrorKind::PermissionDenied => "ports below 1024 need privileges; take another",
            _ => "an address is HOST:PORT, such as 127.0.0.1:7050",
        };
        Failure::Resource(format!("{option} {address}: {error}\n  hint     {hint}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn without_keys_others_are_kept_out() {
        for others in ["0.0.0.0:7050", "[::]:7050", "192.0.2.7:1", "[::ffff:192.0.2.7]:1"] {
            let refused = check(others, "--board", false).await;
            assert!(matches!(refused, Err(Failure::Resource(text)) if text.contains("--keys")), "{others}");
            assert!(check(others, "--board", true).await.is_ok(), "{others}");
        }
        for own in ["127.0.0.1:0", "127.1.2.3:7050", "[::1]:7050", "[::ffff:127.0.0.1]:1", "nonsense"] {
            assert!(check(own, "--board", false).await.is_ok(), "{own}");
        }
    }
}
