use std::path::Path;

use anyhow::{Context, Result};

pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content)
        .with_context(|| format!("cannot write {}; the directory must exist", path.display()))
}
