/**
 * The fifteen commands in one table: name, operands, options, help, and the module whose function `run` runs each. The modules
 * are imported on use, so that a command loads only its own code, and help loads none.
 */

import { Argument, type Command, type Option } from 'commander';
import { DEFAULT_MEMORY_MB, DEFAULT_SHARD_CONCURRENCY } from '../batch/limits.ts';
import { OUTPUT_PROFILES } from '../formats/names.ts';
import { ENGINE_NAMES } from '../sudoku/engine.ts';
import { SYMMETRY_NAMES } from '../sudoku/generator/symmetry.ts';
import { VARIANT_NAMES } from '../sudoku/geometry/variants.ts';
import { GRADES } from '../sudoku/rating/grades.ts';
import {
  group,
  LIMITS,
  option,
  READING,
  RESULTS_FOLDER,
  SEARCHING,
  STACK_OPTIONS,
  WRITING,
} from './options.ts';
import { PAGE_PORT } from './page/page-port.ts';

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** The operands; one argument, which may be repeated. */
  readonly operands?: Argument;
  /** Its options, under the headings of the help. */
  readonly groups: readonly (readonly Option[])[];
  /** Options of the program that the command takes. */
  readonly takes: readonly string[];
  /** Those of them that need an object of S3 as an operand. */
  readonly ofObjects?: readonly string[];
  /** Options without effect unless another one is given, by their names: `steps` needs `rate`. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Examples, explanations and exit statuses. */
  readonly help: string;
  readonly load: () => Promise<CommandModule>;
}

interface CommandModule {
  /** @returns the exit status */
  run(operands: readonly string[], flags: never, program: Command): Promise<number>;
}

const STACK = STACK_OPTIONS.map((each) => each.name());

/** Options of a bulk run that starts. */
const STARTING = ['prefix', 'manifest', 'dryRun', 'wait'];

