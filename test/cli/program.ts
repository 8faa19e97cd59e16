/** The command-line tool as its user runs it: a process of its own, in a folder of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type AtEnd, temporaryFolder } from '../local/fixture-function.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/dlx-batch.mjs');
/** Compiled code is kept from one process to the next: that halves what each of them costs. */
const ENVIRONMENT = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'dlx-batch-test-compile-cache') };

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with these files, by their paths in it; removed at the end. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>, atEnd?: AtEnd): string {
  const folder = temporaryFolder(atEnd);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/**
 * Starts the tool.
 *
 * @param folder its working directory
 * @param ownGroup whether it leads a process group, by which its children can be found
 * @param environment in place of that of the tests
 */
export function startProgram(
  folder: string,
  args: readonly string[],
  ownGroup = false,
  environment: NodeJS.ProcessEnv = ENVIRONMENT,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: environment,
    detached: ownGroup,
  });
  // A process that ends before it has read all its input is told by how it ended.
  child.stdin.on('error', () => {});
  return child;
}

/** Waits for a process that was started; what was read from it before is not in the answer. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status, signal] = await closed;
  return { status, signal, stdout, stderr };
}

/** Runs the tool to its end, with `input` on its standard input. */
export async function runProgram(
  folder: string,
  args: readonly string[],
  input: string | Uint8Array = '',
  environment?: NodeJS.ProcessEnv,
): Promise<Ended> {
  const child = startProgram(folder, args, false, environment);
  child.stdin.end(input);
  return endOf(child);
}
