/** The number of comment lines does not depend on chunks, nor on the places at which a file is split. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  detectFormat,
  openCoverReader,
  openReader,
  type PuzzleDetection,
} from '../../../lib/formats/formats.ts';
import type { RecordReader } from '../../../lib/formats/reader.ts';
import type { CommentLine } from '../../../lib/formats/records/comment-log.ts';
import { RecordBlock } from '../../../lib/formats/records/record-block.ts';
import { propertyRuns } from '../../support/depth.ts';
import { bytesOf, CLASSIC, rowsOf } from '../reading.ts';
import { SAMURAI, SAMURAI_TEXTS } from '../samurai-texts.ts';

const rows = `${rowsOf(CLASSIC).join('\n')}\n`;
const spaced = rows.replaceAll(/(.)(?=.)/g, '$1 ');

/** Texts, and the number of their comment lines. */
const TEXTS: readonly (readonly [name: string, text: string, comments: number])[] = [
  ['no comments', `${CLASSIC}\n\n${rows}`, 0],
  ['each sign, indented and at both ends', `# a\n${CLASSIC}\n // b\n\t; c\n${CLASSIC}\n#`, 4],
  ['labels', `${CLASSIC} # a\n${CLASSIC} // b\n`, 0],
  ['comments among rows', `#a\n${rows.replaceAll('\n', '\n# row\n')}\n;b\n`.repeat(2), 22],
  ['comments among tokens', `#a\n${spaced.replace('\n', '\n# row\n')}\n${spaced}`, 2],
  ['many comments between lines', `${CLASSIC}\n${'# x\n'.repeat(500)}${CLASSIC}\n`, 500],
  ['sections that are skipped', `#ARuud\n[Puzzle]\n${rows}[State]\n${rows}\n${CLASSIC}\n`, 10],
  ['text after an end', `${CLASSIC}\n# a\nend\n# b\n\nnotes\n${CLASSIC}\n`, 4],
  ['a table', `# a\npuzzle,id\n${CLASSIC},1\n# b\n\n${CLASSIC},2\n; c`, 3],
  ['JSON', `[{"puzzle":"${CLASSIC}"}]`, 0],
];

const TEXT_CASES = TEXTS.flatMap(([name, text, comments]) => [
  { name, text, comments },
  { name: `${name}, CR LF`, text: text.replaceAll('\n', '\r\n'), comments },
]);

function detectionOf(bytes: Uint8Array): PuzzleDetection {
  const detection = detectFormat(bytes, true, {});
  if (detection.kind !== 'puzzles') throw new Error(`found ${detection.kind}`);
  return detection;
}

function open(detection: PuzzleDetection, from?: Parameters<typeof openReader>[3]): RecordReader {
  return openReader(detection, {}, { acquire: (layout) => new RecordBlock(layout, 4) }, from);
}

/** Reads bytes in chunks that end at `cuts`. */
function feed(reader: RecordReader, bytes: Uint8Array, cuts: readonly number[] = []): void {
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    for (const _ of reader.push(bytes.slice(from, cut)));
    from = cut;
  }
}

function commentsOf(text: string): { count: number; first: readonly CommentLine[] } {
  const bytes = bytesOf(text);
  const reader = open(detectionOf(bytes));
  feed(reader, bytes);
  for (const _ of reader.end());
  const { count = 0, first = [] } = reader.comments ?? {};
  return { count, first };
}

describe.each(TEXT_CASES)('$name', ({ text, comments }) => {
  const bytes = bytesOf(text);
  const offsets = fc
    .uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 })
    .map((cuts) => cuts.sort((a, b) => a - b));

  it('has the number of comment lines in one chunk', () => {
    expect(commentsOf(text).count).toBe(comments);
  });

  it('has the same number in any chunks, split at any checkpoint', () => {
    const detection = detectionOf(bytes);
    fc.assert(
      fc.property(offsets, fc.nat({ max: bytes.length }), (cuts, split) => {
        const first = open(detection);
        feed(
          first,
          bytes.subarray(0, split),
          cuts.filter((cut) => cut < split),
        );
        const place = first.checkpoint();
        if (place === undefined) return;
        const counted = first.comments?.count ?? 0;
        for (const _ of first.flush());
        expect(first.comments?.count ?? 0).toBe(counted);
        const second = open(detection, place.state);
        feed(second, bytes.subarray(split - place.unreadBytes));
        for (const _ of second.end());
        expect(counted + (second.comments?.count ?? 0)).toBe(comments);
      }),
      { numRuns: propertyRuns(75) },
    );
  });
});

describe('the first comment lines', () => {
  it('are kept with their lines, without white space around them', () => {
    expect(commentsOf(`\n  # one \n${CLASSIC}\n//two\n`).first).toEqual([
      { line: 2, text: '# one' },
      { line: 4, text: '//two' },
    ]);
  });

  it('are at most ten, and short', () => {
    const { first, count } = commentsOf(`#${'ü'.repeat(5000)}\n${'# x\n'.repeat(40)}${CLASSIC}\n`);
    expect([first.length, count]).toEqual([10, 41]);
    expect(first[0]!.text).toBe(`#${'ü'.repeat(71)}...`);
  });

  it('have no control characters', () => {
    expect(commentsOf(`# \u001b[31m red\n${CLASSIC}\n`).first[0]!.text).not.toContain('\u001b');
  });
});

it('rows of a samurai that start with # are not comments', () => {
  const gaps = SAMURAI_TEXTS['gaps filled with #']!(SAMURAI);
  expect(gaps).toMatch(/^#/m);
  expect(commentsOf(gaps).count).toBe(0);
});

it.each([
  ['dlx', '| a\nA B\n| b\nA\nB\n', 2],
  ['matrix', '# a\n10\n01\n\n| b\n11\n00\n', 2],
  ['sparse', '# a\n2\n0\n1\n', 1],
] as const)('comments of an exact-cover file are counted: %s', (format, text, comments) => {
  const reader = openCoverReader(format);
  for (const _ of reader.push(bytesOf(text)));
  for (const _ of reader.end());
  expect(reader.comments.count).toBe(comments);
});
