/** Texts up to this length are built without a decoder: calling one costs more. */
const MAX_SHORT_BYTES = 12;
/** Bytes of the longest excerpt. */
export const MAX_EXCERPT_BYTES = 400;

/** Decodes the UTF-8 text in the bytes `from` to `to` (exclusive). */
export function textIn(bytes: Uint8Array, from: number, to: number): string {
  return to - from <= MAX_SHORT_BYTES && isAscii(bytes, from, to)
    ? shortText(bytes, from, to)
    : decoder.decode(bytes.subarray(from, to));
}

/** The bytes `from` to `to` (exclusive), each as one character. */
export function charactersOf(bytes: Uint8Array, from: number, to: number): string {
  if (to - from <= MAX_SHORT_BYTES) return shortText(bytes, from, to);
  const part = bytes.subarray(from, to);
  // Nearly all lines are ASCII: the decoder is several times as fast, and gives fewer characters for other bytes, or this one.
  const text = decoder.decode(part);
  if (text.length === part.length && !text.includes('\ufffd')) return text;
  return String.fromCharCode.apply(undefined, part as unknown as number[]);
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] > 127) return false;
  return true;
}

/** A few bytes, each as one character: strings of up to a dozen characters are joined without pieces. */
function shortText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  let at = from;
  for (; at + 4 <= to; at += 4) {
    text += String.fromCharCode(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);
  }
  for (; at < to; at++) text += String.fromCharCode(bytes[at]);
  return text;
}

/** The whole UTF-8 character of the byte at `at`, in `length` bytes. */
export function characterAt(bytes: Uint8Array, at: number, length: number): string {
  let from = at;
  while (from > 0 && at - from < 3 && (bytes[from] & 0xc0) === 0x80) from--;
  // A continuation byte without a start byte is a character of its own.
  if (bytes[from] < 0xc0) from = at;
  let to = at + 1;
  while (to < length && (bytes[to] & 0xc0) === 0x80) to++;
  return textIn(bytes, from, to);
}

/** The text in the bytes `from` to `to`, or its beginning if it is long: that of an unreadable record, for a person. */
export function excerptIn(bytes: Uint8Array, from: number, to: number): string {
  if (to - from <= MAX_EXCERPT_BYTES) return textIn(bytes, from, to);
  // The cut may be in a character.
  return `${textIn(bytes, from, from + MAX_EXCERPT_BYTES).replace(/\ufffd$/, '')}…`;
}

const decoder = new TextDecoder();
