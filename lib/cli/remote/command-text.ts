/** Commands for the user to copy into a shell. */
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, join, sep } from 'node:path';
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
  return [programText(), name, ...keys.map(shellWord), ...options].join(' ');
}

/** Builds a command from its arguments. */
export function commandLine(args: readonly string[]): string {
  return [programText(), ...args.map(shellWord)].join(' ');
}

/** Characters that a terminal would obey or not show. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Quotes a text as one shell word. Only bash, zsh and ksh read words with invisible characters. */
export function shellWord(text: string): string {
  if (/^[\w./:-]+$/.test(text)) return text;
  if (text.search(INVISIBLE) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replaceAll(/[\\']/g, '\\$&').replaceAll(INVISIBLE, (character) => {
    const bytes = Array.from(Buffer.from(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
    return bytes.join('');
  });
  return `$'${escaped}'`;
}

const PROGRAM = 'dlx-batch';
const OWN_NAMES: readonly string[] = [PROGRAM, 'dlx-batch.mjs', 'dlx-batch.ts'];

/** How the user's shell starts this program. */
function programText(): string {
  const { argv, env, execPath } = process;
  const script = argv[1] ?? '';
  if (!OWN_NAMES.includes(basename(script)) || isOnPath(script)) return PROGRAM;
  if (env.npm_command === 'exec') return `npx ${PROGRAM}`;
  return `${shellWord(execPath)} ${shellWord(script)}`;
}

/** Whether the shell finds this program by its name. npm adds its own folders to the PATH of what it starts. */
function isOnPath(script: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const own = folders.filter((folder) => !folder.split(sep).includes('node_modules'));
  return own.some((folder) => {
    const path = join(folder, PROGRAM);
    try {
      accessSync(path, constants.X_OK);
      return realpathSync(path) === realpathSync(script);
    } catch {
      return false;
    }
  });
}
