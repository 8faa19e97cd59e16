/**
 * Checks the imports of each layer and the globals of pure layers. Biome finds import cycles.
 *
 *     functions, cli, local -> aws, node -> batch -> formats -> sudoku -> exact-cover -> nothing
 *     api -> batch, without packages and Node built-ins; only its node.ts -> node
 *     infra -> the names, limits, options, prices and schedule expressions of batch, and the bundling of
 *     functions
 *
 * Imports, of types too, are read from the source text; globals from the code without types and comments.
 */
import { posix } from 'node:path';
import { transformSync } from 'esbuild';

interface Layer {
  /** A folder or a file. */
  readonly path: string;
  /** Folders and files of the project that it may import in addition to its own folder. */
  readonly project: readonly string[];
  /** Of these, folders that it may not import: they are above it. */
  readonly above?: readonly string[];
  /** Packages that it may import, or prefixes of them that end with a colon. */
  readonly packages: readonly string[];
  /** No Node built-ins, no clock, no randomness, no console. */
  readonly pure?: true;
}

const PURE_BELOW = ['lib/formats/', 'lib/sudoku/', 'lib/exact-cover/'];
const BATCH_AND_BELOW = ['lib/batch/', ...PURE_BELOW];
/**
 * The folders of batch, from those that only functions and commands import to those that all import: each imports folders
 * after it, and not its neighbour in a step. Below all are the files at the top.
 */
const BATCH_ORDER = [
  ['bulk-run', 'upload'],
  ['large'],
  ['delivery', 'estimate'],
  ['storage'],
  ['job'],
  ['report'],
  ['results'],
  ['solving'],
];
const BATCH_PACKAGES = ['zod', 'croner'];
const ALL_BELOW = ['lib/aws/', 'lib/node/', ...BATCH_AND_BELOW];
const CDK = ['aws-cdk-lib', 'constructs', 'cdk-nag'];

const BYTES_AND_RECORDS = ['lib/formats/bytes/', 'lib/formats/records/', 'lib/sudoku/'];
const SHARED_BY_FORMATS = [
  ...BYTES_AND_RECORDS,
  'lib/formats/cells/',
  'lib/formats/reader.ts',
  'lib/formats/work-meter.ts',
];
/** What the format of a file may import: no other format. */
const FORMAT = [
  ...SHARED_BY_FORMATS,
  'lib/formats/objects/',
  'lib/formats/rules/',
  'lib/formats/writing/',
  'lib/formats/file-format.ts',
];

/** A path belongs to the first layer that matches. */
const LAYERS: readonly Layer[] = [
  { path: 'lib/exact-cover/', project: [], packages: [], pure: true },
  // The search of large grids, which is a smaller one in pages (package.json).
  { path: 'lib/sudoku/', project: ['lib/exact-cover/'], packages: ['#cover-search'], pure: true },
  // What each folder of the formats knows (lib/formats/README.md).
  { path: 'lib/formats/bytes/', project: [], packages: [], pure: true },
  { path: 'lib/formats/rules/', project: ['lib/sudoku/'], packages: [], pure: true },
  { path: 'lib/formats/cells/', project: BYTES_AND_RECORDS, packages: [], pure: true },
  { path: 'lib/formats/records/', project: SHARED_BY_FORMATS, packages: [], pure: true },
  {
    path: 'lib/formats/objects/',
    project: [...SHARED_BY_FORMATS, 'lib/formats/rules/'],
    packages: [],
    pure: true,
  },
  { path: 'lib/formats/links/', project: FORMAT, packages: [], pure: true },
  { path: 'lib/formats/json/', project: FORMAT, packages: [], pure: true },
  { path: 'lib/formats/xml/', project: FORMAT, packages: [], pure: true },
  { path: 'lib/formats/text/', project: FORMAT, packages: [], pure: true },
  { path: 'lib/formats/table/', project: FORMAT, packages: [], pure: true },
  {
    path: 'lib/formats/exact-cover/',
    project: [...SHARED_BY_FORMATS, 'lib/exact-cover/'],
    packages: [],
    pure: true,
  },
  { path: 'lib/formats/', project: ['lib/sudoku/', 'lib/exact-cover/'], packages: [], pure: true },
  // The version of the project.
  { path: 'lib/batch/version.ts', project: ['package.json'], packages: [], pure: true },
  ...BATCH_ORDER.flatMap((folders, step) => {
    const above = BATCH_ORDER.slice(0, step).flat();
    return folders.map(
      (name): Layer => ({
        path: `lib/batch/${name}/`,
        project: BATCH_AND_BELOW,
        above: [...above, ...folders.filter((other) => other !== name)].map((other) => `lib/batch/${other}/`),
        packages: BATCH_PACKAGES,
        pure: true,
      }),
    );
  }),
  { path: 'lib/batch/', project: PURE_BELOW, packages: BATCH_PACKAGES, pure: true },
  { path: 'lib/node/', project: BATCH_AND_BELOW, packages: ['node:'] },
  { path: 'lib/aws/', project: BATCH_AND_BELOW, packages: ['node:', '@aws-sdk', '@smithy'] },
  { path: 'lib/api/node.ts', project: ['lib/api/', 'lib/node/', ...BATCH_AND_BELOW], packages: [] },
  { path: 'lib/api/', project: BATCH_AND_BELOW, packages: [] },
  {
    path: 'lib/infra/',
    project: [
      'lib/batch/names.ts',
      'lib/batch/limits.ts',
      'lib/batch/options.ts',
      'lib/batch/estimate/prices.ts',
      'lib/batch/bulk-run/schedule-expression.ts',
      'lib/batch/estimate/most-dollars.ts',
      'functions/bundle.ts',
      'functions/prebuilt.ts',
    ],
    packages: ['node:', 'esbuild', 'zod', ...CDK],
  },
  {
    path: 'lib/local/',
    project: [...ALL_BELOW, 'functions/bundle.ts', 'functions/prebuilt.ts'],
    packages: ['node:', 'esbuild', 'aws-lambda', 'zod', '@aws-sdk/checksums'],
  },
  // Scripts for browsers: they solve with the library for browsers.
  {
    path: 'lib/cli/page/browser/puzzles/',
    project: ['lib/cli/page/', 'lib/api/', ...BATCH_AND_BELOW],
    packages: [],
  },
  // Bundles them in a checkout.
  { path: 'lib/cli/page/page-bundle.ts', project: [], packages: ['node:', 'esbuild'] },
  {
    path: 'lib/cli/',
    project: ['lib/local/', 'functions/bundle.ts', ...ALL_BELOW],
    packages: ['node:', 'commander', 'string-width', 'client-zip'],
  },
  { path: 'functions/bundle.ts', project: [], packages: ['node:', 'esbuild'] },
  { path: 'functions/prebuilt.ts', project: ['functions/bundle.ts'], packages: ['node:'] },
  {
    path: 'functions/',
    project: ALL_BELOW,
    packages: ['node:', 'aws-lambda', '@aws-lambda-powertools'],
  },
  { path: 'bin/app.ts', project: ['lib/infra/'], packages: ['node:', ...CDK] },
  {
    path: 'bin/build',
    project: [
      'bin/build/',
      'functions/bundle.ts',
      'functions/prebuilt.ts',
      'lib/local/',
      'lib/cli/page/page-bundle.ts',
    ],
    packages: ['node:', 'esbuild', 'rolldown', 'rolldown-plugin-dts', '@jridgewell/sourcemap-codec'],
  },
  {
    path: 'bin/',
    project: ['lib/cli/', 'lib/node/'],
    packages: ['node:'],
  },
];

