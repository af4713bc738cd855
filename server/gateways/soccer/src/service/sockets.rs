//! The sockets: three at which clients come, one for each client. Datagrams that nobody takes in time are lost, as UDP may.

use crate::sessions::{ClientId, Port, Source};
use crate::wire::MAX_DATAGRAM;
use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use tokio::net::UdpSocket;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use touchline_soccer_law::face::Side;

/// Datagrams that wait to be looked at, of all clients. Each reader waits for its turn, so who floods fills one place at a time.
const QUEUE: usize = 256;

/// Something that came.
pub enum Came {
    /// A datagram.
    Datagram(Source, Vec<u8>),
    /// A client cannot be reached any more.
    Lost(ClientId),
}

/// The ports at which clients come: players and monitors, trainer, online coaches; and those of each team, if they have their own.
pub struct Ports {
    /// Not yet of a runtime: they are bound by one thread and served by another.
    sockets: Vec<(Port, std::net::UdpSocket)>,
}

/// The common ports in their order.
const COMMON: [Port; 3] = [Port::Player, Port::Trainer, Port::Coach];

impl Ports {
    /// Binds the common ones; 0 takes a free one.
    ///
    /// # Errors
    /// Which port cannot be had, and why.
    pub fn bind(host: IpAddr, ports: [u16; 3]) -> io::Result<Self> {
        let mut sockets = Vec::with_capacity(7);
        for (port, number) in COMMON.into_iter().zip(ports) {
            sockets.push((port, bind(host, number)?));
        }
        Ok(Self { sockets })
    }

    /// Gives each team two ports of its own, for players and for its online coach: nobody comes to its side by others.
    ///
    /// # Errors
    /// When none can be had.
    pub fn with_team_ports(mut self) -> io::Result<Self> {
        let host = self.address(Port::Player)?.ip();
        for side in Side::BOTH {
            for port in [Port::Team(side), Port::TeamCoach(side)] {
                self.sockets.push((port, bind(host, 0)?));
            }
        }
        Ok(self)
    }

    /// Whether each team has ports of its own.
    pub fn are_of_teams(&self) -> bool {
        self.sockets.len() > COMMON.len()
    }

    /// Where it is listened.
    ///
    /// # Errors
    /// When there is no such port.
    pub fn address(&self, port: Port) -> io::Result<SocketAddr> {
        self.socket(port).ok_or(io::ErrorKind::NotFound)?.local_addr()
    }

    /// Where they listen: players and monitors, trainer, online coaches.
    ///
    /// # Errors
    /// Of the system.
    pub fn addresses(&self) -> io::Result<[SocketAddr; 3]> {
        let [player, trainer, coach] = COMMON;
        Ok([self.address(player)?, self.address(trainer)?, self.address(coach)?])
    }

    fn socket(&self, port: Port) -> Option<&std::net::UdpSocket> {
        self.sockets.iter().find(|(known, _)| *known == port).map(|(_, socket)| socket)
    }
}

fn bind(host: IpAddr, port: u16) -> io::Result<std::net::UdpSocket> {
    let address = SocketAddr::new(host, port);
    let bound = std::net::UdpSocket::bind(address).and_then(|socket| {
        socket.set_nonblocking(true)?;
        Ok(socket)
    });
    bound.map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))
}

/// All sockets, with a task that reads each.
pub struct Sockets {
    ports: Vec<(Port, Arc<UdpSocket>)>,
    host: IpAddr,
    clients: BTreeMap<ClientId, (Arc<UdpSocket>, JoinHandle<()>)>,
    readers: Vec<JoinHandle<()>>,
    queue: mpsc::Sender<Came>,
}

impl Sockets {
    /// Begins to read.
    pub async fn new(ports: Ports) -> io::Result<(Self, mpsc::Receiver<Came>)> {
        let host = ports.address(Port::Player)?.ip();
        let (queue, came) = mpsc::channel(QUEUE);
        let (mut sockets, mut readers) = (Vec::new(), Vec::new());
        for (port, socket) in ports.sockets {
            let socket = Arc::new(UdpSocket::from_std(socket)?);
            // Nothing is sent before the system has said that it takes something.
            socket.writable().await?;
            readers.push(tokio::spawn(read_port(port, Arc::clone(&socket), queue.clone())));
            sockets.push((port, socket));
        }
        Ok((Self { ports: sockets, host, clients: BTreeMap::new(), readers, queue }, came))
    }

