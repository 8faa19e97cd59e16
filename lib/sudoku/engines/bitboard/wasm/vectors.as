// Vectors of four 32-bit lanes. AssemblyScript, compiled into ../wasm-module.ts (see search.as).
//
// A digit's three words (see ../board.ts) are lanes 0 to 2 of one vector, so a board is nine vectors:
//
//     lane 0     word 0: box column 0, 27 bits         bit 9 * stack + row
//     lane 1     word 1: box column 1
//     lane 2     word 2: box column 2
//     lane 3     always 0 in a digit; undefined in flags
//
// Flags of triads are packed: three digits in a vector, so that one matching serves three digits:
//
//     minirows      lane j is digit j of three        bit 9 * stack + row
//     minicolumns   lane k is box column k            bit 9 * stack + 3 * band + j is digit j of three

export const ALL: u32 = 0x7ffffff;
export const LOW: u32 = 0o111111111;

@inline export function and(a: v128, b: v128): v128 { return v128.and(a, b); }
@inline export function or(a: v128, b: v128): v128 { return v128.or(a, b); }
@inline export function all3(a: v128, b: v128, c: v128): v128 { return and(and(a, b), c); }
@inline export function xor(a: v128, b: v128): v128 { return v128.xor(a, b); }
/** a and not b. */
@inline export function without(a: v128, b: v128): v128 { return v128.andnot(a, b); }
@inline export function any(a: v128): bool { return v128.any_true(a); }
@inline export function left(a: v128, bits: i32): v128 { return i32x4.shl(a, bits); }
@inline export function right(a: v128, bits: i32): v128 { return i32x4.shr_u(a, bits); }
@inline export function minus(a: v128, b: v128): v128 { return i32x4.sub(a, b); }

/** Lanes 1, 2, 0. */
@inline export function turnOnce(a: v128): v128 { return v128.shuffle<u32>(a, a, 1, 2, 0, 3); }
/** Lanes 2, 0, 1. */
@inline export function turnTwice(a: v128): v128 { return v128.shuffle<u32>(a, a, 2, 0, 1, 3); }
/** One lane in all four. */
@inline export function lane0(a: v128): v128 { return v128.shuffle<u32>(a, a, 0, 0, 0, 0); }
@inline export function lane1(a: v128): v128 { return v128.shuffle<u32>(a, a, 1, 1, 1, 1); }
@inline export function lane2(a: v128): v128 { return v128.shuffle<u32>(a, a, 2, 2, 2, 2); }

/** Bits set in a digit's three words. */
@inline export function count(a: v128): i32 {
  return <i32>(popcnt(i64x2.extract_lane(a, 0)) + popcnt(i64x2.extract_lane(a, 1)));
}

// Masks are loaded, not written as constants: V8 builds a vector constant from two integers at each use, and the whole
// engine then takes 1.2 to 1.3 times the time.
const STACKS: u32 = 0x40201;
const MASKS: usize = memory.data<u32>([
  ALL, ALL, ALL, 0,
  LOW, LOW, LOW, 0,
  2 * LOW, 2 * LOW, 2 * LOW, 0,
  4 * LOW, 4 * LOW, 4 * LOW, 0,
  3 * LOW, 3 * LOW, 3 * LOW, 0,
  6 * LOW, 6 * LOW, 6 * LOW, 0,
  511, 511, 511, 0,
  0o77 * STACKS, 0o77 * STACKS, 0o77 * STACKS, 0,
  0o700 * STACKS, 0o700 * STACKS, 0o700 * STACKS, 0,
  0o7 * STACKS, 0o7 * STACKS, 0o7 * STACKS, 0,
  0o770 * STACKS, 0o770 * STACKS, 0o770 * STACKS, 0,
], 16);

/** All cells. */
@inline export function maskAll(): v128 { return v128.load(MASKS); }
/** The lowest, the middle and the highest bit of each group of three. */
@inline export function maskLow(): v128 { return v128.load(MASKS, 16); }
@inline export function maskMiddle(): v128 { return v128.load(MASKS, 32); }
@inline export function maskHigh(): v128 { return v128.load(MASKS, 48); }
/** The lower two and the higher two bits of each group of three. */
@inline export function maskLowTwo(): v128 { return v128.load(MASKS, 64); }
@inline export function maskHighTwo(): v128 { return v128.load(MASKS, 80); }
/** The lowest nine bits. */
@inline export function maskRows(): v128 { return v128.load(MASKS, 96); }
/** The lower six, the higher three, the lower three and the higher six of each stack's nine bits. */
@inline export function maskBandsTwo(): v128 { return v128.load(MASKS, 112); }
@inline export function maskBandHigh(): v128 { return v128.load(MASKS, 128); }
@inline export function maskBandLow(): v128 { return v128.load(MASKS, 144); }
@inline export function maskBandsHigh(): v128 { return v128.load(MASKS, 160); }

/** Packs the minirows of three digits: lane j has each bit that any word of digit j has. */
@inline export function packMinirows(a: v128, b: v128, c: v128): v128 {
  const ab01 = v128.shuffle<u32>(a, b, 0, 4, 1, 5);
  const ab2 = v128.shuffle<u32>(a, b, 2, 6, 3, 7);
  return or(
    or(v128.shuffle<u64>(ab01, c, 0, 2), v128.shuffle<u64>(ab01, c, 1, 3)),
    v128.shuffle<u64>(ab2, turnOnce(c), 0, 2));
}

/** Packs the minicolumns of three digits: bit j of each group of three is set if digit j has any of the three. */
@inline export function packMinicolumns(a: v128, b: v128, c: v128, low: v128, middle: v128, high: v128): v128 {
  return or(
    or(
      and(or(or(a, right(a, 1)), right(a, 2)), low),
      and(or(or(b, right(b, 1)), left(b, 1)), middle)),
    and(or(or(c, left(c, 1)), left(c, 2)), high));
}

// The inverse: the cells of one digit's flagged minicolumns. x + 2x + 4x is 8x - x.
@inline export function minicolumns0(flags: v128, low: v128): v128 {
  const x = and(flags, low);
  return minus(left(x, 3), x);
}
@inline export function minicolumns1(flags: v128, middle: v128): v128 {
  const x = and(flags, middle);
  return minus(left(x, 2), right(x, 1));
}
@inline export function minicolumns2(flags: v128, high: v128): v128 {
  const x = and(flags, high);
  return minus(left(x, 1), right(x, 2));
}

/** Returns the minirows that are the only one in their row. */
@inline export function forcedMinirows(flags: v128): v128 {
  return without(flags, or(or(left(flags, 9), right(flags, 18)), or(left(flags, 18), right(flags, 9))));
}

/** Returns the bits that no other lane has: the only minicolumn, or the only cell of a minirow. */
@inline export function onlyLane(flags: v128): v128 {
  return without(flags, or(turnOnce(flags), turnTwice(flags)));
}
