/** Creates a presigned link to a file of a result set. */
import { MAX_LINK_SECONDS, type PresignedLink, presignedLink } from '../../aws/presigned-link.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { readChoice, readDuration } from '../option-values.ts';
import { type Buckets, type ConnectionFlags, withConnection } from '../remote/connection.ts';
import { latestOutcome, RESULT_FILES, resultFile } from '../remote/outcomes.ts';
import { print, printJson } from '../terminal/output.ts';
import { secondsText } from '../terminal/quantity-text.ts';

interface LinkFlags extends ConnectionFlags {
  readonly file: string;
  readonly expires: string;
}

/** Writes a link to standard output, and its lifetime to standard error. @returns the exit status */
export async function run([key = '']: readonly string[], flags: LinkFlags): Promise<number> {
  readChoice('file', flags.file, RESULT_FILES);
  const expected = 'a duration such as 90m or 12h, 7d at most';
  const seconds = readDuration('expires', flags.expires, { min: 1, max: MAX_LINK_SECONDS, expected });
  return withConnection(flags, `creating a link to the ${flags.file} of ${key}`, async (connection) => {
    const { s3, resultsBucket, retries } = connection;
    const fileKey = await retries.operation(() => keyOfFile(connection, key, flags.file));
    const now = new Date();
    const made = await presignedLink(s3, resultsBucket, fileKey, seconds, now);
    if (flags.json === true) printJson({ key, file: fileKey, ...made });
    else {
      print([made.url]);
      print([`${lifetimeText(made, now)}; anyone with the link can read the file`], process.stderr);
    }
    return EXIT_SOLVED;
  });
}

async function keyOfFile(buckets: Buckets, key: string, name: string): Promise<string> {
  const outcome = await latestOutcome(buckets, key);
  if (outcome.kind === 'rejected') {
    throw new CommandError(`${key} was rejected and has no results: ${outcome.reject.error.message}`);
  }
  const file = resultFile(outcome.manifest, name);
  if (file?.key === undefined) {
    const available = outcome.manifest.files.map((each) => each.name.replace(/\..*/, '')).join(', ');
    throw new CommandError(`the result of ${key} has no ${name}; available: ${available}`);
  }
  // Signing sends no request to S3, so the object is checked here.
  if ((await buckets.store.head(buckets.resultsBucket, file.key)) === undefined) {
    throw new CommandError(`${file.key} was deleted: upload ${key} again with --force`);
  }
  return file.key;
}

/** Describes how long the link works, and why. */
export function lifetimeText({ expiresAt, endsBy }: Omit<PresignedLink, 'url'>, now: Date): string {
  const time = expiresAt.toISOString().replace(/\.\d+Z/, 'Z');
  if (endsBy === 'unknown') {
    return `valid until ${time} at most: it is signed with temporary credentials and expires with them`;
  }
  const left = secondsText(Math.max(0, (expiresAt.getTime() - now.getTime()) / 1000));
  const why = endsBy === 'credentials' ? ', when the temporary credentials expire' : '';
  return `valid for ${left}, until ${time}${why}`;
}