    /// Opens a client's own port.
    pub async fn open(&mut self, client: ClientId, address: SocketAddr) {
        let opened = async {
            let socket = UdpSocket::bind(SocketAddr::new(self.host, 0)).await?;
            socket.connect(address).await?;
            socket.writable().await?;
            Ok::<_, io::Error>(Arc::new(socket))
        };
        match opened.await {
            Ok(socket) => {
                let reader =
                    tokio::spawn(read_client((client, address), Arc::clone(&socket), self.queue.clone()));
                self.clients.insert(client, (socket, reader));
            }
            Err(error) => {
                tracing::warn!(%error, "soccer: cannot open a port for a client");
                let queue = self.queue.clone();
                tokio::spawn(async move { queue.send(Came::Lost(client)).await });
            }
        }
    }

    /// Sends to a client; what the system does not take at once is lost.
    pub fn send(&self, client: ClientId, bytes: &[u8]) {
        if let Some((socket, _)) = self.clients.get(&client) {
            // That nobody listens there is said when it is read.
            let _ = socket.try_send(bytes);
        }
    }

    /// Answers from a port at which clients come.
    pub fn refuse(&self, port: Port, to: SocketAddr, bytes: &[u8]) {
        if let Some((_, socket)) = self.ports.iter().find(|(known, _)| *known == port) {
            let _ = socket.try_send_to(bytes, to);
        }
    }

    /// Closes a client's port.
    pub fn close(&mut self, client: ClientId) {
        if let Some((_, reader)) = self.clients.remove(&client) {
            reader.abort();
        }
    }
}

impl Drop for Sockets {
    fn drop(&mut self) {
        let of_clients = self.clients.values().map(|(_, reader)| reader);
        self.readers.iter().chain(of_clients).for_each(JoinHandle::abort);
    }
}

async fn read_port(port: Port, socket: Arc<UdpSocket>, queue: mpsc::Sender<Came>) {
    let mut buffer = vec![0; MAX_DATAGRAM];
    loop {
        // An error is of somebody who does not listen where we answered.
        if let Ok((length, from)) = socket.recv_from(&mut buffer).await {
            let datagram = buffer[..length].to_vec();
            if queue.send(Came::Datagram(Source::Port(port, from), datagram)).await.is_err() {
                return;
            }
        }
    }
}

async fn read_client(
    (client, address): (ClientId, SocketAddr),
    socket: Arc<UdpSocket>,
    queue: mpsc::Sender<Came>,
) {
    let mut buffer = vec![0; MAX_DATAGRAM];
    loop {
        let came = match socket.recv_from(&mut buffer).await {
            // What somebody else has sent before the socket was connected waits there too.
            Ok((_, from)) if from != address => continue,
            Ok((length, _)) => Came::Datagram(Source::Client(client), buffer[..length].to_vec()),
            Err(_) => Came::Lost(client),
        };
        let is_over = matches!(came, Came::Lost(_));
        if queue.send(came).await.is_err() || is_over {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between the binding of a client's port and its connection anybody may send to it.
    #[test]
    fn what_strangers_have_sent_before_is_not_the_clients() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let [client, stranger, server] =
                [(); 3].map(|()| std::net::UdpSocket::bind("127.0.0.1:0").unwrap());
            let (address, at) = (client.local_addr().unwrap(), server.local_addr().unwrap());
            stranger.send_to(b"(bye)", at).unwrap();
            server.connect(address).unwrap();
            server.set_nonblocking(true).unwrap();
            client.send_to(b"(turn 5)", at).unwrap();
            let socket = Arc::new(UdpSocket::from_std(server).unwrap());
            let (queue, mut came) = mpsc::channel(4);
            let reader = tokio::spawn(read_client((7, address), socket, queue));
            let Some(Came::Datagram(source, datagram)) = came.recv().await else { panic!("nothing came") };
            assert_eq!((source, &*datagram), (Source::Client(7), &b"(turn 5)"[..]));
            reader.abort();
        });
    }
}
