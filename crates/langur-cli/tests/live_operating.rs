//! Watching a crawl, telling it what to do, and what ends it.

mod live;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use langur_testkit::{Answer, Loopback};
use live::archive::archived_urls;
use live::{AT_ONCE, Live, Running};
use serde_json::Value;

const SOON: Duration = Duration::from_secs(20);

/// Pages without end, each with a link to the next.
fn endless(path: &str) -> Answer {
    match path {
        "/robots.txt" => Answer::status(404),
        _ => {
            let number: usize = path.trim_start_matches('/').parse().unwrap_or(0);
            Answer::page(format!("<p>page {number}</p><a href=\"/{}\">next</a>", number + 1))
        }
    }
}

fn endless_web() -> Loopback {
    Loopback::start(|_, path| endless(path).after(Duration::from_millis(3)))
}

/// Asks for the status until it is as wanted.
#[track_caller]
fn status_when(live: &Live, wanted: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let status = live.status();
        if wanted(&status) {
            return status;
        }
        assert!(start.elapsed() < SOON, "{status}");
    }
}

#[track_caller]
fn begun(live: &Live, web: &Loopback) -> Running {
    let running = live.begin();
    assert!(web.wait_until(SOON, |asked| !asked.is_empty()), "{}", running.stderr());
    running
}

#[test]
fn the_status_of_a_running_crawl_explains_every_wait() {
    let web = Loopback::start(|host, path| match (host, path) {
        ("delays.example", "/robots.txt") => Answer::text("User-agent: *\nCrawl-delay: 60\n"),
        ("busy.example", "/") => Answer::status(503).with("Retry-After", "100"),
        ("slow.example", "/") => Answer::status(200).after(SOON),
        ("down.example", _) => Answer::silence(),
        (_, path) => endless(path),
    });
    let seeds =
        ["rests", "delays", "busy", "slow", "down"].map(|it| format!("http://{it}.example/"));
    let settings =
        "[manners]\ndelay = \"200ms\"\naddress_delay = \"0ms\"\n[budget]\nper_host = 3\n";
    let live = Live::on(&web, settings, &seeds.each_ref().map(String::as_str));
    let running = begun(&live, &web);
    let status = status_when(&live, |status| {
        let waits = status["waits"].as_array().expect("waits");
        waits.len() >= 3 && status["under_way"].to_string().contains("slow.example")
    });
    assert_eq!(status["phase"], "running");
    let waits = live.waits();
    assert!(waits["delays.example"].starts_with("its Crawl-delay; again in "), "{waits:?}");
    assert!(waits["busy.example"].starts_with("it answered 503; again in "), "{waits:?}");
    assert!(
        waits["down.example"].contains("; again in 30 s")
            || waits["down.example"].contains("; again in 2"),
        "{waits:?}"
    );
    let text = live.start(&["status", "crawl"]).succeed().stdout;
    for said in ["running", "busy.example (1 page): it answered 503", "under way for"] {
        assert!(text.contains(said), "{text}");
    }
    assert!(running.kill());
    let status = live.status();
    assert_eq!(
        (&status["phase"], &status["why"]),
        (
            &"not running".into(),
            &"it was stopped at once or killed, or the machine went down".into()
        )
    );
    for command in [
        &["export", "wacz", "crawl", "-o", "x.wacz"][..],
        &["archive", "get", "crawl/archive", "http://a.example/"],
    ] {
        let ended = live.start(command).fail(2);
        assert!(ended.stderr.contains("go on with: langur resume crawl"), "{}", ended.stderr);
    }
}

