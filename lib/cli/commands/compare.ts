/** Compares two result sets: their answers first, then difficulty, effort and time. */

import { counted, durationText, numberText } from '../../batch/quantities.ts';
import {
  Comparison,
  type Difference,
  type RecordPair,
  TooManyWaitingError,
} from '../../batch/report/comparison.ts';
import { comparisonPage, verdictText } from '../../batch/report/comparison-page.ts';
import { guessesText, placeText, ratingText } from '../../batch/report/puzzle-list.ts';
import type { JobRecord } from '../../batch/results/job-record.ts';
import { CommandError, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { createOutputFile } from '../files/output-file.ts';
import { findRecordSets, type RecordSet } from '../files/record-sets.ts';
import { printFound } from '../terminal/output.ts';

interface CompareFlags {
  readonly json?: boolean;
  readonly outputFile?: string;
}

/** Puzzles of each kind of difference that the terminal shows. */
const SHOWN = 5;

/** @returns the exit status */
export async function run(paths: readonly string[], flags: CompareFlags): Promise<number> {
  const [pathA, pathB] = paths;
  if (pathA === undefined || pathB === undefined || paths.length > 2) {
    throw new CommandError(
      `compare: found ${counted(paths.length, 'operand')}, expected two result sets, such as compare before after`,
    );
  }
  const [setsA, setsB] = [await findRecordSets(pathA), await findRecordSets(pathB)];
  const comparison = new Comparison();
  for (const [a, b] of pairsOf(setsA, setsB)) {
    const byIndex = a?.hasPuzzles === false || b?.hasPuzzles === false;
    await comparison.compare(recordsOf(a), recordsOf(b), byIndex).catch((error: unknown) => {
      if (!(error instanceof TooManyWaitingError)) throw error;
      throw new CommandError(
        `${pathA}, ${pathB}: found more than 100,000 records without the record of the same puzzle in the other set; expected sets in a similar order: sort both records.jsonl by puzzle, and compare those`,
      );
    });
  }
  const found = [verdictText(comparison), ...lines(comparison)];
  printFound(flags, documentOf(comparison, pathA, pathB), found);
  if (flags.outputFile !== undefined) {
    const file = await createOutputFile(flags.outputFile);
    await file.write(new TextEncoder().encode(comparisonPage(comparison, [pathA, pathB])));
    await file.close();
  }
  return comparison.isSame ? EXIT_SOLVED : EXIT_UNSOLVED;
}

/** The sets of the same name; two single sets whatever their names are. */
function* pairsOf(
  a: readonly RecordSet[],
  b: readonly RecordSet[],
): Iterable<readonly [a: RecordSet | undefined, b: RecordSet | undefined]> {
  if (a.length === 1 && b.length === 1) {
    yield [a[0], b[0]];
    return;
  }
  const named = new Map(b.map((set) => [set.name, set]));
  for (const set of a) {
    yield [set, named.get(set.name)];
    named.delete(set.name);
  }
  for (const set of named.values()) yield [undefined, set];
}

async function* recordsOf(set: RecordSet | undefined): AsyncGenerator<JobRecord, void, void> {
  if (set !== undefined) yield* set.records();
}

function lines({ answers, onlyInA, onlyInB, rated, ratings, nodes, guesses, solveUs }: Comparison): string[] {
  const rating = (record: JobRecord) => ratingText(record) ?? '';
  const differing = [...ratings.values()].reduce((sum, { count }) => sum + count, 0);
  return [
    ...[...answers].flatMap(([kind, difference]) =>
      kindLines(kind, difference, ({ a, b }) => [a, reason(a, b)]),
    ),
    ...(onlyInA.count > 0 ? kindLines('only in A', onlyInA, (record) => [record, '']) : []),
    ...(onlyInB.count > 0 ? kindLines('only in B', onlyInB, (record) => [record, '']) : []),
    ...(rated > 0
      ? [
          `difficulty: ${counted(rated, 'rating')} compared, ${numberText(differing)} ${differing === 1 ? 'differs' : 'differ'}`,
        ]
      : []),
    ...[...ratings].flatMap(([kind, difference]) =>
      kindLines(kind, difference, ({ a, b }) => [a, `${rating(a)} in A, ${rating(b)} in B`]),
    ),
    ...(nodes.pairs > 0
      ? [
          `effort: ${counted(nodes.a, 'node')} and ${guessesText(guesses.a)} in A, ${counted(nodes.b, 'node')} and ${guessesText(guesses.b)} in B; ${counted(nodes.differing, 'puzzle')} with another number of nodes`,
          ...largestLines(nodes.largest, ({ nodes: n = 0 }) => counted(n, 'node')),
        ]
      : []),
    ...(solveUs.pairs > 0
      ? [
          `time: ${durationText(solveUs.a)} in A, ${durationText(solveUs.b)} in B`,
          ...largestLines(solveUs.largest, ({ solveUs: us = 0 }) => durationText(us)),
        ]
      : []),
  ];
}

function kindLines<Example>(
  kind: string,
  { count, examples }: Difference<Example>,
  shown: (example: Example) => readonly [record: JobRecord, text: string],
): string[] {
  const first = examples.slice(0, SHOWN).map((example) => puzzleLine(...shown(example)));
  const more = count - first.length;
  return [
    `${kind}: ${counted(count, 'puzzle')}`,
    ...first,
    ...(more > 0 ? [`  and ${numberText(more)} more`] : []),
  ];
}

function largestLines(pairs: readonly RecordPair[], figure: (record: JobRecord) => string): string[] {
  return pairs.slice(0, SHOWN).map(({ a, b }) => puzzleLine(a, `${figure(a)} in A, ${figure(b)} in B`));
}

function puzzleLine({ id, line, lineEnd, index }: JobRecord, text: string): string {
  const name = id === undefined ? `puzzle ${index}` : `puzzle ${index}, ${id}`;
  return `  ${placeText(line, lineEnd).toLowerCase()}, ${name}${text === '' ? '' : `: ${text}`}`;
}

function reason(a: JobRecord, b: JobRecord): string {
  return [a, b]
    .flatMap(({ error }, k) => (error === undefined ? [] : `${error.message} in ${'AB'[k]}`))
    .join('; ');
}

/** For `--json`: all counts, and the first records of each kind. */
function documentOf(comparison: Comparison, a: string, b: string): object {
  const kinds = (differences: ReadonlyMap<string, Difference>) =>
    [...differences].map(([kind, { count, examples }]) => ({ kind, count, first: examples }));
  const { isSame, pairs, answers, onlyInA, onlyInB, rated, ratings, nodes, guesses, solveUs } = comparison;
  return {
    a,
    b,
    same: isSame,
    matched: pairs,
    answers: kinds(answers),
    onlyInA: { count: onlyInA.count, first: onlyInA.examples },
    onlyInB: { count: onlyInB.count, first: onlyInB.examples },
    difficulty: { rated, differences: kinds(ratings) },
    effort: { nodes, guesses },
    time: solveUs,
  };
}
