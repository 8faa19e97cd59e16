/** Members that an object of JSON has twice: a parser keeps only the last, so they are errors that name it. */
import LZString from 'lz-string';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../lib/formats/bytes/json-scan.ts';
import { detectFormat, openReader } from '../../lib/formats/formats.ts';
import { HEAD_BYTES, type ReaderState } from '../../lib/formats/reader.ts';
import { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, readText } from './reading.ts';

const OTHER = CLASSIC.replace('5', '.');
const good = `{"puzzle":"${CLASSIC}"}`;

/** For each record its error, or its puzzle. */
const recordsOf = (text: string, cuts: number[] = []) =>
  readText(text, {}, cuts).records.map(({ grid, notes }) => notes?.error?.message ?? grid);

describe('a repeated member', () => {
  it.each<[name: string, object: string, member: string]>([
    ['the puzzle', `{"puzzle":"${CLASSIC}","puzzle":"${OTHER}"}`, 'puzzle'],
    ['the same puzzle', `{"puzzle":"${CLASSIC}","puzzle":"${CLASSIC}"}`, 'puzzle'],
    ['with an escape', `{"puzzle":"${CLASSIC}","\\u0070uzzle":"${OTHER}"}`, 'puzzle'],
    ['with white space', `{"puzzle" : "${CLASSIC}" , "puzzle"\t: "${OTHER}"}`, 'puzzle'],
    ['cages, the last of them none', `{"puzzle":"${CLASSIC}","cages":[{"sum":3}],"cages":[]}`, 'cages'],
    ['cages, the first of them none', `{"cages":[],"puzzle":"${CLASSIC}","cages":[{"sum":3}]}`, 'cages'],
    ['a solution', `{"puzzle":"${CLASSIC}","solution":"${CLASSIC_SOLUTION}","solution":null}`, 'solution'],
    ['a label', `{"puzzle":"${CLASSIC}","author":"a","author":"b"}`, 'author'],
    ['in a label', `{"puzzle":"${CLASSIC}","meta":{"a":[{"x":1,"y":2,"x":1}]}}`, 'x'],
    ['__proto__', `{"puzzle":"${CLASSIC}","__proto__":1,"__proto__":2}`, '__proto__'],
    ['a name with quotes', `{"puzzle":"${CLASSIC}","a\\"b":1,"a\\u0022b":2}`, 'a"b'],
    ['of f-puzzles', `{"size":9,"grid":[[{"value":5,"value":6}]]}`, 'value'],
  ])('makes its puzzle unreadable: %s', (_name, object, member) => {
    const found = `the member ${JSON.stringify(member)} twice`;
    for (const text of [`${good}\n${object}\n${good}\n`, `[${good},${object},${good}]`]) {
      for (const cuts of [[], [100, 130, 170], [...text].map((_, at) => at)]) {
        expect(recordsOf(text, cuts), text).toEqual([CLASSIC, expect.stringContaining(found), CLASSIC]);
      }
    }
  });

  it.each([
    ['f-puzzles', 'https://f-puzzles.com/?load=', `{"size":9,"grid":[],"title":"a","title":"b"}`, 'title'],
    ['SudokuPad', 'scl', `{id:'a',ce:[[{v:5}]],cages:[[1]],ca:[]}`, 'cages'],
  ])('makes a link unreadable: %s', (_name, link, object, member) => {
    const data = LZString.compressToBase64(object);
    expect(recordsOf(`${CLASSIC}\n${link}${data}\n`)).toEqual([
      CLASSIC,
      expect.stringContaining(`data with the member ${JSON.stringify(member)} twice`),
    ]);
  });

  it('is no member of another object, and no text', () => {
    const object = `{"puzzle":"${CLASSIC}","meta":{"id":1,"note":"\\"id\\":2,\\\\","list":[{"id":3},{"id":4}]},"id":5}`;
    expect(recordsOf(object)).toEqual([CLASSIC]);
    const text = '{"a":{"a":{"a":1}},"b":["a","a",{"a":"b:"}],"":"","c":{}}';
    expect(parseJson(bytesOf(text))?.repeated).toEqual([]);
  });
});

describe('a repeated member of an object around puzzles', () => {
  it.each<[name: string, wrapper: string, member: string]>([
    ['puzzles', `{"puzzles":["${CLASSIC}"],"puzzles":["${OTHER}"]}`, 'puzzles'],
    ['puzzles, the last without any', `{"puzzles":["${CLASSIC}"],"puzzles":[]}`, 'puzzles'],
    ['puzzles in another object', `{"data":{"puzzles":["${CLASSIC}"],"puzzles":["${OTHER}"]}}`, 'puzzles'],
    ['a rule', `{"antiknight":true,"puzzles":["${CLASSIC}"],"antiknight":false}`, 'antiknight'],
    ['in a rule', `{"rules":{"cages":[[1]],"cages":[]},"puzzles":["${CLASSIC}"]}`, 'cages'],
    ['in a label', `{"meta":{"a":1,"a":2},"puzzles":["${CLASSIC}"]}`, 'a'],
    ['a label', `{"author":"a","author":"b","puzzles":["${CLASSIC}"]}`, 'author'],
    ['a list of solutions', `{"quizzes":["${CLASSIC}"],"solutions":[],"solutions":[]}`, 'solutions'],
  ])('is an error that names it: %s', (_name, wrapper, member) => {
    for (const cuts of [[], [...wrapper].map((_, at) => at)]) {
      const records = recordsOf(`${good}\n${wrapper}\n${good}\n`, cuts);
      const errors = records.slice(1, -1).filter((record) => record !== CLASSIC);
      expect(errors).toEqual([expect.stringContaining(`the member ${JSON.stringify(member)} twice`)]);
      expect([records[0], records.at(-1)]).toEqual([CLASSIC, CLASSIC]);
    }
  });

  it('affects no other puzzle', () => {
    const wrapper = `{"puzzles":[${good},{"puzzle":"${OTHER}","puzzle":"${CLASSIC}"},${good}],"id":1}`;
    expect(recordsOf(wrapper)).toEqual([
      CLASSIC,
      expect.stringContaining('the member "puzzle" twice'),
      CLASSIC,
    ]);
  });

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