#[test]
fn a_running_crawl_pauses_takes_seeds_blocks_hosts_goes_on_and_stops() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]);
    let running = begun(&live, &web);
    assert!(live.tell(&["pause"]).contains("it pauses"));
    let status = status_when(&live, |status| status["under_way"] == Value::Array(Vec::new()));
    assert_eq!(
        (&status["phase"], &status["why"]),
        (&"paused".into(), &"paused by the operator".into())
    );
    let before = web.count();
    fs::write(live.path().join("more.txt"), "http://b.example/\n").expect("seeds");
    assert!(live.tell(&["add-seeds", "more.txt"]).contains("1 seeds were added\n"));
    let twice = live.tell(&["add-seeds", "more.txt"]);
    assert!(
        twice.contains("0 seeds were added; 1 were known already, and are seeds now"),
        "{twice}"
    );
    assert!(live.tell(&["block", "a.example"]).contains("nothing more is fetched from a.example"));
    assert_eq!(web.count(), before, "nobody is asked during a pause");
    assert_eq!(live.status()["seconds"], status["seconds"], "a pause is no time at work");
    live.tell(&["resume"]);
    let is_b = |asked: &[langur_testkit::Asked]| {
        asked.iter().any(|it| it.host == "b.example" && it.path == "/3")
    };
    assert!(web.wait_until(SOON, is_b));
    assert!(web.asked()[before..].iter().all(|asked| asked.host == "b.example"));
    live.tell(&["stop"]);
    let ended = running.succeed();
    assert!(ended.stdout.contains("ended: stopped by the operator"), "{}", ended.stdout);
    assert!(ended.stdout.ends_with("go on with: langur resume crawl\n"), "{}", ended.stdout);
    assert_eq!(live.status()["troubles"]["blocked"], 1);
    // Nobody is there any more.
    let ended = live.start(&["tell", "crawl", "pause"]).fail(2);
    assert!(ended.stderr.contains("no crawl runs in \"crawl\""), "{}", ended.stderr);
}

#[test]
fn a_host_that_is_blocked_is_not_even_asked_for_its_robots_txt() {
    let web = Loopback::start(|host, path| match (host, path) {
        ("a.example", "/") => {
            Answer::page("<a href=\"http://www.b.example/\">b</a>").after(Duration::from_secs(3))
        }
        _ => endless(path),
    });
    let settings = format!("{AT_ONCE}[fetch]\nconnections = 2\n");
    let live = Live::on(&web, &settings, &["http://a.example/"]);
    let running = live.begin();
    assert!(web.wait_until(SOON, |asked| asked.iter().any(|it| it.path == "/")));
    for no_host in ["", "foo bar", "b.example/x"] {
        live.start(&["tell", "crawl", "block", no_host]).fail(2);
    }
    live.tell(&["block", "http://B.example.:80/"]);
    assert_eq!(live.status()["blocked"], serde_json::json!(["b.example"]));
    let ended = live.start(&["tell", "crawl", "unblock", "c.example"]).fail(1);
    assert!(ended.stderr.contains("blocked are: b.example"), "{}", ended.stderr);
    live.tell(&["unblock", "b.example"]);
    assert_eq!(live.status()["blocked"], serde_json::json!([]));
    live.tell(&["block", "b.example:80"]);
    running.succeed();
    assert!(web.asked().iter().all(|asked| asked.host == "a.example"));
    let text = live.start(&["status", "crawl"]).succeed().stdout;
    assert!(text.contains("blocked   b.example\n"), "{text}");
    assert_eq!(live.status()["troubles"]["blocked"], 1);
}

#[test]
fn addresses_that_are_archived_can_be_got() {
    let web = endless_web();
    let settings = format!("{AT_ONCE}[stop]\npages = 3\n[archive]\ndns = true\n");
    let live = Live::on(&web, &settings, &["http://a.example/"]);
    live.run();
    let get = |name: &str| live.start(&["archive", "get", "crawl/archive", name]);
    assert!(get("dns:a.example").succeed().stdout.contains("a.example.\t0\tIN\tA\t127.0.0.1"));
    let ended = get("dns:b.example").fail(1);
    assert!(ended.stderr.contains("dns:b.example is not in the archive"), "{}", ended.stderr);
    for host in ["a.example:80", "localhost:80/x"] {
        get(host).fail(2);
    }
}

