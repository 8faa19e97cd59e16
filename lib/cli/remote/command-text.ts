/** Commands for the user to copy into a shell. */
import { basename } from 'node:path';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import type { Flags } from '../option-values.ts';
import { STACK_OPTIONS } from '../options.ts';

/** The running command: its arguments, and the options by which it finds its stack. */
let running: { readonly args: readonly string[]; readonly flags: Flags } = { args: [], flags: {} };

/** Sets what the running command is; its account and region are also those of the SDK. */
export function useCommandLine(args: readonly string[], flags: Flags): void {
  running = { args, flags };
  if (typeof flags.profile === 'string') process.env.AWS_PROFILE = flags.profile;
  if (typeof flags.region === 'string') process.env.AWS_REGION = flags.region;
}

/** Builds a command on these keys for the same stack. @param name with its options, such as `status --watch` */
export function commandText(name: string, keys: readonly string[] = []): string {
  const options = STACK_OPTIONS.flatMap((each) => {
    const value = running.flags[each.attributeName()];
    return typeof value !== 'string' || each.name() === 'retry-for' ? [] : [each.long!, shellWord(value)];
  });
  return [programText(), name, ...keys.map(shellWord), ...options].join(' ');
}

/** The line that says how to go on: the same command skips what is done. */
export function continuationLine(): string {
  return `to continue: ${[programText(), ...running.args.map(shellWord)].join(' ')}`;
}

/** How the user's shell starts this program. */
function programText(): string {
  const isProgram = /^dlx-batch(\.mjs|\.ts)?$/.test(basename(process.argv[1] ?? ''));
  return isProgram && process.env.npm_command === 'exec' ? 'npx dlx-batch' : 'dlx-batch';
}

/** Quotes a text as one shell word; one with invisible characters in a form that bash, zsh and ksh decode. */
export function shellWord(text: string): string {
  if (visibleText(text) !== text) return `$'${visibleAnsiC(text)}'`;
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function visibleAnsiC(text: string): string {
  return Array.from(text, (character) => {
    if (character === "'" || character === '\\') return `\\${character}`;
    if (visibleText(character) === character) return character;
    return `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`;
  }).join('');
}
