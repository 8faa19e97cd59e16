/** Solutions as JSON: in one list, or one value a line, the cells as the puzzle has them. */
import type { ByteBuffer } from './byte-buffer.ts';
import type { Layout } from './layout.ts';
import type { SolutionWriter } from './reader.ts';
import type { RecordBlock } from './record-block.ts';

/** How a grid stands in JSON; `object:` in front where it is the member of an object. */
export type JsonShape = 'strings' | 'numbers' | 'rows' | 'line';

export class JsonWriter implements SolutionWriter {
  readonly extension = 'json';
  readonly contentType = 'application/json';
  readonly #list: boolean;

  /** @param list whether all entries stand in one list; otherwise each is a line of its own */
  constructor(list: boolean) {
    this.#list = list;
  }

  begin(out: ByteBuffer): void {
    if (this.#list) out.text('[');
  }

  entry(
    out: ByteBuffer,
    block: RecordBlock,
    _index: number,
    cells: Uint8Array,
    offset: number,
    first: boolean,
  ): void {
    this.#part(out, first);
    const arrangement = block.layout.arrangement ?? 'strings';
    const inObject = arrangement.startsWith(OBJECT);
    const shape = (inObject ? arrangement.slice(OBJECT.length) : arrangement) as JsonShape;
    const grid = gridJson(block.layout, shape, cells, offset);
    out.text(inObject ? `{"solution":${grid}}` : grid);
    if (!this.#list) out.text('\n');
  }

  /** A grid without a solution is `null` in its place, so that the file stays valid. */
  placeholder(out: ByteBuffer, _text: string, first: boolean): void {
    this.#part(out, first);
    out.text(this.#list ? 'null' : 'null\n');
  }

  end(out: ByteBuffer): void {
    if (this.#list) out.text('\n]\n');
  }

  #part(out: ByteBuffer, first: boolean): void {
    if (this.#list) out.text(first ? '\n' : ',\n');
  }
}

/** Marks the arrangement of a grid that is the member of an object. */
export const OBJECT = 'object:';

function gridJson(layout: Layout, shape: JsonShape, cells: Uint8Array, offset: number): string {
  const { symbols, singleCharacter } = layout.alphabet;
  const { size, cellCount } = layout.geometry;
  const separator = singleCharacter ? '' : ' ';
  const text = (from: number, count: number) => {
    let joined = '';
    for (let cell = from; cell < from + count; cell++) {
      joined += (cell > from ? separator : '') + symbols[cells[offset + cell]];
    }
    return JSON.stringify(joined);
  };
  if (shape === 'line') return text(0, cellCount);
  let grid = '[';
  for (let row = 0; row < cellCount; row += size) {
    if (row > 0) grid += ',';
    if (shape === 'rows') {
      grid += text(row, size);
      continue;
    }
    grid += '[';
    for (let cell = row; cell < row + size; cell++) {
      const symbol = symbols[cells[offset + cell]];
      if (cell > row) grid += ',';
      grid += shape === 'numbers' ? symbol : JSON.stringify(symbol);
    }
    grid += ']';
  }
  return `${grid}]`;
}
