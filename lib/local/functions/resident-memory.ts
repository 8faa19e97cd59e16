/** How much memory a process holds, as the system counts it. */
import { readFileSync } from 'node:fs';

/** Tells the largest resident memory of a process so far in bytes, or undefined where that cannot be had. */
export type PeakMemoryReader = (pid: number) => number | undefined;

/**
 * Reads the high-water mark of a process's resident memory (`VmHWM`) on Linux.
 *
 * The mark, not the present size: a peak between two looks is seen all the same. Lambda's bound holds for all
 * that is resident, Buffers included, which `--max-old-space-size` does not count.
 *
 * @returns bytes; undefined for a process that has ended, and on systems without /proc
 */
export function readPeakMemory(pid: number): number | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch (error) {
    // ESRCH: it ended while being read.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
  // A process that has ended and was not yet waited for has no memory lines.
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
