/** Prefixes of the keys in both buckets, so that they may contain objects of other programs. */
import { INBOX_PREFIX, SCHEDULED_PREFIX, type UploadPrefixes } from '../batch/names.ts';

export interface KeyPrefixes extends UploadPrefixes {
  /** Folder of all keys in the results bucket; empty for the whole bucket. */
  readonly results: string;
}

export const DEFAULT_PREFIXES: KeyPrefixes = {
  inbox: INBOX_PREFIX,
  scheduled: SCHEDULED_PREFIX,
  results: '',
};

/** Characters that are safe in keys and have no meaning in policies and event patterns. */
const FOLDER = /^(?:[A-Za-z0-9!_.'()-]+\/)+$/;

/** With a longer folder, the longest keys of results would exceed the 1,024 bytes of S3. */
const MAX_BYTES = 100;

/** @throws Error if a prefix is no folder, or the two prefixes of uploads overlap; the message names the property */
export function checkPrefixes({ inbox, scheduled, results }: KeyPrefixes): void {
  checkFolder('inboxPrefix', inbox);
  checkFolder('scheduledPrefix', scheduled);
  if (results !== '') checkFolder('resultsPrefix', results);
  if (inbox.startsWith(scheduled) || scheduled.startsWith(inbox)) {
    throw new Error(
      `inboxPrefix is "${inbox}" and scheduledPrefix is "${scheduled}": expected folders of which neither contains the other`,
    );
  }
}

function checkFolder(property: string, prefix: string): void {
  if (FOLDER.test(prefix) && prefix.length <= MAX_BYTES) return;
  throw new Error(
    `${property} is "${prefix}": expected a folder such as puzzles/${property === 'resultsPrefix' ? '' : INBOX_PREFIX}, ` +
      `up to ${MAX_BYTES} letters, digits and ! _ . ' ( ) -, with a final slash`,
  );
}
