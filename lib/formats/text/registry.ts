/** The layouts of text, in the order in which they are asked about a line. A new one is one file and one entry. */
import { count } from './count.ts';
import { header } from './header.ts';
import { line } from './line.ts';
import { rows } from './rows.ts';
import type { GridWriter, TextFormat } from './text-format.ts';
import { tokens } from './tokens.ts';

/** Those that only say that puzzles follow; asked whatever format the user named. */
const HEADERS: readonly TextFormat[] = [header, count];

const GRIDS: readonly TextFormat[] = [line, rows, tokens];

export const TEXT_FORMAT_NAMES = ['line', 'rows', 'tokens'] as const;

/** The formats to ask, all of them or the one the user named. */
export function textFormats(only?: string): readonly TextFormat[] {
  return [...HEADERS, ...GRIDS.filter((format) => only === undefined || format.name === only)];
}

const writers = new Map(
  GRIDS.flatMap((format): [string, GridWriter][] =>
    format.writer === undefined ? [] : [[format.name, format.writer]],
  ),
);

/** How solutions are written in a layout of text. */
export function textWriter(format: string): GridWriter | undefined {
  return writers.get(format);
}
