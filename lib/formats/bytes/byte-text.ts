/** Texts up to so many bytes are put together without a decoder. */
const SHORT = 32;

/** The text in the bytes `from` to `to` (exclusive), in UTF-8. */
export function textIn(bytes: Uint8Array, from: number, to: number): string {
  const part = bytes.subarray(from, to);
  if (part.length > SHORT) return decoder.decode(part);
  // Short labels in ASCII are many, and a decoder takes longer to call than they take to read.
  for (let at = 0; at < part.length; at++) if (part[at] > 127) return decoder.decode(part);
  // One call, and not a string put together from its characters, which is kept in pieces.
  return String.fromCharCode.apply(undefined, part as unknown as number[]);
}

const decoder = new TextDecoder();
