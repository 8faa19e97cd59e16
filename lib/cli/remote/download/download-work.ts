/** Which results a download has fetched, which are left, and the command that continues. */
import { failureText } from '../../exit.ts';
import { withoutOperands } from '../arguments.ts';
import { commandLine, commandText } from '../command-text.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { RemoteError } from '../remote-error.ts';
import { isLeft, type WorkItem, workLeftLines } from '../work-left.ts';

interface DownloadWorkFlags extends ConnectionFlags {
  /** Folder, or `-` for the solutions on standard output. */
  readonly outputDir: string;
}

export class DownloadWork {
  readonly #operands: readonly string[];
  readonly #flags: DownloadWorkFlags;
  readonly #args: readonly string[];
  readonly #items = new Map<string, WorkItem>();
  #isTemporary = true;

  /** @param args all arguments of the command; `operands` are the keys among them */
  constructor(operands: readonly string[], flags: DownloadWorkFlags, args: readonly string[]) {
    this.#operands = operands;
    this.#flags = flags;
    this.#args = args;
  }

  begin(keys: readonly string[]): void {
    for (const key of keys) this.#items.set(key, { name: key, state: 'left' });
  }

  get hasDone(): boolean {
    return [...this.#items.values()].some((item) => !isLeft(item));
  }

  get hasFailed(): boolean {
    return [...this.#items.values()].some(({ note }) => note !== undefined);
  }

  done(key: string): void {
    this.#items.get(key)!.state = 'done';
  }

  /** Records the error for the user. */
  failed(key: string, error: unknown): void {
    this.#items.get(key)!.note = failureText(error);
    if (!(error instanceof RemoteError && error.isTemporary)) this.#isTemporary = false;
  }

  /**
   * The lines at the end of the command; none if nothing is left. For one key, the error is enough, and one that is not
   * temporary has been reported.
   */
  finalLines(): string[] {
    const items = [...this.#items.values()];
    if (!items.some(isLeft)) return [];
    if (items.length > 1) return this.lines();
    return this.#isTemporary ? [`dlx-batch: ${items[0]!.note}`, this.#continuation()] : [];
  }

  /** The table of all keys, and the command that continues. */
  lines(): string[] {
    const items = [...this.#items.values()];
    if (items.length === 0) return [this.#continuation()];
    const lines = workLeftLines('result', items);
    return items.some(isLeft) ? [...lines, this.#continuation()] : lines;
  }

  #continuation(): string {
    return `to continue: ${this.#command()}`;
  }

  #command(): string {
    const items = [...this.#items.values()];
    // Standard output has the first results already; in a folder, complete files are kept.
    if (this.#flags.outputDir === '-' && items.length > 0) {
      const keys = items.filter(isLeft).map(({ name }) => name);
      return commandText('download --output-dir -', keys);
    }
    const done = new Set(items.filter((item) => !isLeft(item)).map(({ name }) => name));
    return commandLine(withoutOperands(this.#args, this.#operands, done));
  }
}
