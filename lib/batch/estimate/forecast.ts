/**
 * Decides before a file is solved whether one function takes too long for it: by its text, so compressed data is judged
 * by what it holds.
 */
import type { RecordSource } from '../job/record-source.ts';
import { type SampledFile, sampleCost } from './cost-sample.ts';

/** A sample solves this part of the puzzles of a small file, so it adds this part to the time of the file. */
const SAMPLE_SHARE = 1 / 8;
/** And takes at most this part of the time that makes a file large, but this many milliseconds in any case. */
const TIME_SHARE = 1 / 20;
const MIN_SAMPLE_MS = 1000;
/** Text of unknown size that is read ahead, and kept until it is solved; the size of the rest is in proportion. */
const COUNTED_BYTES = 16 * 1024 * 1024;

export interface Forecast {
  /** Milliseconds of one vCPU that the whole file takes. */
  readonly ms: number;
  /** Records of the whole file. */
  readonly puzzles: number;
}

export interface ForecastRequest extends SampledFile {
  readonly source: RecordSource;
  /** Size of the stored file. */
  readonly storedBytes: number;
  /** Milliseconds that make a file large: above them, the forecast need not be exact. */
  readonly largeMs: number;
}

export async function forecast(request: ForecastRequest): Promise<Forecast> {
  const { largeMs } = request;
  const bytes = await expectedTextBytes(request);
  const { usPerByte, bytesPerPuzzle } = sampleCost(request, {
    share: SAMPLE_SHARE,
    maxMs: Math.max(MIN_SAMPLE_MS, largeMs * TIME_SHARE),
    enoughUsPerByte: (largeMs * 1000) / bytes,
  });
  return { ms: (usPerByte * bytes) / 1000, puzzles: bytes / bytesPerPuzzle };
}

/** @returns Infinity if reading alone takes as long as makes a file large */
async function expectedTextBytes({ source, storedBytes, largeMs, clock }: ForecastRequest): Promise<number> {
  const { progress } = source;
  const endMs = clock.monotonicMs() + largeMs;
  while (source.textBytes === undefined && progress.plainBytes < COUNTED_BYTES) {
    if (clock.monotonicMs() > endMs) return Number.POSITIVE_INFINITY;
    await source.readAhead();
  }
  return source.textBytes ?? (progress.plainBytes / progress.storedBytes) * storedBytes;
}
