/**
 * Deliveries: text files of what happens to uploads, and of what it leaves in the results bucket, in `deliveries`.
 *
 *     A file that was deleted is rejected as gone.           new buckets for each paragraph
 *
 *       $ upload inbox/a.txt easy                            a content of `CONTENTS`, and options
 *       $ delete                                             the version that was uploaded last
 *       $ deliver attempt=b last                             its message, to a new process
 *       rejected gone: the object ... no longer exists       the outcome
 *       event JobRejected: inbox/a.txt was rejected: ...     the events that were sent
 *       + done/inbox/a.txt/v000001 {"outcome":"rejected"}    objects that are new (+), changed (*) or removed (-)
 *
 * A delivery may be `unversioned` (its event names no version), `swept` (by a bulk run) or `resent` (by a user), and have `of=2` (an earlier upload), `left=1000` (the time of its process in milliseconds), `step=10` (of each
 * reading of its clock), settings such as `default.solutions=3`, and faults of its storage calls: `fails=close` (each such call
 * fails), `killed=put:done/` (this call and all later ones), `before=get:v do=delete` (a command just before the first such call).
 * Ids of jobs are numbered. `npm run deliveries` writes what happens now; `git diff` shows what has changed.
 */
import { zstdCompressSync } from 'node:zlib';
import { messageFor } from '../../lib/batch/bulk-run/planned-version.ts';
import { rejectJob, storedJob } from '../../lib/batch/delivery/commit.ts';
import type { ExecutionState } from '../../lib/batch/delivery/executions.ts';
import { parseMessage, type Upload, uploadInMessage } from '../../lib/batch/delivery/upload-event.ts';
import { MIN_RATIO_CHECK_BYTES } from '../../lib/batch/limits.ts';
import type { ObjectInfo, ObjectStore } from '../../lib/batch/ports.ts';
import { recordExecutionFailure } from '../../lib/batch/upload/execution-failure.ts';
import { reportUpload, solveUpload, type UploadDependencies } from '../../lib/batch/upload/solve-upload.ts';
import { systemHashing } from '../../lib/node/system.ts';
import { DayClock } from '../support/bulk-run.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET, uploadDependencies } from '../support/dependencies.ts';
import { RecordedEvents } from '../support/event-bus.ts';
import { MemoryExecutions } from '../support/executions.ts';
import { largeJob, runLarge } from '../support/large-job.ts';
import { type CallHooks, MemoryBuckets, memoryStore, type StoreCall } from '../support/memory-store.ts';
import { EASY, MIXED_FILE } from '../support/puzzles.ts';
import { readManifest } from '../support/result-set.ts';
import { upload } from '../support/uploads.ts';
import { runLinesOf } from './deliveries-runs.ts';

const CONTENTS: Readonly<Record<string, () => string | Uint8Array>> = {
  easy: () => EASY,
  mixed: () => MIXED_FILE,
  empty: () => '',
  prose: () => 'Dear all,\nplease find the puzzles attached.\n',
  bomb: () =>
    zstdCompressSync(
      Buffer.concat([Buffer.from(`${EASY}\n`), Buffer.alloc(MIN_RATIO_CHECK_BYTES * 1.1, '#')]),
    ),
  // Each reading of the clock takes 0.125 ms: longer than LARGE_MS.
  large: () => `${EASY}\n`.repeat(3000),
  packed: () => zstdCompressSync(`${EASY}\n`.repeat(20_000)),
};
const LARGE_MS = 100;

/** Carries out the commands of a file. @returns the file with what happens now */
export async function replayDeliveries(file: string): Promise<string> {
  const lines: string[] = [];
  let world: World | undefined;
  for (const line of file.split('\n')) {
    if (line.startsWith('  $ ')) {
      world ??= new World();
      const shown = await world.run(line.slice(4));
      lines.push(line, ...shown.map((each) => `  ${each}`));
    } else if (!line.startsWith('  ')) {
      if (line !== '') world = undefined;
      lines.push(line);
    }
  }
  return lines.join('\n');
}

type Fields = Readonly<Record<string, string>>;

