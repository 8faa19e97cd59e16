/** Damage to a few bytes of a file, or to one of its lines. */

/** What may happen to a file: to a few bytes from `at` on, or to a line and its end. */
export const DAMAGE_KINDS = [
  'flip',
  'cut',
  'double',
  'insert',
  'join lines',
  'cut a line',
  'double a line',
  'UTF-16',
  'Latin-1',
] as const;

export interface Damage {
  readonly kind: (typeof DAMAGE_KINDS)[number];
  /** Where, as a share of the file: 0 to 1. */
  readonly at: number;
  readonly length: number;
  readonly byte: number;
}

/** The damaged bytes, and what of the whole ones is damaged, `to` exclusive. */
export function applyDamage(
  bytes: Uint8Array,
  { kind, at, length, byte }: Damage,
): { damaged: Uint8Array; from: number; to: number } {
  const from = Math.floor(at * (bytes.length - 1));
  const lineStart = bytes.lastIndexOf(10, Math.max(0, from - 1)) + 1;
  const lineEnd = bytes.indexOf(10, from);
  const end = lineEnd < 0 ? bytes.length : lineEnd + 1;
  const replaced = (start: number, stop: number, middle: Uint8Array) => ({
    damaged: new Uint8Array(Buffer.concat([bytes.subarray(0, start), middle, bytes.subarray(stop)])),
    from: start,
    to: Math.min(stop, bytes.length),
  });
  const part = bytes.subarray(from, from + length);
  switch (kind) {
    case 'flip':
      return replaced(from, from + 1, Uint8Array.of(byte));
    case 'cut':
      return replaced(from, from + length, new Uint8Array(0));
    case 'double':
      return replaced(from, from, part);
    case 'insert':
      return replaced(from, from, Uint8Array.of(byte));
    case 'join lines':
      return lineEnd < 0
        ? { damaged: bytes, from, to: from }
        : replaced(lineEnd, lineEnd + 1, new Uint8Array(0));
    case 'cut a line':
      return replaced(lineStart, end, new Uint8Array(0));
    case 'double a line':
      return replaced(lineStart, lineStart, bytes.subarray(lineStart, end));
    case 'UTF-16':
      return replaced(
        from,
        from + length,
        new Uint8Array(Buffer.from(Buffer.from(part).toString(), 'utf16le')),
      );
    case 'Latin-1':
      return replaced(from, from, new Uint8Array(Buffer.from('é', 'latin1')));
  }
}
