/** Texts up to this length are built without a decoder. */
const MAX_SHORT_BYTES = 32;

/** Decodes the UTF-8 text in the bytes `from` to `to` (exclusive). */
export function textIn(bytes: Uint8Array, from: number, to: number): string {
  const part = bytes.subarray(from, to);
  if (part.length > MAX_SHORT_BYTES) return decoder.decode(part);
  // Most labels are short ASCII, for which calling a decoder costs more than reading them.
  for (let at = 0; at < part.length; at++) if (part[at] > 127) return decoder.decode(part);
  // One call: a string concatenated from characters would stay in pieces.
  return String.fromCharCode.apply(undefined, part as unknown as number[]);
}

const decoder = new TextDecoder();
