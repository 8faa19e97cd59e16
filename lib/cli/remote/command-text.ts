/** Commands for the user to copy into a shell. */
import { visibleText } from '../../formats/bytes/visible-text.ts';
import type { ConnectionFlags } from './connection-flags.ts';

/** Builds a command on these keys for the same stack. @param name with its options, such as `status --watch` */
export function commandText(name: string, keys: readonly string[], flags: ConnectionFlags): string {
  const { stack, bucket, resultsBucket, endpoint } = flags;
  const values = {
    '--stack': stack,
    '--bucket': bucket,
    '--results-bucket': resultsBucket,
    '--endpoint': endpoint,
  };
  const options = Object.entries(values).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, shellWord(value)],
  );
  return ['dlx-batch', name, ...keys.map(shellWord), ...options].join(' ');
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
