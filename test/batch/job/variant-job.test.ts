import { describe, expect, it } from 'vitest';
import type { VariantName } from '../../../lib/sudoku/geometry/variants.ts';
import { CLASSIC, CLASSIC_SOLUTION, readText } from '../../formats/reading.ts';
import { SAMURAI, SAMURAI_SOLUTION, SAMURAI_TEXTS } from '../../formats/samurai-texts.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { readResultSet } from '../../support/result-set.ts';
import { runText, solveText } from '../../support/run-job.ts';
import { deliver, upload } from '../../support/uploads.ts';

interface Sample {
  readonly variant: VariantName;
  readonly text: string;
  readonly solution: string;
}

const MAP = 'aaaabbbccaabbbbbcfdaabccccfdaeeeeccfdddeehhffdgddehffidggeehffiggghhhiiiggghhiiii';

/** Minimal puzzles: each has exactly one solution, under its variant's rules only. */
const SAMPLES: readonly Sample[] = [
  {
    variant: 'x',
    text: '.6.82.......5..2............5......1.....3........2.........5....3....9.1...8.7..',
    solution: '367829415914576238528431967256798341789143652431652879642917583873265194195384726',
  },
  {
    variant: 'windoku',
    text: '......2....5.3.4.8........547.......1....9......25.....3..9..........6.......7...',
    solution: '713485269965132478284976135472318956158769342396254781637891524841523697529647813',
  },
  {
    variant: 'windoku-x',
    text: '....8.......9..........597...2......6...5....81....5..5.......1....4........7....',
    solution: '965287143738914265241635978452798316679153824813426597597862431326541789184379652',
  },
  { variant: 'latin', text: '4.1.3...5....3..4....15..', solution: '4512313254524312431531542' },
  {
    variant: 'latin-x',
    text: '..2...2.....31......4......6.......3',
    solution: '462351251436316542134265523614645123',
  },
  {
    variant: 'jigsaw',
    text: `..5........7..9.4.........8...9.......8....2..6.....79.....85.....1...........4.5${MAP}`,
    solution: '925746183137859246546372918382917654698534721461285379713468592254193867879621435',
  },
  {
    variant: 'jigsaw-x',
    text: `82.........7....3..................5.....6............319...4...........2........${MAP}`,
    solution: '821749356497561832653287149768134925142956783935872614319625478574398261286413597',
  },
  {
    variant: 'jigsaw-boxes',
    text: `64.............6................59..3......2....7.31....5...........1.......9...5${MAP}`,
    solution: '649238517512479683873156249287615934351984726496723158965342871738561492124897365',
  },
  { variant: 'samurai', text: SAMURAI, solution: SAMURAI_SOLUTION },
];

describe.each(SAMPLES)('a file of $variant', ({ variant, text, solution }) => {
  it('is solved by its rules if the command line names the variant', async () => {
    const { solutions, records, exceptions, stats } = await solveText(`${text}\n${text}\n`, {
      variant,
      records: 'true',
    });
    expect(solutions).toBe(`${solution}\n${solution}\n`);
    expect(records).toMatchObject(Array(2).fill({ variant, status: 'solved', solution, exact: true }));
    expect(exceptions).toEqual([]);
    const size = records[0].size!;
    expect(stats.bySize).toMatchObject({ [`${size}x${size} ${variant}`]: { total: 2, solved: 2 } });
  });

  it('is solved by its rules if the metadata of an upload names the variant', async () => {
    const buckets = new MemoryBuckets();
    const outcome = await deliver(buckets, upload(buckets, 'inbox/a.txt', `${text}\n`, { variant }));
    expect(outcome).toMatchObject({ kind: 'completed' });
    const { manifest, files } = readResultSet(buckets, 'inbox/a.txt');
    expect(files['solutions.txt']).toBe(`${solution}\n`);
    expect(JSON.stringify(manifest.options)).toContain(variant);
  });

  it('has a record that can be solved again', async () => {
    const { records } = await solveText(`${text}\n`, { variant, records: 'true' });
    const again = readText(`${JSON.stringify(records[0])}\n`);
    expect(again.records).toMatchObject([{ variant, notes: { expected: { solution: expect.anything() } } }]);
    const { solutions } = await solveText(`${JSON.stringify(records[0])}\n`, { output: 'line' });
    expect(solutions).toBe(`${solution}\n`);
  });

  it('has only unreadable puzzles for the engine bitboard', async () => {
    const { exceptions } = await solveText(`${text}\n`, { variant, engine: 'bitboard' });
    expect(exceptions).toMatchObject([
      { status: 'unreadable', error: { code: 'unsupported_variant', line: 1 } },
    ]);
    expect(exceptions[0].error?.message).toMatch(
      /supports only the standard 9x9.* not .*dlx supports every puzzle/,
    );
  });
});

describe('a variant', () => {
  it('changes the puzzle of the same givens: a standard one has no solution as an X', async () => {
    const { exceptions } = await solveText(`${CLASSIC}\n`, { variant: 'x' });
    expect(exceptions).toMatchObject([{ variant: 'x', status: 'unsolvable', exact: true }]);
    expect((await solveText(`${CLASSIC}\n`)).solutions).toBe(`${CLASSIC_SOLUTION}\n`);
  });

  it('that is unknown is a bad option of an upload; the message names the known ones', async () => {
    const buckets = new MemoryBuckets();
    await deliver(buckets, upload(buckets, 'inbox/a.txt', `${CLASSIC}\n`, { variant: 'killer' }));
    const [key] = buckets.keys('results', 'rejects/');
    expect(JSON.stringify(buckets.json('results', key!))).toMatch(/option .+variant.+ is .+killer.+samurai/);
  });

  it('that fits no puzzle of the file rejects the file', async () => {
    const outcome = await runText(`${CLASSIC}\n`, { variant: 'jigsaw' });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'unsupported_variant' } });
  });
});

describe('a samurai', () => {
  const write = SAMURAI_TEXTS['spaces in the gaps'];

  it('between other puzzles is solved in its own layout', async () => {
    const { solutions } = await solveText(`${CLASSIC}\n\n${write(SAMURAI)}\n${CLASSIC}\n`);
    expect(solutions).toBe(`${CLASSIC_SOLUTION}\n\n${write(SAMURAI_SOLUTION)}\n${CLASSIC_SOLUTION}\n`);
  });

  it('with clashing givens names grid, row and column of the drawing', async () => {
    // The ninth cell of the first row is followed by a gap of three.
    const { exceptions } = await solveText(`${'.'.repeat(9)}7.......7${'.'.repeat(351)}\n`);
    expect(exceptions).toMatchObject([
      {
        status: 'invalid',
        variant: 'samurai',
        error: {
          message: '7 occurs twice in row 1 of the top right grid (r1c13, r1c21)',
          clashes: [{ unit: 'row 1 of the top right grid', digit: '7', cells: ['r1c13', 'r1c21'] }],
        },
      },
    ]);
  });
});
