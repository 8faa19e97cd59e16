import type { NoPuzzlesReason } from '../results/job-totals.ts';

/** Why a file is empty for its reader; `list` if it has other text than comments. @param head the whole file, or its start */
export function emptyReason(head: Uint8Array): NoPuzzlesReason {
  if (head.length === 0) return 'empty';
  // The decoder drops a byte-order mark.
  const text = new TextDecoder().decode(head);
  if (text === '') return 'empty';
  let reason: NoPuzzlesReason = 'blank';
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (line.trim() === '') continue;
    if (!/^\s*(#|\/\/|;)/.test(line)) return 'list';
    reason = 'comments';
  }
  return reason;
}
