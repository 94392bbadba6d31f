//! The certificate authority that vouches for archived hosts.
//!
//! A client that asks for an https URL wants to see a certificate of that host. The real ones are
//! elsewhere, so the server makes its own, signed by an authority that is made on first use and that
//! the user tells the client to trust: `ca.pem`, beside its key `ca.key`, which only the owner of the
//! folder may read. Whoever has that key can pretend to be any host towards a client that trusts
//! the authority; the name says that it is for this machine.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose, PublicKeyData, SanType,
    SerialNumber, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use thiserror::Error;
use time::{Duration, OffsetDateTime};
use xxhash_rust::xxh3::xxh3_128;

use crate::recent::Recent;

/// By this name the authority is found among those a client trusts.
const NAME: &str = "Langur archive CA (this machine only)";
/// Hosts whose certificates are kept.
const KEPT: usize = 1024;
/// Some clients trust no certificate for longer than 398 days, wherever it comes from.
const DAYS: i64 = 397;

/// A certificate authority in a folder.
pub struct Authority {
    certificate: PathBuf,
    issuer: Issuer<'static, KeyPair>,
    /// The key of all hosts' certificates, made anew by every server.
    key: KeyPair,
    kept: Mutex<Recent<String, Arc<ServerConfig>>>,
}

/// Why there is no certificate authority, or no certificate.
#[derive(Debug, Error)]
pub enum AuthorityError {
    /// A file could not be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    /// A file could not be written.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Write(PathBuf, #[source] io::Error),
    /// What is in the folder is not what was written there.
    #[error("ca.pem and ca.key in \"{}\" are not a certificate authority of langur\n  name another folder, or remove both and a new one is made", .0.display())]
    NotOurs(PathBuf),
    /// A certificate could not be made.
    #[error("cannot make a certificate for {0}: {1}")]
    Make(String, String),
}

impl Authority {
    /// Opens the authority in a folder, or makes one there.
    pub fn open(folder: &Path) -> Result<Authority, AuthorityError> {
        let (certificate, key) = (folder.join("ca.pem"), folder.join("ca.key"));
        let key = match fs::read_to_string(&key) {
            Ok(pem) => {
                KeyPair::from_pem(&pem).map_err(|_| AuthorityError::NotOurs(folder.to_owned()))?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && !certificate.exists() => {
                fs::create_dir_all(folder)
                    .map_err(|error| AuthorityError::Write(folder.to_owned(), error))?;
                let pair = generate()?;
                write(&key, &pair.serialize_pem(), 0o600)?;
                pair
            }
            Err(error) => return Err(AuthorityError::Read(key, error)),
        };
        let authority = Authority {
            certificate,
            issuer: Issuer::new(authority_params(), key),
            key: generate()?,
            kept: Mutex::new(Recent::new(KEPT)),
        };
        if authority.certificate.exists() {
            authority.check(folder)?;
        } else {
            let made = authority_params().self_signed(authority.issuer.key());
            let pem = made.map_err(cannot_make(NAME))?.pem();
            write(&authority.certificate, &pem, 0o644)?;
        }
        Ok(authority)
    }

    /// The file that clients are told to trust.
    pub fn certificate(&self) -> &Path {
        &self.certificate
    }

    /// How to make clients trust it.
    pub fn how_to_trust(&self) -> String {
        let file = self.certificate.display();
        format!(
            "clients must trust {file} for https; for one client:\n  \
             wget --ca-certificate={file}\n  \
             curl --cacert {file}\n  \
             SSL_CERT_FILE={file} (Scrapy, Python, Go, OpenSSL), NODE_EXTRA_CA_CERTS={file} (Node)\n\
             for all clients of a Debian or Ubuntu machine:\n  \
             sudo cp {file} /usr/local/share/ca-certificates/langur.crt && sudo update-ca-certificates\n\
             for Java (Heritrix, Nutch):\n  \
             keytool -importcert -cacerts -alias langur -file {file}"
        )
    }

    /// How to speak TLS as this host: a name or an address, without the port.
    pub(crate) fn config(&self, host: &str) -> Result<Arc<ServerConfig>, AuthorityError> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(config) = kept().get(&host.to_owned()) {
            return Ok(config);
        }
        let certificate = self.certify(host)?.der().clone();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(self.key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map(|builder| builder.with_no_client_auth())
            .and_then(|builder| builder.with_single_cert(vec![certificate], key));
        let mut config = config.map_err(cannot_make(host))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let config = Arc::new(config);
        kept().insert(host.to_owned(), Arc::clone(&config));
        Ok(config)
    }

    fn certify(&self, host: &str) -> Result<Certificate, AuthorityError> {
        let mut params = CertificateParams::default();
        params.distinguished_name = named("Langur archive");
        params.subject_alt_names = vec![match host.parse::<IpAddr>() {
            Ok(address) => SanType::IpAddress(address),
            Err(_) => SanType::DnsName(host.try_into().map_err(cannot_make(host))?),
        }];
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        let now = OffsetDateTime::now_utc();
        // A day early, for clients whose clock is slow.
        params.not_before = now - Duration::DAY;
        params.not_after = params.not_before + Duration::days(DAYS);
        // An authority never gives one number to two certificates; browsers check.
        let of = [self.key.public_key_raw(), host.as_bytes()].concat();
        params.serial_number = Some(SerialNumber::from(xxh3_128(&of).to_be_bytes().to_vec()));
        params.signed_by(&self.key, &self.issuer).map_err(cannot_make(host))
    }

    /// Whether `ca.pem` is the certificate of `ca.key`. Our own has one form, so it is enough that it
    /// holds the name and the key.
    fn check(&self, folder: &Path) -> Result<(), AuthorityError> {
        let not_ours = || AuthorityError::NotOurs(folder.to_owned());
        let pem = fs::read(&self.certificate)
            .map_err(|error| AuthorityError::Read(self.certificate.clone(), error))?;
        let certificate = CertificateDer::from_pem_slice(&pem).map_err(|_| not_ours())?;
        let holds = |part: &[u8]| certificate.windows(part.len()).any(|window| window == part);
        let ours = holds(NAME.as_bytes()) && holds(&self.issuer.key().subject_public_key_info());
        if ours { Ok(()) } else { Err(not_ours()) }
    }
}

fn generate() -> Result<KeyPair, AuthorityError> {
    KeyPair::generate().map_err(cannot_make(NAME))
}

fn authority_params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = named(NAME);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2120, 1, 1);
    params
}

