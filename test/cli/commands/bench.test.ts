import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { benchPace } from '../../../lib/cli/bench/measure.ts';
import { CUT_OFF, EASY } from '../../support/puzzles.ts';
import { folderWith, runProgram } from '../program.ts';

const PACE = { ...benchPace };
beforeAll(() => {
  Object.assign(benchPace, { warmUpMs: 1, passMs: 1 });
});
afterAll(() => {
  Object.assign(benchPace, PACE);
});

const folder = folderWith(
  {
    'nines.txt': `${EASY}\n${CUT_OFF}\n${EASY}\n`,
    'two-sizes.txt': `${EASY}\n\n1234............\n\n`,
  },
  afterAll,
);

describe('bench', () => {
  test('--json writes a row for each engine, file and geometry', async () => {
    const args = ['bench', '--json', '--passes', '1', '--engine', 'dlx', '--engine', 'bitboard'];
    const { status, stdout, stderr } = await runProgram(folder, [...args, 'nines.txt', 'two-sizes.txt']);
    const row = (solver: string, file: string, puzzles: number) => ({
      solver,
      version: expect.stringMatching(/^\d+$/),
      file,
      limit: 2,
      puzzles,
      puzzlesPerSecond: expect.any(Number),
    });
    expect(JSON.parse(stdout)).toEqual({
      results: [
        row('dlx', 'nines.txt', 2),
        row('bitboard', 'nines.txt', 2),
        row('dlx', 'two-sizes.txt (standard 9)', 1),
        row('bitboard', 'two-sizes.txt (standard 9)', 1),
        row('dlx', 'two-sizes.txt (standard 4)', 1),
      ],
    });
    expect(stderr.split('\n')).toEqual([
      'dlx-batch: nines.txt: omitted 1 unreadable puzzle',
      expect.stringMatching(
        /^dlx-batch: two-sizes\.txt \(standard 4\): not measured with bitboard: The bitboard/,
      ),
      '',
    ]);
    expect(status).toBe(0);
  });

  test('without --engine measures all engines and writes a table', async () => {
    const { status, stdout } = await runProgram(folder, ['bench', '--passes', '2', 'nines.txt']);
    const names = [...stdout.matchAll(/^(\w+) .* \d+%$/gm)].map(([, name]) => name);
    expect(names).toEqual(['dlx', 'bitboard', 'backtrack']);
    expect(stdout).toMatch(/2 passes of about \d+ ms/);
    expect(stdout).toMatch(/^nines\.txt: 2 puzzles, standard 9x9\nENGINE /m);
    expect(status).toBe(0);
  });

  test('reads standard input', async () => {
    const args = ['bench', '--json', '--passes', '1', '--engine', 'bitboard', '-'];
    const { stdout } = await runProgram(folder, args, `${EASY}\n`);
    expect(JSON.parse(stdout)).toMatchObject({
      results: [{ solver: 'bitboard', file: 'stdin', puzzles: 1 }],
    });
  });
});
