//! The page is part of the program: a file that comes or goes in its folder is a reason to build again.

fn main() {
    println!("cargo::rerun-if-changed=page");
}
