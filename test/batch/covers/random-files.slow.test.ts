import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bruteForce, smallProblem } from '../../exact-cover/brute-force.ts';
import { denseText, knuthText, sparseText } from '../../formats/exact-cover/problem-files.ts';
import { propertyRuns } from '../../support/depth.ts';
import { solveText } from '../../support/run-job.ts';
import { modelOf } from './model.ts';

/** The solutions of a file with one problem, sorted, each as its options joined by `/`. */
async function solutionsIn(text: string | Uint8Array, options: Readonly<Record<string, string>>) {
  const solved = await solveText(text, { ...options, solutions: 'all', output: 'jsonl' });
  const lines = (solved.files['solutions.jsonl'] ?? '').split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => JSON.parse(line));
  return {
    report: entries.at(-1),
    solutions: entries
      .slice(0, -1)
      .map(({ solution }) => solution.join('/'))
      .sort(),
  };
}

it('random small problems have the solutions of brute force, and as many in each format', async () => {
  /** Knuth's format needs at least one primary item. */
  const named = smallProblem.filter(({ primaryCount }) => primaryCount > 0);
  await fc.assert(
    fc.asyncProperty(named, async (problem) => {
      const text = knuthText(problem);
      const lines = text.split('\n').slice(1);
      const expected = bruteForce(problem).map((options) =>
        options
          .split(' ')
          .map((option) => lines[Number(option)])
          .join('/'),
      );
      const { solutions, report } = await solutionsIn(text, { format: 'xcc' });
      expect(solutions).toEqual(expected.sort());
      expect(report).toMatchObject({ solutions: expected.length, exact: true });
      // Matrices have no colours.
      if (problem.colours !== undefined || problem.optionCount === 0) return;
      const matrices = ['', ' ', '\t', ',', ', ', ';'].map((separator) => {
        const dense = denseText(problem, separator);
        return ['matrix', dense.slice(dense.indexOf('\n') + 1)] as const;
      });
      for (const [format, matrix] of [
        ['sparse', sparseText(problem)],
        ['dense', denseText(problem)],
        ...(problem.secondaryCount > 0 ? [] : matrices),
      ] as const) {
        const { report } = await solutionsIn(matrix, { format });
        expect(report).toMatchObject({ format, solutions: expected.length, exact: true });
      }
    }),
    { numRuns: propertyRuns(150) },
  );
});

/** Valid files; a few changed bytes turn them into files of every kind. */
const FILES = [
  '| A simple example of color controls\nA B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n',
  'p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n',
  'A B C D E F G\r\nC E F\r\nA D G\r\nB C F\r\nA D\r\nB G\r\nD E G\r\n',
  'a b c d | e\na e:1\nb e:1\nc e:2\nc\nd\nd e:1\na b\nc d\n',
  '\n| w\n1 2 3\n\n1\n2\n3\n1 2\n2 3\n1 2 3\n',
  'A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n',
  '0:1|a 2|b c\na b |1\nb c |0 |2\na c\nb |10\nc |3\nb c |1\n',
];

/** A change of some bytes: they are replaced, removed, doubled or inserted, or the text around them is swapped. */
interface Change {
  readonly kind: 'flip' | 'cut' | 'double' | 'insert' | 'swap';
  readonly at: number;
  readonly length: number;
  readonly bytes: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(
    'flip' as const,
    'cut' as const,
    'double' as const,
    'insert' as const,
    'swap' as const,
  ),
  at: fc.nat(200),
  length: fc.integer({ min: 1, max: 12 }),
  bytes: fc.oneof(
    fc.string({ unit: fc.constantFrom(...' \n\r\t|:AXYabc012#'), minLength: 1, maxLength: 3 }),
    fc.nat(255).map((byte) => String.fromCharCode(byte)),
  ),
});

function changed(text: string, { kind, at, length, bytes }: Change): string {
  const from = at % text.length;
  const piece = text.slice(from, from + length);
  const front = text.slice(0, from);
  const back = text.slice(from + length);
  switch (kind) {
    case 'flip':
      return front + bytes + text.slice(from + bytes.length);
    case 'cut':
      return front + back;
    case 'double':
      return front + piece + piece + back;
    case 'insert':
      return front + bytes + text.slice(from);
    case 'swap':
      return back + piece + front;
  }
}

it('random changes of valid files give an error, or the solutions of the changed problem', async () => {
  const seen = { error: 0, problem: 0, empty: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FILES),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (file, changes) => {
        const text = changes.reduce<string>(changed, file);
        // UTF-16 is rejected before the format's reader sees it.
        if (text === '' || /^(\u00ff\u00fe|\u00fe\u00ff)/.test(text)) return;
        const model = modelOf(text);
        seen[model.kind]++;
        const { report, solutions } = await solutionsIn(Uint8Array.from(Buffer.from(text, 'latin1')), {
          format: 'dlx',
        });
        if (model.kind === 'empty') expect(report).toBeUndefined();
        else if (model.kind === 'error') expect(report).toMatchObject({ status: 'unreadable' });
        else {
          const expected = model.solutions();
          expect(report).toMatchObject({ solutions: expected.length, exact: true });
          expect(solutions).toEqual(expected.map((solution) => utf8(solution)).sort());
        }
      },
    ),
    { numRuns: propertyRuns(75) },
  );
  expect(Math.min(seen.error, seen.problem)).toBeGreaterThan(propertyRuns(75) / 20);
});

/** Decodes UTF-8 from text with one character for each byte. */
function utf8(bytes: string): string {
  return bytes
    .split('/')
    .map((text) => Buffer.from(text, 'latin1').toString())
    .join('/');
}
