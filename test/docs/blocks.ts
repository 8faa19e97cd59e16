/** The generated parts of the pages in `docs`, by name; `pages.ts` puts them into the pages. */
import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { estimateJob } from '../../lib/batch/estimate/job-estimate.ts';
import { DEFAULT_MEMORY_MB, DEFAULT_SHARD_CONCURRENCY, JOB_LIMIT_NAMES } from '../../lib/batch/limits.ts';
import { durationText, numberText } from '../../lib/batch/quantities.ts';
import { createProgram } from '../../lib/cli/program.ts';
import { SETTINGS, type SettingName } from '../../lib/infra/settings.ts';
import { templateWith } from '../infra/synthesised.ts';
import { errorTable, statusExamples, warningTable } from './codes.ts';
import { formatExamples, outputExamples } from './formats.ts';
import { documentSchemas, type Field, fieldsOf } from './schemas.ts';

type Block = () => string | Promise<string>;

let schemas: ReturnType<typeof documentSchemas> | undefined;

/** The text of each block, by the name in its marker. */
export const BLOCKS: Readonly<Record<string, Block>> = {
  commands: commandsText,
  settings: settingsText,
  limits: limitsTable,
  alarms: alarmsTable,
  prices: pricesTable,
  formats: formatExamples,
  outputs: outputExamples,
  statuses: statusExamples,
  errors: errorTable,
  warnings: warningTable,
};

/** The text of a block. @param name a member of `BLOCKS`, or `fields of DOCUMENT` */
export async function blockText(name: string): Promise<string> {
  const document = /^fields of (\w+)$/.exec(name)?.[1];
  if (document !== undefined) {
    schemas ??= documentSchemas();
    return fieldsTable(fieldsOf(schemas[document]!));
  }
  const block = BLOCKS[name];
  if (block === undefined) throw new Error(`no block is named ${name}`);
  return block();
}

function fieldsTable(fields: readonly Field[]): string {
  return table(
    ['field', 'type', 'meaning'],
    fields.map(({ path, type, meaning }) => [`\`${path}\``, type, meaning]),
  );
}

/** A table in Markdown. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => escaped(cell)).join(' | ')} |`;
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)].join('\n');
}

/** Text in a cell of a table: Markdown, without tags and line ends. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '{&#8203;{')))
    .join('')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ');
}

/** Every command, with its arguments, its options and the examples of its help. */
function commandsText(): string {
  return createProgram().commands.map(commandText).join('\n\n');
}

function commandText(command: Command): string {
  const help = command.createHelp();
  const own = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const options = [...own, ...help.visibleGlobalOptions(command)].filter(({ long }) => long !== '--version');
  const groups = Map.groupBy(options, ({ helpGroupHeading }) => helpGroupHeading ?? 'Options:');
  const commandArguments = help
    .visibleArguments(command)
    .map((argument) => [`\`${help.argumentTerm(argument)}\``, help.argumentDescription(argument)]);
  return [
    `## ${command.name()}`,
    `    dlx-batch ${command.name()} ${command.usage()}`,
    sentence(command.description()),
    ...(commandArguments.length === 0 ? [] : [table(['argument', 'meaning'], commandArguments)]),
    ...[...groups].map(([heading, of]) =>
      optionsTable(heading, of, (option) => help.optionDescription(option)),
    ),
    ...helpTexts(command),
  ].join('\n\n');
}

function optionsTable(
  heading: string,
  options: readonly Option[],
  describe: (option: Option) => string,
): string {
  return table(
    [heading.replace(/:$/, '').toLowerCase(), 'meaning'],
    options.map((option) => [`\`${option.flags}\``, describe(option)]),
  );
}

/** The text after the options in the help of a command: indented, so that it stays as it is. */
function helpTexts(command: Command): string[] {
  const texts: string[] = [];
  // Commander emits this event for the texts around its help.
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (text: string) => texts.push(text),
  });
  const lines = texts.join('').trim().split('\n');
  return lines[0] === '' ? [] : [lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')];
}

