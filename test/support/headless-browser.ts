/** A page in a real browser, by Playwright: its content, its requests and its console. */
import { join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';

/** Display settings of a page. */
export interface View {
  /** In pixels. */
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  readonly media: 'screen' | 'print';
}

export class HeadlessBrowser {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #protocol: CDPSession;
  /** URLs that the page requested. */
  readonly requests: string[] = [];
  /** `POST http://127.0.0.1:9000/in 403` for each answer after `recordAnswers`. */
  readonly answers: string[] = [];
  /** Console messages and uncaught errors. */
  readonly consoleMessages: string[] = [];

  private constructor(browser: Browser, page: Page, protocol: CDPSession) {
    this.#browser = browser;
    this.#page = page;
    this.#protocol = protocol;
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('console', (message) => this.consoleMessages.push(message.text()));
    // Intercepts dialogs from the start: a listener added with the key press may come too late on a busy machine.
    page.on('filechooser', () => {});
    page.on('pageerror', (error) => this.consoleMessages.push(String(error)));
  }

  /**
   * Starts a browser with an empty page.
   *
   * @param executablePath of Chromium or Chrome
   * @param args further arguments of the browser
   */
  static async start(executablePath: string, args: readonly string[] = []): Promise<HeadlessBrowser> {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
    const page = await browser.newPage();
    return new HeadlessBrowser(browser, page, await page.context().newCDPSession(page));
  }

  /** Records all answers, also those of preflight requests and those that the browser hides from the page. */
  async recordAnswers(): Promise<void> {
    // Of one request, either event may come first.
    const requests = new Map<string, string>();
    const statuses = new Map<string, number>();
    const join = (id: string) => {
      if (!requests.has(id) || !statuses.has(id)) return;
      this.answers.push(`${requests.get(id)} ${statuses.get(id)}`);
      statuses.delete(id);
    };
    this.#protocol.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
      requests.set(requestId, `${method} ${url}`);
      join(requestId);
    });
    this.#protocol.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
      statuses.set(requestId, statusCode);
      join(requestId);
    });
    await this.#protocol.send('Network.enable');
  }

  /** Shows a page. */
  async show(url: string, { width, scheme, media }: View): Promise<void> {
    await this.#page.setViewportSize({ width, height: 800 });
    await this.#page.emulateMedia({ colorScheme: scheme, media });
    await this.#page.goto(url);
  }

  /** The value of an expression in the page; promises are awaited. */
  evaluate<Value>(expression: string): Promise<Value> {
    return this.#page.evaluate(expression);
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    await this.evaluate(`new Promise((resolve) => {
      const poll = () => (${expression}) ? resolve(true) : setTimeout(poll, 20);
      poll();
    })`);
  }

  /** Chooses files in the input element of a selector, as its dialog does. */
  async chooseFiles(selector: string, paths: readonly string[]): Promise<void> {
    await this.#page.setInputFiles(selector, [...paths]);
  }

  /** Chooses files in the dialog that a key opens. */
  async chooseInDialog(key: 'Enter' | 'Space', paths: readonly string[]): Promise<void> {
    const [dialog] = await Promise.all([this.#page.waitForEvent('filechooser'), this.press(key)]);
    await dialog.setFiles([...paths]);
  }

  /** Drags and drops files and folders of this machine into the page. */
  async dropFiles(paths: readonly string[]): Promise<void> {
    const data = { items: [], files: [...paths], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await this.#protocol.send('Input.dispatchDragEvent', { type, x: 100, y: 200, data });
    }
  }

  /** Clicks an element that downloads a file. @returns its path in `folder`, with the name that the page suggests */
  async save(selector: string, folder: string): Promise<string> {
    const [download] = await Promise.all([this.#page.waitForEvent('download'), this.#page.click(selector)]);
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  }

  /** The page as a PDF file, on the paper that the page asks for. */
  printed(): Promise<Uint8Array> {
    return this.#page.pdf({ preferCSSPageSize: true });
  }

  /** Presses and releases a key. */
  async press(key: 'Tab' | 'Enter' | 'Space'): Promise<void> {
    await this.#page.keyboard.press(key);
  }

  /** Disconnects the page from the network, or reconnects it. */
  async setOffline(offline: boolean): Promise<void> {
    await this.#page.context().setOffline(offline);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
