/**
 * Transcripts of the command line: text files of what is typed and what is printed.
 *
 *     Text from the margin says what is shown.
 *
 *       $ cat > easy.txt <<END                  a command of the shell; `>` continues it
 *       > 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
 *       > END
 *       $ dlx-batch solve < easy.txt            the program: quotes, `|`, `<`, `>`, `2>` and `$(cat FILE)` as in a shell,
 *       $ env -u AWS_REGION dlx-batch status    and variables with `env`
 *       $ (dlx-batch local & ...)               the program as a process of the shell, for signals
 *       534678912672195348198342567859761423426853791713924856961537284287419635345286179
 *       2> -: 1 puzzle: 1 solved                standard error, after standard output
 *       [1]                                     an exit status other than 0
 *       \n                                      an empty line of output
 *
 * What differs between two runs is masked: times, rates, threads, processes. `npm run transcripts` writes what is printed now
 * below each command; `git diff` shows what has changed.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordStack } from '../../lib/local/running-stack.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { escaped } from '../formats/catalogue.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { shortenWaits } from '../support/short-waits.ts';
import { folderWith, folderWithCommand, runProgram } from './program.ts';

const FOLDER = join(import.meta.dirname, 'transcripts');
/** Longest time of a command of the shell, in milliseconds. */
const SHELL_MS = 100_000;

/** When a transcript has its turn: those that take seconds of the processor with the slow tests, those of stacks each night. */
const TURNS: Readonly<Record<string, 'slow' | 'nightly'>> = {
  'bench.txt': 'nightly',
  'compare.txt': 'slow',
  'estimate.txt': 'nightly',
  'generate.txt': 'slow',
  'local.txt': 'nightly',
  'result-sets.txt': 'slow',
  'signals.txt': 'slow',
  'stack.txt': 'nightly',
};

export const turnOf = (name: string): 'fast' | 'slow' | 'nightly' => TURNS[name] ?? 'fast';

