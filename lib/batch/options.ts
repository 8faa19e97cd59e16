/**
 * The options of a job: what can be asked for, from object metadata or a command line, over defaults.
 *
 * Options arrive as text under the same names everywhere (`max-nodes`, `solutions`, ...). One schema reads them;
 * an unknown name or a bad value is an error that names it, never ignored.
 */
import * as z from 'zod';
import { alphabetProblem, FORMAT_NAMES, OUTPUT_PROFILES } from '../formats/formats.ts';
import { ENGINE_NAMES } from '../sudoku/engine.ts';
import { parseBox } from '../sudoku/geometry/geometry.ts';
import { VARIANT_NAMES } from '../sudoku/geometry/variants.ts';
import { DEFAULT_MAX_NODES } from './limits.ts';

/** Option texts by name, before they are read. */
export type OptionTexts = Readonly<Record<string, string>>;

const flag = z
  .enum(['true', 'false'], { error: 'expected true or false' })
  .transform((text) => text === 'true');

const schema = z.strictObject({
  engine: z.enum(ENGINE_NAMES).default('dlx'),
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
  records: flag.prefault('false'),
  strict: flag.prefault('false'),
});

/** The options of one job, every default filled in. */
export interface SolveOptions {
  readonly engine: z.infer<typeof schema>['engine'];
  readonly format?: z.infer<typeof schema>['format'];
  readonly alphabet?: string;
  readonly variant?: z.infer<typeof schema>['variant'];
  readonly box?: readonly [rows: number, columns: number];
  readonly output: z.infer<typeof schema>['output'];
  /** Solutions to look for in each puzzle; 2 proves uniqueness, Infinity finds all. */
  readonly solutions: number;
  /** Search nodes allowed for each puzzle. */
  readonly maxNodes: number;
  /** Whether `records.jsonl` is written. */
  readonly records: boolean;
  /** Whether puzzles without a solution are left out of `solutions`, instead of keeping their place. */
  readonly strict: boolean;
}

/** Names of all options, as in metadata and on the command line. */
export const OPTION_NAMES: readonly string[] = Object.keys(schema.shape);

/** One option that could not be taken. */
export interface OptionError {
  readonly code: 'bad_option';
  /** Its name, as it was given. */
  readonly option: string;
  readonly found: string;
  /** One sentence: what was found, what was expected. */
  readonly message: string;
}

/**
 * Reads options over defaults.
 *
 * @param texts what the caller asked for
 * @param defaults what holds where the caller says nothing
 * @returns the options, or every option that could not be taken
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
  const { 'max-nodes': maxNodes, ...rest } = parsed.data;
  return { options: { ...rest, maxNodes } };
}

/**
 * Options as text that is the same for the same options, whatever their order and whichever were left to the
 * defaults: part of a job's identity.
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
  });
}

/**
 * The options that stand in a canonical form.
 *
 * @throws Error where the text is none
 */
export function optionsFromCanonical(canonical: string): SolveOptions {
  const entries = Object.entries(JSON.parse(canonical) as Record<string, unknown>);
  const parsed = parseOptions(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])));
  if ('options' in parsed) return parsed.options;
  throw new Error(`no canonical options: ${parsed.errors.map(({ message }) => message).join('; ')}`);
}

/** Option texts that stand for no readable options, in a form that does not depend on their order. */
export function canonicalOptionTexts(texts: OptionTexts): string {
  return JSON.stringify(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

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
