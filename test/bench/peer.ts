/**
 * Peers: solvers of others in processes of their own. docs/how-to/compare-solvers.md describes the protocol.
 *
 * A process starts once and solves all blocks, so its start is not measured. It measures its own time.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { counted } from '../../lib/batch/quantities.ts';
import type { BenchCase } from '../../lib/cli/bench/bench-case.ts';
import type { BenchSolver } from '../../lib/cli/bench/measure.ts';
import { CommandError } from '../../lib/cli/exit.ts';
import { onInterrupt } from '../../lib/cli/terminal/interrupt.ts';
import type { Answers } from '../../lib/sudoku/engine.ts';
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';

/** Time for one block. After the warm-up, a pass is about half a second of work, for a slow peer 180 puzzles. */
const BLOCK_TIMEOUT_MS = 60_000;

const CELLS = 81;
const ANSWER = /^(0|[1-9]\d{0,8}:[1-9]{81})$/;
const TIME = /^time (\d+(?:\.\d+)?(?:e-\d+)?)$/i;
/** Characters of the error output of a peer in a message. */
const MAX_COMPLAINT = 300;

/** The name and the command of a peer. */
export interface PeerCommand {
  readonly name: string;
  /** For the shell. */
  readonly command: string;
}

/**
 * Reads the values of `--peer`.
 *
 * @param otherNames names of the other solvers
 * @throws CommandError for invalid values and for repeated names
 */
export function readPeers(values: readonly string[], otherNames: readonly string[]): PeerCommand[] {
  const names = new Set(otherNames);
  return values.map((value) => {
    const [, name, command] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(value) ?? [];
    if (!name || !command) {
      throw new CommandError(
        `option "--peer" is "${value}": expected NAME=COMMAND, such as tdoku=./tdoku-peer`,
      );
    }
    if (names.has(name)) throw new CommandError(`option "--peer" is "${value}": "${name}" is another solver`);
    names.add(name);
    return { name, command };
  });
}

/** Starts peers, and ends them after `use`, or when a signal ends this process. */
export async function withPeers<Result>(
  commands: readonly PeerCommand[],
  use: (peers: readonly BenchSolver[]) => Promise<Result>,
): Promise<Result> {
  const peers = commands.map(({ name, command }) => new Peer(name, command));
  const endPeers = () => {
    for (const peer of peers) peer.end();
  };
  using _ = onInterrupt({ stop: endPeers });
  try {
    return await use(peers);
  } finally {
    endPeers();
  }
}

/** A running peer. */
export class Peer implements BenchSolver {
  readonly name: string;
  readonly maxNodes = Number.POSITIVE_INFINITY;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #output: AsyncIterator<string>;
  readonly #closed: Promise<string>;
  readonly #timeoutMs: number;
  #complaint = '';

  /** @param timeoutMs time for one block */
  constructor(name: string, command: string, timeoutMs = BLOCK_TIMEOUT_MS) {
    this.name = name;
    this.#timeoutMs = timeoutMs;
    // A process group of its own, so that `end` reaches the command and not only its shell.
    this.#process = spawn(command, { shell: true, detached: true });
    const { stdin, stdout, stderr } = this.#process;
    // If the process ends before it has read all puzzles, its missing answers are the error.
    stdin.on('error', () => {});
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-MAX_COMPLAINT);
    });
    this.#output = stdout.setEncoding('latin1')[Symbol.asyncIterator]();
    this.#closed = once(this.#process, 'close').then(
      ([status, signal]) => (signal === null ? `ended with exit status ${status}` : `was ended by ${signal}`),
      (error: Error) => `did not start: ${error.message}`,
    );
  }

  refuses({ size, variant }: Geometry): string | undefined {
    return size === 9 && variant === 'standard' ? undefined : 'peers solve only ordinary 9x9 puzzles';
  }

  solve(puzzles: BenchCase, answers: Answers): Promise<number> {
    const onAnswer = (i: number, answer: string) => readAnswer(answer, i, answers);
    return this.#solveBlock(puzzleLines(puzzles).join(''), puzzles.count, onAnswer);
  }

  /** Kills the process and its children. */
  end(): void {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // It has just ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Sends one block; returns the seconds that the peer reports. */
  async #solveBlock(
    block: string,
    count: number,
    onAnswer: (index: number, answer: string) => void,
  ): Promise<number> {
    const startMs = performance.now();
    this.#process.stdin.write(`${block}\n`);
    let answered = 0;
    let rest = '';
    for (;;) {
      const text = await this.#read(startMs, () => `${answered} of ${count} answers`);
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const [k, line] of lines.entries()) {
        const answer = line.trimEnd();
        const time = TIME.exec(answer);
        if (time !== null) {
          if (answered < count) throw this.#error(`gave ${answered} answers for ${counted(count, 'puzzle')}`);
          if (k < lines.length - 1 || rest !== '') throw this.#error('wrote more after the time of a block');
          return this.#checkedSeconds(Number(time[1]), performance.now() - startMs);
        }
        if (!ANSWER.test(answer)) {
          throw this.#error(
            `answered ${JSON.stringify(answer.slice(0, 100))}; expected 0, COUNT:SOLUTION or time SECONDS`,
          );
        }
        if (answered === count)
          throw this.#error(`gave more than ${count} answers for ${counted(count, 'puzzle')}`);
        onAnswer(answered++, answer);
      }
    }
  }

  /** The next output of the process. */
  async #read(startMs: number, progress: () => string): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () =>
          reject(
            this.#error(
              `gave ${progress()} in ${this.#timeoutMs / 1000} s: it must answer at an empty line, and flush its output`,
            ),
          ),
        startMs + this.#timeoutMs - performance.now(),
      );
    });
    try {
      const { done, value } = await Promise.race([this.#output.next(), timeout]);
      if (done !== true) return value;
      throw this.#error(`${await Promise.race([this.#closed, timeout])} after ${progress()}`);
    } finally {
      clearTimeout(timer);
    }
  }

  #checkedSeconds(seconds: number, elapsedMs: number): number {
    if (seconds > 0 && seconds <= elapsedMs / 1000) return seconds;
    throw this.#error(
      `reports ${seconds} s for a block that took ${(elapsedMs / 1000).toPrecision(3)} s with its answers`,
    );
  }

  #error(text: string): CommandError {
    const complaint = this.#complaint.trim().replaceAll(/\s+/g, ' ');
    return new CommandError(`peer ${this.name} ${text}${complaint === '' ? '' : `; it says: ${complaint}`}`);
  }
}

function puzzleLines({ cells, count }: BenchCase): string[] {
  return Array.from({ length: count }, (_, i) => {
    const puzzle = cells.subarray(i * CELLS, (i + 1) * CELLS);
    return `${Array.from(puzzle, (digit) => digit || '.').join('')}\n`;
  });
}

function readAnswer(answer: string, index: number, answers: Answers): void {
  const separator = answer.indexOf(':');
  answers.solutions[index] = Number(separator === -1 ? answer : answer.slice(0, separator));
  for (let cell = 0; cell < CELLS; cell++) {
    const digit = separator === -1 ? 0 : answer.charCodeAt(separator + 1 + cell) - 48;
    answers.cells[index * CELLS + cell] = digit;
  }
}
