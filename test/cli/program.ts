/** Runs the command-line tool, in a process of its own or in this one. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
// Its service starts in the working directory of the time when it is loaded, which must not be the folder of a test.
import 'esbuild';
import { runProgram as runCommandLine } from '../../lib/cli/program.ts';
import { type AtEnd, temporaryFolder } from '../local/fixture-function.ts';
import { checkFolder } from '../support/result-schemas.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/dlx-batch.mjs');

/** How a command ended, and its output. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates a folder with these files, by relative path. It is removed at the end. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>, atEnd?: AtEnd): string {
  const folder = temporaryFolder(atEnd);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/**
 * Starts the tool as a process, for tests of signals, pipes and exit codes.
 *
 * @param folder its working directory
 * @param ownGroup whether it leads a process group, so that a test can find its children
 * @param environment its environment variables, instead of those of the tests
 */
export function startProgram(
  folder: string,
  args: readonly string[],
  ownGroup = false,
  environment: NodeJS.ProcessEnv = process.env,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: environment,
    detached: ownGroup,
  });
  // If the process ends before it has read all input, the exit status shows the reason.
  child.stdin.on('error', () => {});
  return child;
}

/** Serves all files of this process; the folder of all tests is removed at their end. */
let commandFolder: string | undefined;

/** A folder for the search path of a shell, in which the program is as where it is installed. */
export function folderWithCommand(): string {
  if (commandFolder === undefined) {
    commandFolder = mkdtempSync(join(tmpdir(), 'dlx-batch-command-'));
    const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
    writeFileSync(join(commandFolder, 'dlx-batch'), script, { mode: 0o755 });
  }
  return commandFolder;
}

/** Waits for the end of a process. Output that was read before is not in the result. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status, signal] = await closed;
  return { status, signal, stdout, stderr };
}

/** The last command that runs in this process; the next one waits for it. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end in this process, which takes a fraction of the time of a process of its own.
 *
 * A command uses global state of the process (streams, working directory, environment, exit code). So commands run one
 * after another, and each gets its own state, which is restored afterwards.
 *
 * @param folder working directory of the command
 * @param input its standard input
 * @param environment its environment variables, instead of those of the tests
 */
export function runProgram(
  folder: string,
  args: readonly string[],
  input: string | Uint8Array = '',
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  const ended = last.then(() => runHere(folder, args, input, environment));
  last = ended.catch(() => {});
  return ended;
}

const STREAMS = ['stdin', 'stdout', 'stderr'] as const;

async function runHere(
  folder: string,
  args: readonly string[],
  input: string | Uint8Array,
  environment: NodeJS.ProcessEnv,
): Promise<Ended> {
  const [stdout, stderr] = [new CollectedOutput(), new CollectedOutput()];
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr };
  const { env, exitCode } = process;
  const folderBefore = process.cwd();
  const descriptors = STREAMS.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const);
  for (const name of STREAMS)
    Object.defineProperty(process, name, { configurable: true, value: streams[name] });
  // Warnings of Node belong to the process, which runs other tests too: they are printed after the command.
  const warnings: Error[] = [];
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning').on('warning', (warning) => warnings.push(warning));
  process.chdir(folder);
  process.env = environment;
  process.exitCode = undefined;
  try {
    await runCommandLine(args);
    const status = Number(process.exitCode ?? 0);
    checkWritten(args);
    return { status, signal: null, stdout: stdout.text, stderr: stderr.text };
  } finally {
    for (const [name, descriptor] of descriptors) Object.defineProperty(process, name, descriptor);
    process.chdir(folderBefore);
    process.env = env;
    process.exitCode = exitCode;
    process.removeAllListeners('warning');
    for (const listener of listeners) process.on('warning', listener);
    for (const warning of warnings) process.emit('warning', warning);
  }
}

/** Checks the result sets that a command was told to write. */
function checkWritten(args: readonly string[]): void {
  for (const [k, arg] of args.entries()) {
    const folder = args[k + 1] ?? '-';
    if (/^(-o|--output-dir|--download)$/.test(arg) && existsSync(folder) && statSync(folder).isDirectory()) {
      checkFolder(folder);
    }
  }
}

/** A stream that records its output. */
class CollectedOutput extends Writable {
  readonly #blocks: Buffer[] = [];

  override _write(block: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#blocks.push(block);
    callback();
  }

  get text(): string {
    return Buffer.concat(this.#blocks).toString();
  }
}
