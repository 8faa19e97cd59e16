/** The page of a comparison: the same lists of puzzles as those of a report, in groups of equal differences. */
import { counted, durationText, numberText } from '../quantities.ts';
import type { JobRecord } from '../results/job-record.ts';
import type { Comparison, Difference, RecordPair } from './comparison.ts';
import { htmlPage, SKIP_LINK } from './html-page.ts';
import { html, section, table } from './markup.ts';
import {
  type ListedPuzzle,
  listed,
  type PuzzleGroup,
  PuzzleList,
  ratingText,
  searchFacts,
} from './puzzle-list.ts';
import { groupedPuzzles } from './puzzle-section.ts';
import { PAGE_SCRIPT } from './report-script.ts';
import { PAGE_STYLES } from './styles.ts';

/** @param names of the sets */
export function comparisonPage(comparison: Comparison, [a, b]: readonly [a: string, b: string]): string {
  const { answers, onlyInA, onlyInB, ratings, nodes, guesses, solveUs, pairs } = comparison;
  const list = new PuzzleList();
  const groups = [
    ...groupsOf(answers, (pair) => `${pair.a.status} in A, ${pair.b.status} in B`),
    ...onlyIn('A', onlyInA),
    ...onlyIn('B', onlyInB),
    ...groupsOf(ratings, (pair) => `${ratingText(pair.a)} in A, ${ratingText(pair.b)} in B`),
    ...largest('The largest differences of effort', nodes.largest, ({ nodes: n = 0 }) => counted(n, 'node')),
    ...largest('The largest differences of time', solveUs.largest, ({ solveUs: us = 0 }) => durationText(us)),
  ];
  const count = sum(answers) + onlyInA.count + onlyInB.count;
  const figures = [
    ['Nodes', numberText, nodes],
    ['Guesses', numberText, guesses],
    ['Time', durationText, solveUs],
  ] as const;
  const body = html`${SKIP_LINK}<header><p class="kicker">dlx-batch comparison</p><h1><bdi>${a}</bdi> and <bdi>${b}</bdi></h1>
<p class="verdict">${verdictText(comparison)}</p><p class="note">A is <bdi>${a}</bdi>, B is <bdi>${b}</bdi>.</p></header>
<main id="main">${groupedPuzzles(
    'Differences',
    [{ filter: 'status', value: '', name: 'differing answers', count }],
    [
      ['guesses', 'guesses in A'],
      ['us', 'time in A'],
    ],
    groups.length === 0 ? html`<p>None.</p>` : groups.map((group) => list.group(group)),
    html`<p class="note">${numberText(pairs)} records are in both sets. Of each kind of difference, up to a hundred puzzles are listed.</p>`,
  )}
${section(
  'sums',
  'Effort and time',
  table(
    'Sums over the records that have the figure in both sets',
    ['Figure', 'A', 'B', 'Records', 'Differing'],
    figures.map(([name, text, { a, b, pairs, differing }]) => [
      name,
      text(a),
      text(b),
      numberText(pairs),
      numberText(differing),
    ]),
  ),
)}
${list.shapes}</main>`;
  return htmlPage(`${a} and ${b} · dlx-batch comparison`, PAGE_STYLES, body, PAGE_SCRIPT);
}

/** `2 of 7 answers differ: 1 another solution; 1 solved in A, multiple in B. 3 puzzles are only in A.` */
export function verdictText({ answers, onlyInA, onlyInB, pairs }: Comparison): string {
  const kinds = [...answers].map(([kind, { count }]) => `${numberText(count)} ${kind}`);
  const differing = sum(answers);
  const compared =
    pairs === 0
      ? 'No puzzle is in both sets.'
      : differing === 0
        ? `${pairs === 1 ? 'The answer to the one puzzle' : `All answers to the ${numberText(pairs)} puzzles`} in both sets ${pairs === 1 ? 'is' : 'are'} the same.`
        : `${numberText(differing)} of ${counted(pairs, 'answer')} ${differing === 1 ? 'differs' : 'differ'}: ${kinds.join('; ')}.`;
  const only = [onlyInA, onlyInB].map(({ count }, k) =>
    count === 0 ? '' : ` ${counted(count, 'puzzle')} ${count === 1 ? 'is' : 'are'} only in ${'AB'[k]}.`,
  );
  return compared + only.join('');
}

function sum(differences: ReadonlyMap<string, Difference>): number {
  return [...differences.values()].reduce((total, { count }) => total + count, 0);
}

function groupsOf(
  differences: ReadonlyMap<string, Difference>,
  why: (pair: RecordPair) => string,
): PuzzleGroup[] {
  return [...differences].map(([name, { count, examples }]) => {
    const puzzles = examples.map((pair) => bothOf(pair, why(pair)));
    return { name, status: examples[0]!.a.status, count, puzzles, isOpen: examples.length === 1 };
  });
}

function largest(
  name: string,
  pairs: readonly RecordPair[],
  figure: (record: JobRecord) => string,
): PuzzleGroup[] {
  if (pairs.length === 0) return [];
  const puzzles = pairs.map((pair) => ({
    ...bothOf(pair, ''),
    facts: [`${figure(pair.a)} in A`, `${figure(pair.b)} in B`],
  }));
  return [{ name, status: 'solved', count: pairs.length, puzzles }];
}

function onlyIn(side: string, { count, examples }: Difference<JobRecord>): PuzzleGroup[] {
  if (count === 0) return [];
  const puzzles = examples.map((record) => listed(record));
  return [{ name: `only in ${side}`, status: examples[0]!.status, count, puzzles }];
}

/** A puzzle with both answers: the cells in which two solutions differ are marked. */
function bothOf({ a, b }: RecordPair, why: string): ListedPuzzle {
  const [first, second] = [a, b].map(({ solution }) => (typeof solution === 'string' ? solution : undefined));
  const record = a.puzzle === undefined ? { ...b, status: a.status } : a;
  const errors = [a, b].map(({ error }, k) => error && ` ${'AB'[k]}: ${error.message}.`);
  return {
    record,
    why: `${why === '' ? '' : `${why}.`}${errors.filter((error) => error !== undefined).join('')}`,
    grids: [
      { caption: 'A', solution: first, other: second },
      { caption: 'B', solution: second, other: first },
    ],
    facts: searchFacts(record),
    isRemarkable: true,
  };
}
