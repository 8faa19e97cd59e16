import { describe, expect, it } from 'vitest';
import { solveText } from '../../../support/run-job.ts';
import { CLASSIC, CLASSIC_SOLUTION, readText, rowsOf } from '../../reading.ts';

/** The candidates of each character's cell: its digit alone, or `open`. */
function marksOf(puzzle: string, size: number, open: string): string {
  return Array.from(puzzle, (symbol) => {
    return symbol === '.'
      ? open
      : '.'.repeat(size).replace(/./g, (_, k) => (k + 1 === Number(symbol) ? symbol : '.'));
  }).join('');
}

const NINE = marksOf(CLASSIC, 9, '123456789');
/** One cell can only be another digit. */
const UNSOLVABLE = `1${'.'.repeat(8)}${NINE.slice(9)}`;

describe('pencilmarks', () => {
  it.each([
    ['9x9, 729 characters', NINE, 9],
    ['6x6, 216 characters', '.2345.'.repeat(36), 6],
    ['zeros for what is no candidate', NINE.replaceAll('.', '0'), 9],
    ['a label after it', `${NINE} # easy`, 9],
  ])('are read as candidates: %s', (_name, text, size) => {
    const { records } = readText(`${CLASSIC}\n${text}\n${CLASSIC}\n`);
    expect(records.map(({ format, size: found, notes }) => [format, found, notes?.error])).toEqual([
      ['line', 9, undefined],
      ['pencilmarks', size, undefined],
      ['line', 9, undefined],
    ]);
  });

  it('are reported as in the file, and solved as lines', async () => {
    const { solutions, records } = await solveText(`${NINE}\n${UNSOLVABLE}\n`, { records: 'true' });
    expect(solutions).toBe(`${CLASSIC_SOLUTION}\n# puzzle 2 (line 2): unsolvable: it has no solution\n`);
    expect(
      records.map(({ format, variant, puzzle, solutions: found }) => [format, variant, puzzle, found]),
    ).toEqual([
      ['pencilmarks', 'sukaku', NINE, 1],
      ['pencilmarks', 'sukaku', UNSOLVABLE, 0],
    ]);
  });

  it('follow the rules of the variant that the user names', async () => {
    const { stats, records } = await solveText(`${NINE}\n`, { records: 'true', variant: 'x' });
    expect(records[0]?.variant).toBe('x-sukaku');
    expect(stats.puzzles.unsolvable).toBe(1);
  });

  it.each(['bitboard', 'backtrack'])('are left by %s, which says who solves them', async (engine) => {
    const { exceptions } = await solveText(`${NINE}\n`, { engine });
    expect(exceptions[0]).toMatchObject({ status: 'unreadable', error: { code: 'unsupported_variant' } });
    expect(exceptions[0]?.error?.message).toContain('engine dlx supports every puzzle');
  });

  it.each<Readonly<Record<string, string>>>([{}, { variant: 'x' }])(
    'come back from the records that are written of them: %j',
    async (options) => {
      const { files } = await solveText(`${NINE}\n${UNSOLVABLE}\n`, { output: 'jsonl', ...options });
      const again = await solveText(files['solutions.jsonl'] ?? '', { records: 'true' });
      const outcome = ({ variant, puzzle, status, nodes }: (typeof again.records)[number]) => {
        return { variant, puzzle, status, nodes };
      };
      const first = await solveText(`${NINE}\n${UNSOLVABLE}\n`, { records: 'true', ...options });
      expect(again.records.map(outcome)).toEqual(first.records.map(outcome));
    },
  );

  it('as a member of a JSON object are solved as objects that are read again', async () => {
    const object = (variant: string) => `{"puzzle":"${NINE}","variant":"${variant}"}\n`;
    const { files } = await solveText(object('sukaku'));
    expect(readText(files['solutions.json'] ?? '').records).toMatchObject([{ grid: CLASSIC_SOLUTION }]);
    const { exceptions } = await solveText(
      `${object('sukaku')}${object('sukaku').replace('....5', '...5.')}`,
    );
    expect(exceptions).toMatchObject([{ index: 2, error: { code: 'bad_character' } }]);
  });

  it('are not pencilmarks if a digit is in the place of another', () => {
    const { records } = readText(`${CLASSIC}\n${'1'.repeat(729)}\n`);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([undefined, 'bad_length']);
  });

  it('of different puzzles are in different blocks, by their candidates', () => {
    const other = marksOf(rowsOf(CLASSIC).reverse().join(''), 9, '123456789');
    expect(readText(`${NINE}\n${other}\n`).blocks).toEqual([1, 1]);
  });
});
