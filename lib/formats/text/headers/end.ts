/** The line `end`, with which some judges close a list of puzzles: the rest of the file is not read. */
import { LETTER } from '../../bytes/byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';

export const end: Recogniser = {
  name: 'end',
  minBytes: 3,
  maxBytes: 3,
  only: LETTER,
  match({ context, text }) {
    if (text.toLowerCase() !== 'end') return NO;
    context.stopped = true;
    return 1;
  },
};
