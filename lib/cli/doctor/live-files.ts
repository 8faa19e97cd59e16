/** The files that `doctor --live` uploads; they are identical on every machine. */
import { gzipSync } from 'node:zlib';
import type { OptionTexts } from '../../batch/options.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { generatePuzzle } from '../../sudoku/generator/generate.ts';
import { standardGeometry } from '../../sudoku/geometry/geometry.ts';
import { digitsOf } from '../files/samples.ts';

export interface LiveFile {
  /** Its key after the prefix of the run. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly options: OptionTexts;
}

function liveFile(name: string, text: string, options: OptionTexts = {}): LiveFile {
  return { name, bytes: new TextEncoder().encode(text), options };
}

/** A puzzle that forced moves solve, and the same puzzle in letters. */
const EASY = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const EASY_LETTERS = EASY.replace(/\d/g, (digit) => 'ABCDEFGHI'[Number(digit) - 1]!);
const TWO_SOLUTIONS = '534..8912672195348198342567859..1423426853791713924856961537284287419635345286179';
const CLASHING = '11'.padEnd(81, '.');
/** Takes depth-first search, cell by cell, many millions of nodes. */
const SLOW = '..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9';

const KNOWN_PUZZLES = 100;
/** Numbers of known puzzles that have no unique solution, so that there are exceptions too. */
const BROKEN: Readonly<Record<number, string>> = { 25: TWO_SOLUTIONS, 50: CLASHING, 75: EASY.slice(0, 60) };

/** A hundred puzzles: 97 generated ones that cannot lose a given, and three that are not solved. */
export function knownPuzzles(name: string): LiveFile {
  const lines = generatedLines(KNOWN_PUZZLES, 'minimal');
  return liveFile(name, `${lines.map((line, k) => BROKEN[k + 1] ?? line).join('\n')}\n`);
}

function generatedLines(count: number, givens: number | 'minimal'): string[] {
  const geometry = standardGeometry(9);
  const engine = createEngine('dlx');
  return Array.from({ length: count }, (_, k) => {
    const { cells } = generatePuzzle(geometry, { seed: k + 1, givens }, engine);
    return digitsOf(cells);
  });
}

/** For each option of an upload, a value other than the default and a file on which it has an effect. */
const BY_OPTION: Readonly<Record<string, readonly [value: string, text: string, more?: OptionTexts]>> = {
  engine: ['bitboard', EASY],
  format: ['line', EASY],
  alphabet: ['ABCDEFGHI', EASY_LETTERS],
  variant: ['latin', '1.../.2../..3./...4'.replaceAll('/', '')],
  box: ['3x2', '1.....2.....3.....4.....5.....6.....'],
  output: ['jsonl', EASY],
  solutions: ['all', TWO_SOLUTIONS],
  'max-nodes': ['1000', SLOW, { engine: 'backtrack' }],
  rate: ['true', EASY],
  records: ['true', EASY],
  strict: ['true', `${EASY}\n${CLASHING}`],
  'csv-safe': ['true', `puzzle,note\n${EASY},=1+1`, { format: 'csv' }],
};

/** Keys that clients, events and listings encode in different ways; the last one is cut in the keys of results. */
const ODD_NAMES: readonly string[] = [
  'two  spaces + plus.txt',
  '100%25 %2F.txt',
  'ünïcode-日本語-😀.txt',
  'e\u0301 decomposed.txt',
  `<a&b> "quotes" 'n' more.txt`,
  'query?a=1&b=#fragment.txt',
  'double//slash.txt',
  'back\\slash.txt',
  'tab\there.txt',
  '!*()[]{}|^~=:;,@$.txt',
  'ｆｕｌｌ　ｗｉｄｔｈ.txt',
  `long-${'x'.repeat(840)}.txt`,
];

/** An upload for each option, each under an odd name of its own. */
export function optionFiles(folder: string): (LiveFile & { readonly option: string })[] {
  return Object.entries(BY_OPTION).map(([option, [value, text, more]], k) => ({
    option,
    ...liveFile(`${folder}${ODD_NAMES[k]}`, `${text}\n`, { ...more, [option]: value }),
  }));
}

/** Every so many lines of the first MiB, one is slow: `sampleCost` solves every 13th of 12,787 lines. */
const SLOW_EVERY = 13;
const SLOW_LINES = 12_787;
/** Solved grids of which some cells are blank. */
const GRIDS = 100;
const GRID_GIVENS = 69;

/** Nodes of all puzzles if they were slow: more than a minute for 20 ns a node, a few minutes for the usual 50 to 100 ns. */
const EXPECTED_NODES = 3e9;

/**
 * A file that a stack takes for minutes of work, because the puzzles of its sample are slow, and that takes seconds: the
 * slow ones run out of nodes, all others have few blanks. Each solution takes 243 bytes.
 */
export function largeFile(name: string, puzzles: number): LiveFile {
  const easy = generatedLines(GRIDS, GRID_GIVENS);
  const lines = Array.from({ length: puzzles }, (_, k) =>
    k % SLOW_EVERY === 0 && k < SLOW_LINES ? SLOW : easy[k % easy.length]!,
  );
  const nodes = Math.ceil(EXPECTED_NODES / puzzles);
  return {
    name,
    bytes: gzipSync(`${lines.join('\n')}\n`),
    options: { engine: 'backtrack', 'max-nodes': String(nodes), output: 'grid' },
  };
}
