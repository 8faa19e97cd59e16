/**
 * What Ctrl-C (SIGINT) and SIGTERM do in every command:
 *
 *     signal -> the command stops, and removes what is unfinished
 *            -> the terminal shows what is left
 *            -> the process ends by the same signal: the shell sees the status 130 or 143, and ends its loops
 *
 * This takes a second at most, or as long as the command says. A second signal ends the process at once.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { EXIT_FAILED, failureLines } from '../exit.ts';
import { complain, print } from './output.ts';
import { eraseInterrupt } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof SIGNALS)[number];

const CLEAN_UP_MS = 800;

/** What a command does when it is interrupted. */
export interface Interruption {
  /** Stops the work, and removes what is unfinished. */
  readonly stop?: (signal: Signal) => unknown;
  /** Milliseconds that it may take. @default 800 */
  readonly cleanUpMs?: number;
  /** The text for the user; its first line follows the name of the program. @default interrupted */
  readonly left?: () => readonly string[];
}

/** What the running command does, the latest last. */
const interruptions: Interruption[] = [];
/** Never resolves; set by the first signal. */
let ending: Promise<never> | undefined;
/** Resolves at the first signal, for a command that a signal ends normally. */
let expected: PromiseWithResolvers<void> | undefined;

/** Runs a command. It does not return after a signal. */
export async function handlingSignals(command: () => Promise<unknown>): Promise<void> {
  const handler = (signal: Signal) => {
    for (const name of SIGNALS) process.off(name, handler);
    if (expected === undefined) ending ??= end(signal);
    else expected.resolve();
  };
  // An error that no part of the command can catch, such as that of a library that cannot start its process.
  const fail = async (error: unknown) => {
    process.off('uncaughtException', fail);
    await stopAll();
    complain(...failureLines(error));
    process.exit(EXIT_FAILED);
  };
  for (const name of SIGNALS) process.on(name, handler);
  process.on('uncaughtException', fail);
  try {
    await command();
  } finally {
    // What fails because of the signal is not reported.
    await ending;
    for (const name of SIGNALS) process.off(name, handler);
    process.off('uncaughtException', fail);
    expected = undefined;
  }
}

/** Adds what the running command does, until it is disposed of. */
export function onInterrupt(interruption: Interruption): Disposable {
  interruptions.push(interruption);
  return {
    [Symbol.dispose]() {
      interruptions.splice(interruptions.indexOf(interruption), 1);
    },
  };
}

/**
 * Runs work that a signal aborts, and that then ends by itself.
 *
 * @param left the text for the user after an interruption
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { left, cleanUpMs }: Pick<Interruption, 'left' | 'cleanUpMs'>,
): Promise<Result> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<void>();
  const stop = (signal: Signal) => {
    controller.abort(signal);
    return ended.promise;
  };
  using _ = onInterrupt({ stop, left, cleanUpMs });
  try {
    return await work(controller.signal);
  } finally {
    ended.resolve();
    await ending;
  }
}

/** For a command that runs until a signal, which ends it normally: resolves at the signal. */
export function untilSignal(): Promise<void> {
  expected ??= Promise.withResolvers();
  return expected.promise;
}

/** Time after which a busy thread lets the handlers of signals run. */
const BUSY_MS = 100;
let pausedMs = 0;

/** For work in steps on this thread: lets signals be handled if the thread has been busy for long. */
export function pause(): Promise<void> | undefined {
  if (performance.now() - pausedMs < BUSY_MS) return undefined;
  return nextTurn().then(() => {
    pausedMs = performance.now();
  });
}

/** Stops all parts of the command, for as long as the slowest of them may take. */
async function stopAll(signal: Signal = 'SIGTERM'): Promise<void> {
  const cleanUpMs = Math.max(...interruptions.map((each) => each.cleanUpMs ?? CLEAN_UP_MS), 0);
  const stopped = Promise.allSettled(interruptions.toReversed().map(async ({ stop }) => stop?.(signal)));
  await Promise.race([stopped, sleep(cleanUpMs)]);
}

async function end(signal: Signal): Promise<never> {
  // A part of the command that ends meanwhile disposes of its own.
  const left = interruptions.findLast((each) => each.left !== undefined)?.left;
  await stopAll(signal);
  const [first = 'interrupted', ...more] = left?.() ?? [];
  eraseInterrupt(process.stderr);
  print([`dlx-batch: ${first}`, ...more], process.stderr);
  process.kill(process.pid, signal);
  // Until the signal arrives.
  for (;;) await sleep(1000);
}
