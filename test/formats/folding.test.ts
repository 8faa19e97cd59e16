/** Characters that stand for ASCII: blanks, frames, wide digits, spaces that are not seen. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAscii } from '../../lib/formats/bytes/character-folding.ts';
import { detectFormat, openReader, type PuzzleDetection } from '../../lib/formats/formats.ts';
import type { ReaderCheckpoint, RecordReader } from '../../lib/formats/reader.ts';
import { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { propertyRuns } from '../support/depth.ts';
import { CLASSIC, fixture, readText, rowsOf } from './reading.ts';

const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const dotted = (text: string) => text.replaceAll('.', '·');
const rows = rowsOf(CLASSIC).join('\n');
const boxed = fixture('boxed.txt');

const CASES: readonly (readonly [name: string, plain: string, written: string])[] = [
  ['middle dots', `${CLASSIC}\n`.repeat(3), `${dotted(CLASSIC)}\n`.repeat(3)],
  ['squares in rows', `${rows}\n\n`.repeat(3), `${rows.replaceAll('.', '□')}\n\n`.repeat(3)],
  ['full-width digits', `${CLASSIC}\n${CLASSIC} label\n`, `${wide(CLASSIC)}\n${wide(CLASSIC)} label\n`],
  ['no-break spaces at the ends of lines', `${CLASSIC}  \n`.repeat(3), `${CLASSIC}\u00a0\u00a0\n`.repeat(3)],
  ['no-break spaces among tokens', rows.replaceAll(/./g, '$& '), rows.replaceAll(/./g, '$&\u00a0')],
  [
    'zero-width characters, in one of three lines',
    `${CLASSIC}\n`.repeat(3),
    `${CLASSIC}\n\ufeff${CLASSIC.slice(0, 40)}\u200b${CLASSIC.slice(40)}\n${CLASSIC}\n`,
  ],
  ['a frame', boxed, boxed.replaceAll('|', '│').replaceAll('-', '─').replaceAll('+', '┼')],
  ['JSON', JSON.stringify([...rowsOf(CLASSIC)]), JSON.stringify([...rowsOf(dotted(CLASSIC))])],
  [
    'a table',
    `puzzle,id\n${CLASSIC},1\n${CLASSIC},2\n`,
    `puzzle,id\n${dotted(CLASSIC)},1\n${wide(CLASSIC)},2\n`,
  ],
  ['4x4', '1..4\n..2.\n.3..\n4..1\n', '１○○４\n○○２○\n○３○○\n４○○１\n'],
  ['a byte-order mark and CR LF', `\ufeff${CLASSIC}\r\n`.repeat(1), `\ufeff${dotted(CLASSIC)}\r\n`],
];

const puzzles = (text: string | Uint8Array, cuts: readonly number[] = []) =>
  readText(text, {}, cuts).records.map(({ size, alphabet, grid, line, lineEnd }) => ({
    size,
    alphabet,
    grid,
    line,
    lineEnd,
  }));

describe.each(CASES)('%s', (_, plain, written) => {
  const bytes = Buffer.from(written);

  it('read like their ASCII', () => {
    expect(puzzles(plain).length).toBeGreaterThan(0);
    expect(puzzles(written)).toEqual(puzzles(plain));
    expect(readText(written).records.every(({ notes }) => notes?.error === undefined)).toBe(true);
  });

  it('read the same in chunks of any size, and from any checkpoint', () => {
    const cuts = fc.array(fc.nat(bytes.length), { maxLength: 6 }).map((all) => all.sort((a, b) => a - b));
    const whole = allRecords(bytes, []).records;
    fc.assert(
      fc.property(cuts, (at) => {
        const { records, checkpoints } = allRecords(bytes, at);
        expect(records).toEqual(whole);
        for (const { checkpoint, from, before } of checkpoints) {
          const rest = allRecords(bytes, [], { checkpoint, from }).records;
          expect([...records.slice(0, before), ...rest]).toEqual(whole);
        }
      }),
      { numRuns: propertyRuns(7) },
    );
  });
});

interface Place {
  readonly checkpoint: ReaderCheckpoint;
  /** Offset in the file. */
  readonly from: number;
}

/** Reads a file, from a checkpoint if one is given, and collects the checkpoints at the cuts. */
function allRecords(bytes: Uint8Array, cuts: readonly number[], place?: Place) {
  const detection = detectFormat(bytes, true, {}) as PuzzleDetection;
  expect(detection.settings.folded).toBe(true);
  const records: string[] = [];
  const checkpoints: (Place & { readonly before: number })[] = [];
  const reader: RecordReader = openReader(
    detection,
    {},
    { acquire: (layout) => new RecordBlock(layout, 4) },
    place?.checkpoint.state,
  );
  const take = (blocks: Iterable<RecordBlock>) => {
    for (const { count, line, cells, geometry } of blocks) {
      for (let k = 0; k < count; k++) {
        records.push(
          `${line[k]} ${cells.subarray(k * geometry.cellCount, (k + 1) * geometry.cellCount).join('')}`,
        );
      }
    }
  };
  let from = place?.from ?? 0;
  for (const cut of [...cuts, bytes.length]) {
    take(reader.push(bytes.slice(from, cut)));
    from = cut;
    const checkpoint = reader.checkpoint();
    if (checkpoint === undefined) continue;
    take(reader.flush());
    checkpoints.push({ checkpoint, from: cut - checkpoint.unreadBytes, before: records.length });
  }
  take(reader.end());
  return { records, checkpoints };
}

describe('a file is read with its own characters', () => {
  const detectionOf = (text: string | Uint8Array) => readText(text).detection;

  it.each([
    ['if it has only ASCII', `${CLASSIC}\n`],
    ['if only labels have others', `${CLASSIC} “easy” – 5 ·\n${CLASSIC} süß\n`],
    ['if only comments have others', `# ┌───┐\n${CLASSIC}\n`],
    ['if folding gives no puzzle', '· · ·\n“Dear Ms Knuth” – hello\n'],
  ])('%s', (_, text) => {
    expect(JSON.stringify(detectionOf(text))).not.toContain('folded');
  });

  it('if the characters come after the head: these puzzles alone are unreadable', () => {
    const lines = Math.ceil((1024 * 1024) / 82) + 1;
    const { records } = readText(`${`${CLASSIC}\n`.repeat(lines)}${dotted(CLASSIC)}\n${CLASSIC}\n`);
    expect(records.slice(-2).map(({ notes }) => notes?.error?.code)).toEqual([expect.any(String), undefined]);
  });
});

it('columns count characters', () => {
  const { records } = readText(
    `${dotted(CLASSIC)}\n${dotted(CLASSIC).replace('7', '%')}\n${dotted(CLASSIC)}\n`,
  );
  expect(records[1].notes?.error).toMatchObject({ line: 2, column: 5, found: '%' });
});

it('a byte beyond ASCII is found at every place, in bytes of every alignment', () => {
  const memory = new Uint8Array(64).fill(65);
  for (let from = 0; from < 5; from++) {
    for (let to = from; to < 24; to++) {
      const part = memory.subarray(from, to);
      expect(isAscii(part)).toBe(true);
      for (let at = 0; at < part.length; at++) {
        part[at] = 0x80;
        expect(isAscii(part)).toBe(false);
        part[at] = 65;
      }
    }
  }
});
