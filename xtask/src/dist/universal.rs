//! Universal files of Apple's systems: one file with a part for each processor.

use anyhow::{Context, Result, ensure};
use object::macho;
use object::read::macho::MachOFatFile32;

/// Bytes of the header, and of each part's entry in it. All numbers are big-endian.
const HEADER: usize = 8;
const ENTRY: usize = 20;

/// One file of all parts, each at a multiple of two to the power of `align`. A single part remains as it is.
pub(super) fn join(parts: &[Vec<u8>], align: u32) -> Result<Vec<u8>> {
    if let [part] = parts {
        return Ok(part.clone());
    }
    let mut header = Vec::new();
    let count = u32::try_from(parts.len()).context("too many parts")?;
    header.extend(macho::FAT_MAGIC.to_be_bytes().iter().chain(&count.to_be_bytes()));
    let mut body = Vec::new();
    let mut start = HEADER + ENTRY * parts.len();
    for part in parts {
        start = start.next_multiple_of(1 << align);
        let (processor, model) = processor(part)?;
        let numbers = [processor, model, u32::try_from(start)?, u32::try_from(part.len())?, align];
        header.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        body.push((start, part));
        start += part.len();
    }
    let mut file = header;
    for (start, part) in body {
        file.resize(start, 0);
        file.extend(part);
    }
    Ok(file)
}

/// The parts of a file: those of a universal one, or the file itself.
pub(super) fn parts(file: &[u8]) -> Result<Vec<&[u8]>> {
    if file.get(..4) != Some(&macho::FAT_MAGIC.to_be_bytes()) {
        return Ok(vec![file]);
    }
    let universal = MachOFatFile32::parse(file).context("reading the universal file")?;
    let parts: Vec<&[u8]> = universal
        .arches()
        .iter()
        .map(|arch| object::read::macho::FatArch::data(arch, file).context("reading a part"))
        .collect::<Result<_>>()?;
    ensure!(!parts.is_empty(), "the universal file has no part");
    Ok(parts)
}

/// The processor and its model, as a Mach-O file says, or the first object of an archive.
fn processor(part: &[u8]) -> Result<(u32, u32)> {
    let first = match object::read::archive::ArchiveFile::parse(part) {
        Ok(archive) => archive.members().next().context("the archive is empty")??.data(part)?.to_vec(),
        Err(_) => part.to_vec(),
    };
    let number = |at: usize| {
        let bytes = first.get(at..at + 4).context("this is no Mach-O file")?;
        Ok::<_, anyhow::Error>(u32::from_le_bytes(bytes.try_into()?))
    };
    ensure!(number(0)? == macho::MH_MAGIC_64, "this is no Mach-O file of 64 bits");
    Ok((number(4)?, number(8)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of a Mach-O file for a processor, and something behind it.
    fn part(processor: u32, length: usize) -> Vec<u8> {
        let mut part: Vec<u8> =
            [macho::MH_MAGIC_64, processor, 3].iter().flat_map(|number| number.to_le_bytes()).collect();
        part.resize(length, 7);
        part
    }

    #[test]
    fn another_reader_finds_the_parts_again() {
        let made = [part(macho::CPU_TYPE_X86_64, 50_001), part(macho::CPU_TYPE_ARM64, 30)];
        let file = join(&made, 14).expect("both are Mach-O");
        assert_eq!(parts(&file).expect("it was just joined"), made);
        let universal = MachOFatFile32::parse(file.as_slice()).expect("it was just joined");
        for arch in universal.arches() {
            let (offset, _) = object::read::macho::FatArch::file_range(arch);
            assert_eq!(offset % 16_384, 0, "it is mapped by pages");
        }
        let processors = universal.arches().iter().map(object::read::macho::FatArch::cputype);
        assert_eq!(processors.collect::<Vec<_>>(), [macho::CPU_TYPE_X86_64, macho::CPU_TYPE_ARM64]);
    }

    #[test]
    fn one_part_is_no_universal_file_and_text_is_no_part() {
        assert_eq!(join(&[vec![1, 2]], 3).expect("it is taken as it is"), [1, 2]);
        assert!(join(&[b"text".to_vec(), b"text".to_vec()], 3).is_err());
    }
}
