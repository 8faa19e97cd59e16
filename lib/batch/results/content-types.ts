/** Media types of the result files. */
export const JSON_TYPE = 'application/json';
/** One JSON document per line. */
export const JSON_LINES_TYPE = 'application/x-ndjson';
export const HTML_TYPE = 'text/html; charset=utf-8';
