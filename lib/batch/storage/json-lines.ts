/** Files of JSON lines in the results bucket: written as they come, read from any line on, copied one behind the other. */

import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { concatBytes } from '../job/input.ts';
import type { FileWriter, ObjectStore } from '../ports.ts';
import { JSON_LINES_TYPE } from '../results/content-types.ts';

const LINE_FEED = 10;
/** Bytes gathered before they are written. */
const WRITE_BYTES = 256 * 1024;

/** A file that lines are added to. */
export class JsonLinesWriter {
  readonly #file: FileWriter;
  readonly #out = new ByteBuffer(WRITE_BYTES);

  constructor(store: ObjectStore, bucket: string, key: string) {
    this.#file = store.writer(bucket, key, JSON_LINES_TYPE);
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

/** A line, and the byte behind it. */
export interface JsonLine<Document> {
  readonly document: Document;
  readonly endByte: number;
}

/**
 * The lines of a file from a byte on, which must be the first of a line.
 *
 * @throws Error where there is no such file
 */
export async function* readJsonLines<Document>(
  store: ObjectStore,
  bucket: string,
  key: string,
  fromByte = 0,
): AsyncIterable<JsonLine<Document>> {
  const size = (await store.head(bucket, key))?.size;
  if (size === undefined) throw new Error(`${key} is not there: the step that writes it has not run`);
  if (fromByte >= size) return;
  const object = await store.range(bucket, key, undefined, fromByte, size);
  if (object === undefined) throw new Error(`${key} was deleted while it was read`);
  const decoder = new TextDecoder();
  let begun: Uint8Array[] = [];
  let endByte = fromByte;
  for await (const bytes of object.body) {
    let from = 0;
    for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      const line = concatBytes([...begun, bytes.subarray(from, to)]);
      begun = [];
      from = to + 1;
      endByte += line.length + 1;
      yield { document: JSON.parse(decoder.decode(line)), endByte };
    }
    if (from < bytes.length) begun.push(bytes.slice(from));
  }
}

/** Writes files one behind the other into one; it appears when it is whole. @throws Error where one is missing */
export async function concatenate(
  store: ObjectStore,
  bucket: string,
  from: readonly string[],
  to: string,
): Promise<void> {
  const target = store.writer(bucket, to, JSON_LINES_TYPE);
  try {
    for (const key of from) {
      const object = await store.get(bucket, key);
      if (object === undefined) throw new Error(`${key} was deleted while its run was under way`);
      for await (const bytes of object.body) await target.write(bytes);
    }
  } catch (error) {
    await target.abort();
    throw error;
  }
  await target.close();
}
