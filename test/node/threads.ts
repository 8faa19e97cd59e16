/** Threads for searches in tests. */
import { ThreadPool } from '../../lib/batch/solving/thread-pool.ts';
import { searchTasks } from '../../lib/node/search-tasks.ts';
import { openWorker } from '../../lib/node/worker-pool.ts';

export type SearchThreads = ReturnType<typeof searchThreads>;

/** Search tasks on threads of their own. @param maxBytes bytes of solutions that may wait to be joined */
export function searchThreads(count: number, maxBytes?: number) {
  const pool = new ThreadPool(openWorker);
  return Object.assign(searchTasks(pool, count, maxBytes), { close: () => pool.close() });
}
