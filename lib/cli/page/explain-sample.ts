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
import { explanationLines } from '../terminal/explanation-text.ts';

/** Bytes of a file that the page sends for an explanation. */
export const SAMPLE_BYTES = HEAD_BYTES;

export interface SampleExplanation {
  /** Lines of text; text from the file has no control characters. */
  readonly lines: readonly string[];
}

/**
 * @param sample the whole file, or its first `SAMPLE_BYTES` bytes
 * @param query of the request: the file's `name`, and options by name
 */
export async function explainSample(sample: Uint8Array, query: URLSearchParams): Promise<SampleExplanation> {
  const { name = '', ...texts } = Object.fromEntries(query);
  const parsed = parseOptions(texts);
  if ('errors' in parsed) return { lines: parsed.errors.map(({ message }) => message) };
  const hints = { ...formatHints(parsed.options), fileName: name };
  const isCut = sample.length >= SAMPLE_BYTES;
  const source = new RecordSource(asStream(sample), hints, zlibUnpacking, systemClock, isCut);
  try {
    const lines = explanationLines(await explainFile(source, hints));
    return { lines: isCut ? ['  from the first MiB of the file:', ...lines] : lines };
  } catch (error) {
    if (error instanceof FileRejection) return { lines: [error.message] };
    if (error instanceof CorruptInputError) {
      return { lines: [isCut ? 'The first MiB of the file cannot be unpacked alone.' : error.message] };
    }
    throw error;
  } finally {
    await source.close();
  }
}

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}
