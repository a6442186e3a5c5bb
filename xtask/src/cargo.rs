use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use serde_json::Value;

pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Reads a file with normalised line endings, because git may check files out with CRLF.
pub(crate) fn read(path: impl AsRef<Path>) -> Result<String> {
    Ok(fs::read_to_string(root().join(path))?.replace("\r\n", "\n"))
}

/// Writes a file, and creates its directory if necessary.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(fs::write(path, content)?)
}

pub(crate) fn listed(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

pub(crate) fn programs(dir: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut programs = listed(dir)?;
    programs.retain(|path| path.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending)));
    ensure!(!programs.is_empty(), "no programs in {}", dir.display());
    Ok(programs)
}

pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Parses the output of `--message-format json` and ignores lines that are not JSON.
pub(crate) fn messages(text: &str) -> impl Iterator<Item = Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok())
}

pub(crate) fn built(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().context("cargo could not be started")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let rendered = |it: Value| it["message"]["rendered"].as_str().map(str::to_owned);
        bail!("{}the build failed", messages(&text).filter_map(rendered).collect::<String>());
    }
    Ok(text)
}

pub(crate) fn filenames(message: &Value) -> Vec<PathBuf> {
    let names = message["filenames"].as_array().into_iter().flatten();
    names.filter_map(|name| name.as_str().map(PathBuf::from)).collect()
}

/// There is no need to ask Cargo, because this program runs from `<target>/<profile>`.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let exe = std::env::current_exe().context("the system does not report the path of xtask")?;
    let dir = exe.ancestors().nth(2).context("xtask is not in a target directory")?;
    Ok(dir.to_owned())
}
