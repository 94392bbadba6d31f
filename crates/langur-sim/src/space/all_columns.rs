//! All columns of a web space, written stretch by stretch.

use langur_folder::FolderError;

use super::column::CodesWriter;
use super::dictionary::{DictionaryWriter, FrontCoder};
use super::manifest::Manifest;
use super::writer::{ColumnWriter, NewSpace};

/// Codes in memory, in the width their table needs.
#[derive(Clone, Copy)]
pub enum CodeSlice<'a> {
    /// One byte each; they fit any table.
    Narrow(&'a [u8]),
    /// Two bytes each.
    Wide(&'a [u16]),
}

/// What is written of a stretch of pages.
pub struct Pages<'a> {
    /// What is known of each by itself.
    pub facts: Facts<'a>,
    /// Host.
    pub host: &'a [u32],
    /// Directory.
    pub directory: &'a [u32],
    /// Where the links point, one page's after the other's.
    pub targets: &'a [u32],
}

/// What is known of each page of a stretch without knowing other pages' numbers. All slices are of the same
/// length, but for the anchors'.
pub struct Facts<'a> {
    /// HTTP status; 0 for no answer.
    pub status: &'a [u16],
    /// Media type.
    pub mime: CodeSlice<'a>,
    /// Size.
    pub bytes: &'a [u32],
    /// Declared character set.
    pub charset: CodeSlice<'a>,
    /// Time to answer.
    pub latency_ms: &'a [u16],
    /// 1 for pages that are only a way in.
    pub gateway: &'a [u8],
    /// Language by each labelling rule.
    pub language: Vec<CodeSlice<'a>>,
    /// URLs, coded from the number of the first page on.
    pub urls: &'a FrontCoder,
    /// Number of links of each page.
    pub link_counts: &'a [u32],
    /// Language of the links' anchors, one page's after the other's.
    pub anchors: CodeSlice<'a>,
}

/// What is written of a stretch of missing pages.
pub struct MissingPages<'a> {
    /// Host.
    pub host: &'a [u32],
    /// Directory.
    pub directory: &'a [u32],
    /// URLs, coded from the number of the first one on.
    pub urls: &'a FrontCoder,
}

/// What is written of a host.
pub struct HostRow<'a> {
    /// Its name with the labels reversed.
    pub key: &'a str,
    /// The number of its first page.
    pub first_page: u32,
    /// The number of its first missing page, counted among the missing.
    pub first_missing: u32,
    /// Its registrable domain.
    pub domain: u32,
    /// The code of its top-level domain.
    pub tld: u16,
}

/// Writes pages first, then missing pages, then hosts.
pub struct AllColumns {
    status: ColumnWriter,
    mime: CodesWriter,
    bytes: ColumnWriter,
    charset: CodesWriter,
    latency_ms: ColumnWriter,
    gateway: ColumnWriter,
    language: Vec<CodesWriter>,
    host: ColumnWriter,
    directory: ColumnWriter,
    urls: DictionaryWriter,
    missing_urls: DictionaryWriter,
    offsets: ColumnWriter,
    targets: ColumnWriter,
    anchors: CodesWriter,
    links: u64,
}

impl AllColumns {
    /// Begins all columns. The tables of the manifest must be complete.
    pub fn new(space: &NewSpace, manifest: &Manifest) -> Result<AllColumns, FolderError> {
        let codes = |name: &str, table: &[String]| {
            Ok::<_, FolderError>(CodesWriter::new(space.column(name)?, table.len()))
        };
        let language = |i| codes(&format!("pages.language.{i}"), &manifest.languages);
        let mut offsets = space.column("links.offsets")?;
        offsets.write(&[0_u64])?;
        Ok(AllColumns {
            status: space.column("pages.status")?,
            mime: codes("pages.mime", &manifest.mimes)?,
            bytes: space.column("pages.bytes")?,
            charset: codes("pages.charset", &manifest.charsets)?,
            latency_ms: space.column("pages.latency_ms")?,
            gateway: space.column("pages.gateway")?,
            language: (0..manifest.labels.len()).map(language).collect::<Result<_, _>>()?,
            host: space.column("pages.host")?,
            directory: space.column("pages.directory")?,
            urls: DictionaryWriter::new(space, "pages.urls")?,
            missing_urls: DictionaryWriter::new(space, "missing.urls")?,
            offsets,
            targets: space.column("links.targets")?,
            anchors: codes("links.anchors", &manifest.languages)?,
            links: 0,
        })
    }

