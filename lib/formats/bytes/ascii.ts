/** Names of the ASCII characters that have a meaning in some format. */
export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const PERCENT = 37;
export const PLUS = 43;
export const COMMA = 44;
export const DASH = 45;
export const DOT = 46;
export const SLASH = 47;
export const ZERO = 48;
export const ONE = 49;
export const NINE = 57;
export const COLON = 58;
export const SEMICOLON = 59;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const BACKTICK = 96;
export const LETTER_N = 110;
export const OPEN_BRACE = 123;
export const BAR = 124;
export const CLOSE_BRACE = 125;
export const TILDE = 126;

/** Whether a byte is white space within a line: a space, a tab, a vertical tab or a form feed. */
export function isWhite(byte: number): boolean {
  // Most bytes are compared here: numbers are faster than a table, and than exported constants.
  return byte <= 32 && (byte === 32 || byte === 9 || byte === 11 || byte === 12);
}
