/** Work of a service that runs beside its requests: invocations, executions, answers. */
export class RunningWork {
  readonly #running = new Set<Promise<void>>();
  readonly #failure = Promise.withResolvers<never>();

  constructor() {
    // Callers that do not await `failure` must not crash on it.
    this.#failure.promise.catch(() => {});
  }

  /** Number of works that run. */
  get size(): number {
    return this.#running.size;
  }

  /** Never resolves; rejects with the error of the first work that fails. */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  /** @param onEnd called when the work is no longer one of those that run */
  add(work: Promise<void>, onEnd: () => void = () => {}): void {
    const running = work.catch(this.#failure.reject).finally(() => {
      this.#running.delete(running);
      onEnd();
    });
    this.#running.add(running);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.size > 0) await Promise.all(this.#running);
  }
}
