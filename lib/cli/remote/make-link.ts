/** A presigned link to a file of a result set. */
import { MAX_LINK_SECONDS, type PresignedLink, presignedLink } from '../../aws/presigned-link.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { secondsText } from '../terminal/time-text.ts';
import { type Connection, connect } from './connection.ts';
import type { ConnectionFlags } from './connection-flags.ts';
import { checkResultFileName, hasBaseName } from './download/result-file-names.ts';
import { latestOutcome } from './jobs/latest-outcome.ts';
import { remoteError } from './remote-error.ts';

export interface LinkFlags extends ConnectionFlags {
  readonly file: string;
  readonly expires: string;
  readonly json?: boolean;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Makes a link.
 *
 * @returns the exit status
 */
export async function makeLink(key: string, flags: LinkFlags): Promise<number> {
  checkResultFileName('file', flags.file);
  const lifetimeSeconds = readLifetime(flags.expires);
  const connection = await connect(flags);
  try {
    const fileKey = await keyOfFile(connection, key, flags.file);
    const now = new Date();
    const made = await presignedLink(connection.s3, connection.resultsBucket, fileKey, lifetimeSeconds, now);
    const { url, expiresAt, endsBy } = made;
    if (flags.json === true) {
      process.stdout.write(`${JSON.stringify({ key, file: fileKey, url, expiresAt, endsBy })}\n`);
      return EXIT_SOLVED;
    }
    process.stdout.write(`${url}\n`);
    process.stderr.write(`${lifetimeText(made, now)}; who has the link can read the file\n`);
    return EXIT_SOLVED;
  } catch (error) {
    throw remoteError(error, `making a link to the ${flags.file} of ${key}`);
  } finally {
    connection.s3.destroy();
  }
}

async function keyOfFile(connection: Connection, key: string, name: string): Promise<string> {
  const outcome = await latestOutcome(connection, key);
  if (outcome.kind === 'rejected') {
    throw new CommandError(`${key} was rejected, and has no results: ${outcome.reject.error.message}`);
  }
  const { files } = outcome.manifest;
  const file = files.find((candidate) => hasBaseName(candidate, name));
  if (file?.key === undefined) {
    const there = files.map((candidate) => candidate.name.replace(/\..*/, '')).join(', ');
    throw new CommandError(`the result of ${key} has no ${name}: it has ${there}`);
  }
  // A link is made without asking S3: one that leads nowhere should be found out here.
  if ((await connection.store.head(connection.resultsBucket, file.key)) === undefined) {
    throw new CommandError(`${file.key} was deleted: upload ${key} again with --force`);
  }
  return file.key;
}

/** How long the link really holds, and why. */
export function lifetimeText({ expiresAt, endsBy }: Omit<PresignedLink, 'url'>, now: Date): string {
  const time = expiresAt.toISOString().replace(/\.\d+Z/, 'Z');
  const left = secondsText(Math.max(0, (expiresAt.getTime() - now.getTime()) / 1000));
  if (endsBy === 'credentials') {
    return `valid for ${left}, until ${time}, when the temporary credentials that sign it end`;
  }
  if (endsBy === 'unknown') {
    return `valid until ${time} at most: it is signed with temporary credentials, and ends when they end`;
  }
  return `valid for ${left}, until ${time}`;
}

/** @throws CommandError where it is no time, or too long a one */
export function readLifetime(text: string): number {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNIT_SECONDS[unit ?? ''] ?? Number.NaN);
  if (seconds >= 1 && seconds <= MAX_LINK_SECONDS) return seconds;
  throw new CommandError(`option "--expires" is "${text}": expected a time such as 90m or 12h, 7d at most`);
}
