/** Work in steps of at most about a second, between which the caller may handle a signal, or stop. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps at once. */
export function completed<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
