//! What a client learns from: replies, four stamps, two stamps.

use core::ptr;

use super::super::{MILLISECOND, SECOND};
use super::bench::{AHEAD, Bench};
use super::client::{NO_INSTANTS, client_rows};
use super::messages::reply_rows;
use super::table::{Effect, Table};
use crate::ffi::clock::client::handle::*;
use crate::ffi::clock::exchange::messages::NetclockReply;
use crate::ffi::tests::statuses::*;

/// What a contradiction does, of all refusals.
const REMEMBERED: Effect = Effect::Changed("the bound widens, a second exchange decides");

pub(super) fn rows(table: &mut Table) {
    replies(table);
    four_stamps(table);
    two_stamps(table);
}

/// Hands `reply` over, which arrived at `arrived`.
fn hand_over(bench: &Bench, reply: &NetclockReply, arrived: i64) -> NetclockStatus {
    // SAFETY: a live client, and a whole reply.
    unsafe { netclock_client_handle_reply(bench.client, reply, arrived) }
}

fn replies(table: &mut Table) {
    const REPLY: &str = "netclock_client_handle_reply";
    const WAY_BACK: i64 = 20 * MILLISECOND;
    // SAFETY: pointers are null, or lead to live clients and whole replies.
    unsafe {
        client_rows(table, REPLY, |b, client| {
            netclock_client_handle_reply(client, &b.reply(), b.now + WAY_BACK)
        });
        table.refuses([REPLY, "reply", "null"], NETCLOCK_NULL_ARGUMENT, |b| {
            netclock_client_handle_reply(b.client, ptr::null(), b.now + WAY_BACK)
        });
        reply_rows(table, REPLY, |b, reply| netclock_client_handle_reply(b.client, reply, b.now + WAY_BACK));
    }
    let mut refuses = |argument, value, status, change: &dyn Fn(&Bench, &mut NetclockReply)| {
        table.refuses([REPLY, argument, value], status, |b| {
            let mut reply = b.reply();
            change(b, &mut reply);
            hand_over(b, &reply, b.now + WAY_BACK)
        });
    };
    refuses("reply->id", "forged", NETCLOCK_UNKNOWN_REQUEST, &|_, reply| reply.id ^= 1);
    refuses("reply->id", "0", NETCLOCK_UNKNOWN_REQUEST, &|_, reply| reply.id = 0);
    refuses("reply->id", "of a reply used before", NETCLOCK_UNKNOWN_REQUEST, &|b, reply| *reply = b.used);
    for (text, stamp) in NO_INSTANTS {
        refuses("reply->received", text, NETCLOCK_STAMP_OUT_OF_RANGE, &|_, reply| reply.received = stamp);
    }
    for (text, stamp) in NO_INSTANTS {
        refuses("reply->sent", text, NETCLOCK_STAMP_OUT_OF_RANGE, &|_, reply| reply.sent = stamp);
    }
    refuses("reply->sent", "a tick before `received`", NETCLOCK_SENT_BEFORE_RECEIVED, &|_, reply| {
        reply.sent = reply.received - 1;
    });
    refuses(
        "reply->sent",
        "longer after `received` than the round trip",
        NETCLOCK_HELD_TOO_LONG,
        &|_, reply| {
            reply.sent = reply.received + WAY_BACK + 5 * MILLISECOND;
        },
    );

    let row = [REPLY, "reply->id", "older than 32 requests"];
    table.call(row, NETCLOCK_UNKNOWN_REQUEST, Effect::None, |b| {
        let late = b.reply();
        (0..32).for_each(|_| b.ask());
        hand_over(b, &late, b.now + WAY_BACK)
    });
    let row = [REPLY, "reply->received", "an hour off, `sent` too"];
    table.call(row, NETCLOCK_CONTRADICTION, REMEMBERED, |b| {
        let mut reply = b.reply();
        (reply.received, reply.sent) = (reply.received + 3600 * SECOND, reply.sent + 3600 * SECOND);
        hand_over(b, &reply, b.now + WAY_BACK)
    });
    for (text, arrived) in NO_INSTANTS {
        table.refuses([REPLY, "arrived", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
            hand_over(b, &b.reply(), arrived)
        });
    }
    table.refuses([REPLY, "arrived", "a tick before the request"], NETCLOCK_ARRIVED_BEFORE_SENT, |b| {
        hand_over(b, &b.reply(), b.now - 1)
    });
    let row = [REPLY, "arrived", "later than `max_round_trip`"];
    table.refuses(row, NETCLOCK_TOO_SLOW, |b| hand_over(b, &b.reply(), b.now + 5 * SECOND + 1));
}

/// An exchange of 20 ms that is in order, but for `change`.
fn conduct(bench: &Bench, change: impl FnOnce(&mut [i64; 4])) -> NetclockStatus {
    let middle = bench.now + 10 * MILLISECOND + AHEAD;
    let mut stamps = [bench.now, middle, middle, bench.now + 20 * MILLISECOND];
    change(&mut stamps);
    let [client_sent, server_received, server_sent, client_received] = stamps;
    // SAFETY: a live client.
    unsafe {
        netclock_client_handle_exchange(
            bench.client,
            client_sent,
            server_received,
            server_sent,
            client_received,
            7,
        )
    }
}

