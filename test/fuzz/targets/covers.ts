/** Readers of exact-cover files, and both searches on what they read. The first byte of an input chooses the format. */
import { CoverCheck } from '../../../lib/batch/solving/cover-check.ts';
import { DancingLinks, SearchStop } from '../../../lib/exact-cover/dancing-links.ts';
import { openSearch } from '../../../lib/exact-cover/open-search.ts';
import { createPlainSearch } from '../../../lib/exact-cover/plain-search.ts';
import type { ExactCoverProblem } from '../../../lib/exact-cover/problem.ts';
import type { Search } from '../../../lib/exact-cover/search.ts';
import { COVER_FORMAT_NAMES, type CoverFormatName } from '../../../lib/formats/exact-cover/cover-record.ts';
import { detectFormat, openCoverReader } from '../../../lib/formats/formats.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { isCover } from '../../exact-cover/brute-force.ts';
import { checkProblem } from '../../exact-cover/create-problem.ts';
import { requireWasmSearch } from '../../exact-cover/searches.ts';
import { readCovers } from '../../formats/exact-cover/reading-covers.ts';
import { check, checkSame, digest, type Target } from '../target.ts';

const SEEDS = [
  'd| comment\nA B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n',
  'da b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n',
  's7\n2 4 5\n0 3 6\n1 2 5\n0 3 5\n1 6\n3 4 6\n\n4 1\n0 1\n2 3\n',
  'e7\n0 0 1 0 1 1 0\n1 0 0 1 0 0 1\n0 1 1 0 0 1 0\n',
  'e4 1\n1100\n0011\n\n# c\n2\n10\n01\n',
  'm1001001\n1001000\n0001101\n0010110\n0110011\n0100001\n',
  'm0;1\n1;0\n\n1,0,1\n0,1,0\n',
  'mx y z\nA 1 0 0 -\nB: 0 | 1 1 -\n',
  't{1, 2, 3}\n{\n  {1 3}, { }, {2}\n}\n',
  't1 2 3\n3\nA: 1 2\nB: 3\nC = 2 3\n',
  '?6 7\n3 1 4 7\n2 1 4\n3 4 5 7\n3 3 5 6\n4 2 3 6 7\n2 2 7\n',
  '?A B C\nA B\nC\n',
  'dA B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n',
  'd0:1|a 2|b c\na b |1\nb c |0 |2\na c\nb |10\nc |3\nb c |1\n',
  'x| XC\nA | B\nA B:red\nA B:blue\n',
];
const FORMATS: Readonly<Record<string, CoverFormatName>> = {
  d: 'dlx',
  x: 'xcc',
  s: 'sparse',
  e: 'dense',
  m: 'matrix',
  t: 'sets',
};
const MAX_SOLUTIONS = 50;
const MAX_NODES = 300;

export const covers: Target = {
  name: 'covers',
  seeds: () => SEEDS,
  tokens: [
    'A B',
    ' | ',
    ':red',
    ':0',
    '|',
    '2:3|',
    ' |7',
    '0 1',
    '1 0',
    ';',
    ',',
    '\n\n',
    '# c\n',
    '| c\n',
    '7 2\n',
    '0101',
    '{1, 2}',
    'A: ',
    ' -\n',
    ...COVER_FORMAT_NAMES,
  ],
  maxBytes: 1500,
  maxWork: { base: 5_000_000, perByte: 20_000 },
  run(input) {
    const bytes = new Uint8Array(input.subarray(1));
    const asked = FORMATS[String.fromCharCode(input[0] ?? 0)];
    const detection = detectFormat(bytes, true, { format: asked });
    const format = detection.kind === 'exact-cover' ? detection.format : asked;
    if (format === undefined) return;
    const whole = readCovers(bytes, format);
    const random = new RandomSource(digest(input));
    const cuts = Array.from({ length: 6 }, () => random.below(bytes.length + 1)).sort((a, b) => a - b);
    checkSame(readCovers(bytes, format, cuts), whole, 'problems do not depend on chunks');
    const lines = bytes.filter((byte) => byte === 10 || byte === 13).length + 1;
    let before = 1;
    for (const { line, lineEnd, error, warnings } of whole) {
      check(
        line >= before && lineEnd >= line && lineEnd <= lines,
        'problems are in the order of their lines',
      );
      before = lineEnd;
      if (error !== undefined) {
        check(
          error.line >= line && error.line <= lines && error.column >= 1,
          'an error has a place in its problem',
        );
      }
      for (const message of [...warnings, error?.message ?? '']) {
        check(
          !/\p{Cc}/u.test(message) && message.length < 1000,
          'a message is short, without control characters',
        );
      }
    }
    solveAll(bytes, format);
  },
};

/** What a search finds within the limits: the stop, the counts, and the options of each solution. */
function foundBy(problem: ExactCoverProblem, createSearch: (problem: ExactCoverProblem) => Search) {
  const links = new DancingLinks(problem, 1, createSearch);
  links.reset();
  const solutions: number[][] = [];
  const limits = {
    maxSolutions: MAX_SOLUTIONS,
    maxNodes: MAX_NODES,
    sliceNodes: Infinity,
    pauseAtSolution: true,
  };
  for (;;) {
    const stop = links.run(limits);
    if (links.solutions > solutions.length) solutions.push([...links.selected]);
    if (stop !== SearchStop.solution) return { stop, nodes: links.nodes, guesses: links.guesses, solutions };
  }
}

function solveAll(bytes: Uint8Array, format: CoverFormatName): void {
  const reader = openCoverReader(format);
  for (const { cover } of [...reader.push(bytes), ...reader.end()]) {
    if (cover === undefined) continue;
    const { problem } = cover;
    checkProblem(problem);
    if (problem.multiplicities !== undefined || problem.costs !== undefined) {
      checkFamily(problem);
      continue;
    }
    const plain = foundBy(problem, createPlainSearch);
    checkSame(foundBy(problem, requireWasmSearch), plain, 'both searches find the same');
    for (const options of plain.solutions)
      check(isCover(problem, options), 'a solution is a cover', () => options);
  }
}

/** Solutions with multiplicities and costs are solutions, and get no cheaper. */
function checkFamily(problem: ExactCoverProblem): void {
  const search = openSearch(problem, false, MAX_SOLUTIONS);
  const test = new CoverCheck(problem);
  let before = 0;
  const limits = {
    maxSolutions: MAX_SOLUTIONS,
    maxNodes: MAX_NODES,
    sliceNodes: Infinity,
    pauseAtSolution: true,
  };
  while (search.run(limits) === SearchStop.solution) {
    const options = search.selected.slice();
    check(test.isSolution(options), 'a solution is a cover', () => [...options]);
    const cost = test.costOf(options) ?? 0;
    check(cost >= before, 'the cheapest solutions are first');
    before = cost;
  }
}
