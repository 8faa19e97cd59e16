/** The table at the end of a command that did not do everything: what is done, and what is left. */
import { counted, numberText } from '../../batch/quantities.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { terminalColumns } from '../terminal/terminal.ts';

/** In the order of the counts. */
const STATES = ['done', 'uploaded', 'left'] as const;
/** `done` includes files that are rejected: another try does not change that. */
export type WorkState = (typeof STATES)[number];

export interface WorkItem {
  readonly name: string;
  state: WorkState;
  /** Why it is not done. */
  note?: string;
}

const MAX_ROWS = 40;

const COLUMNS: readonly Column[] = [
  { title: 'STATE' },
  { title: 'NAME', shrinks: 'middle' },
  { title: 'NOTE', shrinks: 'end' },
];

/** Whether an item is not done. */
export function isLeft({ state }: WorkItem): boolean {
  return state !== 'done';
}

/** Formats the table and the counts. @param kind singular, such as `file` */
export function workLeftLines(
  kind: string,
  items: readonly WorkItem[],
  screen: NodeJS.WriteStream = process.stderr,
): string[] {
  const listed = items.length <= MAX_ROWS ? items : items.filter(isLeft).slice(0, MAX_ROWS);
  const rows = listed.map(({ state, name, note = '' }) => [state, name, note]);
  const omitted = items.length - listed.length;
  const counts = STATES.map((state) => [state, items.filter((item) => item.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${numberText(count)} ${state}`);
  return [
    ...tableLines(COLUMNS, rows, terminalColumns(screen)),
    ...(omitted > 0 ? [`and ${numberText(omitted)} more`] : []),
    `${counted(items.length, kind)}: ${counts.join(', ')}`,
  ];
}
