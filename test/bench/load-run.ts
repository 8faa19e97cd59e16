/**
 * Load on `local --serve`: many small uploads at once, or at the full rate for a time. It checks that each upload has
 * exactly one correct result, and measures the memory and the open files of each process, and how long requests of the
 * page take meanwhile.
 *
 *     uploads --PutObject--> stack --> done markers --> results checked --> (over time) everything of the upload removed
 *
 * A run over time removes what it has checked, so that the stack stores about the same amount at all times, and what
 * grows then is a leak.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { generateMany, solve } from '../../lib/api/index.ts';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { inParallel } from '../../lib/batch/in-parallel.ts';
import { DONE_PREFIX, INBOX_PREFIX } from '../../lib/batch/names.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';

/** The addresses that `local --serve --json` prints. */
export interface LoadedStack {
  readonly endpoint: string;
  readonly page: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface LoadOptions {
  /** Number of uploads of a burst; with `seconds`, the number in progress at any time. */
  readonly uploads: number;
  /** Duration of a run over time. @default a burst */
  readonly seconds?: number;
  /** Interval of the samples of memory and open files. */
  readonly sampleMs: number;
  /** Process of the stack. */
  readonly pid: number;
  /** Folder of the uploads in the inbox. */
  readonly folder: string;
  readonly onProgress?: (text: string) => void;
}

/** A process at a time. */
export interface ProcessSample {
  readonly pid: number;
  readonly command: string;
  readonly rssMb: number;
  readonly openFiles: number;
}

export interface Sample {
  /** Seconds since the start of the run. */
  readonly second: number;
  readonly checked: number;
  readonly processes: readonly ProcessSample[];
}

export interface LoadFigures {
  readonly uploads: number;
  /** Seconds until all uploads were accepted, and until all were solved. */
  readonly uploadSeconds: number;
  readonly solvedSeconds: number;
  readonly samples: readonly Sample[];
  /** Milliseconds of each request of the page, by path. */
  readonly pageMs: Readonly<Record<string, readonly number[]>>;
  /** Uploads without exactly one correct result, and requests of the page that failed. */
  readonly faults: readonly string[];
}

const PAGE_PATHS = ['', '_page/jobs'];
/** As the page polls: in this interval, and for at most a fifth of the time. */
const PAGE_POLL_MS = 700;
const PAGE_MIN_INTERVAL_FACTOR = 5;
/** Requests to S3 at a time. */
const PARALLEL = 32;
const DISTINCT_FILES = 50;
const POLL_MS = 500;
/** A run whose uploads make no progress for so long has lost one: the longest delay between two tries is 15 minutes. */
const STALLED_MS = 16 * 60_000;

interface PuzzleFile {
  readonly text: string;
  readonly solutions: string;
}

/** Small files of one to three puzzles with their solutions. */
function puzzleFiles(): PuzzleFile[] {
  return Array.from({ length: DISTINCT_FILES }, (_, k) => {
    const puzzles = [...generateMany(1 + (k % 3), { seed: k + 1 })].map(({ puzzle }) => puzzle);
    const solutions = puzzles.map((puzzle) => `${solve(puzzle).solution}\n`).join('');
    return { text: puzzles.map((puzzle) => `${puzzle}\n`).join(''), solutions };
  });
}

export async function runLoad(stack: LoadedStack, options: LoadOptions): Promise<LoadFigures> {
  const s3 = s3ClientFor(stack);
  const files = puzzleFiles();
  const inbox = `${INBOX_PREFIX}${options.folder}/`;
  const startMs = performance.now();
  const seconds = () => (performance.now() - startMs) / 1000;
  const faults: string[] = [];
  const samples: Sample[] = [];
  const pageMs = Object.fromEntries(PAGE_PATHS.map((path) => [path, [] as number[]]));
  let uploads = 0;
  let checked = 0;
  let isRunning = true;

  const sampling = (async () => {
    while (isRunning) {
      samples.push({ second: seconds(), checked, processes: processTree(options.pid) });
      await sleep(options.sampleMs);
    }
  })();
  const paging = PAGE_PATHS.map(async (path) => {
    while (isRunning) {
      const fromMs = performance.now();
      const status = await getStatus(new URL(path, stack.page));
      const ms = performance.now() - fromMs;
      pageMs[path]!.push(ms);
      if (status !== 200) faults.push(`page: GET /${path} returned ${status}`);
      await sleep(Math.max(PAGE_POLL_MS, ms * (PAGE_MIN_INTERVAL_FACTOR - 1)));
    }
  });

  async function upload(): Promise<void> {
    const k = uploads++;
    const Key = `${inbox}${String(k).padStart(6, '0')}.txt`;
    await s3.send(
      new PutObjectCommand({ Bucket: LOCAL_STACK.inputBucket, Key, Body: files[k % files.length]!.text }),
    );
  }

  async function check(key: string): Promise<void> {
    const k = Number(/(\d+)\.txt$/.exec(key)?.[1]);
    const problem = await problemOf(s3, key, files[k % files.length]!);
    if (problem !== undefined) faults.push(`${key}: ${problem}`);
    checked++;
  }

  let uploadSeconds: number;
  let solvedSeconds: number;
  if (options.seconds === undefined) {
    await inParallel(Array.from({ length: options.uploads }), PARALLEL, upload);
    uploadSeconds = seconds();
    await untilDone(s3, inbox, options, uploads);
    solvedSeconds = seconds();
    isRunning = false;
    await inParallel(await doneKeys(s3, inbox), PARALLEL, check);
  } else {
    const last = options.seconds;
    let changedMs = performance.now();
    while (seconds() < last || checked < uploads) {
      const missing = seconds() < last ? options.uploads - (uploads - checked) : 0;
      const found = await doneKeys(s3, inbox);
      await Promise.all([
        inParallel(Array.from({ length: missing }), PARALLEL / 2, upload),
        inParallel(found, PARALLEL / 2, async (key) => {
          await check(key);
          await removeUpload(s3, key);
        }),
      ]);
      if (missing > 0 || found.length > 0) changedMs = performance.now();
      else if (performance.now() - changedMs > STALLED_MS) break;
      else await sleep(POLL_MS);
      options.onProgress?.(`${seconds().toFixed(0)} s: ${checked} of ${uploads} checked`);
    }
    uploadSeconds = Math.min(last, seconds());
    solvedSeconds = seconds();
    isRunning = false;
  }
  await Promise.all([sampling, ...paging]);
  s3.destroy();
  if (checked !== uploads) faults.push(`${uploads - checked} of ${uploads} uploads have no result`);
  return { uploads, uploadSeconds, solvedSeconds, samples, pageMs, faults };
}

/** Waits for the done markers of all uploads. */
async function untilDone(
  s3: S3Client,
  inbox: string,
  { onProgress }: LoadOptions,
  uploads: number,
): Promise<void> {
  let known = -1;
  let changedMs = performance.now();
  for (;;) {
    const found = (await doneKeys(s3, inbox)).length;
    onProgress?.(`${found} of ${uploads} solved`);
    if (found >= uploads) return;
    if (found > known) changedMs = performance.now();
    else if (performance.now() - changedMs > STALLED_MS) return;
    known = found;
    // A listing of the markers of many uploads takes long.
    await sleep(Math.max(POLL_MS / 10, uploads / 5));
  }
}

/** The input keys with a done marker. */
async function doneKeys(s3: S3Client, inbox: string): Promise<string[]> {
  const markers = await listKeys(s3, `${DONE_PREFIX}${inbox}`);
  return markers.map((key) => key.slice(DONE_PREFIX.length, key.lastIndexOf('/')));
}

async function listKeys(s3: S3Client, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const page = await s3.send(
      new ListObjectsV2Command({
        Bucket: LOCAL_STACK.resultsBucket,
        Prefix: prefix,
        ContinuationToken: token,
      }),
    );
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key!));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return keys;
}

