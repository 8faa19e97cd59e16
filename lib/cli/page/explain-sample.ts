/** Explains the beginning of a file to the page, before the page sends the file. */
import { explainFile } from '../../batch/job/explanation.ts';
import { formatHints } from '../../batch/job/format-hints.ts';
import { FileRejection } from '../../batch/job/input.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import { parseOptions } from '../../batch/options.ts';
import { CorruptInputError } from '../../batch/ports.ts';
import { HEAD_BYTES } from '../../formats/reader.ts';
import { systemClock } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { type ExplanationEntry, explanationEntries } from '../terminal/explanation-text.ts';
import { pageText } from './page-words.ts';

/** Bytes of a file that the page sends for an explanation. */
export const SAMPLE_BYTES = HEAD_BYTES;

export interface SampleExplanation {
  readonly entries: readonly ExplanationEntry[];
  /** Whether the sample is only the beginning of the file. */
  readonly isCut: boolean;
  /** Why there is no explanation. */
  readonly problem?: string;
}

/**
 * @param sample the whole file, or its first `SAMPLE_BYTES` bytes
 * @param query of the request: the file's `name`, and options by name
 */
export async function explainSample(sample: Uint8Array, query: URLSearchParams): Promise<SampleExplanation> {
  const { name = '', ...texts } = Object.fromEntries(query);
  const parsed = parseOptions(texts);
  const isCut = sample.length >= SAMPLE_BYTES;
  const failed = (problem: string) => ({ entries: [], isCut, problem: pageText(problem) });
  if ('errors' in parsed) return failed(parsed.errors.map(({ message }) => message).join('; '));
  const hints = { ...formatHints(parsed.options), fileName: name };
  const source = new RecordSource(asStream(sample), hints, zlibUnpacking, systemClock, isCut);
  try {
    const entries = explanationEntries(await explainFile(source, hints));
    return { entries: entries.map((entry) => ({ ...entry, text: pageText(entry.text) })), isCut };
  } catch (error) {
    if (error instanceof FileRejection) return failed(error.message);
    if (error instanceof CorruptInputError) {
      return failed(isCut ? 'the first MiB of the file cannot be unpacked alone' : error.message);
    }
    throw error;
  } finally {
    await source.close();
  }
}

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}
