/**
 * The options of a job, from object metadata or a command line, over defaults.
 *
 * Options arrive as text under the same names everywhere (`max-nodes`, `solutions`, ...). One schema reads them.
 * An unknown name or an invalid value is an error that names it.
 */
import * as z from 'zod';
import { alphabetProblem } from '../formats/cells/alphabets.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../formats/names.ts';
import { ENGINE_NAMES } from '../sudoku/engine.ts';
import { parseBox } from '../sudoku/geometry/geometry.ts';
import { VARIANT_NAMES } from '../sudoku/geometry/variants.ts';
import { DEFAULT_MAX_NODES } from './limits.ts';
import { OPTION_METADATA_PREFIX } from './names.ts';

/** Unparsed option texts by name. */
export type OptionTexts = Readonly<Record<string, string>>;

const flag = z
  .enum(['true', 'false'], { error: 'expected true or false' })
  .transform((text) => text === 'true');

const schema = z.strictObject({
  engine: z
    .enum(ENGINE_NAMES, {
      error: ({ input }) =>
        input === 'bitmask' ? `this engine is gone: use ${ENGINE_NAMES.join(', ')} instead` : undefined,
    })
    .default('dlx'),
  format: z.enum(FORMAT_NAMES).optional(),
  alphabet: z
    .string()
    .check((context) => {
      const problem = alphabetProblem(context.value);
      if (problem !== undefined) {
        context.issues.push({ code: 'custom', message: problem, input: context.value });
      }
    })
    .optional(),
  variant: z.enum(VARIANT_NAMES).optional(),
  box: z
    .string()
    .transform((text, context) => {
      const box = parseBox(text);
      if (box !== undefined) return box;
      context.addIssue({ code: 'custom', message: 'expected rows x columns, such as 2x3' });
      return z.NEVER;
    })
    .optional(),
  output: z.enum(OUTPUT_PROFILES).default('same'),
  solutions: z
    .string()
    .regex(/^([1-9]\d{0,14}|all)$/, { error: 'expected a whole number from 1 up, or all' })
    .transform((text) => (text === 'all' ? Number.POSITIVE_INFINITY : Number(text)))
    .prefault('2'),
  'max-nodes': z
    .string()
    .regex(/^[1-9]\d{0,14}$/, { error: 'expected a whole number from 1 up' })
    .transform(Number)
    .prefault(String(DEFAULT_MAX_NODES)),
  rate: flag.prefault('false'),
  records: flag.prefault('false'),
  strict: flag.prefault('false'),
  'csv-safe': flag.prefault('false'),
});

/** The options of one job, defaults included. */
export interface SolveOptions {
  readonly engine: z.infer<typeof schema>['engine'];
  readonly format?: z.infer<typeof schema>['format'];
  readonly alphabet?: string;
  readonly variant?: z.infer<typeof schema>['variant'];
  readonly box?: readonly [rows: number, columns: number];
  readonly output: z.infer<typeof schema>['output'];
  /** Maximum number of solutions to find for each puzzle; 2 proves uniqueness, Infinity finds all. */
  readonly solutions: number;
  /** If `solutions` is 2 and not by default: of a problem with costs, the two cheapest solutions are then written. */
  readonly twoCheapest?: true;
  /** Budget of search nodes for each puzzle. */
  readonly maxNodes: number;
  /** Whether puzzles with exactly one solution are rated. */
  readonly rate: boolean;
  /** Whether `records.jsonl` is written. */
  readonly records: boolean;
  /**
   * Whether `solutions` has only the puzzles that are proven to have exactly one solution. If another number of solutions
   * than 2 is requested, or of an exact cover: only those that have a solution.
   */
  readonly strict: boolean;
  /** Whether tables get an apostrophe before cells that spreadsheet programs would execute. */
  readonly csvSafe: boolean;
}

/** Names of all options, in metadata and on the command line. */
export const OPTION_NAMES: readonly string[] = Object.keys(schema.shape);

