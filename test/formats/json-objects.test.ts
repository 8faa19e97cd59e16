import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordNotes } from '../../lib/formats/records/record-block.ts';
import { CLASSIC, CLASSIC_SOLUTION, eachBlock, readText, rowsOf } from './reading.ts';

/** The records of a text; those without a puzzle have no layout, as theirs is their block's. */
function recordsOf(text: string, capacity?: number, cuts: number[] = []) {
  return readText(text, {}, cuts, capacity).records.map((record) =>
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

  it('keep their own ids, solutions and lines with any chunk boundaries', () => {
    const text = [1, 20, 300, 4, 5, 6]
      .map((id) => `{"id":${id},"level":${id},"puzzle":"${CLASSIC}","solution":"${CLASSIC_SOLUTION}"}\n`)
      .join('');
    const records = recordsOf(text);
    expect(records.map((record) => [record.line, 'notes' in record && record.notes])).toEqual(
      ['1', '20', '300', '4', '5', '6'].map((id, k) => [
        k + 1,
        {
          id,
          expected: { solution: Uint8Array.from(CLASSIC_SOLUTION, Number) },
          labels: `,"id":${id},"level":${id}`,
        },
      ]),
    );
    expect(recordsOf(text, 4, [100, 300, 301, 702])).toEqual(records);
  });

  it.each([
    ['a member that names a variant', '"variant":"x"', 'x'],
    ['an unknown member', '"origin":"x"', 'standard'],
  ])('have %s', (_name, member, variant) => {
    const text = `{"puzzle":"${CLASSIC}",${member}}\n`.repeat(3);
    expect(readText(text).records.map((record) => record.variant)).toEqual(Array(3).fill(variant));
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

  it('are refused if they have two grids, whatever their spelling', () => {
    const text = (board: string) => `{"puzzle":"${CLASSIC}","Board":"${board}"}\n`;
    const [first, , last] = recordsOf(`${text('4').repeat(2)}${text(CLASSIC_SOLUTION)}`);
    expect(first).toMatchObject({ grid: CLASSIC });
    expect(last).toMatchObject({ error: { found: 'two grids, "puzzle" and "Board"' } });
  });

  const plain = `{"id":"a","puzzle":"${CLASSIC}"}`;
  it.each<[string, string[]]>([
    ['ids with escapes', [plain, plain, `{"id":"\\u0041","puzzle":"${CLASSIC}"}`, plain]],
    [
      'variants that change',
      ['x', 'x', 'standard', 'x'].map((variant) => `{"puzzle":"${CLASSIC}","variant":"${variant}"}`),
    ],
    [
      'boxes that change',
      ['2x3', '2x3', '3x2', '2x3'].map((box) => `{"puzzle":"${'1'.padEnd(36, '.')}","box":"${box}"}`),
    ],
    [
      'a puzzle twice',
      [`{"puzzle":"${CLASSIC_SOLUTION}","puzzle":"${CLASSIC}"}`, plain].flatMap((each) => [each, each]),
    ],
  ])('have the same records as one by one with %s', (_name, objects) => {
    const text = objects.join('\n');
    expect(recordsOf(text)).toEqual(recordsOf(text, 1));
  });
});

describe('a grid next to a puzzle', () => {
  const cells = (text: string) => rowsOf(text).map((row) => [...row]);

  it.each<[string, object]>([
    ['as lists', { board: cells(CLASSIC), puzzleSolution: cells(CLASSIC_SOLUTION) }],
    ['as rows next to lists', { full: rowsOf(CLASSIC_SOLUTION), board: cells(CLASSIC) }],
    ['as a line next to rows', { board: rowsOf(CLASSIC), completed: CLASSIC_SOLUTION }],
  ])('is its solution, whatever its name, if it is full: %s', (_name, value) => {
    const expected = { solution: Uint8Array.from(CLASSIC_SOLUTION, Number) };
    expect(recordsOf(JSON.stringify(value))).toMatchObject([{ grid: CLASSIC, notes: { expected } }]);
  });

  it('is none if it is the puzzle with other blanks', () => {
    const value = { board: cells(CLASSIC), completed: cells(CLASSIC.replaceAll('.', '0')) };
    const text = `{"puzzle":"${CLASSIC}"}\n${JSON.stringify(value)}\n`;
    expect(recordsOf(text)[1]).toMatchObject({ error: { code: 'unsupported_variant' } });
  });
});

describe('comments between lines of JSON', () => {
  const object = JSON.stringify({ id: 1, puzzle: CLASSIC });
  it.each([
    ['first', `# a {comment}\n${object}\n${object}\n`],
    ['between objects', `${object}\n  # "a" [ {comment}\n// another\r\n#\n${object}\n`],
    ['last, without an end', `${object}\n${object}\n# a`],
  ])('are skipped: %s', (_name, text) => {
    const lines = text.split('\n').flatMap((line, at) => (line === object ? [at + 1] : []));
    for (const cuts of [[], [...text].map((_, at) => at)]) {
      const { records } = readText(text, {}, cuts);
      expect(records.map(({ line, grid, notes }) => [line, notes?.error?.message ?? grid])).toEqual(
        lines.map((line) => [line, CLASSIC]),
      );
    }
  });

  it('are errors if they are longer than a line of text', () => {
    const { records } = readText(`${object}\n# ${'x'.repeat(10_000)}\n${object}\n`);
    expect(records.map(({ line, notes }) => [line, notes?.error?.code])).toEqual([
      [1, undefined],
      [2, 'bad_character'],
      [3, undefined],
    ]);
  });
});
