/**
 * The live progress line of an upload: first the bytes sent, then the jobs that the command waits for.
 *
 *     [######......] 45 %, 540 MB of 1.2 GB, 35 MB/s, about 20 s left, 3 of 10 files
 *     big.txt: 12 of 40 shards done, 1,200,000 of 4,000,000 puzzles, 35,000/s, about 80 s left
 */
import type { StatusDocument } from '../../../batch/delivery/status-document.ts';
import { BAR_COLUMNS, bar, LiveLine, MAX_PATH_COLUMNS, truncated } from '../../terminal/terminal.ts';
import { bytesText, secondsText } from '../../terminal/time-text.ts';
import type { Connection } from '../connection.ts';
import { stateAt } from '../jobs/job-list.ts';
import { LargeJobPoller, largeJobProgressText } from '../jobs/large-progress.ts';
import type { UploadSource } from './upload-sources.ts';

export class UploadProgress {
  readonly #connection: Connection;
  readonly #line: LiveLine;
  readonly #totalBytes: number | undefined;
  readonly #sizes: ReadonlyMap<string, number | undefined>;
  readonly #startMs: number;
  readonly #sentBytes = new Map<string, number>();
  readonly #uploaded = new Set<string>();
  readonly #waiting = new Map<string, { readonly text: string; readonly sinceMs: number }>();
  readonly #large = new Map<string, LargeJobPoller>();

  constructor(
    connection: Connection,
    sources: readonly UploadSource[],
    line = new LiveLine(),
    nowMs = performance.now(),
  ) {
    this.#connection = connection;
    this.#line = line;
    this.#startMs = nowMs;
    this.#sizes = new Map(sources.map(({ path, bytes }) => [path, bytes]));
    const isKnown = sources.every(({ bytes }) => bytes !== undefined);
    this.#totalBytes = isKnown ? sources.reduce((sum, { bytes }) => sum + bytes!, 0) : undefined;
  }

  /** Records the total number of bytes sent of a file. */
  sent(path: string, bytes: number, nowMs: number = performance.now()): void {
    this.#sentBytes.set(path, bytes);
    this.#line.show((columns) => this.#transferText(nowMs, columns), nowMs);
  }

  /** Records that a file is in the bucket, sent now or earlier. */
  uploaded(path: string): void {
    this.#uploaded.add(path);
    const bytes = this.#sizes.get(path);
    if (bytes !== undefined) this.#sentBytes.set(path, bytes);
  }

  /** Records that a file needs no more waiting. */
  finished(path: string): void {
    this.#waiting.delete(path);
  }

  /** Records a poll without a result. */
  async waiting(path: string, status: StatusDocument | undefined): Promise<void> {
    if (!this.#line.visible) return;
    const nowMs = performance.now();
    const sinceMs = this.#waiting.get(path)?.sinceMs ?? nowMs;
    this.#waiting.set(path, { text: await this.#statusText(status), sinceMs });
    // While files are being sent, the line shows the transfer.
    if (this.#uploaded.size < this.#sizes.size) return;
    this.#line.show(() => this.#waitingText(nowMs), nowMs);
  }

  #transferText(nowMs: number, columns: number): string {
    const sent = [...this.#sentBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const rate = sent / Math.max(0.1, (nowMs - this.#startMs) / 1000);
    const files = this.#sizes.size > 1 ? `, ${this.#uploaded.size} of ${this.#sizes.size} files` : '';
    const total = this.#totalBytes;
    if (total === undefined || total === 0) return `${bytesText(sent)}, ${bytesText(rate)}/s${files}`;
    const share = Math.min(1, sent / total);
    const left = rate > 0 ? `, about ${secondsText((total - sent) / rate)} left` : '';
    const text = `${Math.floor(share * 100)} %, ${bytesText(sent)} of ${bytesText(total)}, ${bytesText(rate)}/s${left}${files}`;
    return text.length + BAR_COLUMNS + 1 > columns ? text : `${bar(share)} ${text}`;
  }

  #waitingText(nowMs: number): string {
    const [[path, { text, sinceMs }]] = [...this.#waiting] as [[string, { text: string; sinceMs: number }]];
    const others = this.#waiting.size - 1;
    const more = others > 0 ? `, and ${others} more` : '';
    return `${truncated(path, MAX_PATH_COLUMNS, 'middle')}: ${text}, ${secondsText(Math.floor((nowMs - sinceMs) / 1000))}${more}`;
  }

  async #statusText(status: StatusDocument | undefined): Promise<string> {
    if (status === undefined) return 'queued';
    const { jobId, attempt } = status;
    const state = stateAt(status, Date.now());
    if (attempt === undefined) return state;
    const name = `${jobId}/${attempt}`;
    const poller = this.#large.get(name) ?? new LargeJobPoller(this.#connection, jobId, attempt);
    this.#large.set(name, poller);
    const progress = await poller.poll(Date.now());
    return progress === undefined ? state : largeJobProgressText(progress);
  }
}
