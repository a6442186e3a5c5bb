//! Caches object files. Builds share objects that have the same inputs.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::compiler::{Compiler, run};
use super::files::{read, write};
use super::includes::Reach;

pub(crate) struct Objects<'a> {
    compiler: &'a Compiler,
    /// The output of `--version`, because different versions of a compiler create different objects.
    identity: Vec<u8>,
    arguments: Vec<String>,
    /// Each object's name contains a hash of its inputs.
    store: PathBuf,
}

impl<'a> Objects<'a> {
    pub(crate) fn new(compiler: &'a Compiler, arguments: &[String], store: &Path) -> Self {
        fs::create_dir_all(store).unwrap_or_else(|error| panic!("{}: {error}", store.display()));
        // cl prints its version only when it compiles something.
        let identity = if compiler.is_msvc() {
            compiler.name().into_bytes()
        } else {
            run(compiler.command().arg("--version")).unwrap_or_else(|failure| panic!("{failure}")).stdout
        };
        let mut arguments = arguments.to_vec();
        arguments.extend(compiler.without_exceptions().iter().map(|&it| it.to_owned()));
        Objects { compiler, identity, arguments, store: store.to_owned() }
    }

    /// Precompiles these standard headers for all later objects. With cl, this does nothing, because each
    /// source would have to include the header.
    pub(crate) fn precompile<'b>(&mut self, headers: impl Iterator<Item = &'b String>) -> Result<(), String> {
        if self.compiler.is_msvc() {
            return Ok(());
        }
        let header = self.store.join("standard.h");
        let lines: String = headers.map(|name| format!("#include <{name}>\n")).collect();
        write(&header, &lines);
        // Compilers look for this file when they include the header.
        self.make(&header, &[], &["-x", "c++-header"], &self.store.join("standard.h.gch"))?;
        self.arguments.extend(["-include".to_owned(), header.to_string_lossy().into_owned()]);
        self.identity.extend(lines.as_bytes());
        Ok(())
    }

    pub(crate) fn object(
        &self,
        source: &Path,
        dirs: &[PathBuf],
        arguments: &[&str],
    ) -> Result<PathBuf, String> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let object = self.store.join(format!("{stem}-{:016x}.o", hash(&(source, arguments))));
        self.make(source, dirs, &[arguments, &["-c"]].concat(), &object)?;
        Ok(object)
    }

    fn make(&self, source: &Path, dirs: &[PathBuf], arguments: &[&str], made: &Path) -> Result<(), String> {
        let reach = Reach::of(source, dirs);
        let origin = (&self.identity, &self.arguments, dirs, arguments, &reach.files);
        let origin = format!("{:016x}", hash(&origin));
        let known = made.with_extension("origin");
        if made.exists() && known.exists() && read(&known) == origin {
            return Ok(());
        }
        let _ = fs::remove_file(&known);
        let mut command = self.compiler.command();
        command.args(&self.arguments).args(arguments);
        for dir in dirs {
            command.arg("-I").arg(dir);
        }
        command.arg(source);
        self.compiler.name_object(&mut command, made);
        run(&mut command)?;
        write(&known, &origin);
        Ok(())
    }
}

fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}
