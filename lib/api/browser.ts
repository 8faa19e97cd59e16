/**
 * The library for browsers: `import { solve } from 'dlx-batch/browser'`. WebAssembly is inside the modules. Without SIMD,
 * or where a content security policy forbids WebAssembly, the same searches run in JavaScript, with the same results.
 *
 * Every export is in a module of its own, so that a page loads only what it imports.
 *
 * @module dlx-batch/browser
 */
export { createSolver, type SolverOptions, solveAll } from './browser-solver.ts';
export * from './core.ts';
export { serveSolver, type WebWorker } from './web-workers.ts';
