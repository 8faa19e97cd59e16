/**
 * Links to puzzles and the data of puzzle editors, one per line; see `links/link-puzzle.ts`. Text after one is its label.
 * Solutions are lines.
 */
import { DOT, LESS } from '../../bytes/ascii.ts';
import { enterObject } from '../../json/json-value.ts';
import { readLink } from '../../links/link-puzzle.ts';
import type { LinkResult } from '../../links/link-result.ts';
import { writeLine } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { hasSign } from './variants.ts';

/** Bytes of the shortest link with a puzzle, or to one. */
const MIN_LINK_BYTES = 16;
/** Bytes from which a text is seen to be a link. */
const MAX_SIGN_BYTES = 200;

/** The beginning of what `readLink` may know. */
const SIGN =
  /^(<?(https?:\/\/|([\w-]+\.)+[a-z]{2,}[/?])|(fpuz|scl|ctc)[A-Za-z0-9+/%={\\]{16}|\.(~|[A-Z][A-Za-z]+[~.]))/i;

export const links: Recogniser = {
  name: 'link',
  minBytes: 6,
  match(context, at) {
    const read = readAt(context, at);
    if (read === undefined) return NO;
    enterLink(context, at, read);
    return 1;
  },
  writer: { multiLine: false, write: writeLine },
};

/** Whether line `at` starts with a link. */
export function isLink(context: TextContext, at: number): boolean {
  return readAt(context, at) !== undefined;
}

function readAt({ window }: TextContext, at: number): LinkResult | undefined {
  const from = window.text[at];
  const first = window.bytes[from];
  const isLetter = (first | 0x20) >= 97 && (first | 0x20) <= 122;
  if (!isLetter && first !== LESS && (first !== DOT || !isIssSign(window.bytes[from + 1]))) return undefined;
  const end = window.tokenEnd[at];
  // Most words of a text are shorter than a link.
  if (first !== DOT && end - from < MIN_LINK_BYTES) return undefined;
  const last = Math.min(end, from + MAX_SIGN_BYTES);
  if (first !== DOT && !hasSign(window.bytes, from, last)) return undefined;
  return SIGN.test(window.string(from, last)) ? readLink(window.string(from, end)) : undefined;
}

/** A tilde or a capital letter. */
function isIssSign(byte: number): boolean {
  return byte === 126 || (byte >= 65 && byte <= 90);
}

function enterLink(context: TextContext, at: number, read: LinkResult): void {
  const { window, sink } = context;
  const line = window.number(at);
  const notes = context.named(undefined);
  const place = { format: 'link', line, lineEnd: line, notes };
  const fault = 'object' in read ? enterObject(sink, read.object, place) : read;
  if (fault === undefined) return;
  context.enterError(at, 1, { ...fault, at: window.text[at] }, notes);
}
