/** Reads a listing of done markers forward, and skips ranges of keys that no caller asks for. */
import { compareUtf8 } from '../../storage/key-order.ts';
import type { ResultStorage } from '../../storage/read-json.ts';

/** Markers read without a match before a new listing starts further on: two pages. */
const READ_BEFORE_JUMP = 2000;

/** @param after `passed` of an earlier cursor, to continue from there */
export function markerCursor({ store, resultsBucket }: ResultStorage, prefix: string, after?: string) {
  let keys: AsyncIterator<string> | undefined;
  /** The next marker; undefined before the first and after the last. */
  let next: string | undefined;
  let ended = false;
  const cursor = {
    /** The last marker before this cursor; undefined at the beginning. */
    passed: after,

    /** Whether the marker exists. @param marker not before the marker of an earlier call */
    async has(marker: string): Promise<boolean> {
      for (let read = 0; !ended; read++) {
        if (next !== undefined) {
          const order = compareUtf8(next, marker);
          if (order >= 0) return order === 0;
          cursor.passed = next;
        }
        if (read === READ_BEFORE_JUMP) {
          // Start just before the marker: the text without its last character sorts before it.
          keys = undefined;
          cursor.passed = marker.slice(0, -1);
        }
        keys ??= store.list(resultsBucket, prefix, cursor.passed)[Symbol.asyncIterator]();
        const found = await keys.next();
        ended = found.done === true;
        next = found.done === true ? undefined : found.value;
      }
      return false;
    },
  };
  return cursor;
}
