/** The page that solves puzzles, with the threads where Vite puts them. */
import { showSitePage } from '../../../lib/cli/page/browser/puzzles/site-page.ts';

const SOLVER = () =>
  new Worker(new URL('../../../lib/cli/page/browser/puzzles/solver-worker.ts', import.meta.url), {
    type: 'module',
  });
const TASKS = () =>
  new Worker(new URL('../../../lib/cli/page/browser/puzzles/task-worker.ts', import.meta.url), {
    type: 'module',
  });

/** @param {HTMLElement} root */
export function show(root) {
  showSitePage(root, { createSolverWorker: SOLVER, createTaskWorker: TASKS });
}
