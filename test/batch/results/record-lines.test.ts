import { describe, expect, it } from 'vitest';
import {
  EASY,
  MIXED_FILE,
  MIXED_OPTIONS,
  MIXED_STATUSES,
  SOLUTION,
  TWO_SOLUTIONS,
} from '../../support/puzzles.ts';
import { jsonLines } from '../../support/result-set.ts';
import { solveText } from '../../support/run-job.ts';

interface Line {
  readonly [name: string]: unknown;
}

async function linesOf(text: string, options: Readonly<Record<string, string>> = {}): Promise<Line[]> {
  const { files } = await solveText(text, { output: 'jsonl', ...options });
  return jsonLines(files['solutions.jsonl'] ?? '') as unknown as Line[];
}

describe('solutions as JSON lines', () => {
  it('are one record for each puzzle, without times', async () => {
    const options = { ...MIXED_OPTIONS, output: 'jsonl', records: 'true' };
    const { files, records } = await solveText(MIXED_FILE, options);
    const lines = jsonLines(files['solutions.jsonl'] ?? '');
    expect(lines.map(({ status }) => status)).toEqual(MIXED_STATUSES);
    expect(lines).toEqual(records.map(({ solveUs, ...record }) => record));
  });

  it('have format, position, puzzle, solution and search counts', async () => {
    expect(await linesOf(`# one\n${EASY} easy\n`)).toEqual([
      {
        index: 1,
        id: 'easy',
        line: 2,
        lineEnd: 2,
        format: 'line',
        size: 9,
        box: '3x3',
        variant: 'standard',
        alphabet: '1-9',
        blank: '.',
        status: 'solved',
        puzzle: EASY,
        solution: SOLUTION,
        solutions: 1,
        exact: true,
        givens: 30,
        nodes: 1,
        guesses: 0,
      },
    ]);
  });

  it('are those of puzzles with exactly one solution if strict', async () => {
    const lines = await linesOf(MIXED_FILE, { ...MIXED_OPTIONS, strict: 'true' });
    expect(lines.map(({ status }) => status)).toEqual(['solved', 'solved']);
  });

  it('of an enumeration are one line for each solution, then the record', async () => {
    const lines = await linesOf(`${TWO_SOLUTIONS}\n${EASY}\n`, { solutions: 'all' });
    expect(lines.map(({ index, ordinal, status, solutions }) => [index, ordinal, status, solutions])).toEqual(
      [
        [1, 1, undefined, undefined],
        [1, 2, undefined, undefined],
        [1, undefined, 'multiple', 2],
        [2, 1, undefined, undefined],
        [2, undefined, 'solved', 1],
      ],
    );
    expect(new Set(lines.slice(0, 2).map(({ solution }) => solution)).size).toBe(2);
    expect(lines.filter(({ ordinal }) => ordinal === undefined).map(({ solution }) => solution)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('give the same records, except for positions, if they are solved again', async () => {
    const text = `${EASY} easy\n${TWO_SOLUTIONS}\n`;
    const { files } = await solveText(text, { output: 'jsonl', solutions: '2' });
    const again = await linesOf(files['solutions.jsonl']!);
    const facts = ({ id, puzzle, solution, solutions, size, box, variant, nodes }: Line) => {
      return { id, puzzle, solution, solutions, size, box, variant, nodes };
    };
    expect(again.map(facts)).toEqual((await linesOf(text)).map(facts));
  });
});