#[test]
fn control_c_stops_cleanly_and_says_how_to_go_on() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]);
    let running = begun(&live, &web);
    assert!(web.wait_until(SOON, |asked| asked.len() > 5));
    running.signal(libc::SIGINT);
    let ended = running.succeed();
    assert!(ended.stdout.ends_with("go on with: langur resume crawl\n"), "{}", ended.stdout);
    assert!(ended.stderr.contains("stopping; requests under way are finished"), "{}", ended.stderr);
    let finished = live.visits().len();
    assert_eq!(archived_urls(&live.crawl()).len(), finished + 1, "pages and a robots.txt");
    let status = live.status();
    let tiers = status["tiers"].as_array().expect("tiers").iter();
    let in_tiers: u64 = tiers.map(|tier| tier[1].as_u64().expect("a number")).sum();
    assert_eq!(in_tiers, status["waiting"], "also those that are with their hosts: {status}");
    assert!(in_tiers > 0);
    let more = (finished + 5).to_string();
    let ended = live.start(&["resume", "crawl", "--max-pages", &more]).succeed();
    assert!(
        ended.stdout.contains(&format!("ended: {more} pages were fetched")),
        "{}",
        ended.stdout
    );
    assert_eq!(web.count(), finished + 5 + 1, "nothing was asked for twice");
}

#[test]
fn a_terminal_that_is_closed_stops_it_cleanly_too() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]);
    let running = begun(&live, &web);
    // Shells say so once more than the system does.
    running.signal(libc::SIGHUP);
    running.signal(libc::SIGHUP);
    let ended = running.succeed();
    assert!(ended.stdout.ends_with("go on with: langur resume crawl\n"), "{}", ended.stdout);
}

#[test]
fn a_crawl_under_nohup_goes_on_when_the_terminal_is_closed() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--max-pages", "1"]);
    live.run();
    let mut command = Command::new("nohup");
    command.args([env!("CARGO_BIN_EXE_langur"), "resume", "crawl", "--max-pages", "100"]);
    command.current_dir(live.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut crawl = command.spawn().expect("nohup");
    let pid = i32::try_from(crawl.id()).expect("a process id");
    assert!(web.wait_until(SOON, |asked| asked.len() > 5));
    // SAFETY: a process is only sent a signal.
    unsafe { libc::kill(pid, libc::SIGHUP) };
    assert!(crawl.wait().expect("it ends").success());
    assert_eq!(live.visits().len(), 100);
}

#[test]
fn a_crawl_goes_on_when_nobody_listens_any_more() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--max-pages", "1"]);
    live.run();
    let mut command = Command::new(env!("CARGO_BIN_EXE_langur"));
    command.args(["resume", "crawl", "--max-pages", "20"]).current_dir(live.path());
    let mut unheard =
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(unheard.stderr.take());
    assert!(unheard.wait().expect("it ends").success());
    assert_eq!(live.visits().len(), 20);
}

#[test]
fn control_c_twice_stops_at_once_and_says_how_to_go_on() {
    let web = Loopback::start(|_, _| Answer::silence());
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]);
    let running = begun(&live, &web);
    assert!(web.wait_until(SOON, |asked| !asked.is_empty()));
    running.signal(libc::SIGINT);
    let start = Instant::now();
    while !running.stderr().contains("once more to stop at once") {
        assert!(start.elapsed() < SOON, "{}", running.stderr());
        std::thread::yield_now();
    }
    running.signal(libc::SIGINT);
    let ended = running.fail(130);
    assert!(ended.stderr.ends_with("go on with: langur resume crawl\n"), "{}", ended.stderr);
}

