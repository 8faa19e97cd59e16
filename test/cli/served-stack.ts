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
  readonly inputBucket: string;
  readonly resultsBucket: string;
  /** Its first line. */
  readonly facts: Readonly<Record<string, string>>;
  /** Its process. */
  readonly pid: number;
  /** Its error output so far. */
  errors(): string;
  /** Ends the stack by a signal. @returns its exit status */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Stops the stack. */
  stop(): Promise<void>;
}

/**
 * Starts `local --serve`, and waits until it is ready.
 *
 * @param options further options of `local`
 * @param ownGroup whether it leads a process group, so that a test can find its children
 * @throws Error with its error output if it ends first
 */
export async function serveStack(
  folder: string,
  options: readonly string[] = [],
  environment: NodeJS.ProcessEnv = process.env,
  ownGroup = false,
): Promise<ServedStack> {
  const program = startProgram(folder, ['local', '--serve', '--json', ...options], ownGroup, environment);
  const closed = new Promise<number | null>((resolve) => program.once('close', resolve));
  let errors = '';
  program.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  const { value } = await createInterface({ input: program.stdout })[Symbol.asyncIterator]().next();
  if (value === undefined) throw new Error(`the stack did not start: ${errors}`);
  const end = (signal: NodeJS.Signals) => {
    program.kill(signal);
    return closed;
  };
  return {
    facts: JSON.parse(value),
    ...JSON.parse(value),
    pid: program.pid!,
    errors: () => errors,
    end,
    stop: () => end('SIGTERM').then(() => {}),
  };
}
