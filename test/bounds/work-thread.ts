/**
 * Runs jobs in a thread of its own and measures their work: how often V8 has entered each block of the program, which is
 * the same in every run. It counts all code, with no change of it; only regular expressions and other built-in functions
 * are not counted.
 */
import { Session } from 'node:inspector/promises';
import { parentPort } from 'node:worker_threads';
import { detect } from '../../lib/formats/detect.ts';
import type { PuzzleDetection } from '../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import type { Layout } from '../../lib/formats/records/layout.ts';
import { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { openFormatReader } from '../../lib/formats/survey.ts';
import { WorkMeter } from '../../lib/formats/work-meter.ts';
import { runText } from '../support/run-job.ts';

/** A file to solve. */
export interface WorkRequest {
  readonly text: string;
  readonly options?: Readonly<Record<string, string>>;
  /** Whether a file without puzzles is also read for a suggestion, again and again, which takes the same for every size. */
  readonly isWhole?: boolean;
}

/** What a file took. */
export interface WorkAnswer {
  readonly kind: 'completed' | 'rejected' | 'undetected';
  /** Blocks of the program that were entered. */
  readonly blocks: number;
  /** The same by the program's own count: bytes that it examined. */
  readonly examined: number;
  readonly outputBytes: number;
  /** Processor time of built-in functions too. */
  readonly cpuMs: number;
}

/** Reads a whole file once. */
function readWith({ format, settings }: PuzzleDetection, bytes: Uint8Array, work: WorkMeter): void {
  const pool = { acquire: (layout: Layout) => new RecordBlock(layout, 64) };
  const reader = openFormatReader(format, settings, {}, pool, undefined, undefined, work);
  for (const _ of reader.push(bytes));
  for (const _ of reader.end());
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

parentPort!.on('message', async ({ text, options, isWhole }: WorkRequest) => {
  await session.post('Profiler.takePreciseCoverage');
  const before = process.threadCpuUsage();
  const bytes = new TextEncoder().encode(text);
  const own = new WorkMeter(bytes.length);
  const detection = detect(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES, {}, own);
  if (detection.kind === 'puzzles') readWith(detection, bytes, own);
  const outcome =
    detection.kind === 'unreadable' && isWhole !== true
      ? { kind: 'undetected' as const }
      : await runText(bytes, { 'max-nodes': '50', ...options });
  const { user } = process.threadCpuUsage(before);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let blocks = 0;
  for (const { url, functions } of result) {
    if (!/\/lib\/(batch|formats|node)\//.test(url)) continue;
    for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
  }
  const files = outcome.kind === 'completed' ? outcome.files : [];
  const outputBytes = files
    .filter(({ name }) => /^(solutions|exceptions)/.test(name))
    .reduce((sum, { bytes }) => sum + bytes, 0);
  parentPort!.postMessage({
    kind: outcome.kind,
    blocks,
    examined: own.spent,
    outputBytes,
    cpuMs: user / 1000,
  } satisfies WorkAnswer);
});
