/** Converts file names from a browser to object keys, and object keys to download names. */
import { INBOX_PREFIX } from '../../batch/names.ts';

/** Maximum length of an S3 key in UTF-8 bytes. */
const MAX_KEY_BYTES = 1024;

/** Why a name cannot be a key. */
export interface InvalidName {
  readonly problem: string;
}

/**
 * Returns the key of an uploaded file, the same as `upload` gives it.
 *
 * Spaces, quotes, any script and any depth are allowed. A name that a file system could not reproduce is
 * rejected with a message, because the user would not find a file whose name was changed silently.
 *
 * @param name the file's name, or its path in the uploaded folder, separated by `/`
 */
export function inboxKey(name: string): string | InvalidName {
  const key = `${INBOX_PREFIX}${name}`;
  const parts = name.split('/');
  const subject = `the name ${JSON.stringify(name)}`;
  if (name.trim() === '') return { problem: 'the file has no name: give it one' };
  if (parts.some((part) => part === '..' || part === '.' || part === '')) {
    return { problem: `${subject} has an empty part, "." or "..": rename the file` };
  }
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) {
    return { problem: `${subject} has a control character or invalid Unicode: rename the file` };
  }
  const bytes = Buffer.byteLength(key);
  if (bytes <= MAX_KEY_BYTES) return key;
  return {
    problem: `${subject} has ${bytes} bytes with the prefix "${INBOX_PREFIX}", expected at most ${MAX_KEY_BYTES}: rename the file`,
  };
}

/** Returns the name of a downloaded file: the input's name without folders and extensions, then the result's name. */
export function downloadName(key: string, resultName: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return `${name.replace(/\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '')}.${resultName}`;
}
