/** Names of the files of a result set, without extensions. */
import { CommandError } from '../../exit.ts';

const FILES: readonly string[] = ['solutions', 'exceptions', 'records', 'stats', 'report'];

/** @throws CommandError if no result set has such a file */
export function checkResultFileName(option: string, name: string): void {
  if (FILES.includes(name)) return;
  throw new CommandError(`option "--${option}" is "${name}": expected one of ${FILES.join(', ')}`);
}

/** Whether a file has this name before the dot. */
export function hasBaseName({ name }: { readonly name: string }, baseName: string): boolean {
  return name.startsWith(`${baseName}.`);
}
