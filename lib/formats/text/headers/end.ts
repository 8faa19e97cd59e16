/** The line `end`, with which some judges close a list of puzzles: what follows is not read. */
import { NO, type TextFormat } from '../recogniser.ts';

export const end: TextFormat = {
  name: 'end',
  leastBytes: 3,
  match(context, at) {
    const { window } = context;
    const from = window.text[at];
    if (window.end[at] - from !== 3 || window.string(from, from + 3).toLowerCase() !== 'end') return NO;
    context.stopped = true;
    return 1;
  },
};
