/** Whether this process may open more files: each server, process and connection takes some of a limited number. */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Whether `count` more files can be open at once in this process. */
export function canOpenFiles(count: number): boolean {
  const open: number[] = [];
  try {
    while (open.length < count) open.push(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE') return false;
    throw error;
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}
