//! How the shared library is linked.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        // A thread that used the library runs code of it when it ends (AWS-LC tidies up what belongs to the thread):
        // what dlclose() unmapped before would crash it.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
        // Else a program that was linked with the file by its path looks for it there.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libxs2a_sandbox.so");
    }
}
