import { isSameButBlank, type Layout } from '../records/layout.ts';
import {
  type CellTemplate,
  type FillTarget,
  fillNextRecord,
  isLastPlain,
  matchesLastRecord,
  matchesTemplate,
  templateOf,
} from './cell-template.ts';

/** The fast path for records that are one range of bytes: the last record is the template of the next one. */
export class LastRecordTemplate {
  #template: (CellTemplate & { readonly layout: Layout }) | undefined;

  clear(): void {
    this.#template = undefined;
  }

  /** Whether the template is that of the last record, which has `length` bytes from `start` on. */
  isOf(sink: FillTarget, bytes: Uint8Array, start: number, length: number): boolean {
    const template = this.#template;
    const block = sink.currentBlock;
    if (template === undefined || block === undefined || template.bytes !== length) return false;
    return isSameButBlank(block.layout, template.layout) && matchesTemplate(template, bytes, start);
  }

  /**
   * Makes the last record the template, if the fast path can take records like it.
   *
   * @param start of the record, which has `length` bytes
   * @param offsets of its cells
   */
  keep(sink: FillTarget, bytes: Uint8Array, start: number, length: number, offsets: readonly number[]): void {
    this.#template = undefined;
    const block = sink.currentBlock;
    // The block may just have been finished, or the cells may be escaped.
    if (block === undefined || !isLastPlain(sink) || !matchesLastRecord(sink, bytes, offsets)) return;
    const template = templateOf(bytes, start, length, offsets, offsets.length);
    this.#template = { ...template, layout: block.layout };
  }

  /**
   * Fills the next record with the one at `at`, if it matches the template; the caller enters it with its lines.
   *
   * @param end offset after the last byte so far
   * @returns the record's length in bytes; 0 if it does not match
   */
  fill(sink: FillTarget, bytes: Uint8Array, at: number, end: number): number {
    const template = this.#template;
    const block = sink.currentBlock;
    if (template === undefined || block === undefined || at + template.bytes > end) return 0;
    if (!isSameButBlank(block.layout, template.layout) || !matchesTemplate(template, bytes, at)) return 0;
    return fillNextRecord(sink, block, bytes, at, template) ? template.bytes : 0;
  }
}
