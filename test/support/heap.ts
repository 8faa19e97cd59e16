/** Memory that is in use after a collection. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** By how many bytes the heap grows while `run` runs, without garbage. */
export function heapGrowth(run: () => void): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  run();
  collect();
  return process.memoryUsage().heapUsed - before;
}
