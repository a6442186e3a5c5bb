//! A plugin of a few files, put into a project that has files of its own.

use std::collections::BTreeMap;

use super::*;

/// A directory of its own for each test, gone with it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("netclock-plugin-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("the system's own directory for this is writable");
        Self(dir)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is below the scratch directory")).expect("it is ours");
        fs::write(path, text).expect("it is ours");
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join(name)).ok()
    }

    /// The plugin's source of so many files, as contents; each says `word`.
    fn contents(&self, names: &[&str], word: &str) -> Contents {
        let _ = fs::remove_dir_all(self.0.join("source"));
        names.iter().for_each(|name| self.write(&format!("source/{name}"), &format!("{word} {name}\n")));
        Contents { files: below(&self.0.join("source")).expect("it is readable") }
    }

    fn install(&self, contents: &Contents) -> Result<Report> {
        let destination = Destination { dir: self.0.join("plugin"), option: "--project" };
        sync(&destination, &List::read(&destination.dir)?, contents)
    }

    /// Every file of the plugin, with its content.
    fn plugin(&self) -> BTreeMap<String, Vec<u8>> {
        let files = below(&self.0.join("plugin")).expect("it is readable");
        files.into_iter().map(|(name, path)| (name, fs::read(path).expect("it is readable"))).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const LINUX: &str = "Source/ThirdParty/NetClockLibrary/lib/Linux/libnetclock.so";
const MAC: &str = "Source/ThirdParty/NetClockLibrary/lib/Mac/libnetclock.1.dylib";

#[test]
fn a_second_time_changes_nothing() {
    let scratch = Scratch::new("twice");
    let contents = scratch.contents(&["NetClock.uplugin", "Source/a.cpp", LINUX], "first");
    let report = scratch.install(&contents).expect("nothing is in the way");
    assert_eq!((report.written, report.unchanged), (3, 0));
    let once = scratch.plugin();
    let time = |name: &str| fs::metadata(scratch.0.join("plugin").join(name)).and_then(|m| m.modified()).ok();
    let before: Vec<_> = once.keys().map(|name| time(name)).collect();

    let report = scratch.install(&contents).expect("nothing is in the way");
    assert_eq!((report.written, report.unchanged), (0, 3));
    assert!(report.foreign.is_empty() && report.removed.is_empty());
    assert_eq!(scratch.plugin(), once);
    assert_eq!(
        once.keys().map(|name| time(name)).collect::<Vec<_>>(),
        before,
        "Unreal would compile it again"
    );
}

#[test]
fn an_older_plugin_is_replaced_and_its_leftovers_removed() {
    let scratch = Scratch::new("older");
    scratch
        .install(&scratch.contents(&["Source/a.cpp", "Source/Old/b.cpp", "Source/Old/c.cpp"], "old"))
        .expect("ok");
    // Edited, and gone from the plugin: it stays, and is named.
    scratch.write("plugin/Source/Old/c.cpp", "mine now");
    let report =
        scratch.install(&scratch.contents(&["Source/a.cpp", "Source/New/d.cpp"], "new")).expect("ok");
    assert_eq!(report.removed, ["Source/Old/b.cpp"]);
    assert_eq!(report.edited, ["Source/Old/c.cpp"]);
    assert_eq!(scratch.read("plugin/Source/a.cpp").as_deref(), Some("new Source/a.cpp\n"));
    assert_eq!(scratch.read("plugin/Source/Old/c.cpp").as_deref(), Some("mine now"));

    // From now on it is foreign; without it the directory goes.
    fs::remove_file(scratch.0.join("plugin/Source/Old/c.cpp")).expect("it is there");
    scratch.write("plugin/Source/New/mine.cpp", "mine");
    let report = scratch.install(&scratch.contents(&["Source/a.cpp"], "new")).expect("ok");
    assert_eq!(report.removed, ["Source/New/d.cpp"]);
    assert_eq!(report.foreign, ["Source/New/mine.cpp"]);
    assert!(scratch.0.join("plugin/Source/New/mine.cpp").is_file());
}

#[test]
fn directories_that_become_empty_go() {
    let scratch = Scratch::new("empty");
    scratch.install(&scratch.contents(&["Source/a.cpp", "Docs/deep/b.md"], "x")).expect("ok");
    scratch.install(&scratch.contents(&["Source/a.cpp"], "x")).expect("ok");
    assert!(!scratch.0.join("plugin/Docs").exists());
}

#[test]
fn what_others_put_there_is_left_alone_and_named() {
    let scratch = Scratch::new("foreign");
    scratch.write("plugin/Notes.txt", "by hand");
    scratch.write("plugin/Binaries/Linux/module.so", "by Unreal");
    let report =
        scratch.install(&scratch.contents(&["NetClock.uplugin"], "x")).expect("nothing is in the way");
    assert_eq!(report.foreign, ["Notes.txt"]);
    assert!(report.to_string().contains("Notes.txt (left alone: not put there"), "{report}");
    assert_eq!(scratch.read("plugin/Notes.txt").as_deref(), Some("by hand"));
    assert_eq!(scratch.read("plugin/Binaries/Linux/module.so").as_deref(), Some("by Unreal"));
}

#[test]
fn files_in_the_way_stop_it_before_it_began() {
    let scratch = Scratch::new("obstacles");
    scratch.install(&scratch.contents(&["Source/a.cpp", "Source/b.cpp"], "old")).expect("ok");
    scratch.write("plugin/Source/b.cpp", "edited");
    scratch.write("plugin/Source/c.cpp", "foreign");
    let before = scratch.plugin();
    let contents = scratch.contents(&["Source/a.cpp", "Source/b.cpp", "Source/c.cpp"], "new");
    let refusal = scratch.install(&contents).err().expect("two files would be lost").to_string();
    assert!(refusal.contains("Source/b.cpp: edited"), "{refusal}");
    assert!(refusal.contains("Source/c.cpp: put there by somebody else"), "{refusal}");
    assert!(!refusal.contains("a.cpp"), "{refusal}");
    assert_eq!(scratch.plugin(), before);

    // The same content under the plugin's name is the plugin's file.
    scratch.write("plugin/Source/b.cpp", "new Source/b.cpp\r\n");
    scratch.write("plugin/Source/c.cpp", "new Source/c.cpp\n");
    scratch.install(&contents).expect("nothing would be lost");
}

#[test]
fn an_interrupted_installation_is_finished_by_the_next() {
    let scratch = Scratch::new("interrupted");
    let names = ["Source/a.cpp", "Source/b.cpp"];
    scratch.install(&scratch.contents(&names, "old")).expect("ok");
    let old = List::read(&scratch.0.join("plugin")).expect("it was written");
    let contents = scratch.contents(&names, "new");
    // As far as the first file.
    let mut both = old;
    for (name, source) in &contents.files {
        both.add(name, checksum(source).expect("it is readable"));
    }
    scratch.write(&format!("plugin/{}", list::FILE), &both.text());
    scratch.write("plugin/Source/a.cpp", "new Source/a.cpp\n");
    let report = scratch.install(&contents).expect("all of it is its own");
    assert_eq!((report.written, report.unchanged), (1, 1));
    assert_eq!(scratch.read("plugin/Source/b.cpp").as_deref(), Some("new Source/b.cpp\n"));
}

#[test]
fn libraries_for_other_machines_stay() {
    let scratch = Scratch::new("machines");
    scratch.install(&scratch.contents(&["Source/a.cpp", MAC], "mac")).expect("ok");
    let report = scratch.install(&scratch.contents(&["Source/a.cpp", LINUX], "linux")).expect("ok");
    assert!(report.removed.is_empty() && report.foreign.is_empty(), "{report}");
    assert!(scratch.read(&format!("plugin/{MAC}")).is_some());
    // And are replaced on such a machine.
    let report = scratch.install(&scratch.contents(&["Source/a.cpp", MAC], "mac again")).expect("ok");
    assert_eq!((report.written, report.removed.len()), (2, 0));
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("links");
    scratch.write("elsewhere/a.cpp", "not ours");
    scratch.write("plugin/keep", "");
    let contents = scratch.contents(&["Source/a.cpp"], "new");
    symlink(scratch.0.join("elsewhere"), scratch.0.join("plugin/Source")).expect("it is ours");
    let refusal = scratch.install(&contents).err().expect("it leads elsewhere").to_string();
    assert!(refusal.contains("a directory that is a link"), "{refusal}");
    fs::remove_dir_all(scratch.0.join("plugin")).expect("it is ours");
    symlink(scratch.0.join("elsewhere"), scratch.0.join("plugin")).expect("it is ours");
    let refusal = scratch.install(&contents).err().expect("it leads elsewhere").to_string();
    assert!(refusal.contains("is a link"), "{refusal}");
    assert_eq!(scratch.read("elsewhere/a.cpp").as_deref(), Some("not ours"));
}
