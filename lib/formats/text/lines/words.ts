/** Layouts of other modules that have a puzzle in one word, such as a link. Text after it is its label; solutions are lines. */
import type { WordLayout } from '../../records/word-layout.ts';
import { writeLine } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

export interface WordLines extends Recogniser {
  /** Whether line `at` starts with a word of the layout. */
  startsAt(context: TextContext, at: number): boolean;
}

export function wordLines({ name, minBytes, mayBe, read }: WordLayout): WordLines {
  const wordAt = ({ window }: TextContext, at: number) => {
    const [from, to] = [window.text[at], window.tokenEnd[at]];
    return mayBe(window.bytes, from, to) ? read(window.string(from, to)) : undefined;
  };
  return {
    name,
    minBytes,
    writer: { multiLine: false, write: writeLine },
    match(context, at) {
      const enter = wordAt(context, at);
      if (enter === undefined) return NO;
      const { window, sink } = context;
      const line = window.number(at);
      const notes = context.named(undefined);
      const fault = enter(sink, { format: name, line, lineEnd: line, notes });
      if (fault !== undefined) context.enterError(at, 1, { ...fault, at: window.text[at] }, notes);
      return 1;
    },
    startsAt: (context, at) => wordAt(context, at) !== undefined,
  };
}
