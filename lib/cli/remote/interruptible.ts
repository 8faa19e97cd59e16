/** Work that Ctrl-C aborts cleanly, with a message on how to resume. */
import { print } from '../terminal/output.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs work that SIGINT or SIGTERM aborts. The first signal aborts it, waits for its clean-up, and then ends the process
 * by the same signal, as shells expect, so this does not return. A second signal ends the process at once.
 *
 * @param lines returns the text for the user, written after the clean-up
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  lines: () => readonly string[],
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
    const [first = '', ...more] = lines();
    print(['', `dlx-batch: ${first}`, ...more], process.stderr);
    process.kill(process.pid, controller.signal.reason);
    return await new Promise<never>(() => setTimeout(() => {}, 1000));
  } finally {
    for (const [name, handler] of handlers) process.off(name, handler);
  }
}
