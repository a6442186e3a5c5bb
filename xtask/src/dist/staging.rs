//! A directory beside the result, which becomes the result at the end, or is removed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// A file of every result. A directory without it is somebody else's and is never replaced.
pub(super) const MARK: &str = "SHA256SUMS";

pub(super) struct Staging {
    dir: PathBuf,
    result: PathBuf,
}

impl Staging {
    /// Makes it, and removes what a run left behind that was killed.
    pub(super) fn beside(result: &Path) -> Result<Self> {
        ensure!(
            !result.exists() || result.join(MARK).is_file() || is_empty_directory(result),
            "{} exists and was not made by `cargo xtask dist`: choose another --out",
            result.display()
        );
        let name =
            result.file_name().with_context(|| format!("{} is no directory to make", result.display()))?;
        let name = name.to_string_lossy();
        let (dir, old) = (result.with_file_name(format!(".{name}.new")), old(result));
        for leftover in [&dir, &old] {
            remove(leftover)?;
        }
        fs::create_dir_all(&dir)
            .with_context(|| format!("creating {}: choose an --out you may write to", dir.display()))?;
        Ok(Self { dir, result: result.to_owned() })
    }

    pub(super) fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.dir.join(name);
        fs::write(&path, content).with_context(|| {
            format!("writing {} of {} bytes: is the disk full?", path.display(), content.len())
        })
    }

    /// Puts it in the place of an older result.
    pub(super) fn finish(self) -> Result<()> {
        let old = old(&self.result);
        let moved = |from: &Path, to: &Path| {
            fs::rename(from, to).with_context(|| format!("renaming {} to {}", from.display(), to.display()))
        };
        if self.result.exists() {
            moved(&self.result, &old)?;
        }
        if let Err(error) = moved(&self.dir, &self.result) {
            // The older result is better than none.
            let _ = fs::rename(&old, &self.result);
            return Err(error);
        }
        remove(&old)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next run.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

fn is_empty_directory(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

fn old(result: &Path) -> PathBuf {
    let name = result.file_name().unwrap_or_default().to_string_lossy();
    result.with_file_name(format!(".{name}.old"))
}

fn remove(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).with_context(|| format!("removing {}", dir.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of this test's own, removed at its end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let dir = std::env::temp_dir().join(format!("netclock-staging-{name}-{}", std::process::id()));
            fs::create_dir_all(&dir).expect("the system's directory for such things is there");
            Self(dir)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).expect("it was made");
            entries.map(|it| it.expect("it is readable").file_name().to_string_lossy().into_owned()).collect()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn nothing_is_seen_before_the_end() {
        let scratch = Scratch::new("end");
        let result = scratch.0.join("dist");
        for content in ["one", "two"] {
            let staging = Staging::beside(&result).expect("it may be written to");
            staging.write("a.zip", content.as_bytes()).expect("there is room");
            staging.write(MARK, b"").expect("there is room");
            let before = fs::read_to_string(result.join("a.zip")).ok();
            assert_eq!(before.as_deref(), (content == "two").then_some("one"));
            staging.finish().expect("nothing is in the way");
            assert_eq!(fs::read_to_string(result.join("a.zip")).expect("it is there"), content);
            assert_eq!(scratch.names(), ["dist"]);
        }
    }

    #[test]
    fn a_failure_leaves_the_older_result_and_nothing_else() {
        let scratch = Scratch::new("failure");
        let result = scratch.0.join("dist");
        fs::create_dir(&result).expect("it is ours");
        fs::write(result.join("a.zip"), "older").expect("it is ours");
        fs::write(result.join(MARK), "").expect("it is ours");
        // As a run that was killed leaves it.
        fs::create_dir(scratch.0.join(".dist.new")).expect("it is ours");
        let staging = Staging::beside(&result).expect("it may be written to");
        assert!(staging.write("no/such/directory", b"").is_err());
        drop(staging);
        assert_eq!(scratch.names(), ["dist"]);
        assert_eq!(fs::read_to_string(result.join("a.zip")).expect("it is there"), "older");
    }

    #[test]
    fn what_is_not_ours_is_not_replaced() {
        let scratch = Scratch::new("foreign");
        let result = scratch.0.join("dist");
        fs::create_dir(&result).expect("it is ours");
        drop(Staging::beside(&result).expect("an empty directory is nobody's"));
        fs::write(result.join("thesis.txt"), "ten years").expect("it is ours");
        let refusal = Staging::beside(&result).err().expect("it has another's file").to_string();
        assert!(refusal.contains("--out"), "{refusal}");
        assert_eq!(scratch.names(), ["dist"]);
    }
}
