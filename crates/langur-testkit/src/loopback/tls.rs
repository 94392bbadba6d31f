//! The same web over TLS, behind the same port.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex};

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::{Answer, Loopback, Shared};
use crate::certified::certified;

/// What a server shows to whoever wants TLS.
pub(super) struct Tls(Arc<ServerConfig>);

/// What a TLS record begins with that opens a handshake.
const HANDSHAKE: u8 = 22;

/// Whether whoever has come wants TLS.
pub(super) fn is_wanted(connection: &TcpStream) -> io::Result<bool> {
    let mut first = [0];
    connection.peek(&mut first)?;
    Ok(first[0] == HANDSHAKE)
}

impl Tls {
    pub(super) fn accept<'c>(
        &self,
        connection: &'c TcpStream,
    ) -> io::Result<StreamOwned<ServerConnection, &'c TcpStream>> {
        let server = ServerConnection::new(Arc::clone(&self.0)).map_err(io::Error::other)?;
        Ok(StreamOwned::new(server, connection))
    }
}

impl Loopback {
    /// Serves a web over TLS too, to whoever begins with a handshake. Gives back the certificate of these hosts, in PEM
    /// form, which a visitor has to trust.
    pub fn start_with_tls(
        hosts: &[String],
        web: impl Fn(&str, &str) -> Answer + Send + Sync + 'static,
    ) -> (Loopback, String) {
        let (config, certificate) = certified(hosts);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let shared = Shared {
            web: Box::new(web),
            tls: Some(Tls(config)),
            stopped: AtomicBool::new(false),
            log: Mutex::default(),
            came: Condvar::new(),
        };
        (Loopback::serve(listener, shared), certificate)
    }
}
