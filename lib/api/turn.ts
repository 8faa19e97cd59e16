import { clock } from './clock.ts';

/** Time that a search takes before the event loop gets a turn, in milliseconds. */
export const TURN_MS = 10;

/** Resolves after the events that wait. Timers would wait for milliseconds; a message is delivered at once. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const onMessage = () => {
      port1.close();
      resolve();
    };
    port2.addEventListener('message', onMessage);
    port2.start();
    port1.postMessage(undefined);
  });
}

/** Called between parts of a search, gives the event loop a turn if that is due. */
export function turns(): () => Promise<void> | undefined {
  let turnMs = clock.monotonicMs();
  return () => {
    if (clock.monotonicMs() - turnMs < TURN_MS) return undefined;
    return nextTurn().then(() => {
      turnMs = clock.monotonicMs();
    });
  };
}

/** Runs something to its end, whose steps are parts of a search. */
export function atOnce<T>(steps: Generator<void, T, void>): T {
  let next = steps.next();
  while (next.done !== true) next = steps.next();
  return next.value;
}

/** The same with turns for the event loop. @throws the reason of the signal */
export async function inTurns<T>(
  steps: Generator<void, T, void>,
  turn: () => Promise<void> | undefined,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    await turn();
    signal?.throwIfAborted();
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
