/** The live line of a download: `[######......] 450 of 1,000 results, 12 MB, 3.4 MB/s, about 5 s left`. */
import { numberText } from '../../../batch/quantities.ts';
import { bar, LiveLine } from '../../terminal/terminal.ts';
import { bytesText, secondsText } from '../../terminal/time-text.ts';

const BAR_COLUMNS = 24;

export class DownloadProgress {
  readonly #line: LiveLine;
  readonly #startMs: number;
  #total = 0;
  #ended = 0;
  #bytes = 0;

  constructor(line = new LiveLine(), nowMs: number = performance.now()) {
    this.#line = line;
    this.#startMs = nowMs;
  }

  begin(total: number): void {
    this.#total = total;
  }

  /** So many more bytes have come. */
  bytes(count: number, nowMs: number = performance.now()): void {
    this.#bytes += count;
    this.#line.show((columns) => this.#text(nowMs, columns), nowMs);
  }

  /** A result set is whole: something is told of it where the line is. */
  finished(): void {
    this.#ended++;
    this.#line.clear();
  }

  clear(): void {
    this.#line.clear();
  }

  /** What a user who has interrupted it should know. */
  interruptedText(): string {
    const there = `${numberText(this.#ended)} of ${numberText(this.#total)} results are here, each of them whole`;
    return `interrupted: ${there}; run the same command to go on: what is here is not fetched again`;
  }

  #text(nowMs: number, columns: number): string {
    const seconds = Math.max(0.1, (nowMs - this.#startMs) / 1000);
    const rate = `${bytesText(this.#bytes)}, ${bytesText(this.#bytes / seconds)}/s`;
    const remaining = ((this.#total - this.#ended) / this.#ended) * seconds;
    const left = this.#ended > 0 ? `, about ${secondsText(remaining)} left` : '';
    const text = `${numberText(this.#ended)} of ${numberText(this.#total)} results, ${rate}${left}`;
    if (text.length + BAR_COLUMNS + 1 > columns) return text;
    return `${bar(this.#ended / this.#total, BAR_COLUMNS)} ${text}`;
  }
}
