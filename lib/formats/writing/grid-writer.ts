import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { Layout } from '../records/layout.ts';

/** Writes solutions in the layout of a text format. */
export interface GridWriter {
  /** Whether an entry has several lines: then a blank line separates entries. */
  readonly multiLine: boolean;
  write(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void;
}
