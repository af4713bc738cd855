//! Addresses to listen on: where only this machine is, or where there are keys.

use super::Failure;
use socket2::SockRef;
use tokio::net::TcpListener;

/// How many connections may wait until they are taken; the system may allow fewer. What finds no room there tries again after a second: with the
/// usual 128, a program that opens connections without end, or an instant without a processor, does that to whoever comes.
const WAITING: i32 = 4096;

/// Whether this may be listened on: an address that others reach needs keys.
///
/// # Errors
/// When others reach it and there are no keys.
pub async fn check(address: &str, option: &str, has_keys: bool) -> Result<(), Failure> {
    match is_reached_by_others(address).await {
        true if !has_keys => Err(Failure::Resource(format!(
            "{option} {address}: other machines reach this address, and there are no keys: anybody could do anything\n  \
             allowed  without keys an address of this machine alone, such as 127.0.0.1 or localhost\n  \
             hint     touchline key keys.toml NAME --role ROLE makes keys; then --keys keys.toml\n  \
             hint     or leave it on 127.0.0.1, and reach it by ssh -L (docs/competition.md)"
        ))),
        _ => Ok(()),
    }
}

/// Whether others than this machine reach an address. One that cannot be found is told about when it is bound.
pub async fn is_reached_by_others(address: &str) -> bool {
    let Ok(mut found) = tokio::net::lookup_host(address).await else { return false };
    found.any(|address| !address.ip().to_canonical().is_loopback())
}

/// Listens.
///
/// # Errors
/// When that is not possible there.
pub async fn bind(address: &str, option: &str) -> Result<TcpListener, Failure> {
    let bound = TcpListener::bind(address).await;
    // The library asks for 128; who listens already may ask again.
    let bound = bound.and_then(|listener| SockRef::from(&listener).listen(WAITING).map(|()| listener));
    bound.map_err(|error| {
        let hint = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "another program listens there, perhaps another touchline; stop it, or take port 0 for a free one"
            }
            std::io::ErrorKind::AddrNotAvailable => {
                "this machine has no such address: take one of its own, such as 127.0.0.1, or 0.0.0.0 for all that it has"
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

    /// Those beyond the bound would be dropped, and this would end by its timeout.
    #[tokio::test]
    async fn a_crowd_may_wait_at_the_door() {
        let Ok(listener) = bind("127.0.0.1:0", "--board").await else { panic!("no port is free") };
        let address = listener.local_addr().unwrap();
        let come = || std::net::TcpStream::connect_timeout(&address, std::time::Duration::from_secs(30));
        let crowd: Result<Vec<_>, _> = (0..400).map(|_| come()).collect();
        assert_eq!(crowd.unwrap().len(), 400);
    }

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
