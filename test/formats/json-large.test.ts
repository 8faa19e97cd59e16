/** Objects around so many puzzles that they are longer than a record, and read member by member. */
import { describe, expect, it } from 'vitest';
import { detectFormat, openReader } from '../../lib/formats/formats.ts';
import { HEAD_BYTES, type ReaderState } from '../../lib/formats/reader.ts';
import { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, readText } from './reading.ts';

const OTHER = CLASSIC.replace('5', '.');
const good = `{"puzzle":"${CLASSIC}"}`;

/** For each record its error, or its puzzle. */
const recordsOf = (text: string, cuts: number[] = []) =>
  readText(text, {}, cuts).records.map(({ grid, notes }) => notes?.error?.message ?? grid);

describe('an object of many MiB', () => {
  const COUNT = 20_000;
  const list = Array.from({ length: COUNT }, (_, id) => JSON.stringify({ id, puzzle: CLASSIC })).join(',\n');
  it.each([
    ['a list', `{"status":"ok","puzzles":[${list}],"total":${COUNT}}`],
    ['a list in an object', `{"a":{"b":{"puzzles":[${list}]}}}`],
    ['labels first', `{"note":"${'x'.repeat(100_000)}","puzzles":[${list}]}`],
  ])('is read in little memory: %s', (_name, text) => {
    const bytes = bytesOf(text);
    const detection = detectFormat(bytes.subarray(0, HEAD_BYTES), false, {});
    if (detection.kind !== 'puzzles') throw new Error(detection.kind);
    const blocks = new Map<number, RecordBlock>();
    const reader = openReader(
      detection,
      {},
      {
        acquire: (layout) => {
          const block = blocks.get(layout.geometry.cellCount) ?? new RecordBlock(layout, 512);
          blocks.set(layout.geometry.cellCount, block);
          block.reuse(layout);
          return block;
        },
      },
    );
    let count = 0;
    let unread = 0;
    for (let at = 0; at < bytes.length; at += 65_536) {
      for (const block of reader.push(bytes.subarray(at, at + 65_536))) count += block.count;
      if (at > HEAD_BYTES) unread = Math.max(unread, reader.checkpoint()?.unreadBytes ?? 0);
    }
    for (const block of reader.end()) count += block.count;
    expect(count).toBe(COUNT);
    expect(unread).toBeLessThan(1000);
  });

  it('with a rule after its puzzles has a record for the rule', () => {
    const { records } = readText(`{"puzzles":[${list}],"cages":[{"cells":["R1C1"]}],"variant":"x"}`);
    expect(records.length).toBe(COUNT + 2);
    expect(records.slice(-2).map(({ notes }) => notes?.error?.code)).toEqual(
      Array(2).fill('unsupported_variant'),
    );
  });
});

describe('a repeated member of an object around many puzzles', () => {
  const many = Array.from({ length: 7000 }, () => `"${CLASSIC}"`).join();

  it('is an error in an object that is longer than a record', () => {
    const records = recordsOf(
      `{"puzzles":[${many}],"puzzles":["${OTHER}"],"easy":["${OTHER}"]}`,
      [500, 200_000],
    );
    expect(records).toHaveLength(7003);
    expect(records.filter((record) => record.length !== 81)).toEqual([
      expect.stringContaining('the member "puzzles" of an object around puzzles twice'),
    ]);
  });

  it.each(['"antiknight":true,"antiknight":false', '"rules":{"cages":[[1]],"cages":[]}'])(
    'makes all puzzles unreadable if it is a rule before many puzzles: %s',
    (rules) => {
      const [first, ...records] = recordsOf(`${good}\n{${rules},"puzzles":[${many}]}`);
      expect(first).toBe(CLASSIC);
      expect(records.length).toBeGreaterThanOrEqual(7000);
      for (const record of records) expect(record).toMatch(/antiknight|cages/);
      expect(records.filter((record) => /(antiknight|cages) twice/.test(record))).toHaveLength(7000);
    },
  );

  it('makes the puzzles after it unreadable if it is a rule', () => {
    const records = recordsOf(
      `{"antiknight":false,"puzzles":[${many}],"antiknight":true,"more":["${OTHER}"]}`,
    );
    expect(records.slice(0, 7000)).toEqual(Array(7000).fill(CLASSIC));
    // The repetition, the rule after puzzles, and the puzzle after the rule.
    expect(records.slice(7000)).toEqual([
      expect.stringContaining('the member "antiknight"'),
      expect.stringContaining('the member "antiknight" of an object around puzzles twice'),
      expect.stringContaining('antiknight twice'),
    ]);
  });

  it('is found by a reader that starts after the first one', () => {
    const text = bytesOf(`{"puzzles":[${many}${`,${many}`.repeat(2)}],"puzzles":["${OTHER}"]}`);
    const detection = detectFormat(text.subarray(0, HEAD_BYTES), false, {});
    if (detection.kind !== 'puzzles') throw new Error(detection.kind);
    const open = (from?: ReaderState) =>
      openReader(detection, {}, { acquire: (layout) => new RecordBlock(layout, 512) }, from);
    const first = open();
    const cut = text.indexOf(44, 900_000);
    // Between two puzzles.
    for (const _ of first.push(text.subarray(0, cut)));
    const checkpoint = first.checkpoint();
    if (checkpoint === undefined) throw new Error('no checkpoint');
    const state = JSON.parse(JSON.stringify(checkpoint.state));
    const second = open(state);
    const errors: string[] = [];
    const at = cut - checkpoint.unreadBytes;
    for (const blocks of [second.push(text.subarray(at)), second.end()]) {
      for (const { notes } of blocks) {
        for (const { error } of notes.values()) if (error !== undefined) errors.push(error.message);
      }
    }
    expect(errors).toEqual([
      expect.stringContaining('the member "puzzles" of an object around puzzles twice'),
    ]);
  });
});

describe('solutions next to many puzzles', () => {
  it('are an error if they are too long to be compared', () => {
    const solutions = Array(5000).fill(CLASSIC_SOLUTION);
    const records = recordsOf(JSON.stringify({ puzzles: Array(5000).fill(CLASSIC), solutions }));
    expect(records).toHaveLength(5001);
    expect(records.at(-1)).toContain('solutions in the member');
  });

  it('alone are no empty file', () => {
    const solutions = JSON.stringify({ solutions: Array(2000).fill(CLASSIC_SOLUTION) });
    expect(detectFormat(bytesOf(solutions), true, {}).kind).not.toBe('empty');
  });
});

it('null may precede the first puzzle any number of times', () => {
  const records = recordsOf(`${'null\n'.repeat(2000)}${good}\n`);
  expect(records.slice(0, -1)).toEqual(Array(2000).fill(expect.stringContaining('found null')));
  expect(records.at(-1)).toBe(CLASSIC);
});

it('a comment that is longer than a line of text is an error', () => {
  const records = recordsOf(`${good}\n# ${'x'.repeat(10_000)}\n${good}\n`);
  expect(records).toEqual([CLASSIC, expect.stringContaining('line 2'), CLASSIC]);
});
