/** Whether a cache of counts saves enough nodes: what matters is not the rate of hits, but what they save. */

/** Nodes before the first check; each later interval is twice as long. */
const FIRST_CHECK = 4096;

export class Savings {
  /** False once too little was saved. */
  isWorthwhile = true;
  #entered = 0;
  #saved = 0;
  #checkAt: number;

  /** @param mayAbandon whether `isWorthwhile` may become false */
  constructor(mayAbandon = true) {
    this.#checkAt = mayAbandon ? FIRST_CHECK : Number.POSITIVE_INFINITY;
  }

  enter(): void {
    this.#entered++;
  }

  save(nodes: number): void {
    this.#saved += nodes;
  }

  /** Checks whether enough nodes were saved: a third of them at first, and more later. */
  check(): boolean {
    if (this.#entered >= this.#checkAt) {
      const required = 0.5 + Math.log2(this.#checkAt / FIRST_CHECK) / 4;
      if (this.#saved < required * this.#entered) this.isWorthwhile = false;
      this.#checkAt *= 2;
    }
    return this.isWorthwhile;
  }
}
