//! Segments as datagrams, and seconds.

use super::bench::*;

pub(super) fn rows(table: &mut Table) {
    const ENCODE: &str = "netclock_encode_segment";
    const DECODE: &str = "netclock_decode_segment";
    // SAFETY: pointers are null or lead to whole values; lengths are true, or refused before anything is
    // read.
    unsafe {
        segment_rows(table, ENCODE, |b, _, segment| netclock_encode_segment(segment, b.out(), 72));
        refuses(table, [ENCODE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |_, _| {
            netclock_encode_segment(&segment(), ptr::null_mut(), 72)
        });
        for (text, capacity) in [("0", 0), ("71", 71)] {
            refuses(table, [ENCODE, "capacity", text], NETCLOCK_WIRE_LENGTH, |b, _| {
                netclock_encode_segment(&segment(), b.out(), capacity)
            });
        }

        let mut good = [0_u8; NETCLOCK_SEGMENT_SIZE];
        assert_eq!(netclock_encode_segment(&segment(), good.as_mut_ptr().cast(), 72).0, NETCLOCK_OK);
        refuses(table, [DECODE, "datagram", "null"], NETCLOCK_NULL_ARGUMENT, |b, _| {
            netclock_decode_segment(ptr::null(), 72, b.sized(72))
        });
        let garbage: [(&str, usize, i32); 7] = [
            ("another magic", 1, NETCLOCK_WIRE_MAGIC),
            ("version 127", 2, NETCLOCK_WIRE_NEWER),
            ("another kind", 3, NETCLOCK_WIRE_KIND),
            ("a byte of 12 to 15 set", 15, NETCLOCK_WIRE_RESERVED),
            ("a rate of more than 100", 24, NETCLOCK_WIRE_STAMP),
            ("a tolerance of more than an hour", 32, NETCLOCK_WIRE_STAMP),
            ("an instant of more than 2^62", 56, NETCLOCK_WIRE_STAMP),
        ];
        for (text, at, status) in garbage {
            let mut bytes = good;
            bytes[at] = 127;
            refuses(table, [DECODE, "datagram", text], status, |b, _| {
                netclock_decode_segment(bytes.as_ptr().cast(), 72, b.sized(72))
            });
        }
        for (text, length) in [("0", 0), ("32", 32), ("71", 71), ("73", 73), ("SIZE_MAX", usize::MAX)] {
            refuses(table, [DECODE, "length", text], NETCLOCK_WIRE_LENGTH, |b, _| {
                netclock_decode_segment(good.as_ptr().cast(), length, b.sized(72))
            });
        }
        refuses(table, [DECODE, "segment", "null"], NETCLOCK_NULL_ARGUMENT, |_, _| {
            netclock_decode_segment(good.as_ptr().cast(), 72, ptr::null_mut())
        });
        for (text, size) in SEGMENT_SIZES {
            refuses(table, [DECODE, "segment->struct_size", text], NETCLOCK_UNKNOWN_STRUCT, |b, _| {
                netclock_decode_segment(good.as_ptr().cast(), 72, b.sized(size))
            });
        }
    }
}
