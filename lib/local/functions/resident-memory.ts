/** Resident memory of a process, as the system measures it. */
import { readFileSync } from 'node:fs';

/** Returns the peak resident memory of a process in bytes, or undefined if it is not available. */
export type PeakMemoryReader = (pid: number) => number | undefined;

/** ESRCH: the process ended during the read. EMFILE, ENFILE: too many open files; the next poll may read it. */
const UNAVAILABLE = ['ENOENT', 'ESRCH', 'EMFILE', 'ENFILE'];

/**
 * Reads the high-water mark of a process's resident memory (`VmHWM`) on Linux.
 *
 * The mark also shows peaks between two polls, unlike the current size. Lambda's limit covers all resident memory,
 * including Buffers, which `--max-old-space-size` does not count.
 *
 * @returns bytes; undefined for a process that has ended, with too many open files, and on systems without /proc
 */
export function readPeakMemory(pid: number): number | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch (error) {
    if (UNAVAILABLE.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  // A zombie process has no memory lines.
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
