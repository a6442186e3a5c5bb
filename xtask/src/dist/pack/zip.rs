//! `.zip`, which every Windows opens. It has no links here, because Windows would make files of them.

use std::io::{Cursor, Read, Write};

use anyhow::{Context, Result, bail};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::dist::tree::{Entry, Tree};

pub(super) fn pack(tree: &Tree, directory: &str, time: u64) -> Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(date_time(time)?)
        .unix_permissions(0o644);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, entry) in &tree.entries {
        let path = if directory.is_empty() { path.clone() } else { format!("{directory}/{path}") };
        let Entry::File(content) = entry else { bail!("{path} is a link, which a zip is not to have") };
        writer.start_file(path.as_str(), options).with_context(|| format!("packing {path}"))?;
        writer.write_all(content).with_context(|| format!("packing {path}"))?;
    }
    Ok(writer.finish().context("ending the archive")?.into_inner())
}

pub(super) fn unpack(archive: &[u8]) -> Result<Tree> {
    let mut tree = Tree::default();
    let mut archive = ZipArchive::new(Cursor::new(archive)).context("reading the archive")?;
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).context("reading the archive")?;
        let path = file.name().to_owned();
        let mut content = Vec::new();
        file.read_to_end(&mut content).with_context(|| format!("reading {path}"))?;
        tree.add(&path, content);
    }
    Ok(tree)
}

/// The same time in the form of a zip: UTC here, because a zip knows no zone.
fn date_time(time: u64) -> Result<DateTime> {
    let (year, month, day) = date(time / 86_400);
    let of_day = time % 86_400;
    let part = |seconds: u64, limit: u64| u8::try_from(of_day / seconds % limit).unwrap_or(0);
    DateTime::from_date_and_time(year, month, day, part(3600, 24), part(60, 60), part(1, 60))
        .context("the commit's time is before 1980, which a zip cannot say")
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
fn date(days: u64) -> (u16, u8, u8) {
    let leap = |year: u16| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, u8::try_from(left + 1).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(11_017), (2000, 3, 1));
        assert_eq!(date(20_818), (2026, 12, 31));
        assert_eq!(date(20_819), (2027, 1, 1));
    }

    #[test]
    fn says_the_time_of_day() {
        let time = date_time(1_795_293_613).expect("it is after 1980");
        assert_eq!((time.hour(), time.minute(), time.second()), (20, 40, 12), "a zip counts in steps of 2 s");
        assert!(date_time(0).is_err());
    }
}
