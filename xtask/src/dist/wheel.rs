//! Packs a wheel for `pip install`. A wheel is a zip of the module, the shared library and a list of both.

use anyhow::{Context, Result};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::components::licences;
use super::{Platform, Product};
use crate::bindings::PYTHON;
use crate::plugin::contents::LICENCES;
use crate::tree::{Entry, Tree};
use crate::{VERSION, file_name, read};

/// Python's tags for the platforms. `manylinux2014` promises glibc 2.17.
const TAGS: [(&str, &str); 4] = [
    ("linux-x64", "manylinux2014_x86_64"),
    ("linux-arm64", "manylinux2014_aarch64"),
    ("windows-x64", "win_amd64"),
    ("macos", "macosx_11_0_universal2"),
];

fn tag(platform: &Platform) -> Option<String> {
    let (_, tag) = TAGS.iter().find(|(name, _)| *name == platform.name)?;
    Some(format!("py3-none-{tag}"))
}

/// Returns `None` for platforms that Python does not support.
pub(super) fn name(platform: &Platform) -> Option<String> {
    Some(format!("netclock-{VERSION}-{}.whl", tag(platform)?))
}

pub(super) fn tree(product: &Product) -> Result<Tree> {
    let tag = tag(product.platform).context("Python has no name for this platform")?;
    let names = product.platform.names(0).context("it has a shared library")?;
    let mut tree = Tree::default();
    for file in PYTHON {
        tree.add(&format!("netclock/{}", file_name(file.as_ref())), read(file)?);
    }
    let library = product.shared.as_deref().context("it has a shared library")?;
    tree.add(&format!("netclock/{}", names.built_shared), library);
    let info = format!("netclock-{VERSION}.dist-info");
    for licence in LICENCES {
        tree.add(&format!("{info}/licenses/{licence}"), read(licence)?);
    }
    tree.add(&format!("{info}/licenses/THIRD-PARTY-LICENSES.txt"), licences(&product.components));
    tree.add(
        &format!("{info}/METADATA"),
        format!(
            "Metadata-Version: 2.1\nName: netclock\nVersion: {VERSION}\n\
             Summary: The server's time on every client of a multiplayer game\nLicense: MIT OR Apache-2.0\n\
             Requires-Python: >=3.8\n"
        ),
    );
    tree.add(
        &format!("{info}/WHEEL"),
        format!("Wheel-Version: 1.0\nGenerator: xtask\nRoot-Is-Purelib: false\nTag: {tag}\n"),
    );
    let record = format!("{info}/RECORD");
    let lines: String = tree.entries.iter().map(|(path, entry)| line(path, entry)).collect();
    tree.add(&record, format!("{lines}{record},,\n"));
    Ok(tree)
}

fn line(path: &str, entry: &Entry) -> String {
    let content = entry.content();
    format!("{path},sha256={},{}\n", BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(content)), content.len())
}
