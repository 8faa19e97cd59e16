/**
 * Escapes text of a file that a message quotes: characters that a terminal or a page would interpret instead of showing.
 *
 *     ESC [2J, clears the screen        \u001b[2J
 *     a line end                        \u000a
 *     U+202E, reverses the line         \u202e
 *
 * An error's `found` keeps the characters themselves.
 */

/** Control characters, line and paragraph separators, and format characters, such as direction marks. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/gu;

/** Nearly all messages have only these characters, and a class of Unicode takes ten times as long. */
const PLAIN = /^[ -~]*$/;

/** @returns the text with every invisible character as its `\u` escape */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}
