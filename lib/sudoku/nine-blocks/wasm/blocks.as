// Checks, writes and reads many ordinary 9x9 grids in one call. AssemblyScript, compiled into ../wasm-module.ts by
// test/wasm/build.ts. It shares no code with the engines.
//
// A row is nine lanes of a vector; the other lanes, which contain the start of the next row, are ignored.
// A digit below 9 is one bit of its lane:
//
//     row          5 3 4 6 7 8 9 1 2
//     bits        16 4 8 ...     0 ...      sum 255
//     nines        0 0 0 0 0 0 1 0 0        at least one
//
// Of nine cells at least one is a 9, so at most eight have a bit. The sum of eight powers of two is 255 modulo 256 only
// if all of them are different. So a sum of bytes checks rows, columns and boxes alike, and an invalid digit, which has
// no bit, is missing from the sum.

/** Grids in one call. */
const CAPACITY: usize = 512;

// Sixteen bytes after the last grid, because a vector may extend beyond it, and eight more, because the first grid may
// have an alignment offset of up to seven bytes (../../nine-blocks.ts).
const GIVENS: usize = memory.data(512 * 81 + 24, 16);
const SOLUTIONS: usize = memory.data(512 * 81 + 24, 16);
const LINES: usize = memory.data(512 * 83 + 16, 16);
const VERDICTS: usize = memory.data(512, 16);
const BITS: usize = memory.data<u8>([0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0], 16);

export { CAPACITY, GIVENS, LINES, SOLUTIONS, VERDICTS };

const NINE_LANES: i32 = 511;
const EACH_BYTE: i64 = 0x0101010101010101;

/** Writes the verdicts of `count` grids from `offset` on: 1 for a solution of the givens, else 0. */
export function check(count: usize, offset: usize): void {
  const bits = v128.load(BITS);
  const nine = i8x16.splat(9);
  const zero = i8x16.splat(0);
  for (let i: usize = 0; i < count; i++) {
    let given = GIVENS + offset + 81 * i;
    let cell = SOLUTIONS + offset + 81 * i;
    let columns = zero;
    let columnNines = zero;
    let changed = zero;
    let right: i32 = 1;
    for (let band = 0; band < 3; band++) {
      let boxes = zero;
      let boxNines = zero;
      for (let row = 0; row < 3; row++) {
        const digits = v128.load(cell);
        const wanted = v128.load(given);
        changed = v128.or(changed, v128.and(i8x16.ne(wanted, digits), i8x16.ne(wanted, zero)));
        const marks = i8x16.swizzle(bits, digits);
        const nines = i8x16.eq(digits, nine);
        right &= i32(sum8(i64x2.extract_lane(marks, 0)) + i8x16.extract_lane_u(marks, 8) & 255) == 255 ? 1 : 0;
        right &= (i8x16.bitmask(nines) & NINE_LANES) != 0 ? 1 : 0;
        boxes = i8x16.add(boxes, marks);
        boxNines = v128.or(boxNines, nines);
        cell += 9;
        given += 9;
      }
      const low = i64x2.extract_lane(boxes, 0);
      const found = i8x16.bitmask(boxNines);
      right &= (sum8(low & 0xffffff) & 255) == 255 ? 1 : 0;
      right &= (sum8((low >> 24) & 0xffffff) & 255) == 255 ? 1 : 0;
      right &= (sum8((low >> 48) & 0xffff) + i8x16.extract_lane_u(boxes, 8) & 255) == 255 ? 1 : 0;
      right &= (found & 0o7) != 0 && (found & 0o70) != 0 && (found & 0o700) != 0 ? 1 : 0;
      columns = i8x16.add(columns, boxes);
      columnNines = v128.or(columnNines, boxNines);
    }
    right &= (i8x16.bitmask(i8x16.eq(columns, i8x16.splat(-1))) & NINE_LANES) == NINE_LANES ? 1 : 0;
    right &= (i8x16.bitmask(columnNines) & NINE_LANES) == NINE_LANES ? 1 : 0;
    right &= (i8x16.bitmask(changed) & NINE_LANES) == 0 ? 1 : 0;
    store<u8>(VERDICTS + i, <u8>right);
  }
}

/** The sum of eight bytes, modulo 256. */
@inline function sum8(bytes: i64): i32 {
  return <i32>((bytes * EACH_BYTE) >>> 56);
}

/** Writes `count` solutions from `offset` on as lines of 81 symbols and LF; the symbol of digit d is `blank` + d. */
export function write(count: usize, blank: i32, offset: usize): void {
  const plus = i8x16.splat(<i8>blank);
  let from = SOLUTIONS + offset;
  let to = LINES;
  for (let i: usize = 0; i < count; i++) {
    v128.store(to, i8x16.add(v128.load(from), plus));
    v128.store(to, i8x16.add(v128.load(from, 16), plus), 16);
    v128.store(to, i8x16.add(v128.load(from, 32), plus), 32);
    v128.store(to, i8x16.add(v128.load(from, 48), plus), 48);
    v128.store(to, i8x16.add(v128.load(from, 64), plus), 64);
    store<u8>(to, load<u8>(from, 80) + <u8>blank, 80);
    store<u8>(to, 10, 81);
    from += 81;
    to += 82;
  }
}

/**
 * Reads up to `count` lines of 81 symbols into the solutions, from `offset` on: digits from 1 to 9, and one symbol for
 * a blank. A line has `lineBytes` bytes: 82 with LF, 83 with CR and LF. Returns the number of lines before the first
 * one with any other byte.
 */
export function read(count: usize, lineBytes: usize, blank: i32, offset: usize): usize {
  let from = LINES;
  let to = SOLUTIONS + offset;
  for (let i: usize = 0; i < count; i++) {
    let known = readCells(from, to, blank);
    known = v128.and(known, readCells(from + 16, to + 16, blank));
    known = v128.and(known, readCells(from + 32, to + 32, blank));
    known = v128.and(known, readCells(from + 48, to + 48, blank));
    known = v128.and(known, readCells(from + 64, to + 64, blank));
    const last = <i32>load<u8>(from, 80);
    const isDigit = last >= 49 && last <= 57;
    store<u8>(to, isDigit ? <u8>(last - 48) : 0, 80);
    if (!i8x16.all_true(known) || !(isDigit || last == blank)) return i;
    if (load<u8>(from + lineBytes - 1) != 10 || (lineBytes == 83 && load<u8>(from, 81) != 13)) return i;
    from += lineBytes;
    to += 81;
  }
  return count;
}

/** Reads sixteen cells; the result has all bits set in each lane with a digit or the blank. */
@inline function readCells(from: usize, to: usize, blank: i32): v128 {
  const symbols = v128.load(from);
  const isDigit = i8x16.lt_u(i8x16.sub(symbols, i8x16.splat(49)), i8x16.splat(9));
  v128.store(to, v128.and(i8x16.sub(symbols, i8x16.splat(48)), isDigit));
  return v128.or(isDigit, i8x16.eq(symbols, i8x16.splat(<i8>blank)));
}