export function testTranscripts(of: (name: string) => boolean): void {
  test.each(readdirSync(FOLDER).filter(of))('%s', async (name) => {
    const path = join(FOLDER, name);
    const folder = folderWith({}, onTestFinished);
    // Its commands find a stack, or a server in place of AWS, by the environment.
    if (name === 'stack.txt') vi.stubEnv('DLX_BATCH_ENDPOINT', await endpointOfStack());
    if (name === 'aws.txt') await replaceAws(folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(await replay(readFileSync(path, 'utf8'), folder)).toMatchFileSnapshot(path);
  });
}

async function endpointOfStack(): Promise<string> {
  shortenWaits();
  const stack = await startLocalStack({ dataDir: folderWith({}, onTestFinished) });
  const forget = recordStack(stack);
  onTestFinished(async () => {
    forget();
    await stack.close();
    vi.restoreAllMocks();
  });
  return stack.endpoint;
}

/** Answers of a server in place of AWS, by the bucket that a request names. */
const ERRORS: Readonly<Record<string, readonly [status: number, code: string, headers?: object]>> = {
  closed: [403, 'AccessDenied'],
  empty: [404, 'NoSuchKey'],
  gone: [404, 'NoSuchBucket'],
  moved: [301, 'PermanentRedirect', { 'x-amz-bucket-region': 'us-west-2' }],
};

/** What the server says about a stack whose creation has failed. */
const HALF: Readonly<Record<string, string>> = {
  GetCallerIdentity: '<Account>1</Account><Arn>arn:aws:iam::1:user/me</Arn>',
  DescribeStacks:
    '<Stacks><member><StackName>Half</StackName><StackStatus>ROLLBACK_COMPLETE</StackStatus></member></Stacks>',
  ListStackResources: '<StackResourceSummaries></StackResourceSummaries>',
  DetectStackDrift: '<StackDriftDetectionId>1</StackDriftDetectionId>',
  DescribeStackResourceDrifts:
    '<StackResourceDrifts><member><LogicalResourceId>Uploads</LogicalResourceId><ResourceType>AWS::SQS::Queue</ResourceType><StackResourceDriftStatus>MODIFIED</StackResourceDriftStatus><PropertyDifferences><member><PropertyPath>/VisibilityTimeout</PropertyPath><ExpectedValue>5400</ExpectedValue><ActualValue>30</ActualValue><DifferenceType>NOT_EQUAL</DifferenceType></member></PropertyDifferences></member></StackResourceDrifts>',
};
/** A comparison with the template takes a while. */
const COMPARING = ['DETECTION_IN_PROGRESS', 'DETECTION_IN_PROGRESS', 'DETECTION_COMPLETE'];

/** Replaces AWS by a server on which requests fail: to S3 as its bucket says, to CloudFormation as its stack says. */
async function replaceAws(home: string): Promise<void> {
  const { endpoint } = await scriptedServer(async (response, request) => {
    const asked = await text(request);
    const [, action = ''] = /Action=(\w+)/.exec(asked) ?? [];
    if (action === 'DescribeStackDriftDetectionStatus') {
      response.end(
        `<${action}Response><${action}Result><DetectionStatus>${COMPARING.shift()}</DetectionStatus></${action}Result></${action}Response>`,
      );
      return;
    }
    // Differences that were asked for too early would be those of an earlier comparison.
    const isEarly = action === 'DescribeStackResourceDrifts' && COMPARING.length > 0;
    const isHalf = action in HALF && asked.includes('StackName=Half') && !isEarly;
    if (action === 'GetCallerIdentity' || isHalf) {
      response.end(
        `<${action}Response><${action}Result>${HALF[action]}</${action}Result></${action}Response>`,
      );
      return;
    }
    const isMissing = asked.includes('StackName=Missing');
    const [, bucket = ''] = /^\/([a-z]+)/.exec(request.url!) ?? [];
    const unknown = asked.includes('StackName=Mine') ? 'InvalidClientTokenId' : 'AccessDenied';
    const [status, code, headers = {}] = ERRORS[bucket] ?? [403, unknown, { 'x-amzn-errortype': unknown }];
    const ofStack = '<Code>ValidationError</Code><Message>Stack with id Missing does not exist</Message>';
    response.writeHead(isMissing ? 400 : status, { 'content-type': 'application/xml', ...headers });
    const error = `<Error>${isMissing ? ofStack : `<Code>${code}</Code><Message>not you</Message>`}</Error>`;
    const isJson = request.headers['content-type']?.includes('json') === true;
    const ofService = isJson ? '{"message":"not you"}' : `<ErrorResponse>${error}</ErrorResponse>`;
    const body = bucket in ERRORS ? error : ofService;
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  const keys = { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' };
  const settings = { AWS_ENDPOINT_URL: endpoint, AWS_EC2_METADATA_DISABLED: 'true', HOME: home };
  for (const [name, value] of Object.entries({ ...keys, ...settings })) vi.stubEnv(name, value);
}

interface Printed {
  readonly status: number;
  readonly stdout: string | Buffer;
  readonly stderr: string;
}

/** Runs the commands of a transcript in a folder. @returns the transcript with what they print now */
async function replay(transcript: string, folder: string): Promise<string> {
  const lines: string[] = [];
  for (const block of blocksOf(transcript)) {
    if (block.command === undefined) lines.push(...block.lines);
    else lines.push(...block.lines, ...printed(await run(block.command, folder)));
  }
  return lines.join('\n');
}

interface Block {
  /** The lines that stay: text, or what is typed. */
  readonly lines: string[];
  command?: string;
}

function blocksOf(transcript: string): Block[] {
  const blocks: Block[] = [];
  for (const line of transcript.split('\n')) {
    const last = blocks.at(-1);
    if (line.startsWith('  $ ')) blocks.push({ lines: [line], command: line.slice(4) });
    else if (line.startsWith('  > ') && last?.command !== undefined) {
      last.lines.push(line);
      last.command += `\n${line.slice(4)}`;
    } else if (!line.startsWith('  ')) blocks.push({ lines: [line] });
  }
  return blocks;
}

function printed({ status, stdout, stderr }: Printed): string[] {
  const output = shown(stdout).map((line) => line.replace(/^(\$|>|2>) /, '\\x20$1 '));
  const errors = shown(stderr).map((line) => `2> ${line}`);
  const lines = [...output, ...errors, ...(status === 0 ? [] : [`[${status}]`])];
  return lines.map((line) => `  ${line === '' ? '\\n' : line}`);
}

const shown = (output: string | Buffer) =>
  output.length === 0 ? [] : escaped(Buffer.from(masked(output.toString())));

/** What differs between two runs or two machines. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d{5}\b/g, '<endpoint>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<date>'],
  [/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{9}/g, '<run>'],
  [/\b(?=\d*[a-f])[0-9a-f]{16}\b/g, '<job>'],
  [/(version {3}|\.txt {2})[\w-]{32}(?!\S)/g, '$1<version>'],
  [/(?<= )\/\S*(\/(?:out|dlx-batch-results)\b)/g, '...$1'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<attempt>'],
  [/"versionId":"[^"]*"/g, '"versionId":"<version>"'],
  [/\$0\.0+\d+/g, '$<n>'],
  [/"(timing|runtime)":\{(?:[^{}]|\{[^{}]*\})*\}/g, '"$1":{<measured>}'],
  [/"(slowest)":\[[^\]]*\]/g, '"$1":[<measured>]'],
  [/"(\w+(?:Ms|Us|PerSecond))":[\d.]+/g, '"$1":<measured>'],
  [/(?<![\w.,-])\d[\d.,]* (?:µs|ms|s)(?!\w)/g, '<time>'],
  [/(?<![\w.,-])\d[\d.,]*\/s(?!\w)/g, '<rate>/s'],
  [/\b\d+ workers?\b/g, '<n> workers'],
  [/\bprocess \d+\b/g, 'process <id>'],
  [/[\d,]+ bytes (in typed arrays|at most)/g, '<n> bytes $1'],
  [/(a matrix of [\d,]+ nodes), [\d,]+ bytes/g, '$1, <n> bytes'],
  [/"(bytes|maxBytes)":\d+(?=[,}])/g, '"$1":<n>'],
  [/"name":"(\w+)","version":\d+/g, '"name":"$1","version":<n>'],
  [/"(engineVersion|dlxBatch)": [\d."]+/g, '"$1": <version>'],
  [/[\d,]+ (updates?|search nodes?)\b/g, '<n> $1'],
];

function masked(output: string): string {
  return MASKS.reduce((text, [pattern, mask]) => text.replaceAll(pattern, mask), output);
}

/** Runs a line: the program in this process, all else in a shell, but for a file that is written as it stands. */
async function run(line: string, folder: string): Promise<Printed> {
  const [, file, content] = /^cat > (\S+) <<END\n([^$`\\]*)END$/.exec(line) ?? [];
  if (file !== undefined) {
    writeFileSync(join(folder, file), content!);
    return { status: 0, stdout: '', stderr: '' };
  }
  if (!/(^|\| |^env .*)dlx-batch /.test(line)) return runInShell(line, folder, '');
  let stderr = '';
  let ended: Printed = { status: 0, stdout: '', stderr: '' };
  for (const stage of line.split(' | ')) {
    ended = /^(env .*)?dlx-batch /.test(stage)
      ? await runStage(stage, folder, ended.stdout)
      : await runInShell(stage, folder, ended.stdout);
    stderr += ended.stderr;
  }
  return { ...ended, stderr };
}

async function runStage(stage: string, folder: string, input: string | Buffer): Promise<Printed> {
  const args: string[] = [];
  const files: Record<string, string> = {};
  let operator: string | undefined;
  const command = stage.replaceAll(/\$\(cat (\S+)\)/g, (_, path) =>
    readFileSync(join(folder, path), 'utf8').trim(),
  );
  for (const [word] of command.matchAll(/"[^"]*"|'[^']*'|[^\s'"]+/g)) {
    const value = word.replace(/^(["'])(.*)\1$/s, '$2');
    if (operator !== undefined) {
      files[operator] = value;
      operator = undefined;
    } else if (/^(<|2?>)$/.test(word)) operator = word;
    else if (word === '2>&1') files['2>'] = word;
    else args.push(value);
  }
  const read = files['<'];
  const program = args.indexOf('dlx-batch');
  const environment = { ...process.env };
  for (const word of args.slice(0, program)) {
    const [, name, value] = /^(\w+)=(.*)/.exec(word) ?? [];
    if (name !== undefined) environment[name] = value;
    else delete environment[word];
  }
  const given = read === undefined ? input : readFileSync(join(folder, read));
  const ended = await runProgram(folder, args.slice(program + 1), given, environment);
  return redirected(ended, files, folder);
}

function redirected(
  { status, stdout, stderr }: Awaited<ReturnType<typeof runProgram>>,
  { '>': output, '2>': errors }: Readonly<Record<string, string>>,
  folder: string,
): Printed {
  if (output !== undefined && output !== '/dev/null') writeFileSync(join(folder, output), stdout);
  const written = output === undefined ? stdout : '';
  if (errors === '2>&1') return { status: status ?? -1, stdout: written + stderr, stderr: '' };
  if (errors !== undefined && errors !== '/dev/null') appendFileSync(join(folder, errors), stderr);
  return { status: status ?? -1, stdout: written, stderr: errors === undefined ? stderr : '' };
}

async function runInShell(command: string, folder: string, input: string | Buffer): Promise<Printed> {
  const { npm_command: _, ...environment } = process.env;
  const env = { ...environment, PATH: `${folderWithCommand()}:${process.env.PATH}` };
  const child = spawn('sh', ['-c', command], { cwd: folder, env, timeout: SHELL_MS });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  const [stdout, stderr, status] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}
