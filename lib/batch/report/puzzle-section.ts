/** The puzzles of a report: counts that filter them, exceptions in groups of equal errors, and other puzzles. */
import { numberText } from '../quantities.ts';
import { groupName, otherGroupName } from '../results/error-group.ts';
import type { JobRecord } from '../results/job-record.ts';
import type { RecordSample, SampledRecord } from '../results/record-sample.ts';
import type { JobStats } from '../results/statistics.ts';
import { PUZZLE_STATUSES } from '../solving/puzzle-status.ts';
import { type Content, type HtmlMarkup, html, section } from './markup.ts';
import { OtherSolutions } from './other-solution.ts';
import { type ListedPuzzle, listed, type PuzzleGroup, type PuzzleList } from './puzzle-list.ts';

/** Up to so many exceptions, all are open, and up to so many, their groups are. */
const MAX_OPEN = 6;
const MAX_OPEN_GROUPS = 20;

export const NONE_SEARCHED = html`<p>No puzzle was searched.</p>`;

/** A count that filters the puzzles of the page, if scripts run. */
interface FilterCount {
  readonly filter: 'status' | 'grade';
  /** Empty for all. */
  readonly value: string;
  readonly name: string;
  readonly count: number;
}

/**
 * @param counts of all puzzles, also of those that are not in the groups
 * @param keys by which the puzzles can be sorted: a `data-` attribute, and its name
 * @param note about the sample, if the groups are one
 */
export function groupedPuzzles(
  title: string,
  counts: readonly FilterCount[],
  keys: readonly (readonly [key: string, name: string])[],
  groups: Content,
  note: Content,
): HtmlMarkup {
  return section(
    'puzzles',
    title,
    html`<ul class="filters" aria-label="Puzzles by outcome">${counts.map(
      ({ filter, value, name, count }) =>
        html`<li data-filter="${filter}" data-value="${value}">${filter === 'status' && value !== '' && html`<span class="dot ${value}"></span>`}${name} <strong>${numberText(count)}</strong></li>`,
    )}</ul>
<form id="tools" hidden=""><p><label for="find">Find a line, an id, or at least four digits</label><input id="find" type="search" autocomplete="off" spellcheck="false"></p>
<p><label for="sort">Sort by</label><select id="sort"><option value="">the order of the file</option>${keys.map(([key, name]) => html`<option value="${key}">${name}</option>`)}</select></p></form>
<p id="found-note" role="status"></p>
<ol id="found" class="puzzles"></ol>
<p class="buttons"><button type="button" id="more" hidden="">Show more</button></p>
<div id="groups">${groups}</div>
${note}`,
  );
}

/** @param hardest records of the hardest puzzles, which are listed too */
export function puzzleSection(
  { puzzles, ratings }: JobStats,
  sample: Pick<RecordSample, 'total' | 'listed' | 'exceptions' | 'groups'>,
  hardest: readonly JobRecord[],
  list: PuzzleList,
): HtmlMarkup {
  const records = new Map<number, SampledRecord>();
  const firsts = sample.groups.map(({ first }) => first);
  // Those that are listed whatever their outcome have times.
  for (const record of [...firsts, ...sample.exceptions, ...hardest, ...sample.listed]) {
    records.set(record.index, record);
  }
  const inOrder = [...records.values()].sort((a, b) => a.index - b.index);
  const groups = groupsOf(sample, inOrder, puzzles.total - sample.total);
  const grades = Object.entries(ratings?.grades ?? {});
  const counts: readonly FilterCount[] = [
    { filter: 'status', value: '', name: 'all', count: puzzles.total },
    ...PUZZLE_STATUSES.map((status) => filterCount('status', status, puzzles[status])),
    ...grades.map(([grade, count]) => filterCount('grade', grade, count)),
  ];
  const isSample = records.size < puzzles.total;
  const note = html`<p class="note">${
    isSample &&
    `This page has ${numberText(records.size)} of the ${numberText(puzzles.total)} puzzles: the first ones, the first exceptions, one of each kind of exception, and the hardest. The counts are of all. `
  }${sample.total > 0 && html`All exceptions are in <a class="file" href="exceptions.jsonl">exceptions.jsonl</a>.`}</p>`;
  const keys = [
    ['guesses', 'guesses'],
    ['us', 'time'],
  ] as const;
  return groupedPuzzles(
    'Puzzles',
    counts.filter(({ value, count }) => value === '' || count > 0),
    grades.length > 0 ? [['rating', 'difficulty'], ...keys] : keys,
    groups.map((group) => list.group(group)),
    note,
  );
}

function filterCount(filter: FilterCount['filter'], value: string, count: number): FilterCount {
  return { filter, value, name: value, count };
}

/** The exceptions by kind, most frequent first, then the other puzzles. */
function groupsOf(
  { total, groups }: Pick<RecordSample, 'total' | 'groups'>,
  records: readonly SampledRecord[],
  solved: number,
): PuzzleGroup[] {
  const others = new OtherSolutions();
  const lines = new Map<string, ListedPuzzle[]>(groups.map(({ name }) => [name, []]));
  const rest: ListedPuzzle[] = [];
  const isOpen = total <= MAX_OPEN;
  for (const record of records) {
    const isException = record.status !== 'solved' || record.error !== undefined;
    const group = isException ? (lines.get(groupName(record)) ?? lines.get(otherGroupName(record))) : rest;
    group?.push(listed(record, others.of(record), isException && isOpen));
  }
  const exceptions = [...groups]
    .sort((a, b) => b.count - a.count)
    .map(({ name, count, first: { status } }) => {
      return { name, status, count, puzzles: lines.get(name)!, isOpen: total <= MAX_OPEN_GROUPS };
    });
  if (solved === 0) return exceptions;
  return [...exceptions, { name: 'solved', status: 'solved', count: solved, puzzles: rest }];
}