/** Matches a storage call by its operation and the beginning of its key, or for `input` by its bucket: `putIf:status/`. */
function callMatcher(pattern: string): (call: StoreCall) => boolean {
  const [operation, where = ''] = pattern.split(':');
  return (call) =>
    (operation === 'any' || call.operation === operation) &&
    (where === 'input' ? call.bucket === INPUT_BUCKET : call.key.startsWith(where));
}

/** The buckets, the bus and the state machine of a paragraph. */
class World {
  readonly #buckets = new MemoryBuckets(64);
  readonly #uploads: Upload[] = [];
  #events = new RecordedEvents();
  readonly #executions = new MemoryExecutions();
  readonly #clock = new DayClock();
  readonly #jobs: string[] = [];
  /** What a command has shown that was carried out while a run waited. */
  readonly #meanwhile: string[] = [];
  #isLarge = false;
  #hasVersions = true;
  #before: Readonly<Record<string, string>> = {};
  #sent = 0;

  constructor() {
    this.#buckets.now = this.#clock.timeOfDay();
  }

  /** @returns what has happened */
  async run(text: string): Promise<string[]> {
    const shown = await this.#carryOut(text);
    return [...shown, ...this.#newEvents(), ...this.#changes()].map((line) => shortened(this.#plain(line)));
  }

  async #carryOut(text: string): Promise<string[]> {
    const [command, ...words] = this.#named(text).split(' ');
    const given = words.filter((word) => !word.includes('='));
    const fields: Fields = Object.fromEntries(
      words.filter((word) => word.includes('=')).map((word) => word.split(/=(.*)/).slice(0, 2)),
    );
    const last = this.#uploads[Number(fields.of ?? this.#uploads.length) - 1]!;
    switch (command) {
      case 'upload': {
        const { created, ...options } = fields;
        const uploaded = upload(this.#buckets, given[0]!, CONTENTS[given[1]!]!(), options);
        const createdAt = created && `2025-03-01T${created}Z`;
        this.#uploads.push(createdAt === undefined ? uploaded : { ...uploaded, createdAt });
        return [];
      }
      case 'deliver':
        return this.#deliver(last, given, fields);
      case 'report':
        return outcomeText(reportUpload(last, this.#dependencies('reporter', fields, {})));
      case 'delete':
        this.#buckets.deleteVersion(INPUT_BUCKET, last.key, last.versionId!);
        return [];
      case 'mark-deleted':
        this.#buckets.markDeleted(INPUT_BUCKET, last.key);
        return [];
      case 'remove':
        for (const key of this.#buckets.keys(RESULTS_BUCKET, given[0])) {
          for (const { versionId } of this.#buckets.list(RESULTS_BUCKET, key))
            this.#buckets.deleteVersion(RESULTS_BUCKET, key, versionId);
        }
        return [];
      case 'write':
        this.#buckets.write(RESULTS_BUCKET, given[0]!, given.slice(1).join(' '));
        return [];
      case 'show':
        return this.#buckets.keys(RESULTS_BUCKET, given[0]).map((key) => {
          return `${key} ${JSON.stringify(this.#buckets.json(RESULTS_BUCKET, key))}`;
        });
      case 'events':
        return this.#events.sent.map(({ type, detail }) => `${type} ${JSON.stringify(detail)}`);
      case 'at':
        this.#clock.dayMs = Date.parse(`2025-03-01T${given[0]}Z`);
        this.#buckets.now = this.#clock.timeOfDay();
        return [];
      case 'wait':
        this.#clock.nowMs += 1000 * Number(given[0]);
        return [];
      case 'bus':
        this.#events.isDown = given[0] === 'down';
        return [];
      case 'results-folder':
        this.#events = new RecordedEvents(given[0]);
        return [];
      case 'large-files':
        this.#isLarge = true;
        return [];
      case 'without-versions':
        this.#hasVersions = false;
        return [];
      case 'execution': {
        const [name, status, redrivable] = given;
        const state = { status, redrivable: redrivable === 'redrivable' } as ExecutionState;
        this.#executions.states.set(name!, state);
        return [];
      }
      case 'run':
        return runLinesOf(given, fields, {
          buckets: this.#buckets,
          clock: this.#clock,
          dependencies: { events: this.#events },
          deliver: (uploaded) => this.#solve(uploaded),
          meanwhile: async (waits) => {
            if (fields.do === undefined || waits !== Number(fields.wait ?? 0)) return;
            this.#meanwhile.push(...(await this.#carryOut(fields.do.replaceAll(',', ' '))));
          },
        }).then((lines) => [...this.#meanwhile.splice(0), ...lines]);
      case 'executions':
        return [...this.#executions.inputs].map(([name, input]) => `${name} ${input}`);
      case 'execution-fails':
        return outcomeText(
          recordExecutionFailure(
            { job: largeJob(last), attempt: given[0]!, status: given[1]!, cause: 'it broke' },
            undefined,
            this.#dependencies('x', fields, {}),
          ),
        );
      case 'reject-as': {
        const job = storedJob(given[0]!, { ...last, versionId: last.versionId! }, systemHashing);
        const error = { code: 'gone', message: 'it is gone' } as const;
        return outcomeText(rejectJob(job, error, {}, false, this.#dependencies('x', fields, {})));
      }
      case 'run-large': {
        const run = runLarge(this.#buckets, largeJob(last), {
          attempt: given[0],
          dependencies: () => ({ events: this.#events, onCommit: () => {} }),
          ...(fields.shard !== undefined && { shardBytes: Number(fields.shard) }),
          ...(fields.fails !== undefined && {
            hooks: (step) => {
              if (step === `solve ${fields.fails}`) throw new Error('it broke');
              return {};
            },
          }),
        });
        return outcomeText(
          run.then((steps) => [...new Set(steps.map((each) => each.split(' ')[0]))].join(', ')),
        );
      }
      default:
        throw new Error(`unknown command: ${text}`);
    }
  }

  /** Delivers what a bulk run has sent: keys that contain `fails` fail in every attempt. */
  #solve(uploaded: Upload): Promise<unknown> {
    const fault = uploaded.key.includes('fails') ? callMatcher('get:input') : undefined;
    const hooks: CallHooks = {
      async before(call) {
        if (fault?.(call)) throw new Error('the disk is on fire');
        return undefined;
      },
    };
    return solveUpload(uploaded, true, this.#dependencies('b', {}, hooks));
  }

  async #deliver(uploaded: Upload, given: readonly string[], fields: Fields): Promise<string[]> {
    const { before, do: action = '', fails, killed } = fields;
    const shown: string[] = [];
    let isKilled = false;
    let isDone = false;
    const hooks: CallHooks = {
      before: async (call) => {
        if (before !== undefined && !isDone && callMatcher(before)(call)) {
          isDone = true;
          shown.push(...(await this.#carryOut(action.replaceAll(',', ' '))));
        }
        isKilled ||= killed !== undefined && callMatcher(killed)(call);
        if (isKilled) throw new Error('killed');
        if (fails !== undefined && callMatcher(fails)(call)) throw new Error('the disk is on fire');
        if (call.operation === 'get' && call.bucket === INPUT_BUCKET) shown.push('reads the upload');
        return undefined;
      },
    };
    const dependencies = this.#dependencies(fields.attempt ?? 'a', fields, hooks);
    const { openSolver } = dependencies;
    const outcome = solveUpload(asSent(uploaded, given, this.#buckets), given.includes('last'), {
      ...dependencies,
      onCommit: () => void shown.push('commits'),
      openSolver: (options, storedBytes) => {
        shown.push(`opens a solver for ${storedBytes} bytes`);
        return openSolver(options);
      },
    });
    const end = await outcomeText(outcome);
    return [...shown, ...end];
  }

  #dependencies(attempt: string, fields: Fields, hooks: CallHooks): UploadDependencies {
    const defaults = Object.entries(fields).filter(([name]) => name.startsWith('default.'));
    const { left = '900000', step } = fields;
    const store = memoryStore(this.#buckets, hooks);
    return uploadDependencies(this.#hasVersions ? store : withoutVersions(store), attempt, {
      clock: step === undefined ? this.#clock : new FakeClock(Number(step)),
      events: this.#events,
      remainingMs: () => Number(left),
      defaults: Object.fromEntries(defaults.map(([name, value]) => [name.slice('default.'.length), value])),
      ...(this.#isLarge && { large: { executions: this.#executions, jobMs: LARGE_MS } }),
    });
  }

  #newEvents(): string[] {
    const sent = this.#events.sent.slice(this.#sent);
    this.#sent += sent.length;
    return sent.map(({ type, detail }) => `event ${type}: ${detail.summary}`);
  }

  /** The objects of the results bucket that have changed since the last command. */
  #changes(): string[] {
    const now = this.#buckets.texts(RESULTS_BUCKET);
    const before = this.#before;
    this.#before = now;
    // Each result set has what its manifest says.
    for (const key of Object.keys(now)) if (key.endsWith('/manifest.json')) readManifest(this.#buckets, key);
    return [
      ...Object.keys(before)
        .filter((key) => !(key in now))
        .map((key) => `- ${key}`),
      ...Object.entries(now)
        .filter(([key, text]) => before[key] !== text && !/^(work|runs)\//.test(key))
        .map(([key, text]) => `${key in before ? '*' : '+'} ${key}${documentText(key, text)}`),
    ];
  }

  /** Numbers the ids of jobs. */
  #plain(line: string): string {
    return line.replaceAll(/\b[0-9a-f]{16}\b/g, (id) => {
      if (!this.#jobs.includes(id)) this.#jobs.push(id);
      return `<job ${this.#jobs.indexOf(id) + 1}>`;
    });
  }

  /** The same in reverse. */
  #named(text: string): string {
    return text.replaceAll(/<job (\d+)>/g, (_, number: string) => this.#jobs[Number(number) - 1]!);
  }
}

/** An upload as its event, or a bulk run, names it. */
function asSent(uploaded: Upload, given: readonly string[], buckets: MemoryBuckets): Upload {
  const { versionId: _, ...unversioned } = uploaded;
  const { sequencer: __, ...swept } = uploaded;
  if (given.includes('swept')) return { ...swept, runId: 'run-1' };
  if (given.includes('unversioned')) return unversioned;
  if (!given.includes('resent')) return uploaded;
  const versions = buckets.listAll(INPUT_BUCKET, uploaded.key);
  const version = versions.find(({ versionId }) => versionId === uploaded.versionId);
  return uploadInMessage(parseMessage(messageFor(version!, INPUT_BUCKET)))!;
}

/** Cuts long texts in a line, such as the messages of errors. */
function shortened(line: string): string {
  return line.replaceAll(
    /(?<=message":"|rejected: |no_puzzles: )((?:[^"\\]|\\.|"(?![,}])){60})(?:[^"\\]|\\.|"(?![,}]))+/g,
    '$1...',
  );
}

/** What a document says, without what its key says. */
function documentText(key: string, text: string): string {
  if (!/^(done|status|rejects)\/|\/latest\.json$/.test(key)) return '';
  const { input, puzzles, seconds, ...facts } = JSON.parse(text);
  for (const name of ['schema', 'jobId', 'files', 'options', 'gbSeconds']) delete facts[name];
  const version = key.endsWith('/latest.json') ? { version: input.versionId } : {};
  const counts = puzzles && {
    puzzles: Object.fromEntries(Object.entries(puzzles).filter(([, n]) => n !== 0)),
  };
  const time = seconds && { seconds: '<time>' };
  return ` ${JSON.stringify({ ...version, ...facts, ...time, ...counts })}`;
}

/** An outcome in a line, or the error. */
async function outcomeText(outcome: Promise<unknown>): Promise<string[]> {
  try {
    const found = await outcome;
    if (typeof found !== 'object' || found === null) return found === undefined ? [] : [String(found)];
    const {
      kind,
      error,
      stats: _,
      ...facts
    } = found as Record<string, unknown> & {
      error?: { code: string; message: string };
    };
    if (error !== undefined) return [`${kind} ${error.code}: ${error.message}`];
    return [`${kind} ${JSON.stringify(facts)}`];
  } catch (thrown) {
    const { name, message, seconds } = thrown as Error & { seconds?: number };
    return [`throws ${name}: ${message}${seconds === undefined ? '' : ` (in ${seconds} s)`}`];
  }
}

/** A bucket without versions: its answers name none. */
function withoutVersions(store: ObjectStore): ObjectStore {
  const strip = <Info extends ObjectInfo>(info: Info | undefined) =>
    info && { ...info, versionId: undefined };
  const { head, get } = store;
  return Object.assign(store, {
    head: async (...request: Parameters<typeof head>) => strip(await head.apply(store, request)),
    get: async (...request: Parameters<typeof get>) => strip(await get.apply(store, request)),
  });
}
