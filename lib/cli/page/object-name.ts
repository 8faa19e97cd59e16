/** Names that a browser gives its files, as keys of objects. */
import { INBOX_PREFIX } from '../../batch/names.ts';

/** Longest key that S3 takes, in UTF-8 bytes, inclusive. */
const MAX_KEY_BYTES = 1024;

/** A name that no object may have, and what is wrong with it. */
export interface BadName {
  readonly problem: string;
}

/**
 * The key of an uploaded file, as `upload` would name it: a file by its name, one of a folder by its path in it.
 *
 * Spaces, quotes, any script and any depth are fine. What a key could have and a file system or the form could not
 * bring back is refused in words, since a name that was quietly changed is not found again.
 *
 * @param name parts are divided by `/`
 */
export function inboxKey(name: string): string | BadName {
  const key = `${INBOX_PREFIX}${name}`;
  const parts = name.split('/');
  const called = `the name ${JSON.stringify(name)}`;
  if (name.trim() === '') return { problem: 'the file has no name: give it one' };
  if (parts.some((part) => part === '..' || part === '.' || part === '')) {
    return { problem: `${called} has a part that leads elsewhere (".", ".." or nothing): rename the file` };
  }
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) {
    return { problem: `${called} has a character that cannot be written: rename the file` };
  }
  // S3 puts the name that the browser gives in its place.
  if (name.includes('$'.concat('{filename}'))) {
    return { problem: `${called} has a part that S3 would replace: rename the file` };
  }
  const bytes = Buffer.byteLength(key);
  if (bytes <= MAX_KEY_BYTES) return key;
  return {
    problem: `${called} is too long, ${bytes} bytes with "${INBOX_PREFIX}": expected at most ${MAX_KEY_BYTES}; rename the file`,
  };
}

/** The name of a downloaded file: the input's without its folders and endings, then that of the result. */
export function downloadName(key: string, resultName: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return `${name.replace(/\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '')}.${resultName}`;
}
