/**
 * A page in a real browser, over the Chrome DevTools Protocol: two pipes, a JSON message and a zero byte each way, so
 * that no package is needed for it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export class HeadlessBrowser {
  readonly #process: ChildProcess;
  readonly #profile = mkdtempSync(join(tmpdir(), 'headless-'));
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #listeners = new Map<string, (params: Record<string, unknown>) => void>();
  /** Addresses that the page asked for, and what it wrote to its console. */
  readonly requests: string[] = [];
  readonly complaints: string[] = [];
  #session: string | undefined;
  #lastId = 0;
  #text = '';

  /** @param path the program, Chromium or Chrome */
  constructor(path: string) {
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-pipe',
      '--no-first-run',
    ];
    this.#process = spawn(path, [...flags, `--user-data-dir=${this.#profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    (this.#process.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.#read(text));
  }

  /** Opens an empty page. */
  async open(): Promise<void> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    this.#session = String(sessionId);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'DOM']) await this.send(`${domain}.enable`);
  }

  /** Shows a page of so many pixels, in light or dark, on a screen or on paper. */
  async show(
    url: string,
    { width, scheme, media }: { width: number; scheme: 'light' | 'dark'; media: 'screen' | 'print' },
  ): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height: 800,
      deviceScaleFactor: 1,
      mobile: false,
    });
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.send('Emulation.setEmulatedMedia', { media, features });
    const loaded = this.next('Page.loadEventFired');
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** The value of an expression in the page; of a promise, what it comes to. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const settings = { returnByValue: true, awaitPromise: true };
    const { result } = await this.send('Runtime.evaluate', { expression, ...settings });
    return (result as { value: Value }).value;
  }

  /** Waits until an expression holds in the page. */
  async until(expression: string): Promise<void> {
    await this.evaluate(`new Promise((resolve) => {
      const look = () => (${expression}) ? resolve(true) : setTimeout(look, 20);
      look();
    })`);
  }

  /** The next event of a kind, as the protocol tells it. */
  next(method: string): Promise<Record<string, unknown>> {
    return new Promise((resolve) => this.#listeners.set(method, resolve));
  }

  /** Chooses files in an input, as its dialog would. @param input a selector, or what the dialog was opened for */
  async chooseFiles(input: string | number, paths: readonly string[]): Promise<void> {
    if (typeof input === 'number') {
      await this.send('DOM.setFileInputFiles', { backendNodeId: input, files: paths });
      return;
    }
    const { root } = await this.send('DOM.getDocument');
    const { nodeId } = await this.send('DOM.querySelector', {
      nodeId: (root as { nodeId: number }).nodeId,
      selector: input,
    });
    await this.send('DOM.setFileInputFiles', { nodeId, files: paths });
  }

  /** Drags files and folders of this machine into the page, and lets them go there. */
  async dropFiles(paths: readonly string[]): Promise<void> {
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await this.send('Input.dispatchDragEvent', { type, x: 100, y: 200, data });
    }
  }

  /** Presses and releases a key. */
  async press(key: 'Tab' | 'Enter' | ' '): Promise<void> {
    const code = { Tab: 9, Enter: 13, ' ': 32 }[key];
    const text = { Tab: undefined, Enter: '\r', ' ': ' ' }[key];
    const pressed = { key, windowsVirtualKeyCode: code };
    await this.send('Input.dispatchKeyEvent', { ...pressed, type: 'keyDown', text });
    await this.send('Input.dispatchKeyEvent', { ...pressed, type: 'keyUp' });
  }

  /** One message of the protocol, and its answer. */
  async send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.#lastId;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    const message = { id, method, params, sessionId: this.#session };
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #read(text: string): void {
    const messages = (this.#text + text).split('\0');
    this.#text = messages.pop()!;
    for (const message of messages.map((json): Message => JSON.parse(json))) {
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
      else this.#hear(message);
    }
  }

  #hear({ method = '', params = {} }: Message): void {
    this.#listeners.get(method)?.(params);
    if (method === 'Network.requestWillBeSent') this.requests.push((params.request as { url: string }).url);
    if (['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'].includes(method)) {
      this.complaints.push(JSON.stringify(params));
    }
  }
}
