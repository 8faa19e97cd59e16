/** A file that is there as a whole or not at all: until its end it has another name. */
import { once } from 'node:events';
import { createWriteStream, type Stats } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { CommandError } from '../exit.ts';
import { removeOnInterrupt } from './remove-on-interrupt.ts';

/** Where a command writes what it makes. */
export interface CommandOutput {
  write(bytes: Uint8Array): Promise<void>;
  /** All of it is written. */
  close(): Promise<void>;
  /** Nothing of it is wanted. */
  abort(): Promise<void>;
  /**
   * Whether Ctrl-C is heard here, and then removes what is unfinished; if not, the system stops the process at once,
   * and `<file>.unfinished` stays until the same file is written again. It is heard when this thread comes to rest.
   */
  handleInterrupts(hear: boolean): void;
}

/** Standard output, of which nothing can be taken back. */
export function standardOutput(): CommandOutput {
  const write = async (bytes: Uint8Array) => {
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  };
  return { write, close: async () => {}, abort: async () => {}, handleInterrupts() {} };
}

/**
 * A file for what a command makes; a link stays one. What is there and no ordinary file (a pipe, `/dev/null`) is written
 * as it comes: another file in its place would be none of it.
 *
 * @throws CommandError where the path is that of a folder
 */
export async function createOutputFile(path: string): Promise<CommandOutput> {
  const there = await statOf(path);
  if (there?.isDirectory()) throw new CommandError(`${path} is a folder: give the name of a file`);
  const direct = there !== undefined && !there.isFile();
  const target = there === undefined || direct ? path : await realpath(path);
  const unfinished = direct ? path : `${target}.unfinished`;
  const stream = createWriteStream(unfinished);
  // Where it cannot be written, the next write or the close tells it.
  const ended = finished(stream);
  ended.catch(() => {});
  let leaveSignals: (() => void) | undefined;
  const handleInterrupts = (hear: boolean) => {
    if (direct) return;
    if (hear) {
      leaveSignals ??= removeOnInterrupt(
        () => [unfinished],
        () => `interrupted: ${path} is not written, and nothing is left of it`,
      );
    } else {
      leaveSignals?.();
      leaveSignals = undefined;
    }
  };
  return {
    handleInterrupts,
    write: async (bytes) => {
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), ended]);
    },
    close: async () => {
      stream.end();
      await ended;
      if (!direct) await rename(unfinished, target);
      handleInterrupts(false);
    },
    abort: async () => {
      stream.destroy();
      if (!direct) await rm(unfinished, { force: true });
      handleInterrupts(false);
    },
  };
}

/** Undefined where nothing is there. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
