/** Runs `local --serve` as a process of its own, for tests of the commands that use a stack. */
import { createInterface } from 'node:readline';
import { startProgram } from './program.ts';

export interface ServedStack {
  /** URLs of the S3 endpoint and of the page. */
  readonly endpoint: string;
  readonly page: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Its process. */
  readonly pid: number;
  /** Stops the stack. */
  stop(): Promise<void>;
}

/**
 * Starts `local --serve`, and waits until it is ready.
 *
 * @param options further options of `local`
 * @throws Error with its error output if it ends first
 */
export async function serveStack(folder: string, options: readonly string[] = []): Promise<ServedStack> {
  const program = startProgram(folder, ['local', '--serve', '--json', ...options]);
  const closed = new Promise<void>((resolve) => program.once('close', () => resolve()));
  let errors = '';
  program.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  const { value } = await createInterface({ input: program.stdout })[Symbol.asyncIterator]().next();
  if (value === undefined) throw new Error(`the stack did not start: ${errors}`);
  return {
    ...JSON.parse(value),
    pid: program.pid!,
    stop() {
      program.kill('SIGTERM');
      return closed;
    },
  };
}