#[test]
fn metrics_are_served_as_prometheus_wants_them() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--metrics", "127.0.0.1:0"]);
    let running = begun(&live, &web);
    assert!(web.wait_until(SOON, |asked| asked.len() > 5));
    let said = running.stderr();
    let address = said.lines().find_map(|line| line.strip_prefix("langur: metrics are at http://"));
    let address = address.and_then(|it| it.strip_suffix("/metrics")).expect("an address is said");
    let mut stream = TcpStream::connect(address).expect("somebody there");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
    for line in [
        "# TYPE langur_fetched_total counter",
        "langur_running 1",
        "langur_hosts{state=\"known\"} 1",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let fetched = text.lines().find_map(|line| line.strip_prefix("langur_fetched_total "));
    assert!(fetched.and_then(|it| it.parse::<u64>().ok()) > Some(0), "{text}");
}

/// A crawl with this option ends by itself, and says why.
#[track_caller]
fn ends(web: &Loopback, options: &[&str], why: &str) -> Live {
    let live = Live::on(web, AT_ONCE, &["http://a.example/"]).with(options);
    let ended = live.run();
    assert!(ended.stdout.contains(&format!("ended: {why}")), "{options:?}: {}", ended.stdout);
    live
}

#[test]
fn a_crawl_stops_after_so_many_pages_bytes_relevant_pages_or_so_much_time() {
    let web = Loopback::start(|_, path| match path {
        "/3" | "/5" => Answer::page(format!(
            "<p>{}</p><a href=\"/{}\">next</a>",
            "ภาษาไทยเป็นภาษาราชการของประเทศไทย และเป็นภาษาแม่ของคนไทยส่วนใหญ่",
            path[1..].parse::<usize>().expect("a number") + 1
        )),
        "/9" => endless(path).with("X-Filling", &"x".repeat(20_000)),
        _ => endless(path),
    });
    let live = ends(&web, &["--max-pages", "7"], "7 pages were fetched");
    assert_eq!(live.visits().len(), 7);
    let live = ends(&web, &["--max-bytes", "20KiB"], "20KiB were received");
    assert_eq!(live.visits().len(), 10);
    let live = ends(&web, &["--max-relevant", "2"], "2 relevant pages were found");
    assert_eq!(live.visits().len(), 6);
    // Time passes though nothing happens.
    let slow = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::text("User-agent: *\nCrawl-delay: 60\n"),
        _ => endless(path),
    });
    ends(&slow, &["--max-time", "300ms"], "it ran for 300ms");
}

#[test]
fn a_crawl_stops_when_its_harvest_falls() {
    // A thousand pages at once, of which none is relevant.
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/" => {
            let link = |host: usize| {
                (0..42).map(move |page| format!("<a href=\"http://h{host}.example/{page}\">x</a>"))
            };
            Answer::page((0..25).flat_map(link).collect::<String>())
        }
        _ => Answer::page("<p>nothing of interest</p>"),
    });
    let live = ends(&web, &["--min-harvest", "0.02"], "harvest fell to 0.0%, below 2.0%");
    assert!((1000..1051).contains(&live.visits().len()));
}

#[test]
fn settings_that_are_misspelt_are_refused_with_their_place() {
    let web = endless_web();
    for (settings, said) in [
        ("[manners]\ndelai = \"2s\"\n", ["crawl.toml", "line 2", "unknown field `delai`"]),
        ("[fetch]\nlongest = \"16 megs\"\n", ["crawl.toml", "line 2", "is not a number of bytes"]),
        ("[scope]\ninclude = [\"hots:a\"]\n", ["hots", "host", ":"]),
        (
            "[fetch]\nresolve = [\"a.example\"]\n",
            ["fetch.resolve", "HOST=ADDRESS:PORT", "a.example"],
        ),
    ] {
        let ended = Live::on(&web, settings, &["http://a.example/"]).begin().fail(2);
        for said in said {
            assert!(ended.stderr.contains(said), "{said:?} in {}", ended.stderr);
        }
    }
    let ended = Live::on(&web, AT_ONCE, &[]).begin().fail(2);
    assert!(ended.stderr.contains("seeds"), "{}", ended.stderr);
    assert_eq!(web.count(), 0);
}

