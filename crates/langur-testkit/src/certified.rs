//! A server that proves who it is, to those who trust it.

use std::sync::Arc;

use rcgen::CertifiedKey;
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// A certificate of its own making for these hosts: for the server, and in PEM form for whoever is to trust it.
pub(crate) fn certified(hosts: &[String]) -> (Arc<ServerConfig>, String) {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(hosts).expect("a certificate");
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions that ring has")
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .expect("a certificate and its key");
    (Arc::new(config), cert.pem())
}
