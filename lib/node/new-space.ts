/**
 * The space for new objects of a process that runs for long. V8 doubles it the longer a process runs, up to 32 MiB in Node
 * 22, and in Node 24 up to 128 MiB if the machine has much memory. Measured with 31 polls of 10,000 jobs: 276 MiB of memory
 * instead of 393, and 2 % more processor time.
 *
 * `--max-semi-space-size` has an effect only at the start of a process, and a command does not start itself.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const MAX_BYTES = 32 * 1024 * 1024;
const CHECK_MS = 200;

/** Stops the growth after 32 MiB; a smaller space would be collected too often. */
export function limitNewSpace(): void {
  const timer = setInterval(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (space === undefined || space.physical_space_size < MAX_BYTES) return;
    clearInterval(timer);
    // V8 reads it before each enlargement.
    setFlagsFromString('--semi-space-growth-factor=1');
  }, CHECK_MS);
  timer.unref();
}
