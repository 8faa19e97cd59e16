/** This project's version, as in `package.json` (a test holds the two together). */
export const VERSION = '0.1.0';

/**
 * The schema of a result set. It is part of a job's identity: raise it whenever the same input and options would
 * give other bytes, and uploads are solved anew instead of being taken for duplicates.
 */
export const RESULT_SCHEMA = 'dlx-batch/result@1';
