/** Files of a result set, by their names before the dot. */
import { CommandError } from '../../exit.ts';

const FILES: readonly string[] = ['solutions', 'exceptions', 'records', 'stats', 'report'];

/** @throws CommandError where no result set has such a file */
export function checkResultFileName(option: string, name: string): void {
  if (FILES.includes(name)) return;
  throw new CommandError(`option "--${option}" is "${name}": expected one of ${FILES.join(', ')}`);
}

/** Whether a file is the one of that name, whatever its extension. */
export function hasBaseName({ name }: { readonly name: string }, wanted: string): boolean {
  return name.startsWith(`${wanted}.`);
}