/** Why an upload does not have exactly one correct result. */
async function problemOf(s3: S3Client, key: string, file: PuzzleFile): Promise<string | undefined> {
  const keys = await listKeys(s3, `results/${key}/`);
  const manifests = keys.filter((name) => name.endsWith('/manifest.json'));
  const solutions = keys.filter((name) => name.endsWith('/solutions.txt'));
  if (manifests.length !== 1) return `${manifests.length} manifests`;
  if (solutions.length !== 1) return `solutions of ${solutions.length} attempts`;
  const { Body } = await s3.send(
    new GetObjectCommand({ Bucket: LOCAL_STACK.resultsBucket, Key: solutions[0]! }),
  );
  const text = await Body!.transformToString();
  return text === file.solutions ? undefined : `wrong solutions: ${JSON.stringify(text)}`;
}

/** Removes an upload, its results, its status and its done marker with all versions. */
async function removeUpload(s3: S3Client, key: string): Promise<void> {
  const { inputBucket, resultsBucket } = LOCAL_STACK;
  const places = [
    [resultsBucket, `results/${key}/`],
    [resultsBucket, `status/${key}/`],
    [resultsBucket, `${DONE_PREFIX}${key}/`],
    [inputBucket, key],
  ] as const;
  for (const [Bucket, Prefix] of places) {
    const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix }));
    const Objects = Versions.map(({ Key, VersionId }) => ({ Key: Key!, VersionId }));
    if (Objects.length > 0)
      await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  }
}

/** On a new connection, as an idle one may be closed by the server when the request is sent. */
function getStatus(url: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false }, (response) => {
      response.on('end', () => resolve(response.statusCode!)).on('error', reject);
      response.resume();
    });
    sent.on('error', reject).end();
  });
}

/** A process and its descendants. A process that has just ended is left out. */
export function processTree(root: number): ProcessSample[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readProc(`${name}/stat`);
    // The name of the program, in parentheses, may contain spaces.
    if (stat !== undefined)
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isOwn = (pid: number): boolean => pid === root || (parents.has(pid) && isOwn(parents.get(pid)!));
  return [...parents.keys()].filter(isOwn).flatMap((pid) => {
    const rss = /VmRSS:\s*(\d+)/.exec(readProc(`${pid}/status`) ?? '')?.[1];
    const command = (readProc(`${pid}/cmdline`) ?? '').split('\0').slice(1, 3).join(' ');
    if (rss === undefined) return [];
    try {
      return [{ pid, command, rssMb: Number(rss) / 1024, openFiles: readdirSync(`/proc/${pid}/fd`).length }];
    } catch {
      return [];
    }
  });
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The value below which this part of the values is. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
