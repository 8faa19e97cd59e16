/** The live progress line of a download: `[######......] 450 of 1,000 results, 12 MB, 3.4 MB/s, about 5 s left`. */
import { counted, numberText } from '../../../batch/quantities.ts';
import { BAR_COLUMNS, bar, LiveLine } from '../../terminal/terminal.ts';
import { bytesText, secondsText } from '../../terminal/time-text.ts';

export class DownloadProgress {
  readonly #line: LiveLine;
  readonly #startMs: number;
  #total = 0;
  #finished = 0;
  #bytes = 0;

  constructor(line = new LiveLine(), nowMs: number = performance.now()) {
    this.#line = line;
    this.#startMs = nowMs;
  }

  begin(total: number): void {
    this.#total = total;
  }

  /** Records received bytes. */
  bytes(count: number, nowMs: number = performance.now()): void {
    this.#bytes += count;
    this.#line.show((columns) => this.#text(nowMs, columns), nowMs);
  }

  /** Records a complete result set. */
  finished(): void {
    this.#finished++;
  }

  #text(nowMs: number, columns: number): string {
    const seconds = Math.max(0.1, (nowMs - this.#startMs) / 1000);
    const rate = `${bytesText(this.#bytes)}, ${bytesText(this.#bytes / seconds)}/s`;
    const remaining = ((this.#total - this.#finished) / this.#finished) * seconds;
    const left = this.#finished > 0 ? `, about ${secondsText(remaining)} left` : '';
    const text = `${numberText(this.#finished)} of ${counted(this.#total, 'result')}, ${rate}${left}`;
    if (text.length + BAR_COLUMNS + 1 > columns) return text;
    return `${bar(this.#finished / this.#total)} ${text}`;
  }
}
