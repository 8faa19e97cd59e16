/**
 * The speed of ratings, and their agreement with those of another program.
 *
 *     npx node test/bench/ratings.ts          puzzles a second on one thread, by grade
 *     npx node test/bench/ratings.ts FILE     also: lines of 81 digits, a space and a rating
 */
import { readFileSync } from 'node:fs';
import { createDlxEngine } from '../../lib/sudoku/engines/dlx.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { GRADES, gradeOf } from '../../lib/sudoku/rating/grades.ts';
import { ratePuzzle } from '../../lib/sudoku/rating/rate.ts';

const PUZZLES = 1000;
const PASSES = 3;

const nine = standardGeometry(9);

function speed(): void {
  const engine = createDlxEngine();
  const byGrade = Map.groupBy(
    Array.from(
      { length: PUZZLES },
      (_, seed) => generatePuzzle(nine, { seed, givens: 'minimal' }, engine).cells,
    ),
    (cells) => ratePuzzle(nine, cells).grade,
  );
  for (const grade of GRADES) {
    const puzzles = byGrade.get(grade) ?? [];
    const times = Array.from({ length: PASSES }, () => {
      const before = process.cpuUsage();
      for (const cells of puzzles) ratePuzzle(nine, cells);
      return process.cpuUsage(before).user / 1e6;
    });
    const rate = puzzles.length / Math.min(...times);
    process.stdout.write(
      `${grade}: ${puzzles.length} of ${PUZZLES} minimal puzzles, ${Math.round(rate)} a second\n`,
    );
  }
}

function agreement(file: string): void {
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  const results = rows.map((row) => {
    const [digits, rating] = row.split(' ');
    const rated = ratePuzzle(nine, Uint8Array.from(digits, Number));
    return { ...rated, expected: Number(rating) };
  });
  const share = (name: string, among: typeof results, is: (one: (typeof results)[number]) => boolean) => {
    const count = among.filter(is).length;
    process.stdout.write(
      `${name}: ${count} of ${among.length}, ${((100 * count) / among.length).toFixed(1)} %\n`,
    );
  };
  const ordinary = results.filter(({ expected }) => expected <= 4.4);
  share('up to 4.4, the same rating', ordinary, ({ rating, expected }) => rating === expected);
  share(
    'all, the same rating or a lower bound that says so',
    results,
    ({ rating, expected, isLowerBound }) => (isLowerBound ? rating <= expected : rating === expected),
  );
  share('all, the same grade', results, ({ grade, expected }) => grade === gradeOf(expected));
  for (const grade of GRADES)
    share(`expected ${grade}`, results, ({ expected }) => gradeOf(expected) === grade);
}

speed();
if (process.argv[2] !== undefined) agreement(process.argv[2]);
