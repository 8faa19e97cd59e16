/** What an upload has done, what is left, and the command that continues. */
import type { PartsLeftError, UnfinishedUpload } from '../../../aws/upload-object.ts';
import { failureText } from '../../exit.ts';
import { withoutOperands } from '../arguments.ts';
import { awsCommandText, commandLine, commandText, shellWord } from '../command-text.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { RemoteError } from '../remote-error.ts';
import { isLeft, type WorkItem, workLeftLines } from '../work-left.ts';
import type { UploadSource } from './upload-sources.ts';

interface UploadWorkFlags extends ConnectionFlags {
  readonly wait?: boolean;
  /** Folder, or `-` for the solutions on standard output. */
  readonly download?: string;
}

export class UploadWork {
  readonly #operands: readonly string[];
  readonly #flags: UploadWorkFlags;
  readonly #args: readonly string[];
  readonly #items: ReadonlyMap<UploadSource, WorkItem>;
  readonly #unfinished = new Map<string, string>();
  #isTemporary = true;

  /** @param args all arguments of the command; `operands` are those that name files */
  constructor(
    operands: readonly string[],
    sources: readonly UploadSource[],
    flags: UploadWorkFlags,
    args: readonly string[],
  ) {
    this.#operands = operands;
    this.#flags = flags;
    this.#args = args;
    this.#items = new Map(sources.map((source) => [source, { name: source.path, state: 'left' }]));
  }

  get hasUploads(): boolean {
    return [...this.#items.values()].some(({ state }) => state !== 'left');
  }

  isUploaded(source: UploadSource): boolean {
    return this.#items.get(source)!.state !== 'left';
  }

  uploaded(source: UploadSource): void {
    this.#items.get(source)!.state = 'uploaded';
  }

  /** Records parts that are still stored. */
  partsLeft(source: UploadSource, { bucket, uploadId }: PartsLeftError): void {
    const command = this.#abortCommand({ bucket, key: source.key, uploadId });
    this.#items.get(source)!.note = `parts of it are still stored, to remove them: ${command}`;
  }

  /** Records an earlier upload whose parts are still stored. */
  foundUnfinished(upload: UnfinishedUpload): void {
    const since = upload.initiated.toISOString();
    this.#unfinished.set(
      upload.uploadId,
      `dlx-batch: ${upload.key}: parts of an unfinished upload of ${since} are stored; if no other program sends it, remove them: ${this.#abortCommand(upload)}`,
    );
  }

  done(source: UploadSource): void {
    this.#items.get(source)!.state = 'done';
  }

  /** Records the error for the user. */
  failed(source: UploadSource, error: unknown): void {
    const item = this.#items.get(source)!;
    item.note = [failureText(error), item.note].filter(Boolean).join('; ');
    if (!(error instanceof RemoteError && error.isTemporary)) this.#isTemporary = false;
  }

  /** The lines at the end of the command; none if nothing is left. For one file, the error is enough. */
  finalLines(): string[] {
    const items = [...this.#items.values()];
    const unfinished = [...this.#unfinished.values()];
    if (!items.some(isLeft)) return unfinished;
    if (items.length > 1) return this.lines();
    if (!this.#isTemporary) return unfinished;
    return [...unfinished, `dlx-batch: ${items[0]!.note}`, this.#continuation()];
  }

  /** The table of all files, and the command that continues. */
  lines(): string[] {
    const items = [...this.#items.values()];
    const unfinished = [...this.#unfinished.values()];
    const lines = [...unfinished, ...workLeftLines('file', items)];
    return items.some(isLeft) ? [...lines, this.#continuation()] : lines;
  }

  #abortCommand({ bucket, key, uploadId }: Omit<UnfinishedUpload, 'initiated'>): string {
    const names = `--bucket ${shellWord(bucket)} --key ${shellWord(key)} --upload-id ${shellWord(uploadId)}`;
    return awsCommandText(`s3api abort-multipart-upload ${names}`);
  }

  #continuation(): string {
    const [[source, item]] = [...this.#items] as [[UploadSource, WorkItem]];
    if (source.bytes !== undefined) return `to continue: ${commandLine(this.#remainingArgs())}`;
    if (item.state === 'left') {
      return `to continue, with the same input again: ${commandLine(this.#args)}`;
    }
    const { download } = this.#flags;
    const command =
      download === undefined ? 'status --watch' : `download --output-dir ${shellWord(download)}`;
    return `to continue: ${commandText(command, [source.key])}`;
  }

  /** Unchanged files are not sent again, except with `--force`. */
  #remainingArgs(): string[] {
    const items = [...this.#items];
    const done = new Set(items.filter(([, item]) => !isLeft(item)).map(([{ path }]) => path));
    const remaining = withoutOperands(this.#args, this.#operands, done);
    const isDropped = (path: string) => this.#operands.includes(path) && !remaining.includes(path);
    const isSentAgain = items.some(([{ path }, { state }]) => state !== 'left' && !isDropped(path));
    return isSentAgain ? remaining.filter((arg) => arg !== '--force') : remaining;
  }
}
