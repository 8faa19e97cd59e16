/** Kinds of bytes in lines that hold the cells of a grid between separators, brackets and quotes. */

export const SPACE = 1;
export const OPEN = 2;
export const CLOSE = 3;
export const QUOTE = 4;
/** Separates fields in a line that has it: an empty field is a blank. */
export const HARD = 5;
/** Separates fields in a line without other separators and brackets. */
export const TAB = 6;

const kinds = new Uint8Array(256);
for (const character of ' \v\f') kinds[character.charCodeAt(0)] = SPACE;
for (const character of '[{(') kinds[character.charCodeAt(0)] = OPEN;
for (const character of ']})') kinds[character.charCodeAt(0)] = CLOSE;
for (const character of '"\'`') kinds[character.charCodeAt(0)] = QUOTE;
for (const character of ',;|!/:') kinds[character.charCodeAt(0)] = HARD;
kinds[9] = TAB;

/** `PARTS[byte]`: the kind of a byte. */
export const PARTS: Readonly<Uint8Array> = kinds;
