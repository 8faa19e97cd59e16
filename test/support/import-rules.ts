/**
 * Who may import whom, and what the pure rooms may use.
 *
 *     functions, cli, local -> aws, node -> batch -> formats -> sudoku -> exact-cover -> nothing
 *     infra -> the names, limits and schedule expressions of batch, and how functions are bundled
 *
 * Imports are read from the source as it stands, types too; globals from what is left when types and comments are
 * gone.
 */
import { posix } from 'node:path';
import { transformSync } from 'esbuild';

interface Room {
  /** Folder, or one file of it. */
  readonly path: string;
  /** Folders and files of the project that it may import beside its own folder. */
  readonly project: readonly string[];
  /** Packages, by the beginnings of their names. */
  readonly packages: readonly string[];
  /** No Node built-ins, no clock, no randomness, no console. */
  readonly pure?: true;
}

const PURE_BELOW = ['lib/formats/', 'lib/sudoku/', 'lib/exact-cover/'];
const BATCH_AND_BELOW = ['lib/batch/', ...PURE_BELOW];
const ALL_BELOW = ['lib/aws/', 'lib/node/', ...BATCH_AND_BELOW];
const CDK = ['aws-cdk-lib', 'constructs', 'cdk-nag'];

/** The first room that a path lies in counts. */
const ROOMS: readonly Room[] = [
  { path: 'lib/exact-cover/', project: [], packages: [], pure: true },
  { path: 'lib/sudoku/', project: ['lib/exact-cover/'], packages: [], pure: true },
  { path: 'lib/formats/', project: ['lib/sudoku/', 'lib/exact-cover/'], packages: [], pure: true },
  { path: 'lib/batch/', project: PURE_BELOW, packages: ['zod', 'hdr-histogram-js'], pure: true },
  { path: 'lib/node/', project: BATCH_AND_BELOW, packages: ['node:'] },
  { path: 'lib/aws/', project: BATCH_AND_BELOW, packages: ['node:', '@aws-sdk', '@smithy'] },
  {
    path: 'lib/infra/',
    project: [
      'lib/batch/names.ts',
      'lib/batch/limits.ts',
      'lib/batch/bulk-run/schedule-expression.ts',
      'functions/bundle.ts',
    ],
    packages: ['node:', 'esbuild', ...CDK],
  },
  {
    path: 'lib/local/',
    project: [...ALL_BELOW, 'functions/bundle.ts'],
    packages: ['node:', 'esbuild', 'aws-lambda', 'zod'],
  },
  {
    path: 'lib/cli/',
    project: ['lib/local/', ...ALL_BELOW],
    packages: ['node:', 'commander'],
  },
  { path: 'functions/bundle.ts', project: [], packages: ['node:', 'esbuild'] },
  {
    path: 'functions/',
    project: ALL_BELOW,
    packages: ['node:', 'aws-lambda', '@aws-lambda-powertools'],
  },
  { path: 'bin/app.ts', project: ['lib/infra/', 'lib/batch/options.ts'], packages: ['node:', ...CDK] },
  {
    path: 'bin/',
    project: ['lib/cli/', 'lib/node/'],
    packages: ['node:'],
  },
];

/** Imports and exports of other modules stand at the beginning of a line, dynamic imports anywhere. */
const IMPORT =
  /^(?:import|export)\b[^;()='"]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/gm;
/** A module that is not named by a text cannot be looked at. */
const UNNAMED_IMPORT = /\bimport\s*\(\s*(?!['"\s])/;

/** Globals that a pure room does without; WebAssembly, which only computes, may be looked for. */
const IMPURE =
  /(?<![.\w$#]|\{WebAssembly:\w+\}=)(process|console|performance|Buffer|require|setTimeout|setInterval|setImmediate|fetch|crypto|globalThis|navigator)(?![\w$])(?!\s*:)|\bMath\s*\.\s*random\b|\bMath\s*\[/g;
/** The clock in `Date`; a time that is given may be read and written. */
const CLOCK = /(?<![.\w$#])Date\b(?!\.(?:parse|UTC)\()(?!\((?!\))(?<=new Date\())/g;
const TEXT = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g;

/** What a source file of the project does that it may not do; one sentence each. */
export function violationsIn(path: string, source: string): string[] {
  const room = ROOMS.find((candidate) => path.startsWith(candidate.path));
  if (room === undefined) return [`${path} lies in no room: name its rules`];
  const imports = importsIn(source)
    .filter((specifier) => !mayImport(room, path, specifier))
    .map((specifier) => `${path} imports ${specifier}`);
  if (room.pure !== true) return imports;
  if (UNNAMED_IMPORT.test(source)) imports.push(`${path} imports a module without naming it`);
  return [...imports, ...impuritiesIn(path, source)];
}

function importsIn(source: string): string[] {
  return [...source.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

function mayImport(room: Room, path: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) {
    return room.packages.some((name) =>
      name.endsWith(':')
        ? specifier.startsWith(name)
        : specifier === name || specifier.startsWith(`${name}/`),
    );
  }
  const target = posix.join(posix.dirname(path), specifier);
  const own = room.path.endsWith('/') && target.startsWith(room.path);
  return own || room.project.some((allowed) => target.startsWith(allowed));
}

function impuritiesIn(path: string, source: string): string[] {
  const { code } = transformSync(source, {
    loader: 'ts',
    // What is left of comments goes with the white space.
    minifyWhitespace: true,
    legalComments: 'none',
    supported: { 'template-literal': false },
  });
  const bare = code.replace(TEXT, '""');
  return [...bare.matchAll(IMPURE), ...bare.matchAll(CLOCK)].map(([found]) => `${path} uses ${found}`);
}
