"""Follows every link from the seeds, on all hosts, as robots.txt allows. The proxy is that of the
environment (http_proxy, https_proxy), and so are the authorities trusted (SSL_CERT_FILE)."""

import scrapy
from scrapy.linkextractors import LinkExtractor


class ToySpider(scrapy.Spider):
    name = "toy"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "INFO",
        "USER_AGENT": "toyspider/1.0",
        "DOWNLOAD_DELAY": 0,
        # Scrapy trusts every certificate unless told otherwise.
        "DOWNLOAD_VERIFY_CERTIFICATES": True,
    }

    def __init__(self, seed, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [seed]

    def parse(self, response):
        for link in LinkExtractor().extract_links(response):
            yield response.follow(link)
