/** The environment of a user: that of the tests without what npm and the checkout add. */
import { delimiter } from 'node:path';

/** @param first folder that precedes all others on the PATH */
export function npmEnvironment(first?: string): NodeJS.ProcessEnv {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|VITEST|NODE_(?:OPTIONS|ENV|PATH|COMPILE_CACHE)$|TEST$|INIT_CWD$)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [...(first === undefined ? [] : [first]), ...folders].join(delimiter),
  };
}
