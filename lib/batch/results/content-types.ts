/** Media types of the documents that the project writes. */
export const JSON_TYPE = 'application/json';
/** A JSON document a line. */
export const JSON_LINES_TYPE = 'application/x-ndjson';
export const HTML_TYPE = 'text/html; charset=utf-8';