/** An unknown option or an invalid value. */
/** The options in the metadata of an upload. */
export function metadataOptions(metadata: Readonly<Record<string, string>>): OptionTexts {
  // Not by assignment, which would drop an option named __proto__.
  return Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => name.startsWith(OPTION_METADATA_PREFIX))
      .map(([name, value]) => [name.slice(OPTION_METADATA_PREFIX.length), value]),
  );
}

export interface OptionError {
  /** The code of each such error. */
  readonly code: 'bad_option';
  /** The name of the option as given. */
  readonly option: string;
  /** The value as given. */
  readonly found: string;
  /** One sentence: what was found, what was expected. */
  readonly message: string;
}

/**
 * Parses options over defaults.
 *
 * @param texts the caller's options
 * @param defaults options that the caller does not set
 * @returns the options, or all errors
 */
export function parseOptions(
  texts: OptionTexts,
  defaults: OptionTexts = {},
): { readonly options: SolveOptions } | { readonly errors: readonly OptionError[] } {
  const merged = { ...defaults, ...texts };
  const parsed = schema.safeParse(merged);
  if (!parsed.success) {
    return { errors: parsed.error.issues.flatMap((issue) => optionErrors(issue, merged)) };
  }
  const { 'max-nodes': maxNodes, 'csv-safe': csvSafe, ...rest } = parsed.data;
  if (rest.rate && rest.solutions === 1) return { errors: [UNPROVEN] };
  const options = { ...rest, maxNodes, csvSafe };
  const isTwoRequested = merged.solutions !== undefined && rest.solutions === 2;
  return { options: isTwoRequested ? { ...options, twoCheapest: true } : options };
}

/**
 * The canonical text of options, a part of a job's identity: it depends neither on their order nor on which of them are
 * defaults, except that two solutions by default are not two that were requested.
 */
export function canonicalOptions(options: SolveOptions): string {
  return JSON.stringify({
    engine: options.engine,
    format: options.format,
    alphabet: options.alphabet,
    variant: options.variant,
    box: options.box?.join('x'),
    output: options.output,
    solutions: Number.isFinite(options.solutions) ? options.solutions : 'all',
    'max-nodes': options.maxNodes,
    records: options.records,
    strict: options.strict,
    // Omitted by default, so that the ids of other jobs stay as they were.
    rate: options.rate || undefined,
    'csv-safe': options.csvSafe || undefined,
    'two-cheapest': options.twoCheapest,
  });
}

/**
 * The options of a canonical text.
 *
 * @throws Error if the text is not canonical options
 */
export function optionsFromCanonical(canonical: string): SolveOptions {
  const { 'two-cheapest': twoCheapest, ...values } = JSON.parse(canonical) as Record<string, unknown>;
  if (values.solutions === 2 && twoCheapest === undefined) delete values.solutions;
  const parsed = parseOptions(optionTexts(values));
  if ('options' in parsed) return parsed.options;
  throw new Error(`not canonical options: ${parsed.errors.map(({ message }) => message).join('; ')}`);
}

/** The option texts of values, such as those of a canonical text. */
export function optionTexts(values: Readonly<Record<string, unknown>>): OptionTexts {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** The canonical text of option texts that do not parse; it does not depend on their order. */
export function canonicalOptionTexts(texts: OptionTexts): string {
  return JSON.stringify(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** Only a puzzle that is proven to have one solution is rated. */
const UNPROVEN: OptionError = {
  code: 'bad_option',
  option: 'rate',
  found: 'true',
  message:
    'option "rate" is "true" and "solutions" is "1": expected 2 or more, which prove that there is one',
};

function optionErrors(issue: z.core.$ZodIssue, texts: OptionTexts): OptionError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((option) => ({
      code: 'bad_option',
      option,
      found: texts[option] ?? '',
      message: `option "${option}" is unknown: expected one of ${OPTION_NAMES.join(', ')}`,
    }));
  }
  const option = String(issue.path[0]);
  const found = texts[option] ?? '';
  const expected =
    issue.code === 'invalid_value' && issue.message.startsWith('Invalid')
      ? `expected one of ${issue.values.join(', ')}`
      : issue.message;
  return [{ code: 'bad_option', option, found, message: `option "${option}" is "${found}": ${expected}` }];
}
