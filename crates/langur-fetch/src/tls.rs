//! TLS towards servers: rustls with ring, and whom the system trusts.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig};
use rustls_platform_verifier::Verifier;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::failed::{Failure, FailureKind};
use crate::{FetchSettings, SettingsError};

/// Secures connections.
#[derive(Clone)]
pub(crate) struct Tls {
    connector: TlsConnector,
}

impl Tls {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Tls, SettingsError> {
        let provider = Arc::new(ring::default_provider());
        let roots = roots(&settings.extra_roots)?;
        let cannot = |error: rustls::Error| SettingsError::Tls(error.to_string());
        let verifier =
            Verifier::new_with_extra_roots(roots, Arc::clone(&provider)).map_err(cannot)?;
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(cannot)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        if settings.http2 {
            config.alpn_protocols.insert(0, b"h2".to_vec());
        }
        Ok(Tls { connector: TlsConnector::from(Arc::new(config)) })
    }

    /// Secures a connection to a host: a name, or an address.
    pub(crate) async fn secure(
        &self,
        stream: TcpStream,
        host: &str,
    ) -> Result<TlsStream<TcpStream>, Failure> {
        let failed =
            |why: String| Failure::new(FailureKind::Tls, format!("no TLS with {host}: {why}"));
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let name =
            ServerName::try_from(bare.to_owned()).map_err(|error| failed(error.to_string()))?;
        self.connector.connect(name, stream).await.map_err(|error| failed(words(&error)))
    }
}

/// Why there is no trust, as a person would say it.
fn words(error: &std::io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    let Some(rustls::Error::InvalidCertificate(why)) = inner else { return error.to_string() };
    let said = match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "is not valid yet"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "is for other names"
        }
        CertificateError::UnknownIssuer => "is from an authority that is not trusted",
        CertificateError::Revoked => "was revoked",
        CertificateError::BadSignature => "is not signed as it should be",
        other if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            "is that of an authority, which is none for a server, trusted or not"
        }
        _ => "is not one that can be checked",
    };
    format!("its certificate {said}")
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

/// What was agreed on, in the names that the standards give it, and whether it is HTTP/2.
pub(crate) fn agreed(stream: &TlsStream<TcpStream>) -> (Option<String>, bool) {
    let (_, session) = stream.get_ref();
    let words = session.protocol_version().zip(session.negotiated_cipher_suite());
    let words = words.and_then(|(version, suite)| {
        let version = version.as_str()?.replace('_', ".");
        // rustls marks the suites of TLS 1.3, IANA does not.
        let suite = suite.suite().as_str()?.replace("TLS13_", "TLS_");
        Some(format!("{version} {suite}"))
    });
    (words, session.alpn_protocol() == Some(b"h2"))
}

fn roots(files: &[Vec<u8>]) -> Result<Vec<CertificateDer<'static>>, SettingsError> {
    let mut roots = Vec::new();
    for (number, pem) in files.iter().enumerate() {
        let not = |why: String| SettingsError::Root(number, why);
        let before = roots.len();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            roots.push(certificate.map_err(|error| not(error.to_string()))?);
        }
        if roots.len() == before {
            return Err(not("it holds none".to_owned()));
        }
    }
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_there_is_no_trust_is_said_in_words() {
        let said = |why| words(&std::io::Error::other(rustls::Error::InvalidCertificate(why)));
        assert_eq!(
            said(CertificateError::UnknownIssuer),
            "its certificate is from an authority that is not trusted"
        );
        assert_eq!(said(CertificateError::Expired), "its certificate has expired");
        assert_eq!(words(&std::io::Error::other("cut off")), "cut off");
    }
}
