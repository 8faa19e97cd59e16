/** Opens a page in the browser of the user. */
import { spawn } from 'node:child_process';

/** The program that opens a URL, and its arguments before it. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** @param onFailure receives the reason, also when the program ends later */
export function openInBrowser(url: string, onFailure: (reason: string) => void): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', ({ message }) => onFailure(message));
  child.once('exit', (status) => {
    if (status !== 0) onFailure(`${program} ended with status ${status}`);
  });
  // The browser goes on when the stack ends.
  child.unref();
}
