//! The file of recorded delays: few bits for each probe.
//!
//! After the number of probes (32 bits, little endian) follow bits, highest first. Each probe has a number
//! for its delay up and, if that is not 0, one for its delay down. Delays are counted in steps of 5 us. A
//! number is twice the size of the change since the last probe, less one if the delay fell. For the way up it
//! is one higher, and 0 means that the probe was lost. Numbers are in Rice's code, whose parameter follows
//! the mean of the numbers before.

/// A step (ticks of 100 ns).
const STEP: i64 = 50;
/// Each number moves the mean by this share of the difference.
const MEAN_OF: i64 = 16;
/// More ones than this in front of a number mean that all 32 bits of it follow.
const LONGEST: u32 = 20;

/// The delays up and down of a probe (ticks of 100 ns); none if it was lost.
pub type Delays = Option<(i64, i64)>;

/// The bytes of a file.
pub fn encode(probes: &[Delays]) -> Vec<u8> {
    let mut bits = Bits { bytes: (probes.len() as u32).to_le_bytes().to_vec(), left: 0 };
    let [mut up, mut down] = [Way::default(), Way::default()];
    for probe in probes {
        let Some((there, back)) = probe else {
            up.mean.put(0, &mut bits);
            continue;
        };
        let number = up.change(*there);
        up.mean.put(number + 1, &mut bits);
        let number = down.change(*back);
        down.mean.put(number, &mut bits);
    }
    bits.bytes
}

/// The delays in a file; none if it is not one.
pub fn decode(bytes: &[u8]) -> Option<Vec<Delays>> {
    let (count, rest) = bytes.split_first_chunk()?;
    let mut bits = Reader { bytes: rest, at: 0 };
    let [mut up, mut down] = [Way::default(), Way::default()];
    let one = |_| {
        let number = up.mean.get(&mut bits)?;
        if number == 0 {
            return Some(None);
        }
        let there = up.changed(number - 1);
        let back = down.mean.get(&mut bits)?;
        Some(Some((there, down.changed(back))))
    };
    (0..u32::from_le_bytes(*count)).map(one).collect()
}

/// One direction: its last delay in steps, and the mean of its numbers.
#[derive(Default)]
struct Way {
    last: i64,
    mean: Mean,
}

impl Way {
    /// The number of the change to a delay (ticks).
    fn change(&mut self, ticks: i64) -> i64 {
        let steps = (ticks + STEP / 2).div_euclid(STEP);
        let change = steps - std::mem::replace(&mut self.last, steps);
        if change < 0 { -2 * change - 1 } else { 2 * change }
    }

    /// The delay (ticks) after the change of this number.
    fn changed(&mut self, number: i64) -> i64 {
        self.last += if number % 2 == 1 { -(number + 1) / 2 } else { number / 2 };
        self.last * STEP
    }
}

/// The mean of numbers, in 16ths.
#[derive(Default)]
struct Mean(i64);

impl Mean {
    /// Low bits that are written as they are.
    fn low(&self) -> u32 {
        (self.0 / MEAN_OF + 1).ilog2()
    }

    fn learn(&mut self, number: i64) {
        self.0 += number - self.0 / MEAN_OF;
    }

    fn put(&mut self, number: i64, bits: &mut Bits) {
        let low = self.low();
        let high = number >> low;
        if high >= i64::from(LONGEST) {
            bits.put(u64::from(u32::MAX), LONGEST);
            bits.put(number as u64, 32);
        } else {
            // As many ones, and a zero.
            bits.put(u64::from(u32::MAX - 1), high as u32 + 1);
            bits.put(number as u64, low);
        }
        self.learn(number);
    }

    fn get(&mut self, bits: &mut Reader<'_>) -> Option<i64> {
        let mut high = 0;
        while high < LONGEST && bits.get(1)? == 1 {
            high += 1;
        }
        let low = self.low();
        let number = match high {
            LONGEST => bits.get(32)?,
            high => i64::from(high) << low | bits.get(low)?,
        };
        self.learn(number);
        Some(number)
    }
}

struct Bits {
    bytes: Vec<u8>,
    /// Bits of the last byte that are free.
    left: u32,
}

impl Bits {
    /// Appends the lowest bits of a number, highest first.
    fn put(&mut self, number: u64, count: u32) {
        for place in (0..count).rev() {
            if self.left == 0 {
                self.bytes.push(0);
                self.left = 8;
            }
            self.left -= 1;
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((number >> place & 1) as u8) << self.left;
            }
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn get(&mut self, count: u32) -> Option<i64> {
        let mut number = 0;
        for _ in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            number = number << 1 | i64::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_was_written_to_the_step() {
        let mut probes: Vec<Delays> =
            (0..500).map(|i| Some((250_000 + i % 7 * 13, 40_000 + i * i))).collect();
        probes[17] = None;
        probes[18] = Some((3_000_000_000, -20));
        probes.extend([None; 40]);
        let bytes = encode(&probes);
        let read = decode(&bytes).expect("it was written here");
        assert_eq!(read.len(), probes.len());
        for (read, written) in read.iter().zip(&probes) {
            match (read, written) {
                (Some(read), Some(written)) => {
                    let off = (read.0 - written.0).abs().max((read.1 - written.1).abs());
                    assert!(off <= STEP / 2, "{read:?} {written:?}");
                }
                both => assert_eq!(both.0, both.1),
            }
        }
        assert!(bytes.len() < 2 * probes.len(), "{} bytes", bytes.len());
    }

    #[test]
    fn a_file_that_ends_early_is_none() {
        let bytes = encode(&[Some((250_000, 250_000)); 9]);
        assert!(decode(&bytes).is_some());
        assert!((0..bytes.len()).all(|length| decode(&bytes[..length]).is_none()));
    }
}
