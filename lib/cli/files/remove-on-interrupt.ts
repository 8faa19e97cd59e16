/** Removes unfinished files on Ctrl-C. */
import { rmSync } from 'node:fs';
import { print } from '../terminal/output.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Handles SIGINT and SIGTERM: removes the unfinished files, writes a message, and ends the process by the same signal,
 * as shells expect.
 *
 * @param unfinished returns the paths to remove; missing files are ignored
 * @param message returns the text for the user, written after the removal
 * @returns a function that removes the handlers
 */
export function removeOnInterrupt(unfinished: () => readonly string[], message: () => string): () => void {
  const stop = () => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  const onSignal = (name: NodeJS.Signals) => {
    stop();
    for (const path of unfinished()) rmSync(path, { force: true });
    print(['', `dlx-batch: ${message()}`], process.stderr);
    process.kill(process.pid, name);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return stop;
}
