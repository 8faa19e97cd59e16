/** Stored files of JSON lines: appended line by line, read from any line. */
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { concatBytes } from '../job/input.ts';
import type { FileWriter, StoredObject } from '../ports.ts';
import { JSON_LINES_TYPE } from '../results/content-types.ts';
import type { ResultStorage } from './read-json.ts';

const LINE_FEED = 10;
/** Bytes buffered before a write. */
const WRITE_BYTES = 256 * 1024;

/** A new file that becomes visible on `close`. */
export class JsonLinesFile {
  readonly #file: FileWriter;
  readonly #out = new ByteBuffer(WRITE_BYTES);

  constructor({ store, resultsBucket }: ResultStorage, key: string) {
    this.#file = store.writer(resultsBucket, key, JSON_LINES_TYPE);
  }

  async add(document: unknown): Promise<void> {
    this.#out.text(`${JSON.stringify(document)}\n`);
    if (this.#out.length >= WRITE_BYTES) await this.#file.write(this.#out.take());
  }

  async close(): Promise<void> {
    if (this.#out.length > 0) await this.#file.write(this.#out.take());
    await this.#file.close();
  }

  abort(): Promise<void> {
    return this.#file.abort();
  }
}

/** A line, and the offset of the next one. */
export interface JsonLine<Document> {
  readonly document: Document;
  readonly endByte: number;
}

/**
 * Reads the lines of a file of JSON lines.
 *
 * @param fromByte offset of the beginning of a line
 * @throws Error if there is no such file
 */
export async function* readJsonLines<Document>(
  ...file: Parameters<typeof readLines>
): AsyncIterable<JsonLine<Document>> {
  for await (const { document, endByte } of readLines(...file))
    yield { document: JSON.parse(document), endByte };
}

/** The same for a file of any lines, of which the last one may have no end. */
export async function* readLines(
  storage: ResultStorage,
  key: string,
  fromByte = 0,
): AsyncIterable<JsonLine<string>> {
  const bytes = await bytesFrom(storage, key, fromByte);
  if (bytes === undefined) throw new Error(`${key} is missing: the step that writes it has not run`);
  yield* linesIn(bytes, fromByte);
}

/** The lines of bytes, each with the offset of the next one. @param fromByte offset of the first byte */
export async function* linesIn(
  chunks: AsyncIterable<Uint8Array>,
  fromByte = 0,
): AsyncIterable<JsonLine<string>> {
  const decoder = new TextDecoder();
  let partial: Uint8Array[] = [];
  let endByte = fromByte;
  for await (const bytes of chunks) {
    let from = 0;
    for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      const line = concatBytes([...partial, bytes.subarray(from, to)]);
      partial = [];
      from = to + 1;
      endByte += line.length + 1;
      yield { document: decoder.decode(line), endByte };
    }
    if (from < bytes.length) partial.push(bytes.slice(from));
  }
  const rest = concatBytes(partial);
  if (rest.length > 0) yield { document: decoder.decode(rest), endByte: endByte + rest.length };
}

/** The bytes of an object from an offset, which may be its end. */
async function bytesFrom(
  { store, resultsBucket: bucket }: ResultStorage,
  key: string,
  fromByte: number,
): Promise<StoredObject['body'] | undefined> {
  if (fromByte === 0) return (await store.get(bucket, key))?.body;
  const size = (await store.head(bucket, key))?.size;
  if (size !== undefined && fromByte >= size) return nothing();
  return size === undefined ? undefined : store.range(bucket, key, undefined, fromByte, size);
}

async function* nothing(): AsyncIterable<Uint8Array> {}
