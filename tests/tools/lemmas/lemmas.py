"""Proves the arithmetic behind both guarantees for all integers. z3 proves a lemma by refuting its negation.

Ticks, paces and times are integers of any size within the stated ranges. If a lemma needs only the sign and the
order of a product of two unknowns, the product is a variable. Each lemma names functions that lemmas.rs pins.
"""
import sys
import time

from z3 import And, If, Implies, Ints, Not, Q, Reals, Solver, ToReal, unsat

ONE = 1 << 63
LEMMAS = []


def lemma(function):
    LEMMAS.append(function)
    return function


@lemma
def passed_never_falls():
    """In Pace::passed, x is the elapsed time times the pace. Later ticks add `more`, which is not negative."""
    x, more = Ints("x more")
    return Implies(more >= 0, (x + more) / ONE >= x / ONE)


@lemma
def the_short_product_is_the_same():
    """Pace::passed_soon uses the upper half of twice the product."""
    (x,) = Ints("x,")
    return Implies(x >= 0, (2 * x) / (2 * ONE) == x / ONE)


@lemma
def the_product_fits():
    """In Pace::passed, the product of |elapsed| <= 2^63 and a pace below 2^64 fits into a signed 128-bit integer."""
    elapsed, pace = Ints("elapsed pace")
    inside = And(-ONE <= elapsed, elapsed <= ONE - 1, 0 <= pace, pace < 2 * ONE)
    return Implies(inside, And(elapsed * pace >= -(1 << 127), elapsed * pace < (1 << 127)))


@lemma
def rounding_is_allowed_for():
    """In Pace::rounded_in, u = b t and s = (2^63 / t + 1) t > 2^63. The slower pace reaches at most b's whole ticks."""
    u, s, slower = Ints("u s slower")
    given = And(u >= 0, s > ONE, slower == If(u - s > 0, u - s, 0))
    return Implies(given, slower <= (u / ONE) * ONE)


@lemma
def the_divisor_is_large_enough():
    """In Pace::rounded_in, (2^63 / t + 1) t is greater than 2^63."""
    t, k = Ints("t k")
    return Implies(And(t >= 1, k * t <= ONE, ONE < k * t + t), (k + 1) * t > ONE)


@lemma
def a_bent_line_goes_on_from_what_was_shown():
    """In Mapping::bent and Piece::server_at, a line gains x until a read, y more until the bend, and z after it."""
    v, x, y, z = Ints("v x y z")
    before, bend = v + x / ONE, v + (x + y) / ONE
    return Implies(And(y >= 0, z >= 0), And(before <= bend, bend <= bend + z / ONE))


@lemma
def the_forgotten_past_is_shown_no_earlier_before_it():
    """In Mapping::server_at before all pieces, x' = p' d <= x = p d, and w = p' L is at most the piece's g ticks."""
    new, old, w, g = Ints("new old w g")
    given = And(0 <= new, new <= old, 0 <= w, w <= g * ONE)
    return Implies(given, (new + w) / ONE <= old / ONE + g)


@lemma
def the_forgotten_past_is_shown_no_earlier_within_it():
    """The forgotten piece gains y before the read and z after it. As its pace is now p' instead of b, z' <= z."""
    y, z, slower = Ints("y z slower")
    given = And(0 <= y, 0 <= slower, slower <= z)
    return Implies(given, (y + z) / ONE - slower / ONE >= y / ONE)


@lemma
def a_jump_that_is_ahead_at_both_ends_is_ahead_between():
    """In Mapping::jumped, CLEARLY is 10 ticks, and each line is an affine function rounded down."""
    a, b, share, at, new, old = Reals("a b share at new old")
    ends = And(a >= 10 - 1, b >= 10 - 1, 0 <= share, share <= 1, at == a + (b - a) * share)
    rounded = And(new - old >= at - 1)
    return Implies(And(ends, rounded), new >= old)


@lemma
def an_exchange_encloses_the_offset():
    """In Interval::of, the server receives at s1 and replies at s2. Readings t1 and t3 lag by less than a step."""
    t0, t1, t2, t3, s0, s1, s2, s3, server, client = Ints("t0 t1 t2 t3 s0 s1 s2 s3 server client")
    order = And(s0 <= s1, s1 <= s2, s2 <= s3, server >= 1, client >= 1)
    read = And(t1 <= s1, s1 <= t1 + server, t2 <= s2)
    true0, true3 = Ints("true0 true3")
    clients = And(t0 <= true0, t3 <= true3, true3 <= t3 + client)
    upper, lower = (t1 - t0) + server, (t2 - t3) - client
    return Implies(And(order, read, clients), And(s0 - true0 <= upper, lower <= s3 - true3))


@lemma
def an_aged_bound_still_holds():
    """In Interval::at and Bound::slack, the offset moves by at most the true product, and the slack covers this."""
    upper, lower, then, now, slack = Ints("upper lower then now slack")
    (moved,) = Reals("moved,")
    given = And(lower <= then, then <= upper, moved >= 0, ToReal(slack) >= moved)
    given = And(given, ToReal(now - then) <= moved, ToReal(then - now) <= moved)
    return Implies(given, And(lower - slack <= now, now <= upper + slack))


@lemma
def the_slack_is_not_below_the_true_product():
    """In most_apart, three roundings change the product by at most 2^-53 each, and eight times 2^-52 covers this."""
    product, a, b, c = Reals("product a b c")
    half = Q(1, 1 << 53)
    small = And(*[And(-half <= it, it <= half) for it in (a, b, c)])
    computed = product * (1 + a) * (1 + b) * (1 + 16 * half) * (1 + c)
    return Implies(And(product >= 0, small), computed >= product)


@lemma
def the_tighter_bounds_hold():
    """Interval::tighten keeps the tighter of two bounds, both of which hold."""
    offset, upper, lower, other_upper, other_lower = Ints("offset upper lower other_upper other_lower")
    given = And(lower <= offset, offset <= upper, other_lower <= offset, offset <= other_upper)
    kept = (If(other_upper <= upper, other_upper, upper), If(other_lower >= lower, other_lower, lower))
    return Implies(given, And(kept[1] <= offset, offset <= kept[0]))


@lemma
def intervals_of_one_offset_meet():
    """In Interval::meets, the offsets a and b at the two times differ by at most the slack between these times."""
    a, b, upper, lower, slack = Ints("a b upper lower slack")
    given = And(a <= upper, lower <= b, b - a <= slack, slack >= 0)
    return Implies(given, Not(upper + slack < lower))


def main():
    failed = 0
    for proof in LEMMAS:
        solver, begun = Solver(), time.time()
        solver.set("timeout", 20_000)
        solver.add(Not(proof()))
        outcome = solver.check()
        told = "proved" if outcome == unsat else f"NOT PROVED: {outcome} {solver.model() if str(outcome) == 'sat' else ''}"
        print(f"{proof.__name__}: {told}, {1000 * (time.time() - begun):.0f} ms")
        failed += outcome != unsat
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