#[test]
fn a_folder_is_crawled_by_one_process_at_a_time() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]);
    let running = begun(&live, &web);
    let ended = live.resume().fail(1);
    assert!(ended.stderr.contains("is being crawled by another process"), "{}", ended.stderr);
    let again = live.with(&["--force"]);
    let ended = again.begin().fail(1);
    assert!(ended.stderr.contains("is being crawled by another process"), "{}", ended.stderr);
    running.signal(libc::SIGTERM);
    running.succeed();
    let finished = again.visits().len();
    assert!(finished > 0);
    // Nobody is at it any more, and it may be replaced.
    again.with(&["--max-pages", "3"]).run();
}

#[test]
fn a_crawl_is_not_begun_where_there_is_one() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--max-pages", "2"]);
    live.run();
    let ended = live.begin().fail(2);
    assert!(ended.stderr.contains("holds a crawl already"), "{}", ended.stderr);
    assert!(ended.stderr.contains("langur resume crawl"), "{}", ended.stderr);
}

#[test]
fn logs_are_json_where_json_is_wanted() {
    let web = endless_web();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]);
    let live = live.with(&["--max-pages", "4", "--log", "json", "--json"]);
    let ended = live.run();
    let result: Value = serde_json::from_str(&ended.stdout).expect("a result in JSON");
    assert_eq!(result["status"]["fetched"], 4);
    assert_eq!(result["resume"], "langur resume crawl --max-pages 8");
    for line in ended.stderr.lines() {
        let status: Value = serde_json::from_str(line).expect("a line of JSON");
        assert!(status["phase"].is_string() && status["at"].is_number(), "{line}");
    }
    let resume = ["resume", "crawl", "--max-pages", "5", "--log", "json", "--json"];
    let ended = live.start(&resume).succeed();
    let first = ended.stderr.lines().next().expect("a line");
    let said: Value = serde_json::from_str(first).expect("a line of JSON");
    assert!(said["message"].as_str().is_some_and(|it| it.contains("events replayed")), "{said}");
}

/// A small disk of its own. It goes when dropped.
struct SmallDisk {
    place: PathBuf,
}

impl SmallDisk {
    /// Nothing where it is not permitted.
    fn mount(place: &Path, size: &str) -> Option<SmallDisk> {
        fs::create_dir_all(place).expect("a folder");
        let disk = SmallDisk { place: place.to_owned() };
        let is_there = disk.call("mount", &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]);
        if !is_there {
            println!("NOT RUN: a disk cannot be mounted here");
        }
        is_there.then_some(disk)
    }

    fn resize(&self, size: &str) {
        assert!(self.call("mount", &["-o", &format!("remount,size={size}")]), "it is made larger");
    }

    fn call(&self, command: &str, arguments: &[&str]) -> bool {
        let output = Command::new(command).args(arguments).arg(&self.place).output();
        output.is_ok_and(|output| output.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.call("umount", &["-l"]);
    }
}

/// Bytes that cannot be packed.
fn noise(seed: usize, length: usize) -> String {
    let mut state = seed as u64 + 1;
    let next = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'!' + (state >> 58) as u8)
    };
    std::iter::repeat_with(next).filter(|it| !matches!(it, '<' | '&')).take(length).collect()
}

/// Forty pages of 64 KiB.
fn large_web() -> Loopback {
    Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        _ => {
            let number: usize = path.trim_start_matches('/').parse().unwrap_or(0);
            let next = if number < 39 {
                format!("<a href=\"/{}\">next</a>", number + 1)
            } else {
                String::new()
            };
            Answer::page(format!("{next}<p>{}", noise(number, 64 << 10)))
        }
    })
}

