/** Each row of a table is a row of the result, with all its columns, and its status and error in added columns. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJobLimits } from '../../../lib/batch/job-limits.ts';
import { propertyRuns } from '../../support/depth.ts';
import {
  CLASHING,
  CUT_OFF,
  EASY,
  HARD,
  MIXED_FILE,
  MIXED_OPTIONS,
  MIXED_STATUSES,
  SOLUTION,
  TWO_SOLUTIONS,
  UNSOLVABLE,
} from '../../support/puzzles.ts';
import { type RunRequest, solveText } from '../../support/run-job.ts';

const OTHER = SOLUTION.replace('67', '76').replace(/(?<=^.{30})76/, '67');

/** The rows of a table as Python's module csv and RFC 4180 read them. */
function readTable(text: string, separator = ','): string[][] {
  const rows: string[][] = [[]];
  let field = '';
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (inQuotes) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') field += text[++at];
      else inQuotes = false;
    } else if (sign === '"' && field === '') inQuotes = true;
    else if (sign === separator || sign === '\n') {
      rows.at(-1)!.push(field);
      field = '';
      if (sign === '\n') rows.push([]);
    } else field += sign;
  }
  expect([inQuotes, rows.pop()]).toEqual([false, []]);
  return rows;
}

async function solveTable(
  text: string,
  options: Record<string, string> = {},
  request: RunRequest = {},
  separator = ',',
): Promise<string[][]> {
  const { files } = await solveText(text, { ...MIXED_OPTIONS, ...options }, request);
  expect(files['solutions.csv']).not.toMatch(/^#/m);
  return readTable(files['solutions.csv'], separator);
}

const PUZZLES = [EASY, TWO_SOLUTIONS, UNSOLVABLE, CLASHING, CUT_OFF, HARD, EASY];
const TABLE = `id,puzzle,note\n${PUZZLES.map((puzzle, k) => `${k},${puzzle},"a, ${k}"`).join('\n')}\n`;
const ERRORS = [
  /^$/,
  /^$/,
  /^it has no solution$/,
  /^1 occurs twice/,
  /^line 6, column 3: found 60/,
  /budget ran out/,
  /^$/,
];

describe('a table', () => {
  it('has each of its rows with all columns, and the status and error of each puzzle', async () => {
    const [header, ...rows] = await solveTable(TABLE);
    expect(header).toEqual(['id', 'puzzle', 'note', 'solution', 'status', 'error']);
    expect(rows.map(([id, puzzle, note]) => [id, puzzle, note])).toEqual(
      PUZZLES.map((puzzle, k) => [`${k}`, puzzle, `a, ${k}`]),
    );
    expect(rows.map((row) => row[4])).toEqual([...MIXED_STATUSES]);
    expect(rows.map((row) => row[3] !== '')).toEqual([true, true, false, false, false, false, true]);
    for (const [k, row] of rows.entries()) expect(row[5]).toMatch(ERRORS[k]);
  });

  it.each([';', '\t'])('keeps its separator: %j', async (separator) => {
    const table = `id,puzzle\n${PUZZLES.map((puzzle, k) => `${k},${puzzle}`).join('\n')}\n`;
    const own = await solveTable(table.replaceAll(',', separator), {}, {}, separator);
    expect(own.map((row) => row.slice(0, -1))).toEqual(
      (await solveTable(table)).map((row) => row.slice(0, -1)),
    );
    expect(own.every((row) => row.length === 5)).toBe(true);
    const commas = await solveTable(table.replaceAll(',', separator), { output: 'csv' });
    expect(commas.map(([, , , status]) => status)).toEqual(own.map(([, , , status]) => status));
  });

  it('has its column of solutions filled with what was found, and no other solution', async () => {
    const rows = [`${EASY},`, `${CLASHING},${SOLUTION}`, `${EASY},${OTHER}`];
    const [header, ...found] = await solveTable(`puzzle,answer\n${rows.join('\n')}\n`);
    expect(header).toEqual(['puzzle', 'answer', 'status', 'error']);
    expect(found.map(([, ...row]) => row)).toEqual([
      [SOLUTION, 'solved', ''],
      ['', 'invalid', expect.stringMatching(/^1 occurs twice/)],
      [SOLUTION, 'solved', expect.stringMatching(/^the file expects the solution/)],
    ]);
  });

  it('has other names for the added columns if they are taken', async () => {
    const table = `puzzle,Status,ERROR,error_2\n${EASY},a,b,c\n`;
    expect(await solveTable(table)).toEqual([
      ['puzzle', 'Status', 'ERROR', 'error_2', 'solution', 'status_2', 'error_3'],
      [EASY, 'a', 'b', 'c', SOLUTION, 'solved', ''],
    ]);
  });

  it('without a header has none', async () => {
    const [first, second, ...others] = await solveTable(`1,${EASY}\n2,${CLASHING}\n`);
    expect(first).toEqual(['1', EASY, SOLUTION, 'solved', '']);
    expect(second).toEqual(['2', CLASHING, '', 'invalid', expect.any(String)]);
    expect(others).toEqual([]);
  });

  it('has rows of another length with the added columns in their place', async () => {
    const rows = [`1,${EASY}`, '2', `3,${EASY},a,b,c`, `4,${EASY},a,,`, `5,${CLASHING},a,b`];
    const [, ...found] = await solveTable(`id,puzzle,note\n${rows.join('\n')}\n`);
    expect(found).toEqual([
      ['1', EASY, '', SOLUTION, 'solved', ''],
      ['2', '', '', '', 'unreadable', expect.stringContaining('a row that ends before it')],
      ['3', EASY, 'a', SOLUTION, 'solved', '', 'b', 'c'],
      ['4', EASY, 'a', SOLUTION, 'solved', ''],
      ['5', CLASHING, 'a', '', 'invalid', expect.any(String), 'b'],
    ]);
  });

  it('has names for all columns if the header has fewer than the rows', async () => {
    const [header, row] = await solveTable(`puzzle,solution\n7,${EASY},${SOLUTION}\n8,${EASY},${SOLUTION}\n`);
    expect(header).toEqual(['puzzle', 'solution', '', 'status', 'error']);
    expect(row).toEqual(['7', EASY, SOLUTION, 'solved', '']);
  });

  it('has a row that no quote of another row takes in', async () => {
    const rows = [`1,${EASY},"open`, `2,${EASY},"closed"`, `3,"${EASY},x`, `4,${EASY}, "a, b"`];
    const [, ...found] = await solveTable(`id,puzzle,note\n${rows.join('\n')}\n`);
    expect(found.map(([id, , note, , status]) => [id, note, status])).toEqual([
      ['1', '"open', 'solved'],
      ['2', 'closed', 'solved'],
      ['3', 'x', 'unreadable'],
      ['4', 'a, b', 'solved'],
    ]);
  });

  it('has quoted fields of several lines as they are', async () => {
    const grid = EASY.match(/.{9}/g)!.join('\n');
    const [, row] = await solveTable(`puzzle,note\n"${grid}","a\nb"\n`);
    expect(row).toEqual([grid, 'a\nb', SOLUTION, 'solved', '']);
  });

  it('has the row of a rule that is not known', async () => {
    const [, row] = await solveTable(`id,puzzle,variant\n7,${EASY},killer\n`);
    expect(row.slice(0, 5)).toEqual(['7', EASY, 'killer', '', 'unreadable']);
    expect(row[5]).toContain('killer cages');
  });

  it('has a row in the place of a line that is too long to be kept', async () => {
    const [, , row] = await solveTable(`id,puzzle\n1,${EASY}\n2,${'1'.repeat(1_100_000)}\n`);
    expect(row.slice(0, 4)).toEqual(['', '', '', 'unreadable']);
  });

  it('drawn in Markdown stays so', async () => {
    const { files } = await solveText(`| id | puzzle |\n|---|---|\n| 1 | ${EASY} |\n| 2 | ${CLASHING} |\n`);
    expect(files['solutions.csv'].split('\n')).toEqual([
      '| id | puzzle | solution | status | error |',
      '| --- | --- | --- | --- | --- |',
      `| 1 | ${EASY} | ${SOLUTION} | solved |  |`,
      expect.stringMatching(/^\| 2 \| 11\.+ \| {2}\| invalid \| 1 occurs twice [^|]* \|$/),
      '',
    ]);
  });

  it('has the id of an unreadable row in its exception', async () => {
    const { exceptions } = await solveText(TABLE, MIXED_OPTIONS);
    expect(exceptions.map(({ id, status }) => [id, status])).toContainEqual(['4', 'unreadable']);
  });
});

describe('a table of results', () => {
  it('of other files has the columns puzzle, solution, status and error', async () => {
    const [header, ...rows] = await solveTable(MIXED_FILE, { output: 'csv' });
    expect(header).toEqual(['puzzle', 'solution', 'status', 'error']);
    expect(rows.map(([puzzle, , status]) => [puzzle, status])).toEqual(
      PUZZLES.map((puzzle, k) => [puzzle === CUT_OFF ? '' : puzzle, MIXED_STATUSES[k]]),
    );
  });

  it.each(['same', 'csv'])('with strict has only the rows of unique puzzles: %s', async (output) => {
    const [, ...rows] = await solveTable(TABLE, { strict: 'true', output });
    expect(rows.map(([id]) => id)).toEqual(['0', '6']);
  });

  it('with several solutions has a row for each, and the last has what is left out', async () => {
    const blank = '.'.repeat(16);
    const table = `id,puzzle\n1,${blank}\n2,1234341221434321\n3,11${blank.slice(2)}\n`;
    const jobLimits = parseJobLimits({ 'max-written': '1' });
    const [, ...rows] = await solveTable(table, { solutions: 'all', 'max-nodes': '9999' }, { jobLimits });
    const last = rows.findLastIndex(([id]) => id === '1');
    expect(new Set(rows.slice(0, last + 1).map(([, , solution]) => solution)).size).toBe(last + 1);
    expect(rows.slice(0, last).map(([, , , status, error]) => [status, error])).toEqual(
      Array(last).fill(['multiple', '']),
    );
    expect(rows[last].slice(3)).toEqual([
      'multiple',
      expect.stringContaining('of its solutions are written'),
    ]);
    expect(rows.slice(last + 1).map(([id, , , status]) => [id, status])).toEqual([
      ['2', 'solved'],
      ['3', 'invalid'],
    ]);
  });

  it('with random solutions has a row for each', async () => {
    const table = `id,puzzle\n1,${EASY}\n2,${TWO_SOLUTIONS}\n3,${UNSOLVABLE}\n`;
    const [, ...rows] = await solveTable(table, { 'max-nodes': '9999' }, { random: { count: 2, seed: 1 } });
    expect(rows.map(([id, , , status]) => [id, status])).toEqual([
      ['1', 'solved'],
      ['1', 'solved'],
      ['2', 'multiple'],
      ['2', 'multiple'],
      ['3', 'unsolvable'],
    ]);
  });

  it.each(['same', 'csv'])('with counts has them in the column solutions: %s', async (output) => {
    const lines = output === 'csv' ? `${PUZZLES.join('\n')}\n` : TABLE;
    const [header, ...rows] = await solveTable(lines, { solutions: 'all', output }, { countOnly: true });
    const at = header.indexOf('solutions');
    expect(header.slice(at)).toEqual(['solutions', 'status', 'error']);
    expect(rows.map((row) => row[at])).toEqual(['1', '2', '0', '', '', '0', '1']);
  });

  it('says that a count is not exact', async () => {
    const table = `id,puzzle\n1,${'.'.repeat(16)}\n`;
    const [, row] = await solveTable(table, { solutions: '5', 'max-nodes': '9999' }, { countOnly: true });
    expect(row.slice(2)).toEqual(['5', 'multiple', '5 or more solutions']);
  });

  it('has an apostrophe before formulas in an error', async () => {
    const safe = await solveTable(`id,puzzle,variant\n=1,${EASY},=1+1\n`, { 'csv-safe': 'true' });
    expect(safe[1].some((field) => /^[=+@-]|[,;]\s*[=+@-]/.test(field))).toBe(false);
  });
});

it('a table of any fields is read again with the same fields', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', ',', '"', ';', ' ', '=', '|'), maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, fc.constantFrom(...PUZZLES)), { minLength: 1, maxLength: 6 }),
      async (rows) => {
        const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
        const table = rows.map(([note, puzzle], k) => `${k},${puzzle},${quoted(note)}`);
        const [, ...found] = await solveTable(`id,puzzle,note\n0,${EASY},x\n${table.join('\n')}\n`);
        expect(found.slice(1).map((row) => row.slice(0, 3))).toEqual(
          rows.map(([note, puzzle], k) => [`${k}`, puzzle, note]),
        );
        expect(found.every((row) => row.length === 6)).toBe(true);
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});
