/** Creates a presigned link to a file of a result set. */
import { MAX_LINK_SECONDS, type PresignedLink, presignedLink } from '../../aws/presigned-link.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { print, printJson } from '../terminal/output.ts';
import { secondsText } from '../terminal/time-text.ts';
import { type Connection, withConnection } from './connection.ts';
import type { ConnectionFlags } from './connection-flags.ts';
import { checkResultFileName, hasBaseName } from './download/result-file-names.ts';
import { readDuration } from './duration-option.ts';
import { latestOutcome } from './jobs/latest-outcome.ts';

export interface LinkFlags extends ConnectionFlags {
  readonly file: string;
  readonly expires: string;
  readonly json?: boolean;
}

/**
 * Writes a link to standard output, and its lifetime to standard error.
 *
 * @returns the exit status
 */
export async function makeLink(key: string, flags: LinkFlags): Promise<number> {
  checkResultFileName('file', flags.file);
  const lifetimeSeconds = readLifetime(flags.expires);
  return withConnection(flags, `creating a link to the ${flags.file} of ${key}`, async (connection) => {
    const fileKey = await connection.retries.operation(() => keyOfFile(connection, key, flags.file));
    const now = new Date();
    const made = await presignedLink(connection.s3, connection.resultsBucket, fileKey, lifetimeSeconds, now);
    const { url, expiresAt, endsBy } = made;
    if (flags.json === true) {
      printJson({ key, file: fileKey, url, expiresAt, endsBy });
      return EXIT_SOLVED;
    }
    print([url]);
    print([`${lifetimeText(made, now)}; anyone with the link can read the file`], process.stderr);
    return EXIT_SOLVED;
  });
}

async function keyOfFile(connection: Connection, key: string, name: string): Promise<string> {
  const outcome = await latestOutcome(connection, key);
  if (outcome.kind === 'rejected') {
    throw new CommandError(`${key} was rejected and has no results: ${outcome.reject.error.message}`);
  }
  const { files } = outcome.manifest;
  const file = files.find((candidate) => hasBaseName(candidate, name));
  if (file?.key === undefined) {
    const available = files.map((candidate) => candidate.name.replace(/\..*/, '')).join(', ');
    throw new CommandError(`the result of ${key} has no ${name}; available: ${available}`);
  }
  // Signing sends no request to S3, so the object is checked here.
  if ((await connection.store.head(connection.resultsBucket, file.key)) === undefined) {
    throw new CommandError(`${file.key} was deleted: upload ${key} again with --force`);
  }
  return file.key;
}

/** Describes how long the link works, and why. */
export function lifetimeText({ expiresAt, endsBy }: Omit<PresignedLink, 'url'>, now: Date): string {
  const time = expiresAt.toISOString().replace(/\.\d+Z/, 'Z');
  const left = secondsText(Math.max(0, (expiresAt.getTime() - now.getTime()) / 1000));
  if (endsBy === 'credentials') {
    return `valid for ${left}, until ${time}, when the temporary credentials expire`;
  }
  if (endsBy === 'unknown') {
    return `valid until ${time} at most: it is signed with temporary credentials and expires with them`;
  }
  return `valid for ${left}, until ${time}`;
}

/** Parses a lifetime into seconds. @throws CommandError if it is malformed or too long */
export function readLifetime(text: string): number {
  const expected = 'a duration such as 90m or 12h, 7d at most';
  return readDuration('expires', text, { min: 1, max: MAX_LINK_SECONDS, expected });
}
