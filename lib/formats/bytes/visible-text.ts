/**
 * Escapes text of a file that a message quotes: characters that a terminal or a page would interpret instead of showing.
 *
 *     ESC [2J, clears the screen        \u001b[2J
 *     a line end                        \u000a
 *     U+202E, reverses the line         \u202e
 *
 * An error's `found` keeps the characters themselves.
 */

/**
 * Control characters, line and paragraph separators, format characters such as direction marks, other characters without
 * a shape, and halves of a character. Variation selectors are part of the characters before them.
 */
const INVISIBLE =
  /(?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

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

/** @returns the same JSON document with every invisible character in its strings as JSON's own `\u` escape */
export function visibleJson(json: string): string {
  return json.replace(INVISIBLE, (character) =>
    character === '\n'
      ? character
      : character.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** @returns the first characters of a text, visible, and three dots if it has more than `most` */
export function shortText(text: string, most: number): string {
  const characters = [...visibleText(text)];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most).join('')}...`;
}
