import { once } from 'node:events';
import type { FileWriter } from '../../batch/ports.ts';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { writeBytes } from './output.ts';

/**
 * Writes the solutions of a result set to a stream, and discards its other files. Solutions may have text of the input;
 * on a terminal, its invisible characters are escaped.
 */
export function solutionsOnly(stream: NodeJS.WriteStream) {
  return {
    open(name: string): FileWriter {
      const decoder = stream.isTTY ? new TextDecoder('utf-8', { ignoreBOM: true }) : undefined;
      return {
        write: async (bytes) => {
          if (!name.startsWith('solutions.')) return;
          const shown = decoder && visibleLines(decoder.decode(bytes, { stream: true }));
          await writeTo(stream, shown ?? bytes.slice());
        },
        close: async () => {},
        abort: async () => {},
      };
    },
  };
}

/** Writes to a stream, and waits while its buffer is full. */
export async function writeTo(stream: NodeJS.WriteStream, data: Uint8Array | string): Promise<void> {
  if (!writeBytes(data, stream)) await once(stream, 'drain');
}

/** Keeps line ends and tabs. */
function visibleLines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, k) => (k % 2 === 0 ? visibleText(part) : part))
    .join('');
}
