/** Threads and decompression of Node. Imported on demand: the library itself needs no Node built-in. */
export { openSolver } from '../node/solvers.ts';
export { zlibUnpacking } from '../node/unpacking.ts';
