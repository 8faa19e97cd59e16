/** Layouts of other modules that have a puzzle in one word, such as a link. Text after it is its label; solutions are lines. */
import type { WordLayout } from '../../records/word-layout.ts';
import { writeLine } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

export class WordLines implements Recogniser {
  readonly name: string;
  readonly minBytes: number;
  readonly writer = { multiLine: false, write: writeLine };
  readonly #layout: WordLayout;

  constructor(layout: WordLayout) {
    this.name = layout.name;
    this.minBytes = layout.minBytes;
    this.#layout = layout;
  }

  match(context: TextContext, at: number): number {
    const enter = this.#read(context, at);
    if (enter === undefined) return NO;
    const { window, sink } = context;
    const line = window.number(at);
    const notes = context.named(undefined);
    const fault = enter(sink, { format: this.name, line, lineEnd: line, notes });
    if (fault !== undefined) context.enterError(at, 1, { ...fault, at: window.text[at] }, notes);
    return 1;
  }

  /** Whether line `at` starts with a word of the layout. */
  startsAt(context: TextContext, at: number): boolean {
    return this.#read(context, at) !== undefined;
  }

  #read({ window }: TextContext, at: number): ReturnType<WordLayout['read']> {
    const [from, to] = [window.text[at], window.tokenEnd[at]];
    return this.#layout.mayBe(window.bytes, from, to)
      ? this.#layout.read(window.string(from, to))
      : undefined;
  }
}
