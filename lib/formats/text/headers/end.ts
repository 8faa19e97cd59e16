/** The line `end` after puzzles, with which some judges close their list: the rest of the file is not read. In code it ends a block. */
import { LETTER } from '../../bytes/byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';

export const end: Recogniser = {
  name: 'end',
  minBytes: 3,
  maxBytes: 3,
  only: LETTER,
  match({ context, text, start, from }) {
    const isBlock = from > start || context.sink.lastSize === undefined;
    if (isBlock || text.toLowerCase() !== 'end') return NO;
    context.stopped = true;
    return 1;
  },
};
