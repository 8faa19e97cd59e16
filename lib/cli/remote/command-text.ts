/** Commands for the user to copy into a shell. */
import { accessSync, constants, realpathSync } from 'node:fs';
import { basename, delimiter, join, sep } from 'node:path';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import type { ConnectionFlags } from './connection-flags.ts';

/** The options by which the running command finds its stack, and which every printed command repeats. */
let connection: ConnectionFlags = {};

/** Sets the options of the running command; the account and the region are also those of the SDK. */
export function useConnection(flags: ConnectionFlags): void {
  connection = flags;
  if (flags.profile !== undefined) process.env.AWS_PROFILE = flags.profile;
  if (flags.region !== undefined) process.env.AWS_REGION = flags.region;
}

/** Builds a command on these keys for the same stack. @param name with its options, such as `status --watch` */
export function commandText(name: string, keys: readonly string[] = []): string {
  const { stack, bucket, resultsBucket, endpoint, profile, region } = connection;
  const options = optionWords({
    '--stack': stack,
    '--bucket': bucket,
    '--results-bucket': resultsBucket,
    '--endpoint': endpoint,
    '--profile': profile,
    '--region': region,
  });
  return [programText(), name, ...keys.map(shellWord), ...options].join(' ');
}

/** Builds a command of the AWS CLI for the same endpoint and account. @param name with its options */
export function awsCommandText(name: string): string {
  const { endpoint, profile, region } = connection;
  const options = optionWords({ '--endpoint-url': endpoint, '--profile': profile, '--region': region });
  return ['aws', name, ...options].join(' ');
}

function optionWords(values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, shellWord(value)],
  );
}

/** Builds a command from its arguments. */
export function commandLine(args: readonly string[]): string {
  return [programText(), ...args.map(shellWord)].join(' ');
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