/** Adds a value to those of an option that can be repeated. */
const repeated = (value: string, before: readonly string[] = []) => [...before, value];

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'solve',
    summary: 'solve puzzle files on this machine, without AWS',
    operands: new Argument('[file...]', 'puzzle files, with -o also folders (default, or -: standard input)'),
    groups: [
      READING,
      SEARCHING,
      group(
        'Solving',
        option(
          '--max-ms <n>',
          'time budget for each puzzle in milliseconds; results then depend on the machine',
        ),
        option('--workers <n>', 'solver threads (default: number of cores)'),
        option('--count', 'with --solutions above 2: count the solutions instead of writing them'),
        option(
          '--random <n>',
          'draw n of all solutions of each puzzle at random, all with the same probability',
        ).conflicts(['count', 'solutions']),
        option('--seed <n>', 'seed of --random, a whole number (default: random, in the summary)'),
      ),
      WRITING,
      group(
        'Results',
        option('-o, --output-dir <dir>', 'write the full result set of each file to <dir>/<file name>/'),
      ),
      LIMITS,
    ],
    takes: ['json'],
    needs: { seed: 'random', records: 'output-dir' },
    help: `Examples:
  dlx-batch solve puzzles.txt                    solutions to standard output, summary to standard error
  dlx-batch solve -o out puzzles.txt             full result set in out/puzzles.txt/
  dlx-batch solve -o out june/                   one for each file in the folder, in out/
  cat puzzles.txt | dlx-batch solve --output line
  dlx-batch solve --solutions all --count puzzles.txt
  dlx-batch solve --random 5 --seed 1 puzzles.txt  five random solutions of each puzzle

Exit status: 0 all puzzles are solved, 1 some are not, or a result differs from the one that its file expects, 2 a file is
rejected, or another error.`,
    load: () => import('./commands/solve.ts'),
  },
  {
    name: 'check',
    summary: 'check the givens of every puzzle for clashes, or rate how hard each is',
    operands: new Argument('[file...]', 'puzzle files (default, or -: standard input)'),
    groups: [
      READING,
      group(
        'Checking',
        option(
          '--explain',
          'show how each file is understood, and the options to pass if that is wrong',
        ).conflicts('rate'),
        option('--rate', 'also solve each puzzle, and show how hard it is'),
        option('--steps', 'with --rate: also show the solution step by step'),
      ),
    ],
    takes: ['json'],
    needs: { steps: 'rate' },
    help: `Examples:
  dlx-batch check puzzles.txt           one line for each puzzle with clashing givens or a format error
  dlx-batch check --json boards.json    the same as JSON lines, with the counts last
  dlx-batch check --explain odd.csv     encoding, format, columns, blanks, comments, first puzzle
  dlx-batch check --rate --steps one.txt         how hard each puzzle is, and why

Only the givens are checked: a valid puzzle need not have a solution. A rating is that of the hardest step, on the scale of
Sudoku Explainer; only a puzzle with exactly one solution has one.

Exit status: 0 all puzzles are valid, 1 some are not, 2 a file could not be checked.`,
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'generate',
    summary: 'generate puzzles of any size and variant from a seed',
    groups: [
      group(
        'Puzzles',
        option('--count <n>', 'number of puzzles', '1'),
        option('--size <n>', 'number of digits (default: 9, or the cells of the box)'),
        option('--box <rows x columns>', 'box shape, such as 2x3'),
        option('--givens <n|minimal>', 'givens of each puzzle', 'minimal'),
        option('--variant <name>', 'rules of the puzzles', 'standard').choices(VARIANT_NAMES),
        option('--symmetry <name>', 'symmetry of the givens', 'none').choices(SYMMETRY_NAMES),
        option('--seed <n>', 'seed, a whole number (default: random, reported at the end)'),
        option('--any', 'puzzles with one or more solutions').conflicts([
          'grade',
          'minRating',
          'maxRating',
          'worksheet',
        ]),
        option('--grade <name>', 'how hard each puzzle is').choices(GRADES),
        option('--min-rating <n>', 'least rating of each puzzle, such as 2.6'),
        option('--max-rating <n>', 'greatest rating of each puzzle, such as 4.4'),
      ),
      group(
        'Results',
        option('--output <profile>', 'layout of the puzzles; same writes one line each', 'same').choices(
          OUTPUT_PROFILES,
        ),
        option(
          '--alphabet <symbols>',
          'symbols for the digits in order (default: 1-9; A-P and so on above 9)',
        ),
        option('-o, --output-file <file>', 'output file (default: standard output)'),
      ),
      group(
        'Worksheet',
        option(
          '--worksheet <file>',
          'write a page to print instead, with an answer key at its end',
        ).conflicts(['outputFile', 'output']),
        option('--per-page <n>', 'puzzles on a page', '4').choices(['2', '4', '6']),
        option('--paper <name>', 'size of the paper', 'A4').choices(['A4', 'Letter']),
      ),
    ],
    takes: ['json'],
    needs: { 'per-page': 'worksheet', paper: 'worksheet' },
    help: `Examples:
  dlx-batch generate                                      one minimal 9x9
  dlx-batch generate --grade hard --count 100             how hard, as dlx-batch check --rate says
  dlx-batch generate --grade easy --count 12 --worksheet easy.html
  dlx-batch generate --count 10000 --seed 1 -o puzzles.txt
  dlx-batch generate --size 16 --givens 120 --symmetry rotational
  dlx-batch generate --variant jigsaw --output jsonl | dlx-batch solve

The same options and seed give the same bytes on every machine. A minimal puzzle has one solution and needs
all of its givens: without any one of them (with a symmetry, any symmetric group of them), it has more solutions. Above 16x16, a given also stays if 1,000
search nodes do not prove that it can be removed.

With a grade or rating, puzzles are generated until one has it: at most 1,000 for each puzzle of up to 9x9, at most 20 for each
larger one.

An output file appears only when it is complete, and Ctrl-C leaves no partial file.

Exit status: 0 all puzzles are written, 2 error.`,
    load: () => import('./commands/generate.ts'),
  },
  {
    name: 'bench',
    summary: 'compare the engines on your own puzzle files',
    operands: new Argument('<file...>', 'puzzle files (-: standard input)'),
    groups: [
      group(
        'Measuring',
        option('--engine <name>', `${ENGINE_NAMES.join(', ')}; can be repeated (default: all)`).argParser(
          repeated,
        ),
        option('--passes <n>', 'measurements of each engine', '5'),
      ),
    ],
    takes: ['json'],
    help: `Examples:
  dlx-batch bench puzzles.txt                     all engines
  dlx-batch bench --engine dlx --engine bitboard puzzles.txt more.csv.gz
  dlx-batch bench --json puzzles.txt              one JSON object: { "results": [ ... ] }

Engines alternate pass by pass, so other load on the machine affects all of them equally. Every answer is checked
against the rules. Only solving is measured, on one thread: no reading and no writing.

Exit status: 0 every file is measured, 2 a file has no readable puzzle, or another error.`,
    load: () => import('./bench/bench-files.ts'),
  },
  {
    name: 'compare',
    summary: 'compare two result sets: answers first, then difficulty, effort and time',
    operands: new Argument('<set...>', 'two result sets, folders of them, or files of records'),
    groups: [
      group('Results', option('-o, --output-file <file>', 'also write the differences as a web page')),
    ],
    takes: ['json'],
    help: `Examples:
  dlx-batch compare before/ after/                 result sets of solve -o or of download, matched by their names
  dlx-batch compare a/records.jsonl b/records.jsonl
  dlx-batch compare -o differences.html before after
  dlx-batch compare --json before after            one JSON object

Records are matched by their puzzles. Records without a match are then matched by their ids, and unreadable ones by their
numbers and lines. Records that only one set has are listed. Ratings, guesses and times are compared if both sets have them (solve --records --rate). Sets without
records.jsonl are compared by the numbers of their puzzles. Sets in the same order need hardly any memory; in
another order, at most 100,000 records of each set may wait for the same puzzle in the other one.

Exit status: 0 all answers are the same, 1 some differ or only one set has them, 2 error.`,
    load: () => import('./commands/compare.ts'),
  },
  {
    name: 'local',
    summary: 'run the whole stack on this machine (S3, events, functions) and send files through it',
    operands: new Argument('[file...]', 'puzzle files (default: built-in samples)'),
    groups: [
      group(
        'Results',
        option('-o, --output-dir <dir>', `folder for result sets (default: ${RESULTS_FOLDER})`),
      ),
      group(
        'Serving',
        option('--serve', 'run until interrupted, with a web page for uploads; without files, send nothing'),
        option(
          '--schedule <expression>',
          'with --serve: start bulk runs on this schedule in UTC, such as "rate(1 minute)" (default: dlx:schedule)',
        ),
        option(
          '--webhook <url>',
          'with --serve: post an event to this URL for each completed, rejected or failed job, and each bulk run',
        ),
        option(
          '--fast-retries',
          'with --serve: repeat failed attempts at once; in AWS their delays add up to four hours',
        ),
        option('--port <n>', 'port of the S3 endpoint; 0 selects a free one', '0'),
        option('--open', `with --serve: open the web page, at port ${PAGE_PORT} or the next free one`),
      ),
      group(
        'Stack',
        option(
          '--data <dir>',
          'folder for buckets and queue, kept at exit (default: temporary, removed at exit)',
        ),
        option(
          '--set <name=value>',
          'option of every file, or limit of the stack (names: see below); can be repeated',
        ).argParser(repeated),
        option('--verbose', 'write the function log to standard error'),
      ),
    ],
    takes: ['json'],
    needs: { schedule: 'serve', webhook: 'serve', 'fast-retries': 'serve', open: 'serve' },
    help: `Examples:
  dlx-batch local                        send the built-in samples through the stack
  dlx-batch local puzzles.txt            send your file through the stack
  dlx-batch local --set engine=bitboard --set records=true puzzles.txt
  dlx-batch local --serve --open         keep running, and open the web page in your browser
  dlx-batch local --serve --port 9000    keep running, for S3 clients too
  dlx-batch local --serve --fast-retries     see what becomes of a job that fails in every attempt, in seconds

Names for --set:
  engine, solutions, ...         an option of solve, for the files of this command
  max-unpacked-mb, max-written, max-output-mb, max-job-nodes     a limit of solve, for all jobs of the stack
  large-seconds                  split files that would take one function longer than this (60)
  shard-bytes                    bytes of a shard of a large file, 100 or more (from the cost of its puzzles)

Exit status: 0 all puzzles are solved (samples: all results arrived; --serve: stopped by a signal), 1 some are not, or a
result differs from the one that its file expects, 2 a file is rejected, or another error.`,
    load: () => import('./commands/local.ts'),
  },
  {
    name: 'upload',
    summary: 'upload puzzle files to a stack, which solves them',
    operands: new Argument('<file...>', 'puzzle files and folders (-: standard input)'),
    groups: [
      READING,
      SEARCHING,
      WRITING,
      group(
        'Upload',
        option('--schedule', 'solve in the next scheduled run instead of now'),
        option('--prefix <prefix>', 'prefix for the keys, such as june/'),
        option('--force', 'upload unchanged files again'),
      ),
      group(
        'Results',
        option('--wait', 'wait for the results'),
        option(
          '--download <dir>',
          'with --wait: folder for result sets; - writes the solutions to standard output',
        ),
      ),
    ],
    takes: [...STACK, 'json'],
    needs: { download: 'wait' },
    help: `Examples:
  dlx-batch upload puzzles.txt                      to the stack DlxBatch in this account and region
  dlx-batch upload --wait puzzles.txt more/         wait for the results and report them
  dlx-batch upload --schedule --engine bitboard big.txt
  cat puzzles.txt | dlx-batch upload - --wait --download - > solutions.txt
  dlx-batch upload --endpoint http://127.0.0.1:9000 puzzles.txt     to local --serve

While the network fails, the command repeats its requests for the time of --retry-for. If files are left after that, or
after Ctrl-C, a table lists what is done. The same command continues; it sends no file twice, unless --force is given.

Exit status: 0 everything is uploaded (with --wait: every puzzle is solved), 1 with --wait: some are not, or a result
differs from the one that its file expects, or a file is rejected, 2 a job failed, or another error.`,
    load: () => import('./commands/upload.ts'),
  },
  {
    name: 'download',
    summary: 'download result sets from a stack and verify their checksums',
    operands: new Argument('[key...]', 'keys of uploads, or prefixes such as inbox/june/ (default: all)'),
    groups: [
      group(
        'Results',
        option('--run <id>', 'result sets of this bulk run'),
        option(
          '--only <file>',
          'only this file of each result set: solutions, exceptions, records, stats or report',
        ),
        option(
          '-o, --output-dir <dir>',
          'folder for result sets; - writes the solutions to standard output',
          RESULTS_FOLDER,
        ),
      ),
    ],
    takes: [...STACK, 'json'],
    help: `Examples:
  dlx-batch download inbox/puzzles.txt              newest result of this upload, into dlx-batch-results/
  dlx-batch download -o results                     all results
  dlx-batch download inbox/june/                    all results of the uploads under a prefix
  dlx-batch download --run 2026-11-21T02-00-00Z     results of a bulk run
  dlx-batch download inbox/puzzles.txt --only solutions -o - | head

Existing files with the right checksum are not fetched again, so the same command continues a download. Every file is
written under a temporary name, checked against the manifest, and renamed. A damaged file is fetched again.

Exit status: 0 everything is downloaded, 1 some jobs were rejected or, with --run, have no result yet, 2 a key has no
result, or another error.`,
    load: () => import('./commands/download.ts'),
  },
  {
    name: 'status',
    summary: 'show the jobs of a stack and their states',
    operands: new Argument('[key]', 'key of an upload, or a prefix such as inbox/june/'),
    groups: [
      group(
        'Jobs',
        option('--state <state>', 'only jobs in this state; can be repeated').argParser(repeated),
        option('--since <time>', 'only uploads since this long ago, such as 90m, 12h or 1d'),
        option('--watch', 'poll until every job has finished'),
      ),
    ],
    takes: [...STACK, 'json'],
    help: `Examples:
  dlx-batch status                          all jobs, for the newest version of each key
  dlx-batch status inbox/june/              jobs under a prefix
  dlx-batch status inbox/puzzles.txt        one job in detail
  dlx-batch status --state rejected --state failed --since 1d
  dlx-batch status --watch inbox/june/      poll until all jobs have finished

States: queued (not started), running, stalled (running past its deadline), done, failed, rejected.

With --watch, a line for each change; with --json too, one JSON object for each change.

Exit status: 0 shown, 2 error.`,
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'link',
    summary: 'create a temporary link to a result file',
    operands: new Argument('<key>', 'key of an upload, such as inbox/puzzles.txt'),
    groups: [
      group(
        'Link',
        option(
          '--file <name>',
          'file to link to: solutions, exceptions, records, stats or report',
          'solutions',
        ),
        option('--expires <time>', 'lifetime of the link, such as 90m, 12h or 7d', '1d'),
      ),
    ],
    takes: [...STACK, 'json'],
    help: `Examples:
  dlx-batch link inbox/puzzles.txt                       to the solutions, for one day
  dlx-batch link inbox/puzzles.txt --file report         to the report, for a browser
  dlx-batch link inbox/puzzles.txt --expires 7d          for a week, the maximum
  curl -o solutions.txt "$(dlx-batch link inbox/puzzles.txt)"

Anyone with the link can read the file until the link expires. A link signed with temporary credentials (aws sso login,
a role) expires with them; the real expiry time is written to standard error.

Exit status: 0 the link is created, 2 error.`,
    load: () => import('./commands/link.ts'),
  },
  {
    name: 'estimate',
    summary: 'estimate shards, time and cost of files on AWS, or searches of exact-cover problems',
    operands: new Argument(
      '[file...]',
      'puzzle files, or objects as s3://bucket/key (default, or -: standard input)',
    ),
    groups: [
      READING,
      SEARCHING,
      group(
        'Functions',
        option('--concurrency <n>', 'shards solved at the same time', String(DEFAULT_SHARD_CONCURRENCY)),
        option('--memory <MiB>', 'memory of each function', String(DEFAULT_MEMORY_MB)),
      ),
    ],
    takes: ['profile', 'region', 'retry-for', 'json'],
    ofObjects: ['profile', 'region', 'retry-for'],
    help: `Examples:
  dlx-batch estimate puzzles.txt
  dlx-batch estimate --concurrency 1000 s3://my-bucket/inbox/puzzles.txt
  dlx-batch estimate pieces.dlx            size of the search tree of each exact-cover problem

This machine solves a sample of the first MiB, so a slower machine estimates more time. Compressed files and standard
input are read to their end, for the size of their text. Nothing is uploaded. For exact-cover problems, random probes
estimate the nodes of the search for all solutions, with an interval; the same file has the same estimate. The last line is an
upper bound of what the functions of a stack with these settings cost in a day, whatever is uploaded.

Exit status: 0 every file is estimated, 2 some files could not be estimated, or another error.`,
    load: () => import('./commands/estimate.ts'),
  },
  {
    name: 'run',
    summary: 'start a bulk run now: scheduled uploads, and uploads whose event was lost; or list the runs',
    groups: [
      group(
        'Run',
        option('--prefix <prefix>', 'only uploads under this prefix: inbox/... or scheduled/...'),
        option(
          '--manifest <file>',
          'only the newest versions of the keys in this file, one on each line',
        ).conflicts('prefix'),
        option('--dry-run', 'send nothing; list the uploads, with their number, size, time and cost'),
        option('--wait', 'wait until the run has finished').conflicts('dryRun'),
        option('--list', 'start nothing; list the runs, newest first').conflicts([...STARTING, 'cancel']),
        option(
          '--cancel <id>',
          'start nothing; end this run early: it sends no more uploads, and writes its report',
        ).conflicts(STARTING),
      ),
    ],
    takes: [...STACK, 'json'],
    help: `Examples:
  dlx-batch run                              solve the uploads of the next scheduled run now
  dlx-batch run --dry-run                    list the uploads, and estimate time and cost
  dlx-batch run --prefix scheduled/june/     only uploads under this prefix
  dlx-batch run --wait                       wait for the results, then report them
  dlx-batch run --manifest keys.txt          only these uploads
  dlx-batch run --list                       all runs, with their counts and costs
  dlx-batch run --cancel 2026-11-21T02-00-00Z
  dlx-batch run --endpoint http://127.0.0.1:9000        on local --serve

A run sends uploads under scheduled/, and uploads under inbox/ whose event was lost: those without an outcome after the
grace period of the stack (dlx:graceMinutes; dlx-batch retry waits for none). It skips uploads that are already
solved or rejected. dlx-batch retry --run ID repeats what a run has not solved.

Exit status: 0 started or listed (with --wait: every puzzle is solved), 1 with --wait: some are not, 2 error.`,
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'retry',
    summary: 'repeat what has failed or was lost',
    operands: new Argument(
      '[key...]',
      'keys of uploads, or one prefix that ends in a slash (default: everything under inbox/ that has failed)',
    ),
    groups: [
      group(
        'Retry',
        option(
          '--run <id>',
          'start a run of what failed, stalled or was rejected in this bulk run; a run that has stopped continues instead',
        ).conflicts(['rejected', 'code']),
        option('--rejected', 'only rejected uploads, of all or of a prefix'),
        option(
          '--code <code>',
          'only uploads that were rejected with this code in error.json, such as too_large',
        ),
        option('--dry-run', 'change nothing; list the uploads, with their number, size, time and cost'),
        option('--wait', 'wait until the run has finished').conflicts('dryRun'),
      ),
    ],
    takes: [...STACK, 'json'],
    help: `Examples:
  dlx-batch retry --dry-run                        how much failed or was lost, and what its run takes and costs
  dlx-batch retry                                  a run of all of it
  dlx-batch retry inbox/june/                      a run of the uploads under a prefix that have no outcome
  dlx-batch retry inbox/puzzles.txt                now: an upload that failed, was rejected, or whose event was lost or is late
  dlx-batch retry scheduled/big.txt                now, not in the next scheduled run
  dlx-batch retry --code too_large inbox/june/     a run of uploads that exceeded a limit which is higher now
  dlx-batch retry --run 2026-11-21T02-00-00Z       a run of what a bulk run has not solved

Remove the cause first: dlx-batch status --state failed names it.

Without keys, retry starts a bulk run of all uploads that have no outcome, however many they are. An upload is solved again; a
large file continues where it stopped. The run leaves out rejected files, and uploads that another run works on. At its end,
it moves the messages of the dead-letter queue back to the queue; a message of a solved upload has no effect. With keys, retry
sends a message for the newest version of each key at once, unless that version is solved or running. Each message names the
same job as the event of its upload, so only one result is committed.

Exit status: 0 started or sent, or nothing has failed; 1 with --wait: some are not solved; 2 some could not be sent, or another
error.`,
    load: () => import('./commands/retry.ts'),
  },
  {
    name: 'doctor',
    summary: 'check a deployed stack, and say what to do; with --live, prove that it works',
    groups: [
      group(
        'Checks',
        option('--live', 'solve test files on the stack, compare the results, and remove everything'),
        option('--remove <id>', 'only remove what a killed doctor --live has left').conflicts('live'),
      ),
    ],
    takes: [...STACK.filter((each) => !each.endsWith('bucket')), 'json'],
    help: `Examples:
  dlx-batch doctor                                      the stack of this region and account
  dlx-batch doctor --stack Puzzles --json | jq '.findings[] | select(.status != "ok")'
  dlx-batch doctor --live                               the stack DlxBatch works, in some minutes and for less than a cent
  dlx-batch doctor --live --endpoint http://127.0.0.1:9000      local --serve, in seconds

Each line is ok, warn or FAIL, and says what to do. CloudFormation compares each resource with the template of the stack,
property by property (drift detection). Then doctor reads what a template does not say: identity, region, state of the
stack, quotas, queues, dead letters, alarms and their recipients, and whether IAM allows each call of each role. It changes
nothing.

With --live, it uploads files with keys of its own, and compares the results with those of this machine: known puzzles,
every option under odd keys, a large file in several shards, a message that is delivered twice, a bulk run. At its end,
and after an error or Ctrl-C, it removes all objects that it has made; logs, metrics and histories of executions remain.

Exit status: 0 no line is FAIL, 1 some line is, 2 another error.`,
    load: () => import('./doctor/doctor.ts'),
  },
  {
    name: 'completion',
    summary: 'write a completion script for a shell',
    operands: new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']),
    groups: [],
    takes: [],
    help: `Examples:
  alias dlx-batch='npx dlx-batch'                                        in a checkout: shells do not complete npx
  source <(dlx-batch completion bash)                                    this shell only; add it to ~/.bashrc for all
  source <(dlx-batch completion zsh)                                     in ~/.zshrc, after compinit
  dlx-batch completion fish > ~/.config/fish/completions/dlx-batch.fish

Exit status: 0 written, 2 unknown shell.`,
    load: () => import('./commands/completion.ts'),
  },
];
