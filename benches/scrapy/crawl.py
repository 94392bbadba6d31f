"""Scrapy as a peer of `langur bench live`: follows all links, breadth first, with high concurrency and no delays.

    http_proxy=http://127.0.0.1:8080 scrapy runspider crawl.py -a seeds=seeds.txt -a pages=30000 [-a warc=out.warc.gz]

The server is used as a proxy, since it stands for all hosts; by the environment, so that robots.txt is asked there too.
"""

import io
import json
import time

import scrapy
from scrapy.exceptions import CloseSpider


class Crawl(scrapy.Spider):
    name = "crawl"
    custom_settings = {
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS": 128,
        # The proxy is one place for all hosts, and Scrapy counts what is asked of it by host.
        "CONCURRENT_REQUESTS_PER_DOMAIN": 128,
        "DOWNLOAD_DELAY": 0,
        "COOKIES_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
        "RETRY_ENABLED": False,
        "REDIRECT_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
        # Breadth first, as its documentation says.
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    }

    def __init__(self, seeds, pages, warc=None, **kwargs):
        super().__init__(**kwargs)
        self.seeds = [line.strip() for line in open(seeds) if line.strip()]
        self.most = int(pages)
        self.fetched = 0
        self.writer = None
        if warc:
            from warcio.warcwriter import WARCWriter

            self.writer = WARCWriter(open(warc, "wb"), gzip=True)
        self.began = time.monotonic()

    async def start(self):
        for request in self.start_requests():
            yield request

    def start_requests(self):
        for url in self.seeds:
            yield self.ask(url)

    def ask(self, url):
        return scrapy.Request(url, callback=self.parse, errback=self.failed)

    def failed(self, failure):
        response = getattr(failure.value, "response", None)
        if response is not None:
            self.count(response)

    def count(self, response):
        if self.fetched >= self.most:
            return
        if self.writer:
            self.archive(response)
        self.fetched += 1
        if self.fetched == self.most:
            self.seconds = time.monotonic() - self.began
            raise CloseSpider("enough")

    def archive(self, response):
        from warcio.statusandheaders import StatusAndHeaders

        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, values in response.headers.items()
            for value in values
        ]
        record = self.writer.create_warc_record(
            response.url,
            "response",
            payload=io.BytesIO(response.body),
            http_headers=StatusAndHeaders(f"{response.status} OK", headers, protocol="HTTP/1.1"),
        )
        self.writer.write_record(record)

    def parse(self, response):
        self.count(response)
        if isinstance(response, scrapy.http.HtmlResponse):
            for url in response.xpath("//a/@href").getall():
                yield self.ask(response.urljoin(url))

    def closed(self, reason):
        seconds = getattr(self, "seconds", time.monotonic() - self.began)
        print(json.dumps({"fetched": self.fetched, "seconds": seconds}))
