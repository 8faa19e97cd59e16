/**
 * Which versions of Node, each with its version of npm, run what. Each night all pairs run all (`DLX_BATCH_TEST_DEEP=1`).
 *
 * - 20 with npm 10: a Node that the package does not support, whose npm scripts use the Node 24 that `npm ci` installs;
 *   the oldest npm, which knows no permissions of scripts.
 * - 22 with npm 10: the oldest Node that the package supports. `.ci/run` installs the packed file with it, and nothing else.
 * - 26 with npm 12: the newest Node; an npm that runs only scripts with permission, and fetches from git only when asked.
 *
 * What 24 with npm 11 does in a clone, `.ci/run` itself shows.
 */
import { DEEP } from '../support/depth.ts';

/** The Node versions that the npm package `node` installs, and the version of npm for each. */
export const NPM_OF_NODE = { 20: '10', 22: '10', 24: '11', 26: '12' };

/** Versions that install and use the packed file. */
export const PACKED_MAJORS = DEEP ? [22, 24, 26] : [22];
/** Versions that install a clone. */
export const CLONE_MAJORS = DEEP ? [20, 22, 24, 26] : [];
/** Versions that install from git. */
export const GIT_MAJORS = DEEP ? [22, 24, 26] : [];
