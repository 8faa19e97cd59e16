/** What a command has done of its files or results, and what is left if it cannot finish: the same command continues. */
import { PartsLeftError } from '../../aws/upload-object.ts';
import { counted, countsText, numberText } from '../../batch/quantities.ts';
import { failureText, isFixable, itemFailure } from '../exit.ts';
import { complain } from '../terminal/output.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { terminalColumns } from '../terminal/terminal.ts';
import { continuationLine } from './command-text.ts';
import type { Buckets } from './connection.ts';
import { isTemporary, RemoteError, remoteError } from './remote-error.ts';

/** In the order of the counts. `done` includes files that are rejected: another try does not change that. */
const STATES = ['done', 'uploaded', 'left'] as const;
type WorkState = (typeof STATES)[number];

interface WorkItem {
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

export class Work {
  readonly #kind: string;
  readonly #items = new Map<string, WorkItem>();
  #isTemporary = true;

  /** @param kind of an item, singular, such as `file` */
  constructor(kind: string) {
    this.#kind = kind;
  }

  begin(names: readonly string[]): void {
    for (const name of names) this.#items.set(name, { name, state: 'left' });
  }

  set(name: string, state: WorkState): void {
    this.#items.get(name)!.state = state;
  }

  get hasFailed(): boolean {
    return [...this.#items.values()].some(({ note }) => note !== undefined);
  }

  /**
   * Records the error of an item, after which the command continues with the others.
   *
   * @returns the error in words
   * @throws the error if the others would fail in the same way, if it is a defect, or the reason of an interruption
   */
  failed({ retries }: Pick<Buckets, 'retries'>, name: string, error: unknown, doing: string): string {
    retries.signal.throwIfAborted();
    const failure = remoteError(error, doing);
    if (!isFixable(failure)) throw failure;
    const isGeneral = failure instanceof RemoteError && !failure.isTemporary;
    if (isGeneral && [...this.#items.values()].every(({ state }) => state === 'left')) throw failure;
    const text = failureText(failure);
    const parts =
      error instanceof PartsLeftError
        ? `; its parts are still stored in ${error.bucket}, as the upload ${error.uploadId}`
        : '';
    this.#items.get(name)!.note = text + parts;
    if (!isTemporary(failure)) {
      this.#isTemporary = false;
      complain(itemFailure(name, failure));
    }
    return text;
  }

  /** The lines at the end of the command; none if nothing is left. For one item, the error is enough. */
  finalLines(): string[] {
    const left = [...this.#items.values()].filter(({ state }) => state !== 'done');
    if (left.length === 0) return [];
    if (this.#items.size > 1) return this.lines();
    return this.#isTemporary ? [`dlx-batch: ${left[0]!.note}`, continuationLine()] : [];
  }

  /** The table of all items, the counts, and the command that continues. */
  lines(): string[] {
    const items = [...this.#items.values()];
    if (items.length === 0) return [continuationLine()];
    const left = items.filter(({ state }) => state !== 'done');
    const listed = items.length <= MAX_ROWS ? items : left.slice(0, MAX_ROWS);
    const rows = listed.map(({ state, name, note = '' }) => [state, name, note]);
    const omitted = items.length - listed.length;
    const counts = countsText(STATES, (state) => items.filter((item) => item.state === state).length);
    return [
      ...tableLines(COLUMNS, rows, terminalColumns(process.stderr)),
      ...(omitted > 0 ? [`and ${numberText(omitted)} more`] : []),
      `${counted(items.length, this.#kind)}: ${counts}`,
      ...(left.length > 0 ? [continuationLine()] : []),
    ];
  }
}
