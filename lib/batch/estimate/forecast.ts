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

export interface Forecast {
  /** Milliseconds of one vCPU that the whole file takes. */
  readonly ms: number;
  /** Records of the whole file. */
  readonly puzzles: number;
}

interface ForecastRequest extends SampledFile {
  readonly source: RecordSource;
  /** Size of the stored file. */
  readonly storedBytes: number;
  /** Milliseconds that make a file large: above them, the forecast need not be exact. */
  readonly largeMs: number;
  /** Counts the text of compressed data from its beginning, and may stop at a number of bytes. */
  countText(enough: number): Promise<number>;
}

export async function forecast(request: ForecastRequest): Promise<Forecast> {
  const { largeMs } = request;
  const known = textBytesByHead(request.source, request.storedBytes);
  const { usPerByte, bytesPerPuzzle } = sampleCost(request, {
    share: SAMPLE_SHARE,
    maxMs: Math.max(MIN_SAMPLE_MS, largeMs * TIME_SHARE),
    enoughUsPerByte: known === undefined ? 0 : (largeMs * 1000) / known,
  });
  const bytes = known ?? (await request.countText(Math.ceil((largeMs * 1000) / usPerByte) + 1));
  return { ms: (usPerByte * bytes) / 1000, puzzles: bytes / bytesPerPuzzle };
}

/**
 * Bytes of a file's whole text, of UTF-16 estimated, when its head has been read.
 *
 * @param storedBytes size of the file, if it is known
 * @returns undefined for a file of unknown size, and for compressed data, whose size says nothing
 */
export function textBytesByHead(
  { form, head, isWhole, progress }: RecordSource,
  storedBytes: number | undefined,
): number | undefined {
  if (isWhole) return head.length;
  if (form.container !== undefined || storedBytes === undefined) return undefined;
  if (form.encoding === undefined) return storedBytes;
  return Math.round((storedBytes / progress.storedBytes) * progress.plainBytes);
}
