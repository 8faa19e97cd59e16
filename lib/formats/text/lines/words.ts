/** Layouts of other modules that have a puzzle in one word, such as a link, or in words on some lines. Text after a word is its label. */
import type { WordLayout } from '../../records/word-layout.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';

export interface WordLines extends Recogniser {
  /** Whether a line starts with a word of the layout. */
  startsAt(line: Line): boolean;
}

/** Lines that may have the words of one puzzle. */
const MOST_PARTS = 256;

export function wordLines({ name, minBytes, mayBe, roleOf, read }: WordLayout): WordLines {
  const wordOf = ({ bytes, from, tokenEnd, context }: Line) =>
    mayBe(bytes, from, tokenEnd) ? context.window.string(from, tokenEnd) : undefined;

  /** The words of one puzzle, from a line on. */
  function wordsFrom(first: Line): string[] {
    const words: string[] = [];
    let hasMain = false;
    for (
      let line: Line | undefined = first;
      line !== undefined && words.length < MOST_PARTS;
      line = line.next
    ) {
      const word = wordOf(line);
      const role = word === undefined ? 'alone' : roleOf(word);
      if (word === undefined || (words.length > 0 && role === 'alone') || (hasMain && role === 'main')) break;
      words.push(word);
      if (role === 'alone') break;
      hasMain ||= role === 'main';
    }
    return words;
  }

  return {
    name,
    minBytes,
    match(line) {
      const words = wordsFrom(line);
      const { length } = words;
      const enter = length === 0 ? undefined : read(words.join(''));
      if (enter === undefined) return NO;
      const { context, number } = line;
      const notes = context.named(undefined);
      const fault = enter(context.sink, { format: name, line: number, lineEnd: number + length - 1, notes });
      if (fault !== undefined) context.enterError(line, length, { ...fault, at: line.from }, notes);
      return length;
    },
    startsAt(line) {
      const word = wordOf(line);
      return word !== undefined && read(word) !== undefined;
    },
  };
}
