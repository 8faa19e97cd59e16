/** Decompresses gzip with Node's zlib, as a stream; damaged data gives another error than a source that fails. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CorruptInputError, type Unpacking } from '../batch/ports.ts';

const CHUNK_BYTES = 64 * 1024;

export const zlibUnpacking: Unpacking = {
  async *gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const source = Readable.from(copies(packed), { objectMode: false, highWaterMark: CHUNK_BYTES });
    const unzip = createGunzip({ chunkSize: CHUNK_BYTES });
    let sourceError: Error | undefined;
    source.on('error', (error: Error) => {
      sourceError = error;
      unzip.destroy(error);
    });
    source.pipe(unzip);
    try {
      yield* unzip;
    } catch (error) {
      if (sourceError !== undefined) throw sourceError;
      const reason = error instanceof Error ? error.message : String(error);
      throw new CorruptInputError(
        `the gzip data is damaged or cut off (${reason}): compress the file again and upload it again`,
        { cause: error },
      );
    } finally {
      unzip.destroy();
      source.destroy();
    }
  },
};

/** The stream reads ahead, and the source may reuse its arrays. (`slice` of a Buffer copies nothing.) */
async function* copies(arrays: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const bytes of arrays) yield new Uint8Array(bytes);
}
