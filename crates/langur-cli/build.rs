//! Functions that came out the same are kept once in the program that is handed out: 0.2 MB less.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const FOLD: &str = "-Wl,--icf=all";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The profile `dist` is the only one with small code here, and no other is worth the linker's time.
    if env::var("OPT_LEVEL").is_ok_and(|level| level == "s") && linker_folds() {
        println!("cargo::rustc-link-arg-bins={FOLD}");
    }
}

/// Whether the linker can: LLVM's, which is Rust's own on Linux, and mold can, the one of GNU cannot. It is asked
/// with a program that does nothing, since it may have been chosen in many ways.
fn linker_folds() -> bool {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") != "linux" {
        return false;
    }
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["-", "--crate-name", "nothing", "--crate-type", "bin"]);
    rustc.args(["--target", &variable("TARGET"), "-C", &format!("link-arg={FOLD}")]);
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.args(["-C", &format!("linker={linker}")]);
    }
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    rustc.arg("-o").arg(Path::new(&variable("OUT_DIR")).join("nothing"));
    rustc.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut asked) = rustc.spawn() else { return false };
    let written = asked.stdin.take().is_some_and(|mut to| to.write_all(b"fn main() {}").is_ok());
    asked.wait().is_ok_and(|status| status.success() && written)
}
