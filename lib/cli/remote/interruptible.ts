/** Ctrl-C: what is under way is given up in good order, and the user hears how to go on. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Does work that a signal ends. The first signal aborts it and waits until it has cleaned up; a second one ends the
 * process at once. Then the process ends by the signal itself, as shells expect it, so this does not return.
 *
 * @param afterwards what the user is told when everything is given up
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  afterwards: () => string,
): Promise<Result> {
  const controller = new AbortController();
  const handlers = SIGNALS.map((name) => {
    const handler = () => controller.abort(name);
    process.once(name, handler);
    return [name, handler] as const;
  });
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    process.stderr.write(`\ndlx-batch: ${afterwards()}\n`);
    process.kill(process.pid, controller.signal.reason);
    return await new Promise<never>(() => setTimeout(() => {}, 1000));
  } finally {
    for (const [name, handler] of handlers) process.off(name, handler);
  }
}
