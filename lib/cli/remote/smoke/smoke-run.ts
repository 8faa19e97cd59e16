/** One run of `smoke`: its checks, what they find, and the removal. */
import { CommandError, failureText, isFixable } from '../../exit.ts';
import { type Finding, fail, findingText, warn } from '../../terminal/finding.ts';
import { print } from '../../terminal/output.ts';
import { LiveLine } from '../../terminal/terminal.ts';
import { secondsText } from '../../terminal/time-text.ts';
import { commandText } from '../command-text.ts';
import { withConnection } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { uploadQueue } from '../jobs/resend-uploads.ts';
import { remoteError } from '../remote-error.ts';
import { bulkRuns } from '../runs/start-bulk-run.ts';
import { checkRun } from './checks/bulk-run.ts';
import { checkDuplicate } from './checks/duplicate.ts';
import { checkEvent, checkKnown, solveKnown, uploadKnown } from './checks/known.ts';
import { checkLarge } from './checks/large.ts';
import { checkLink } from './checks/link.ts';
import { checkOptions, checkPicture } from './checks/options.ts';
import { checkRaces } from './checks/races.ts';
import { checkRetry } from './checks/retry.ts';
import { measure } from './measure.ts';
import { type Measurements, measurementFindings } from './measurements.ts';
import { solveRateFile } from './rate-file.ts';
import { settle } from './settle.ts';
import { removeObjects } from './smoke-objects.ts';
import { smokeSettings } from './smoke-settings.ts';
import { SmokeStack } from './smoke-stack.ts';

export interface SmokeRunFlags extends ConnectionFlags {
  readonly json?: boolean;
}

/** Length of `conditional writes`, the longest name of a check. */
export const CHECK_COLUMNS = 18;

type Check = () => Promise<readonly Finding[]>;

export class SmokeRun {
  readonly findings: Finding[] = [];
  measurements: Measurements | undefined;
  inputBucket = '';
  resultsBucket = '';
  readonly #id: string;
  readonly #flags: SmokeRunFlags;
  readonly #live = new LiveLine();
  readonly #startMs = performance.now();
  /** Undefined until the stack is known: then there is nothing to remove. */
  #stack: SmokeStack | undefined;

  constructor(id: string, flags: SmokeRunFlags) {
    this.#id = id;
    this.#flags = flags;
  }

  /** @throws the reason of the signal after an interruption; everything is removed then, too */
  async run(signal: AbortSignal): Promise<void> {
    const flags = this.#flags;
    try {
      await withConnection(
        flags,
        'checking the stack',
        async (connection) => {
          const [queue, runs] = await Promise.all([
            uploadQueue(connection, flags),
            bulkRuns(connection, flags),
          ]);
          ({ inputBucket: this.inputBucket, resultsBucket: this.resultsBucket } = connection);
          this.#stack = new SmokeStack(this.#id, connection, queue, runs);
          const buckets = `${this.inputBucket} and ${this.resultsBucket}`;
          this.#print(
            `${this.#id} in ${buckets}: about five minutes, less than a cent; removes what it makes`,
          );
          await this.#check(this.#stack);
        },
        signal,
      );
    } finally {
      if (this.#stack !== undefined) await this.#remove(this.#stack, signal.aborted);
    }
  }

  /** Makes all checks at the same time, and reports them in a fixed order. */
  async #check(stack: SmokeStack): Promise<void> {
    const { signal } = stack.connection.retries;
    const sent = await uploadKnown(stack);
    let beganSeconds: number | undefined;
    await this.#report('event', async () => {
      const { finding, seconds } = await checkEvent(stack, sent);
      beganSeconds = seconds;
      return [finding];
    });
    signal.throwIfAborted();
    const known = solveKnown(stack, sent);
    const rate = known.then(() => solveRateFile(stack));
    const all: readonly (readonly [what: string, check: Check])[] = [
      ['known puzzles', async () => [await checkKnown(stack, await known)]],
      ['rejected picture', async () => [await checkPicture(stack)]],
      ['odd keys and options', () => checkOptions(stack)],
      ['conditional writes', async () => [await checkRaces(stack)]],
      ['link', after(known, 'link', async (solved) => [await checkLink(stack, solved)])],
      [
        'duplicate message',
        after(known, 'duplicate message', async (solved) => [await checkDuplicate(stack, solved)]),
      ],
      ['failed attempt', async () => [await checkRetry(stack)]],
      ['bulk run', async () => [await checkRun(stack)]],
      ['large file', async () => [await checkLarge(stack)]],
      [
        'measurements',
        after(rate, 'measurements', async (solved) => {
          this.measurements = await measure(stack, this.#flags, await known, beganSeconds, solved);
          return measurementFindings(this.measurements, this.#flags.endpoint !== undefined);
        }),
      ],
    ];
    const running = all
      .filter(([what]) => !smokeSettings.omitted.includes(what))
      .map(([what, check]) => ({ what, findings: this.#findingsOf(what, check) }));
    const ended = Promise.allSettled([known, rate, ...running.map(({ findings }) => findings)]);
    try {
      for (const { what, findings } of running) await this.#report(what, () => findings);
    } finally {
      // The removal must not begin while a check still writes.
      await ended;
    }
  }

  /** The findings of a check; one about its error if it fails. @throws defects, and the reason of an interruption */
  async #findingsOf(what: string, check: Check): Promise<readonly Finding[]> {
    try {
      return await check();
    } catch (error) {
      this.#stack?.connection.retries.signal.throwIfAborted();
      const failure = remoteError(error, 'a request failed');
      if (!isFixable(failure)) throw failure;
      return [fail(what, failureText(failure), `${commandText('doctor')} shows the state of the stack`)];
    }
  }

  async #report(what: string, check: Check): Promise<void> {
    const show = () => {
      this.#live.show(() => `${what}: waiting, ${secondsText((performance.now() - this.#startMs) / 1000)}`);
    };
    const timer = setInterval(show, 1000);
    show();
    try {
      this.#add(...(await this.#findingsOf(what, check)));
    } finally {
      clearInterval(timer);
    }
  }

  #add(...findings: readonly Finding[]): void {
    this.findings.push(...findings);
    for (const finding of findings) this.#print(findingText(finding, CHECK_COLUMNS));
  }

  #print(line: string): void {
    if (this.#flags.json !== true) print([line]);
  }

  /** Removes everything, with a connection of its own: that of the checks may be aborted. */
  async #remove(interrupted: SmokeStack, isAborted: boolean): Promise<void> {
    const command = commandText(`smoke --remove ${this.#id}`);
    if (isAborted) print(['', `removing what was made; if you interrupt this: ${command}`], process.stderr);
    await this.#report('removal', () =>
      withConnection(this.#flags, 'removing what was made', async (connection) => {
        const stack = interrupted.withConnection(connection);
        const unfinished = await settle(stack);
        return [await removeObjects(connection, this.#id, unfinished, command)];
      }).catch((error: unknown) => {
        if (!isFixable(error)) throw error;
        return [fail('removal', failureText(error), `to remove what is left: ${command}`)];
      }),
    );
  }
}

/** A check that needs the result of another one. If that failed, its line says why. */
function after<Needed>(
  needed: Promise<Needed>,
  what: string,
  check: (needed: Needed) => Promise<readonly Finding[]>,
): Check {
  return async () => {
    let value: Needed;
    try {
      value = await needed;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return [warn(what, 'not checked, as the upload that it needs has no result', 'see the first FAIL')];
    }
    return check(value);
  };
}