function sentence(text: string): string {
  return escaped(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
}

/** What a setting accepts and has without one, from its schema, and what its comment says. */
function settingTexts(name: SettingName) {
  const source = readFileSync(new URL('../../lib/infra/settings.ts', import.meta.url), 'utf8');
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\s*${name}: `, 's').exec(source)?.[1] ?? '';
  const [meaning = '', without = ''] = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').split('@default');
  const missing = SETTINGS[name].read(undefined);
  const wrong = SETTINGS[name].read([[]]);
  const value = 'value' in missing ? missing.value : undefined;
  if (meaning.trim() === '' || 'value' in wrong)
    throw new Error(`a comment, or a wrong value, is missing: ${name}`);
  return {
    value:
      value === undefined
        ? without.replace(' - ', '').trim()
        : `\`${typeof value === 'object' ? JSON.stringify(value) : value}\``,
    expected: wrong.expected,
    meaning: meaning.trim(),
  };
}

/** Every setting of the stack, with a heading to link to. */
function settingsText(): string {
  return (Object.keys(SETTINGS) as SettingName[])
    .map((name) => {
      const { value, expected, meaning } = settingTexts(name);
      return `## \`dlx:${name}\`\n\n${escaped(meaning)}\n\nDefault: ${value}. It accepts ${escaped(expected)}.`;
    })
    .join('\n\n');
}

/** The limits of a job: the option, the setting of the stack, its default and its meaning. */
function limitsTable(): string {
  const options = createProgram().commands.find((command) => command.name() === 'solve')!.options;
  const descriptionOf = (name: string) => options.find(({ long }) => long === `--${name}`)!.description;
  const rows = JOB_LIMIT_NAMES.map((name) => {
    const setting = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const { value, meaning } = settingTexts(setting as SettingName);
    return [`\`--${name}\``, `\`dlx:${setting}\``, value, meaning.replace(/[.;] .*|\.$/, '')];
  });
  const budget = [
    '`--max-nodes`',
    'option `max-nodes` of an upload',
    ...splitDefault(descriptionOf('max-nodes')),
  ];
  return table(['option', 'in a stack', 'default', 'limit'], [budget, ...rows]);
}

function splitDefault(description: string): [value: string, meaning: string] {
  const [, meaning = description, value = ''] = /^(.*) \(default: (.*)\)$/.exec(description) ?? [];
  return [value, meaning];
}

/** The alarms of a stack with the default settings, as its template has them. */
function alarmsTable(): string {
  const alarms = Object.entries(templateWith().findResources('AWS::CloudWatch::Alarm'));
  const rows = alarms.map(([, { Properties }]) => {
    const [, text, id] = /^(.*) Runbook in the package dlx-batch: docs\/runbook\.md#(\w+)$/.exec(
      Properties.AlarmDescription,
    )!;
    const metrics = (Properties.Metrics ?? [{ MetricStat: { Metric: Properties } }]) as {
      MetricStat?: { Metric: { MetricName: string } };
    }[];
    const names = metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? []);
    const period = Properties.DatapointsToAlarm ?? Properties.EvaluationPeriods;
    return [
      `[${RUNBOOK_TITLES[id!] ?? id}](../runbook.md#${id})`,
      text!,
      names.map((name) => `\`${name}\``).join(', '),
      `${COMPARISONS[Properties.ComparisonOperator]} ${numberText(Properties.Threshold)}`,
      `${period} of ${Properties.EvaluationPeriods}`,
    ];
  });
  return table(['alarm', 'meaning', 'metrics', 'raised if', 'periods'], rows.toSorted());
}

const RUNBOOK_TITLES: Readonly<Record<string, string>> = {
  workfailed: 'WorkFailed',
  workwaits: 'WorkWaits',
  runmissing: 'RunMissing',
  toomanyrejected: 'TooManyRejected',
  throttled: 'Throttled',
};

const COMPARISONS: Readonly<Record<string, string>> = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '>=',
  LessThanThreshold: '<',
};

/** What files of ordinary sudokus cost: lines of 81 characters, 8 microseconds each. */
function pricesTable(): string {
  const bytesPerPuzzle = 82;
  const sample = { puzzles: 1, solveUs: 8, bytesPerPuzzle, usPerByte: 8 / bytesPerPuzzle };
  const rows = [1e5, 1e6, 1e7, 1e8, 1e9, 1e10].map((puzzles) => {
    const { shards, wallSeconds, dollars } = estimateJob({
      bytes: puzzles * bytesPerPuzzle,
      sample,
      memoryMb: DEFAULT_MEMORY_MB,
      concurrency: DEFAULT_SHARD_CONCURRENCY,
    });
    const total = dollars.total.toPrecision(1);
    return [numberText(puzzles), numberText(shards), durationText(wallSeconds * 1e6), `$${Number(total)}`];
  });
  return table(['puzzles', 'functions', 'time with 100 at once', 'dollars'], rows);
}
