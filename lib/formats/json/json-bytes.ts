/** Bytes with a meaning in JSON. */
export const LF = 10;
export const CR = 13;
export const QUOTE = 34;
export const HASH = 35;
export const COMMA = 44;
export const SLASH = 47;
export const COLON = 58;
export const OPEN = 91;
export const BACKSLASH = 92;
export const CLOSE = 93;
/** First letter of `null`. */
export const NULL = 110;
export const BRACE = 123;
export const UNBRACE = 125;
