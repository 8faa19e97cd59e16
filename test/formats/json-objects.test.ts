import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordNotes } from '../../lib/formats/records/record-block.ts';
import { CLASSIC, CLASSIC_SOLUTION, eachBlock, readText } from './reading.ts';

/** The records of a text; those without a puzzle have no layout, as theirs is their block's. */
function recordsOf(text: string, capacity?: number) {
  return readText(text, {}, [], capacity).records.map((record) =>
    record.notes?.error === undefined ? record : { line: record.line, error: record.notes.error },
  );
}

const id = fc.constantFrom(
  '1',
  '20',
  '"7"',
  '"a b"',
  '"é"',
  '"\\u0041"',
  '0',
  '007',
  '-1',
  '1.5',
  '1e3',
  'null',
  '{}',
);
const grid = fc.constantFrom(
  `"${CLASSIC}"`,
  `"${CLASSIC.replaceAll('.', '0')}"`,
  `"${CLASSIC.replaceAll('.', ' ')}"`,
  `"${CLASSIC.replace('.', 'y')}"`,
  `"${CLASSIC.slice(1)}"`,
  '"1..4..1..1..4..1"',
);
const solution = fc.constantFrom(
  `"${CLASSIC_SOLUTION}"`,
  `"${CLASSIC_SOLUTION.replace('5', 'y')}"`,
  `"${CLASSIC}"`,
  '"?"',
  'null',
);
const object = fc
  .tuple(
    fc.nat(7),
    id,
    grid,
    solution,
    fc.constantFrom(
      '"level":3',
      '"level":"hard"',
      '"level":null',
      '"level":"schön"',
      '"level":"\\u0041"',
      '"level":-2.50',
      '"level":1e3',
      '"level":true',
      '"level":nil',
      '"level":01',
      '"variant":"x"',
      '"box":"3x3"',
      '"id":5',
      '"puzzle":null',
    ),
  )
  .map(([form, id, grid, solution, other]) => {
    const forms = [
      `{"id":${id},"puzzle":${grid},"solution":${solution}}`,
      `{"id":${id},"puzzle":${grid},"solution":${solution}}`,
      `{"puzzle":${grid}}`,
      `{"id":${id},"puzzle":${grid},${other}}`,
      `{${other},"board":${grid},"answer":${solution}}`,
      `{ "puzzle" : ${grid} , "name" : ${id} }`,
      `{"puzzle":${grid},\n"id":${id}}`,
      `{"solution":${solution},"id":${id}}`,
    ];
    return forms[form];
  });

describe('objects that match the one before', () => {
  it('have the same records as one by one', () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 12 }), fc.constantFrom('\n', '\r\n', ' '), (objects, end) => {
        // The first ones match, so that there is a template.
        const first = `{"id":1,"puzzle":"${CLASSIC}","solution":"${CLASSIC_SOLUTION}"}`;
        const text = [first, ...objects.flatMap((each) => [each, each])].join(end);
        expect(recordsOf(text)).toEqual(recordsOf(text, 1));
      }),
    );
  });

  it('keep their labels until they are written', () => {
    const count = 2000;
    const labels = (k: number) => `,"id":${k},"level":"no. ${k}","rating":${k % 7}`;
    const text = Array.from({ length: count }, (_, k) => `{"puzzle":"${CLASSIC}"${labels(k)}}\n`).join('');
    const notes: RecordNotes[] = [];
    // Chunks of many sizes: some objects are cut.
    const cuts = Array.from({ length: 40 }, (_, k) => k * k * 100);
    eachBlock(text, {}, cuts, 100, (block) => notes.push(...block.notes.values()));
    expect(notes.map((each) => String(each.labels))).toEqual(
      Array.from({ length: count }, (_, k) => labels(k)),
    );
  });
});
