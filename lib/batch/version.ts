/** This project's version, as in `package.json` (a test holds the two together). */
export const VERSION = '0.1.0';

/**
 * The schema of a result set. It is part of a job's identity: raise it whenever the same input and options would
 * give other bytes, and uploads are solved anew instead of being taken for duplicates.
 */
export const RESULT_SCHEMA = 'dlx-batch/result@1';

/** The bundler replaces this name by a text: see `functions/bundle.ts`. */
declare const __PROGRAM_VERSION__: string;

/**
 * The version of the program by its sources: the same in all functions of a deployment, another after every change.
 * Without a bundle, on the command line and in tests, it is `source`.
 */
export const PROGRAM_VERSION: string =
  typeof __PROGRAM_VERSION__ === 'undefined' ? 'source' : __PROGRAM_VERSION__;
