//! Where the captures of a URL lie: CDX and CDXJ lines, sorted files of them, ZipNum clusters, and
//! Common Crawl's columnar index.
