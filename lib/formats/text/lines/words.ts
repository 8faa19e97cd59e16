/** Layouts of other modules that have a puzzle in one word, such as a link. Text after it is its label. */
import type { WordLayout } from '../../records/word-layout.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';

export interface WordLines extends Recogniser {
  /** Whether a line starts with a word of the layout. */
  startsAt(line: Line): boolean;
}

export function wordLines({ name, minBytes, mayBe, read }: WordLayout): WordLines {
  const wordOf = ({ bytes, from, tokenEnd, context }: Line) =>
    mayBe(bytes, from, tokenEnd) ? read(context.window.string(from, tokenEnd)) : undefined;
  return {
    name,
    minBytes,
    match(line) {
      const enter = wordOf(line);
      if (enter === undefined) return NO;
      const { context, number } = line;
      const notes = context.named(undefined);
      const fault = enter(context.sink, { format: name, line: number, lineEnd: number, notes });
      if (fault !== undefined) context.enterError(line, 1, { ...fault, at: line.from }, notes);
      return 1;
    },
    startsAt: (line) => wordOf(line) !== undefined,
  };
}
