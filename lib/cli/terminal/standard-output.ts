import { once } from 'node:events';
import type { FileWriter, ResultFiles } from '../../batch/ports.ts';

/** Writes the solutions of a result set to a stream, and discards its other files. */
export class StandardOutputFiles implements ResultFiles {
  readonly #stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  open(name: string): FileWriter {
    return {
      write: async (bytes) => {
        if (name.startsWith('solutions.')) await writeTo(this.#stream, bytes.slice());
      },
      close: async () => {},
      abort: async () => {},
    };
  }
}

/** Writes to a stream, and waits while its buffer is full. */
export async function writeTo(stream: NodeJS.WriteStream, data: Uint8Array | string): Promise<void> {
  if (!stream.write(data)) await once(stream, 'drain');
}
