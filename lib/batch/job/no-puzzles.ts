import type { NoPuzzlesReason } from '../results/job-totals.ts';

/** Why a file is empty for its reader. @param head the whole file */
export function emptyReason(head: Uint8Array): NoPuzzlesReason {
  if (head.length === 0) return 'empty';
  // The decoder drops a byte-order mark.
  const text = new TextDecoder().decode(head);
  if (text === '') return 'empty';
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return 'blank';
  return lines.every((line) => /^\s*(#|\/\/|;)/.test(line)) ? 'comments' : 'list';
}
