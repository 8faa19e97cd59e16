/**
 * Text of a file that a message quotes, made visible: what a terminal or a page would obey, and not show, is spelled out.
 *
 *     ESC [2J, clears the screen        \u001b[2J
 *     a line end                        \u000a
 *     U+202E, turns the line around     \u202e
 *
 * An error's `found` keeps the characters themselves.
 */

/** Control characters, separators of lines and paragraphs, and marks without a shape, such as those of direction. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/gu;

/** The text with every character that is not seen as its `\u` escape; the text itself where all are. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}
