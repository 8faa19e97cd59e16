import manifest from '../../package.json' with { type: 'json' };

/** This project's version. */
export const VERSION: string = manifest.version;

/**
 * The schema of a result set, a part of a job's identity. Raise it once for each change of the bytes that the same input
 * and options give. Versions of uploads that are completed keep their results (`finishEarlier` in `delivery/commit.ts`).
 */
export const RESULT_SCHEMA = 'dlx-batch/result@3';

/** The bundler replaces this name by a string: see `functions/bundle.ts`. */
declare const __PROGRAM_VERSION__: string;

/**
 * The version of the program's sources: equal in all functions of a deployment, different after every change. Without a
 * bundle, on the command line and in tests, it is `source`.
 */
export const PROGRAM_VERSION: string =
  typeof __PROGRAM_VERSION__ === 'undefined' ? 'source' : __PROGRAM_VERSION__;
