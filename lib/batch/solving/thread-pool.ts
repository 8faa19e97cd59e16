/**
 * Other threads, which ask for tasks: worker threads of Node, or Web Workers.
 *
 *     thread    asks | task ............. parts, end | task ...... end | ...
 *     pool      ---- gives the first task that any source has, in their order
 *
 * The end of a task asks for the next one. A task is a range of records (block-tasks.ts), a problem, or a subproblem
 * (lib/node/search-tasks.ts); its source joins the answers in the order of the input.
 */

/** A thread that runs tasks. */
export interface Port {
  post(message: object): void;
  /** Ends the thread, also during a task. */
  close(): unknown;
}

/** Starts a thread, or takes one that has started. */
export type OpenPort = (onReply: (reply: Reply) => void, onFailure: (error: unknown) => void) => Port;

/** What a thread says about a task. */
export interface Reply {
  /** Of the task. */
  readonly id: number;
  /** Whether the task has ended. */
  readonly isEnd: boolean;
  /** What is known of it; of another type for each kind of task. */
  readonly known?: unknown;
  /** Why it failed: an error, or its text. */
  readonly error?: unknown;
}

/** A task of a thread. */
export interface Task {
  /** For the thread. */
  readonly message: object;
  receive(reply: Reply): void;
  /** Sends the thread another message about the task; set by the pool when it gives the task to a thread. */
  post?(message: object): void;
}

/** Has tasks in the order of the input. */
export interface TaskSource {
  /** The next task for a thread; undefined if it has none for this one now. */
  next(thread: Thread): Task | undefined;
  /** Ends all of its tasks: a thread has failed. */
  fail(error: unknown): void;
}

/** A thread, and its tasks. */
export interface Thread {
  readonly tasks: Map<number, Task>;
  /** The source of what it has received for several tasks. */
  latest?: TaskSource;
  readonly port: Port;
}

export class ThreadPool {
  readonly #open: OpenPort;
  readonly threads: Thread[] = [];
  /** In the order in which their tasks are given. */
  readonly sources: TaskSource[] = [];
  #nextId = 1;
  /** Why a thread has failed. */
  failure: unknown;

  constructor(open: OpenPort) {
    this.#open = open;
  }

  /** Starts threads until there are so many. */
  start(count: number): void {
    while (this.threads.length < count) {
      const tasks = new Map<number, Task>();
      const onReply = (reply: Reply) => {
        const task = tasks.get(reply.id);
        if (reply.isEnd) tasks.delete(reply.id);
        task?.receive(reply);
        this.give();
      };
      this.threads.push({ tasks, port: this.#open(onReply, (error) => this.#fail(error)) });
    }
  }

  /** Gives tasks to all threads that have time for one. */
  give(): void {
    for (const thread of this.threads) {
      for (let task = this.#next(thread); task !== undefined; task = this.#next(thread)) {
        const id = this.#nextId++;
        thread.tasks.set(id, task);
        task.post = (message) => thread.port.post({ ...message, id });
        task.post(task.message);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.splice(0).map(({ port }) => port.close()));
  }

  #next(thread: Thread): Task | undefined {
    for (const source of this.sources) {
      const task = source.next(thread);
      if (task !== undefined) return task;
    }
    return undefined;
  }

  #fail(error: unknown): void {
    // `close` ends threads too.
    if (this.threads.length === 0) return;
    this.failure ??= error;
    for (const source of [...this.sources]) source.fail(error);
  }
}