fn four_stamps(table: &mut Table) {
    const EXCHANGE: &str = "netclock_client_handle_exchange";
    const STAMPS: [&str; 4] = ["client_sent", "server_received", "server_sent", "client_received"];
    // SAFETY: null, or a live client.
    client_rows(table, EXCHANGE, |b, client| unsafe {
        netclock_client_handle_exchange(client, b.now, b.now, b.now, b.now, 7)
    });
    for (index, name) in STAMPS.into_iter().enumerate() {
        for (text, stamp) in NO_INSTANTS {
            table.refuses([EXCHANGE, name, text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                conduct(b, |stamps| stamps[index] = stamp)
            });
        }
    }
    let row = [EXCHANGE, "server_sent", "a tick before `server_received`"];
    table.refuses(row, NETCLOCK_SENT_BEFORE_RECEIVED, |b| conduct(b, |stamps| stamps[2] = stamps[1] - 1));
    let row = [EXCHANGE, "server_sent", "longer after `server_received` than the round trip"];
    table.refuses(row, NETCLOCK_HELD_TOO_LONG, |b| conduct(b, |stamps| stamps[2] += 25 * MILLISECOND));
    let row = [EXCHANGE, "client_received", "a tick before `client_sent`"];
    table.refuses(row, NETCLOCK_ARRIVED_BEFORE_SENT, |b| conduct(b, |stamps| stamps[3] = stamps[0] - 1));
    let row = [EXCHANGE, "client_received", "later than `max_round_trip`"];
    table.refuses(row, NETCLOCK_TOO_SLOW, |b| conduct(b, |stamps| stamps[3] = stamps[0] + 5 * SECOND + 1));
    let row = [EXCHANGE, "server_received", "an hour off, `server_sent` too"];
    table.call(row, NETCLOCK_CONTRADICTION, REMEMBERED, |b| {
        conduct(b, |stamps| {
            stamps[1] -= 3600 * SECOND;
            stamps[2] -= 3600 * SECOND;
        })
    });
}

/// The two-stamp form, in order but for `change`: of server time, current time, round trip.
fn update(bench: &mut Bench, change: impl FnOnce(&mut [i64; 3])) -> NetclockStatus {
    let now = bench.now + 20 * MILLISECOND;
    let mut arguments = [now - 10 * MILLISECOND + AHEAD, now, 20 * MILLISECOND];
    change(&mut arguments);
    let mut accepted = -1;
    let [server_time, current_time, round_trip] = arguments;
    // SAFETY: a live client, and room for a number.
    let status = unsafe {
        netclock_client_update_server_time(
            bench.client,
            server_time,
            current_time,
            round_trip,
            &raw mut accepted,
        )
    };
    assert_eq!(accepted, i32::from(status == NetclockStatus::OK), "documented for every outcome");
    status
}

fn two_stamps(table: &mut Table) {
    const UPDATE: &str = "netclock_client_update_server_time";
    // SAFETY: null, or a live client.
    client_rows(table, UPDATE, |b, client| unsafe {
        netclock_client_update_server_time(client, b.now + AHEAD, b.now, MILLISECOND, ptr::null_mut())
    });
    for (index, name) in ["server_time", "current_time"].into_iter().enumerate() {
        for (text, value) in NO_INSTANTS {
            table.refuses([UPDATE, name, text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
                update(b, |arguments| arguments[index] = value)
            });
        }
    }
    let row = [UPDATE, "server_time", "an hour off"];
    table.call(row, NETCLOCK_CONTRADICTION, REMEMBERED, |b| {
        update(b, |arguments| arguments[0] += 3600 * SECOND)
    });
    table.refuses([UPDATE, "round_trip", "-1"], NETCLOCK_ARRIVED_BEFORE_SENT, |b| {
        update(b, |arguments| arguments[2] = -1)
    });
    table.refuses([UPDATE, "round_trip", "more than `max_round_trip`"], NETCLOCK_TOO_SLOW, |b| {
        update(b, |arguments| arguments[2] = 5 * SECOND + 1)
    });
    for (text, value) in [("INT64_MIN", i64::MIN), ("INT64_MAX", i64::MAX)] {
        table.refuses([UPDATE, "round_trip", text], NETCLOCK_STAMP_OUT_OF_RANGE, |b| {
            update(b, |arguments| arguments[2] = value)
        });
    }
    let row = [UPDATE, "accepted", "null"];
    table.call(row, NETCLOCK_OK, Effect::Changed("learns as always"), |b| {
        // SAFETY: a live client; null is allowed.
        unsafe {
            let server_time = b.now + 10 * MILLISECOND + AHEAD;
            let (now, round_trip) = (b.now + 20 * MILLISECOND, 20 * MILLISECOND);
            netclock_client_update_server_time(b.client, server_time, now, round_trip, ptr::null_mut())
        }
    });
}
