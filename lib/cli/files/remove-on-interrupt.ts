/** Ctrl-C while files are written here: what is unfinished is removed, and the user hears what to do. */
import { rmSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * From now on a signal removes what is unfinished and says so; then the process ends by that signal, as shells expect.
 *
 * @param unfinished paths at that moment; what is not there is no trouble
 * @param afterwards what the user is told when they are gone
 * @returns leaves signals alone again
 */
export function removeOnInterrupt(unfinished: () => readonly string[], afterwards: () => string): () => void {
  const stop = () => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  const onSignal = (name: NodeJS.Signals) => {
    stop();
    for (const path of unfinished()) rmSync(path, { force: true });
    process.stderr.write(`\ndlx-batch: ${afterwards()}\n`);
    process.kill(process.pid, name);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return stop;
}
