/**
 * The coverage of one execution, from V8's own counters: which blocks of `lib` ran, and how often.
 *
 * V8 reports a block only if its count differs from that of the block around it, so blocks that were reported once are
 * remembered: one that is missing from a later report ran as often as the block around it.
 */
import { type Profiler, Session } from 'node:inspector';

const LIB = new URL('../../lib/', import.meta.url).href;

/** The mutations use it too. */
const OWN_RANDOM = new URL('sudoku/generator/random-source.ts', LIB).href;
/** Of a block that was only reported as not run. */
const SEEN_UNCOVERED = 1;

type Range = Pick<Profiler.CoverageRange, 'startOffset' | 'endOffset'>;
type Block = Range & { seen: number };

interface KnownFunction {
  /** Blocks that V8 has reported, by name; `seen` has a bit for each class of counts. */
  readonly blocks: Map<string, Block>;
  /** Reports whose blocks and counts are all known. */
  readonly reports: Set<string>;
}

export interface Execution {
  /** Blocks in classes of counts that no earlier execution had. */
  readonly news: number;
  /** Executed blocks: the same on every machine, unlike time. */
  readonly work: number;
}

export class Coverage {
  readonly #session = new Session();
  readonly #functions = new Map<string, KnownFunction>();
  #blocks = 0;
  #features = 0;

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Blocks that ran, and all blocks of the functions that ran. */
  get blocks(): { readonly covered: number; readonly known: number } {
    let known = 0;
    for (const { blocks } of this.#functions.values()) known += blocks.size;
    return { covered: this.#blocks, known };
  }

  /** Blocks in each class of counts. */
  get features(): number {
    return this.#features;
  }

  /** The execution since the last call; its blocks and counts are remembered. */
  take(): Execution {
    let news = 0;
    let work = 0;
    for (const { id, ranges } of this.#reports()) {
      for (const { count } of ranges) work += count;
      news += this.#read(id, ranges);
    }
    this.#features += news;
    return { news, work };
  }

  /** Whether the executions since the last call covered a block for the first time; nothing is remembered. */
  takeCoversNew(): boolean {
    let isNew = false;
    for (const { id, ranges } of this.#reports()) {
      const known = this.#functions.get(id);
      isNew ||= known === undefined || ranges.some((range) => !known.blocks.has(nameOf(range)));
      if (isNew || known === undefined) continue;
      for (const block of known.blocks.values()) {
        isNew ||= block.seen === SEEN_UNCOVERED && countIn(ranges, block) > 0;
      }
    }
    return isNew;
  }

  close(): void {
    this.#session.disconnect();
  }

  *#reports(): Iterable<{ readonly id: string; readonly ranges: readonly Profiler.CoverageRange[] }> {
    const { result } = this.#post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType;
    for (const { url, functions } of result) {
      if (!url.startsWith(LIB) || url === OWN_RANDOM) continue;
      for (const { ranges } of functions) {
        if (ranges[0]!.count > 0) yield { id: `${url}:${nameOf(ranges[0]!)}`, ranges };
      }
    }
  }

  #read(id: string, ranges: readonly Profiler.CoverageRange[]): number {
    let known = this.#functions.get(id);
    if (known === undefined) {
      known = { blocks: new Map(), reports: new Set() };
      this.#functions.set(id, known);
    }
    let report = '';
    for (const range of ranges) {
      const name = nameOf(range);
      report += `${name}=${countClass(range.count)},`;
      if (known.blocks.has(name)) continue;
      known.blocks.set(name, { ...range, seen: 0 });
      known.reports.clear();
    }
    if (known.reports.has(report)) return 0;
    known.reports.add(report);
    let news = 0;
    for (const block of known.blocks.values()) {
      const count = countIn(ranges, block);
      const bit = 1 << countClass(count);
      if ((block.seen & bit) !== 0) continue;
      if (count > 0 && block.seen <= SEEN_UNCOVERED) this.#blocks++;
      block.seen |= bit;
      news++;
    }
    return news;
  }

  #post(method: string, parameters?: object): unknown {
    let answer: unknown;
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }
}

function nameOf({ startOffset, endOffset }: Range): string {
  return `${startOffset}:${endOffset}`;
}

/** How often a block ran: as the last range around it, because inner ranges follow. */
function countIn(ranges: readonly Profiler.CoverageRange[], block: Range): number {
  const around = ranges.findLast(
    ({ startOffset, endOffset }) => startOffset <= block.startOffset && block.endOffset <= endOffset,
  );
  return around?.count ?? 0;
}

/** Classes of counts: 0, 1, 2-3, 4-15, 16-127, more. */
function countClass(count: number): number {
  if (count < 2) return count;
  if (count < 4) return 2;
  if (count < 16) return 3;
  return count < 128 ? 4 : 5;
}
