/**
 * Runs a command on a pseudo-terminal, and reads its screen: what a user sees after all the redrawing, in a terminal of any
 * width. `script` of util-linux, which Linux has, opens the pseudo-terminal.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import xterm from '@xterm/headless';

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Keys that are pressed when the screen first shows a text. @default none */
  readonly keys?: readonly (readonly [shown: RegExp, pressed: string])[];
  readonly environment?: NodeJS.ProcessEnv;
}

export interface TerminalRun {
  /** As the shell reports it: 130 after Ctrl-C. */
  readonly status: number | null;
  /** The lines of the screen and of those that have scrolled out of it, without spaces at their ends. */
  readonly screen: string;
}

/** Whether this machine has `script` with the options that are used. */
export const HAS_TERMINAL = process.platform === 'linux';

/** @param command for `sh` */
export async function runOnTerminal(
  folder: string,
  command: string,
  { columns = 80, rows = 24, keys = [], environment = process.env }: TerminalOptions = {},
): Promise<TerminalRun> {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  // A shell between `script` and the command reports a command that a signal has ended as one with the status 130.
  const size = `stty rows ${rows} cols ${columns}`;
  const child = spawn('script', ['-qec', `${size}; (${command}); exit $?`, '/dev/null'], {
    cwd: folder,
    env: { ...environment, TERM: 'xterm', SHELL: '/bin/sh' },
  });
  const waiting = [...keys];
  const pressKeys = () => {
    const [next] = waiting;
    if (next === undefined || !next[0].test(screenOf(terminal))) return;
    waiting.shift();
    child.stdin.write(next[1]);
  };
  child.stdout.on('data', (bytes: Buffer) => terminal.write(bytes, pressKeys));
  const [status] = await once(child, 'close');
  await new Promise<void>((resolve) => terminal.write('', resolve));
  return { status, screen: screenOf(terminal) };
}

function screenOf({ buffer: { active } }: InstanceType<typeof xterm.Terminal>): string {
  const lines = Array.from({ length: active.length }, (_, k) => active.getLine(k)!.translateToString(true));
  return lines.join('\n').trimEnd();
}
