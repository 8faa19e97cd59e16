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
