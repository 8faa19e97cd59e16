/** Runs a decompressor of Node's zlib on data that ends before its stream does. */
import type { Transform } from 'node:stream';
import { FileRejection } from '../batch/job/input.ts';
import type { ByteReader } from './byte-reader.ts';

/** A stream of `node:zlib`. */
type Decompressor = Transform & { readonly bytesWritten: number };

/**
 * The output of one decompressor. Afterwards, `reader` continues after the last byte that it used.
 *
 * @param what a name of the data, for the message
 * @returns the number of bytes that the decompressor used
 * @throws FileRejection while iterating, if the data is damaged or truncated
 */
export async function* expand(
  reader: ByteReader,
  decompressor: Decompressor,
  what: string,
): AsyncGenerator<Uint8Array, number, void> {
  /** Chunks written last, from the first that may not be used up. */
  const given: Uint8Array[] = [];
  let givenBytes = 0;
  let keptBytes = 0;
  let ended = false;
  let sourceError: unknown;
  let resume: () => void = () => {};
  const wake = () => resume();
  decompressor.on('drain', wake);
  decompressor.on('close', wake);

  async function feed(): Promise<void> {
    try {
      for (;;) {
        const chunk = await reader.chunk();
        if (ended || decompressor.destroyed) {
          if (chunk !== undefined) reader.giveBack(chunk);
          return;
        }
        if (chunk === undefined) {
          decompressor.end();
          return;
        }
        given.push(chunk);
        givenBytes += chunk.length;
        keptBytes += chunk.length;
        while (given.length > 1 && givenBytes - keptBytes + given[0]!.length <= decompressor.bytesWritten) {
          keptBytes -= given.shift()!.length;
        }
        if (decompressor.write(chunk)) continue;
        await new Promise<void>((resolve) => {
          resume = resolve;
          if (ended || decompressor.destroyed) resolve();
        });
        if (ended || decompressor.destroyed) return;
      }
    } catch (error) {
      sourceError = error;
      decompressor.destroy(error as Error);
    }
  }

  const fed = feed();
  try {
    yield* decompressor as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    throw damaged(what, error);
  } finally {
    ended = true;
    decompressor.destroy();
    wake();
    await fed;
    const used = decompressor.bytesWritten;
    if (used < givenBytes) reader.giveBack(Buffer.concat(given).subarray(keptBytes - (givenBytes - used)));
  }
  return decompressor.bytesWritten;
}

/** @param cause the error of the decompressor, or what is wrong */
export function damaged(what: string, cause: unknown): FileRejection {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `the ${what} is damaged or cut off (${reason}): compress the file again and upload it again`;
  return new FileRejection({ code: 'corrupt', message });
}