/**
 * Static imports and exports are at the beginning of a line, dynamic imports and imports of types anywhere. A tag such as
 * `@example` between `export` and `from` belongs to the comment of the next declaration.
 */
const IMPORT =
  /^(?:import|export)\b[^;()='"@]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/gm;
/** A dynamic import without a literal cannot be checked. */
const UNNAMED_IMPORT = /\bimport\s*\(\s*(?!['"\s])/;

/** Globals that a pure layer must not use; it may test for WebAssembly, which only computes. */
const IMPURE =
  /(?<![.\w$#]|\{WebAssembly:\w+\}=)(process|console|performance|Buffer|require|setTimeout|setInterval|setImmediate|fetch|crypto|globalThis|navigator)(?![\w$])(?!\s*:)|\bMath\s*\.\s*random\b|\bMath\s*\[/g;
/** `Date` as a clock; parsing and formatting a given time are allowed. */
const CLOCK = /(?<![.\w$#])Date\b(?!\.(?:parse|UTC)\()(?!\((?!\))(?<=new Date\())/g;
const TEXT = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g;

/** Violations of the rules in one source file, one sentence each. */
export function violationsIn(path: string, source: string): string[] {
  const layer = LAYERS.find((candidate) => path.startsWith(candidate.path));
  if (layer === undefined) return [`${path} belongs to no layer: add its rules`];
  const imports = importsIn(source)
    .filter((specifier) => !mayImport(layer, path, specifier))
    .map((specifier) => `${path} imports ${specifier}`);
  if (layer.pure !== true) return imports;
  if (UNNAMED_IMPORT.test(source)) imports.push(`${path} imports a module without a literal`);
  return [...imports, ...impuritiesIn(path, source)];
}

function importsIn(source: string): string[] {
  return [...source.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

function mayImport(layer: Layer, path: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) {
    return layer.packages.some((name) =>
      name.endsWith(':')
        ? specifier.startsWith(name)
        : specifier === name || specifier.startsWith(`${name}/`),
    );
  }
  const target = posix.join(posix.dirname(path), specifier);
  if (layer.above?.some((folder) => target.startsWith(folder))) return false;
  const own = layer.path.endsWith('/') && target.startsWith(layer.path);
  return own || layer.project.some((allowed) => target.startsWith(allowed));
}

function impuritiesIn(path: string, source: string): string[] {
  const { code } = transformSync(source, {
    loader: 'ts',
    // Also removes the remaining comments.
    minifyWhitespace: true,
    legalComments: 'none',
    supported: { 'template-literal': false },
  });
  const bare = code.replace(TEXT, '""');
  return [...bare.matchAll(IMPURE), ...bare.matchAll(CLOCK)].map(([found]) => `${path} uses ${found}`);
}
