/**
 * The stack's CloudFormation template: `bin/app.ts` synthesises it in a child process, without bundling, or the package
 * contains it. Its references resolve to the names of local resources.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prebuiltTemplate } from '../../../functions/prebuilt.ts';
import { buildOnce } from '../build-cache.ts';
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLLOW_PARENT = new URL('../functions/follow-parent.mjs', import.meta.url).href;

type TemplateValue = unknown;

/** The parts of a CloudFormation template that the local stack reads. */
export interface StackTemplate {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties: Readonly<Record<string, TemplateValue>> }>
  >;
  readonly Outputs: Readonly<Record<string, { readonly Value: TemplateValue }>>;
}

/**
 * The template that `bin/app.ts` makes of the settings of `cdk.json`. In the package, those of its build.
 *
 * @param outDir output folder; emptied first
 * @throws Error with the app's error output if it fails
 */
export async function synthesise(outDir: string): Promise<StackTemplate> {
  const prebuilt = prebuiltTemplate();
  if (prebuilt !== undefined) return JSON.parse(readFileSync(prebuilt, 'utf8'));
  rmSync(outDir, { recursive: true, force: true });
  await buildOnce('template', outDir, runApp);
  const name = readdirSync(outDir).find((file) => file.endsWith('.template.json'));
  if (name === undefined) throw new Error(`bin/app.ts wrote no template to ${outDir}`);
  return JSON.parse(readFileSync(join(outDir, name), 'utf8'));
}

/** Settings that have no counterpart here: keys, boundaries and traces of AWS, and buckets that exist there. */
const CLOUD_SETTINGS = [
  'dlx:encryptionKey',
  'dlx:permissionsBoundaryArn',
  'dlx:puzzleBucketKeyArn',
  'dlx:puzzleBucketName',
  'dlx:resultsBucketKeyArn',
  'dlx:resultsBucketName',
  'dlx:tracing',
];

function withoutCloudSettings(context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(context).filter(([name]) => !CLOUD_SETTINGS.includes(name)));
}

async function runApp(outDir: string): Promise<void> {
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  const settings = {
    ...withoutCloudSettings(context),
    'aws:cdk:bundling-stacks': [],
    // Checks of the template take longer than its synthesis, and matter only for a deployment.
    '@aws-cdk/core:validateAgainstDefaultRules': false,
  };
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, join(ROOT, 'bin/app.ts')], {
    env: { ...process.env, CDK_OUTDIR: outDir, CDK_CONTEXT_JSON: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // A process that cannot be started has no output, and reports its error to whoever waits for its end.
  const closed = once(child, 'close');
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  const [code] = await closed;
  if (code !== 0) throw new Error(`bin/app.ts failed: ${errorOutput.trim()}`);
}

/** Local names of a template's resources. */
export interface ResourceNames {
  readonly region: string;
  /** Values of `Ref`, by logical id. */
  readonly refs: ReadonlyMap<string, string>;
  /** Values of `Fn::GetAtt`, by logical id and attribute: `<id>.Arn`. */
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Resolves the intrinsic functions of a value to text.
 *
 * @throws Error with the value that has no local counterpart
 */
export function resolveText(value: TemplateValue, names: ResourceNames): string {
  if (typeof value === 'string') return value;
  const [[kind, argument] = []] = Object.entries(value as object);
  let found: string | undefined;
  if (kind === 'Fn::Join') {
    const [separator, parts] = argument as [string, TemplateValue[]];
    found = parts.map((part) => resolveText(part, names)).join(separator);
  } else if (kind === 'Fn::Select') {
    const [index, { 'Fn::Split': split }] = argument as [number, { 'Fn::Split': [string, TemplateValue] }];
    found = resolveText(split[1], names).split(split[0])[index];
  } else if (kind === 'Ref') {
    found = pseudoParameter(argument, names) ?? names.refs.get(argument);
  } else if (kind === 'Fn::GetAtt') {
    found = names.attributes.get(argument.join('.'));
  }
  if (found === undefined)
    throw new Error(`the local stack cannot resolve ${JSON.stringify(value)} of the template`);
  return found;
}

/** A value with all intrinsic functions in it resolved. @throws Error as `resolveText` does */
export function resolveValue(value: TemplateValue, names: ResourceNames): TemplateValue {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (/^(Ref|Fn::.*)$/.test(entries[0]?.[0] ?? '')) return resolveText(value, names);
  return Object.fromEntries(entries.map(([name, item]) => [name, resolveValue(item, names)]));
}

function pseudoParameter(name: string, { region }: ResourceNames): string | undefined {
  const known: Readonly<Record<string, string>> = {
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::AccountId': LOCAL_ACCOUNT,
  };
  return known[name];
}
