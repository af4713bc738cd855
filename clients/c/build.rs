//! Gives the shared library the name by which programs ask for it when they start.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let part = |name| std::env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    // Libraries of one minor version can stand in for each other: CMakeLists.txt has the same rule.
    let interface = format!("{}.{}", part("MAJOR"), part("MINOR"));
    match os.as_str() {
        "linux" | "freebsd" | "netbsd" | "openbsd" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtouchline_client.so.{interface}");
        }
        "macos" => {
            println!(
                "cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libtouchline_client.{interface}.dylib"
            );
        }
        _ => {}
    }
}
