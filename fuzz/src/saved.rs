//! Starts sessions with saved states that are arbitrary bytes, forgeries, or damaged genuine states. With an
//! honest server, the error bound must hold whatever these states contain.

use core::hash::Hasher;

use arbitrary::{Result, Unstructured};
use netclock::{Client, Config, Earlier, Exchange, LocalTime, SAVED_SIZE, Saved, ServerTime};
use siphasher::sip::SipHasher24;

use crate::input::{any_number, config_with_hints};

/// We save genuine states after this many exchanges, which are one second apart.
const EXCHANGES: i64 = 40;
const SECOND: i64 = 10_000_000;

/// The checksum covers this many bytes of a state. Forgeries keep the magic number, the version and the kind.
const CHECKED: usize = 52;
const HEAD: usize = 4;

/// Interprets the input bytes as saved states and a session that starts with them.
pub fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let seconds = any_number(input)?;
    let genuine = genuine(i64::from(input.arbitrary::<i16>()?), seconds);
    let (machine, server) = (state(input, genuine.machine)?, state(input, genuine.server)?);
    // Genuine states are saved with boot id 1 and epoch 7.
    let boot = input.int_in_range(0..=2)?;
    let earlier = Earlier { machine: &machine, server: &server, seconds, boot };
    let config = config_with_hints(input)?;
    let client = Client::with_saved(config, 1, &earlier).expect("any state is accepted");
    let (used_machine, used_server) = client.used_saved();
    assert!(is_intact(&machine) || !used_machine, "{machine:?}");
    assert!(is_intact(&server) || !used_server, "{server:?}");
    assert_eq!(client.save(seconds), None, "there is nothing to save yet");
    assert!(!client.is_time_synced(), "a saved state contains no time");
    crate::honest::run_after(input, config, &earlier)
}

/// `ppb` is the rate of the server's clock. The uplink's delay grows by up to 60 ms halfway through.
fn genuine(ppb: i64, seconds: i64) -> Saved {
    let longer = ppb.rem_euclid(61) * 10_000;
    let first = Earlier { boot: 1, ..Earlier::NONE };
    let mut client = Client::with_saved(Config::default(), 1, &first).expect("the default is valid");
    for second in 0..EXCHANGES {
        let at = second * SECOND;
        let longer = if second < EXCHANGES / 2 { 0 } else { longer };
        let server = ServerTime::from_ticks(at + at / 1_000 * ppb / 1_000_000 + 200_000 + longer);
        let exchange = Exchange::from_stamps(
            LocalTime::from_ticks(at),
            server,
            server,
            LocalTime::from_ticks(at + 400_000 + longer),
        );
        assert_eq!(client.handle_exchange(&exchange, Some(7)), Ok(()));
    }
    client.save(seconds).expect("the rate is known")
}

fn state(input: &mut Unstructured<'_>, genuine: [u8; SAVED_SIZE]) -> Result<Vec<u8>> {
    let mut bytes = genuine.to_vec();
    match input.int_in_range(0..=4)? {
        0 => {}
        1 => {
            let at = input.choose_index(bytes.len())?;
            bytes[at] ^= input.arbitrary::<u8>()?;
        }
        2 => bytes.truncate(input.choose_index(bytes.len())?),
        3 => {
            input.fill_buffer(&mut bytes[HEAD..CHECKED])?;
            let sum = checksum(&bytes);
            bytes[CHECKED..].copy_from_slice(&sum);
        }
        _ => bytes = input.bytes(input.len().min(SAVED_SIZE))?.to_vec(),
    }
    Ok(bytes)
}

/// libFuzzer watches comparisons, so it can guess a checksum.
fn is_intact(bytes: &[u8]) -> bool {
    bytes.len() == SAVED_SIZE && checksum(bytes) == bytes[CHECKED..]
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut hash = SipHasher24::new();
    hash.write(&bytes[..CHECKED]);
    hash.finish().to_be_bytes()
}
