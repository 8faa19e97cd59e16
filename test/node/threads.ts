/** Threads for searches in tests. */
import { ThreadPool } from '../../lib/batch/solving/thread-pool.ts';
import { SearchTasks } from '../../lib/node/search-tasks.ts';
import { openWorker } from '../../lib/node/worker-pool.ts';

/** Search tasks on threads of their own. */
export class SearchThreads extends SearchTasks {
  readonly #pool: ThreadPool;

  /** @param maxBytes bytes of solutions that may wait to be joined */
  constructor(count: number, maxBytes?: number) {
    const pool = new ThreadPool(openWorker);
    super(pool, count, maxBytes);
    this.#pool = pool;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