#[test]
fn a_full_disk_is_waited_for_and_nothing_is_lost() {
    let web = large_web();
    let settings = format!("{AT_ONCE}[archive]\nleast_free = \"0B\"\nrotate = \"256KiB\"\n");
    let live = Live::on(&web, &settings, &["http://a.example/"]);
    let Some(disk) = SmallDisk::mount(&live.crawl(), "1m") else { return };
    let running = begun(&live, &web);
    let status = status_when(&live, |status| status["phase"] == "paused");
    assert_eq!(status["why"], "the disk is full; it goes on when there is room");
    assert!(running.stderr().contains("the disk is full: the crawl waits until there is room"));
    let ended = live.start(&["tell", "crawl", "pause"]).fail(1);
    assert!(ended.stderr.contains("make room first"), "{}", ended.stderr);
    disk.resize("64m");
    let ended = running.succeed();
    assert!(ended.stderr.contains("there is room on the disk again"), "{}", ended.stderr);
    assert_eq!(archived_urls(&live.crawl()).len(), 41);
    assert_eq!(web.count(), 41, "nothing was asked for twice");
}

#[test]
fn to_wait_for_room_is_no_time_at_work() {
    let web = large_web();
    for (settings, size) in [("0B", "1m"), ("32MiB", "16m")] {
        let settings = format!("{AT_ONCE}[archive]\nleast_free = \"{settings}\"\n");
        let live = Live::on(&web, &settings, &["http://a.example/"]).with(&["--max-time", "2s"]);
        let Some(disk) = SmallDisk::mount(&live.crawl(), size) else { return };
        let running = live.begin();
        let start = Instant::now();
        while !live.crawl().join("control.sock").exists() {
            assert!(start.elapsed() < SOON, "{}", running.stderr());
            std::thread::yield_now();
        }
        status_when(&live, |status| status["phase"] == "paused");
        // Longer than the crawl may take.
        std::thread::sleep(Duration::from_millis(2500));
        disk.resize("64m");
        let ended = running.succeed();
        assert!(ended.stdout.contains("nothing is left to visit"), "{size}: {}", ended.stdout);
        assert_eq!(archived_urls(&live.crawl()).len(), 41, "{size}");
    }
}

#[test]
fn a_crawl_that_is_taken_up_on_a_full_disk_waits_for_room() {
    let web = large_web();
    let settings = format!("{AT_ONCE}[archive]\nleast_free = \"0B\"\n");
    let live = Live::on(&web, &settings, &["http://a.example/"]).with(&["--max-pages", "3"]);
    let Some(disk) = SmallDisk::mount(&live.crawl(), "4m") else { return };
    live.run();
    let filler = live.crawl().join("filler");
    let _ = fs::write(&filler, vec![0; 8 << 20]).expect_err("the disk becomes full");
    let running = live.start(&["resume", "crawl", "--max-pages", "0"]);
    let start = Instant::now();
    while !running.stderr().contains("the disk is full: the crawl waits until there is room") {
        assert!(start.elapsed() < SOON, "{}", running.stderr());
        std::thread::sleep(Duration::from_millis(50));
    }
    disk.resize("64m");
    running.succeed();
    assert_eq!(archived_urls(&live.crawl()).len(), 41);
}

#[test]
fn a_crawl_pauses_before_the_disk_is_full() {
    let web = large_web();
    let settings = format!("{AT_ONCE}[archive]\nleast_free = \"32MiB\"\n");
    let live = Live::on(&web, &settings, &["http://a.example/"]);
    let Some(disk) = SmallDisk::mount(&live.crawl(), "16m") else { return };
    let running = live.begin();
    let start = Instant::now();
    while !live.crawl().join("control.sock").exists() {
        assert!(start.elapsed() < SOON, "{}", running.stderr());
        std::thread::yield_now();
    }
    let status = status_when(&live, |status| status["phase"] == "paused");
    let why = status["why"].as_str().expect("a reason");
    assert!(why.contains("archive.least_free is 32MiB; it goes on when there is room"), "{why}");
    assert_eq!(web.count(), 0);
    disk.resize("64m");
    let ended = running.succeed();
    assert!(ended.stderr.contains("archive.least_free is 32MiB"), "{}", ended.stderr);
    assert_eq!(archived_urls(&live.crawl()).len(), 41);
}
