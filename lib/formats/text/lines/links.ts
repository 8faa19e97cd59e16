/**
 * Links to puzzles and the data of puzzle editors, one per line; see `links/link-puzzle.ts`. Text after one is its label.
 * Solutions are lines.
 */
import { enterObject } from '../../json/json-value.ts';
import { type LinkPuzzle, readLink } from '../../links/link-puzzle.ts';
import { writeLine } from '../../writing/grid-text.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { hasSign } from './variants.ts';

const DOT = 46;
const LESS = 60;
/** Bytes from which a text is seen to be a link. */
const MAX_SIGN_BYTES = 200;

/** The beginning of what `readLink` may know. */
const SIGN =
  /^(<?(https?:\/\/|([\w-]+\.)+[a-z]{2,}[/?])|(fpuz|scl|ctc)[A-Za-z0-9+/%={\\]{16}|\.(~|[A-Z][A-Za-z]{2,}[~.]))/i;

export const links: Recogniser = {
  name: 'link',
  minBytes: 6,
  match(context, at) {
    const { window } = context;
    const from = window.text[at];
    const first = window.bytes[from];
    const second = window.bytes[from + 1];
    const isLetter = (first | 0x20) >= 97 && (first | 0x20) <= 122;
    if (!isLetter && first !== LESS && (first !== DOT || !isIssSign(second))) return NO;
    const end = window.tokenEnd[at];
    const last = Math.min(end, from + MAX_SIGN_BYTES);
    if (first !== DOT && !hasSign(window.bytes, from, last)) return NO;
    if (!SIGN.test(window.string(from, last))) return NO;
    const read = readLink(window.string(from, end));
    if (read === undefined) return NO;
    enterLink(context, at, read);
    return 1;
  },
  writer: { multiLine: false, write: writeLine },
};

/** A tilde or a capital letter. */
function isIssSign(byte: number): boolean {
  return byte === 126 || (byte >= 65 && byte <= 90);
}

function enterLink(context: TextContext, at: number, read: LinkPuzzle): void {
  const { window, sink } = context;
  const offset = window.text[at];
  const line = window.number(at);
  const refuse = (code: 'unsupported_variant' | 'bad_character', found: string, expected: string) => {
    const problem = `found ${found}: expected ${expected}`;
    context.enterError(at, 1, { code, line: at, offset, found, expected, problem });
  };
  if ('refused' in read) {
    refuse(
      'unsupported_variant',
      read.refused,
      'a puzzle given by its givens, its regions and rules that are known',
    );
  } else if ('damaged' in read)
    refuse('bad_character', `${read.damaged} that cannot be read`, 'a whole link');
  else {
    const notes = context.named(undefined);
    const fault = enterObject(sink, read.object, { format: 'link', line, lineEnd: line, notes });
    if (fault !== undefined) {
      const { code, found, expected } = fault;
      const problem = `found ${found}: expected ${expected}`;
      context.enterError(at, 1, { code, line: at, offset, found, expected, problem }, notes);
    }
  }
}
