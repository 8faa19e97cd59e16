/** The stack that stays up, as a process of its own, for tests of the commands that talk to one. */
import { createInterface } from 'node:readline';
import { startProgram } from './program.ts';

export interface ServedStack {
  /** The S3 endpoint, and the page, as URLs. */
  readonly endpoint: string;
  readonly page: string;
  /** Ends it; settled when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts `local --serve`, and waits until it is up.
 *
 * @param options of `local`, in addition
 * @throws Error with what it said where it ends before
 */
export async function serveStack(folder: string, options: readonly string[] = []): Promise<ServedStack> {
  const program = startProgram(folder, ['local', '--serve', '--json', ...options]);
  const closed = new Promise<void>((resolve) => program.once('close', () => resolve()));
  let trouble = '';
  program.stderr.on('data', (bytes) => {
    trouble += bytes;
  });
  const { value } = await createInterface({ input: program.stdout })[Symbol.asyncIterator]().next();
  if (value === undefined) throw new Error(`the stack did not come up: ${trouble}`);
  const { endpoint, page } = JSON.parse(value);
  return {
    endpoint,
    page,
    stop() {
      program.kill('SIGTERM');
      return closed;
    },
  };
}
