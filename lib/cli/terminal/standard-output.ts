/** Writes the solutions of a result set to a stream, and discards its other files. */
import { once } from 'node:events';
import type { FileWriter, ResultFiles } from '../../batch/ports.ts';

export class StandardOutputFiles implements ResultFiles {
  readonly #stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  open(name: string): FileWriter {
    return {
      write: async (bytes) => {
        if (!name.startsWith('solutions.')) return;
        if (!this.#stream.write(bytes.slice())) await once(this.#stream, 'drain');
      },
      close: async () => {},
      abort: async () => {},
    };
  }
}
