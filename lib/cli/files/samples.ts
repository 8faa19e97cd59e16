/**
 * The batches that `npm start` solves: the samples of two online judges, and a thousand generated puzzles of several
 * sizes. Three of these are malformed on purpose, to show that one bad puzzle does not affect the others.
 */
import { join } from 'node:path';
import { createEngine } from '../../sudoku/engines.ts';
import { generatePuzzle } from '../../sudoku/generator/generate.ts';
import { type Geometry, standardGeometry } from '../../sudoku/geometry/geometry.ts';

export interface Sample {
  readonly name: string;
  readonly text: string;
}

/** HDU 1426, "Sudoku Killer": the judge's sample, and a harder puzzle with 36 givens. */
const HDU_1426 = `7 1 2 ? 6 ? 3 5 8
? 6 5 2 ? 7 1 ? 4
? ? 8 5 1 3 6 7 2
9 2 4 ? 5 6 ? 3 7
5 ? 6 ? ? ? 2 4 1
1 ? 3 7 2 ? 9 ? 5
? ? 1 9 7 5 4 8 6
6 ? 7 8 3 ? 5 1 9
8 5 9 ? 4 ? ? 2 3

? 5 ? 4 ? 8 ? ? 2
? ? 1 ? ? 5 7 3 ?
? 6 2 ? ? 7 ? ? 9
? ? 8 ? 6 3 2 ? 7
3 ? ? 1 ? ? ? ? 6
5 ? 6 2 ? ? 9 ? ?
4 ? ? 7 ? ? 8 2 ?
? 1 7 8 ? ? 3 ? ?
2 ? ? 9 ? 1 ? 7 ?
`;

/** POJ 3076, "Sudoku": the judge's sample of 16x16 letters. */
const POJ_3076 = `--A----C-----O-I
-J--A-B-P-CGF-H-
--D--F-I-E----P-
-G-EL-H----M-J--
----E----C--G---
-I--K-GA-B---E-J
D-GP--J-F----A--
-E---C-B--DP--O-
E--F-M--D--L-K-A
-C--------O-I-L-
H-P-C--F-A--B---
---G-OD---J----H
K---J----H-A-P-L
--B--P--E--K--A-
-H--B--K--FI-C--
--F---C--D--H-N-
`;

const MIXED = 'mixed-1000.txt';

/** Returns all samples; they are identical on every machine. */
export function samples(): Sample[] {
  return [
    { name: 'hdu1426.txt', text: HDU_1426 },
    { name: 'poj3076.txt', text: POJ_3076 },
    { name: MIXED, text: mixedBatch(1000) },
  ];
}

/** What is printed before the samples are sent. */
export const SAMPLES_INTRODUCTION = [
  'Three sample files go through the whole stack, which runs on this machine:',
  'upload, event, queue, function, results.',
];

/** Tells a newcomer where the results are and what to type next. @param folder of the result sets */
export function afterSamples(folder: string): string[] {
  return [
    `The results are in ${folder}, in one folder for each file.`,
    `Three puzzles of ${MIXED} are broken on purpose: its exceptions.jsonl says`,
    'what is wrong with each of them, and all others are solved.',
    `Open its report in a browser: ${join(folder, MIXED, 'report.html')}`,
    '',
    'Then generate puzzles, or use a file of your own, and solve them:',
    '  npx dlx-batch generate --count 1000 > puzzles.txt',
    '  npx dlx-batch solve puzzles.txt > solutions.txt',
    '  npx dlx-batch local puzzles.txt',
    '',
    'Or keep the stack running, with a web page that takes your files:',
    '  npx dlx-batch local --serve',
  ];
}

/** Sizes in the mixed batch, by the last digit of the puzzle's number. */
const SIZE_OF_DIGIT = [4, 6, 9, 9, 9, 9, 9, 9, 9, 9];
/** Numbers of the puzzles that are malformed on purpose. */
const SEVERAL_SOLUTIONS = 255;
const CLASHING_GIVENS = 500;
const TOO_SHORT = 750;

function mixedBatch(count: number): string {
  const engine = createEngine('dlx');
  const lines = [
    '# 1,000 generated puzzles: 4x4, 6x6 and 9x9, minimal and easy, three of them broken on purpose',
  ];
  for (let number = 1; number <= count; number++) {
    const geometry = standardGeometry(SIZE_OF_DIGIT[number % 10]!);
    const givens = number % 3 === 0 ? 'minimal' : Math.ceil(geometry.cellCount * 0.4);
    const { cells } = generatePuzzle(geometry, { seed: number, givens }, engine);
    lines.push(sampleLine(number, cells, geometry));
  }
  return `${lines.join('\n')}\n`;
}

function sampleLine(number: number, cells: Uint8Array, { cellCount, size }: Geometry): string {
  if (number === SEVERAL_SOLUTIONS) cells.fill(0, 0, cellCount - 3 * size);
  if (number === CLASHING_GIVENS) cells.fill(1, 0, 2);
  const line = digitsOf(cells);
  return number === TOO_SHORT ? line.slice(0, -5) : line;
}

/** A puzzle of up to nine digits in a line. */
export function digitsOf(cells: Uint8Array): string {
  return cells.join('').replaceAll('0', '.');
}