fn named(name: &str) -> DistinguishedName {
    let mut named = DistinguishedName::new();
    named.push(DnType::CommonName, name);
    named
}

fn cannot_make<E: ToString>(what: &str) -> impl FnOnce(E) -> AuthorityError {
    move |error| AuthorityError::Make(what.to_owned(), error.to_string())
}

/// Writes a file whole or not at all, with these rights from the beginning.
fn write(path: &Path, text: &str, mode: u32) -> Result<(), AuthorityError> {
    let partial = path.with_extension(format!("partial-{}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    let written = options
        .open(&partial)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&partial);
        AuthorityError::Write(path.to_owned(), error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let folder = scratch.path().join("new/ca");
        let made = Authority::open(&folder).expect("an authority");
        let pem = fs::read(made.certificate()).expect("a certificate");
        Authority::open(&folder).expect("the same");
        assert_eq!(fs::read(made.certificate()).expect("a certificate"), pem);
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
        // Killed between the two files, the certificate is made when next opened.
        fs::remove_file(made.certificate()).expect("removed");
        Authority::open(&folder).expect("completed");
        assert!(made.certificate().exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read_the_key() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = tempfile::tempdir().expect("a scratch folder");
        Authority::open(scratch.path()).expect("an authority");
        let key = fs::metadata(scratch.path().join("ca.key")).expect("a key");
        assert_eq!(key.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let (one, other) = (tempfile::tempdir(), tempfile::tempdir());
        let (one, other) = (one.expect("a folder"), other.expect("a folder"));
        Authority::open(one.path()).expect("an authority");
        Authority::open(other.path()).expect("an authority");
        let swap = |name: &str| fs::copy(one.path().join(name), other.path().join(name));
        swap("ca.key").expect("copied");
        assert!(matches!(Authority::open(other.path()), Err(AuthorityError::NotOurs(_))));
        fs::remove_file(other.path().join("ca.key")).expect("removed");
        assert!(matches!(Authority::open(other.path()), Err(AuthorityError::Read(..))));
    }
}