    /// Appends a stretch of pages.
    pub fn write_pages(&mut self, pages: &Pages) -> Result<(), FolderError> {
        self.write_facts(&pages.facts)?;
        self.write_places(pages.host, pages.directory)?;
        self.write_targets(pages.targets)
    }

    /// Appends what is known of a stretch of pages by themselves. Places and targets may follow later.
    pub fn write_facts(&mut self, pages: &Facts) -> Result<(), FolderError> {
        self.status.write(pages.status)?;
        self.mime.write(pages.mime)?;
        self.bytes.write(pages.bytes)?;
        self.charset.write(pages.charset)?;
        self.latency_ms.write(pages.latency_ms)?;
        self.gateway.write(pages.gateway)?;
        for (writer, &codes) in self.language.iter_mut().zip(&pages.language) {
            writer.write(codes)?;
        }
        self.urls.append(pages.urls)?;
        let offset = |&count: &u32| {
            self.links += u64::from(count);
            self.links
        };
        let offsets: Vec<u64> = pages.link_counts.iter().map(offset).collect();
        self.offsets.write(&offsets)?;
        self.anchors.write(pages.anchors)
    }

    /// Appends the hosts and directories of a stretch of pages, missing ones after all others.
    pub fn write_places(&mut self, host: &[u32], directory: &[u32]) -> Result<(), FolderError> {
        self.host.write(host)?;
        self.directory.write(directory)
    }

    /// Appends where a stretch of links points.
    pub fn write_targets(&mut self, targets: &[u32]) -> Result<(), FolderError> {
        self.targets.write(targets)
    }

    /// Appends a stretch of missing pages.
    pub fn write_missing(&mut self, missing: &MissingPages) -> Result<(), FolderError> {
        self.write_places(missing.host, missing.directory)?;
        self.write_missing_urls(missing.urls)
    }

    /// Appends the URLs of a stretch of missing pages.
    pub fn write_missing_urls(&mut self, urls: &FrontCoder) -> Result<(), FolderError> {
        self.missing_urls.append(urls)
    }

    /// Writes all hosts and closes every column. `manifest` has the numbers of pages and missing pages.
    pub fn finish<'a>(
        self,
        space: &NewSpace,
        manifest: &Manifest,
        hosts: impl Iterator<Item = HostRow<'a>>,
    ) -> Result<(), FolderError> {
        let codes = [self.mime, self.charset, self.anchors];
        codes.into_iter().chain(self.language).try_for_each(CodesWriter::finish)?;
        let columns = [
            self.status,
            self.bytes,
            self.latency_ms,
            self.gateway,
            self.host,
            self.directory,
            self.offsets,
            self.targets,
        ];
        columns.into_iter().try_for_each(ColumnWriter::finish)?;
        self.urls.finish()?;
        self.missing_urls.finish()?;
        write_hosts(space, manifest, hosts)
    }
}

fn write_hosts<'a>(
    space: &NewSpace,
    manifest: &Manifest,
    hosts: impl Iterator<Item = HostRow<'a>>,
) -> Result<(), FolderError> {
    let mut names = DictionaryWriter::new(space, "hosts.names")?;
    let (mut pages, mut missing, mut domains, mut tlds) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for host in hosts {
        names.push(host.key.as_bytes())?;
        pages.push(host.first_page);
        missing.push(host.first_missing);
        domains.push(host.domain);
        tlds.push(host.tld);
    }
    names.finish()?;
    pages.push(manifest.counts.pages as u32);
    missing.push(manifest.counts.missing as u32);
    for (name, numbers) in
        [("hosts.pages", pages), ("hosts.missing", missing), ("hosts.domain", domains)]
    {
        let mut column = space.column(name)?;
        column.write(&numbers)?;
        column.finish()?;
    }
    let mut writer = CodesWriter::new(space.column("hosts.tld")?, manifest.tlds.len());
    writer.write(CodeSlice::Wide(&tlds))?;
    writer.finish()
}
