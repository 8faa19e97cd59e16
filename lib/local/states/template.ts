/**
 * The stack's template on this machine: `bin/app.ts` makes it in a child process, without bundling anything, and what
 * it says of functions and state machines is read with the names that things have here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

type TemplateValue = unknown;

/** A CloudFormation template, as far as it is looked at. */
export interface StackTemplate {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties: Readonly<Record<string, TemplateValue>> }>
  >;
  readonly Outputs: Readonly<Record<string, { readonly Value: TemplateValue }>>;
}

/**
 * Runs `bin/app.ts` with the settings of `cdk.json`.
 *
 * @param outDir folder for what it writes; emptied before
 * @throws Error with what the app wrote, where it fails
 */
export async function synthesise(outDir: string): Promise<StackTemplate> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  const settings = {
    ...context,
    'aws:cdk:bundling-stacks': [],
    // Checks of the template take longer than making it, and are for those who deploy it.
    '@aws-cdk/core:validateAgainstDefaultRules': false,
  };
  const child = spawn(process.execPath, [join(ROOT, 'bin/app.ts')], {
    env: { ...process.env, CDK_OUTDIR: outDir, CDK_CONTEXT_JSON: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  let trouble = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    trouble += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`bin/app.ts gave no stack to run here: ${trouble.trim()}`);
  const name = readdirSync(outDir).find((file) => file.endsWith('.template.json'));
  if (name === undefined) throw new Error(`bin/app.ts left no template in ${outDir}`);
  return JSON.parse(readFileSync(join(outDir, name), 'utf8'));
}

/** Names on this machine of the resources of a template. */
export interface ResourceNames {
  readonly region: string;
  /** What `Ref` gives, by logical id. */
  readonly refs: ReadonlyMap<string, string>;
  /** What `Fn::GetAtt` gives, by logical id and attribute: `<id>.Arn`. */
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * The text of a value that is put together when the stack is deployed.
 *
 * @throws Error naming what has no counterpart on this machine
 */
export function resolveText(value: TemplateValue, names: ResourceNames): string {
  if (typeof value === 'string') return value;
  const [[kind, argument] = []] = Object.entries(value as object);
  let found: string | undefined;
  if (kind === 'Fn::Join') {
    const [separator, parts] = argument as [string, TemplateValue[]];
    found = parts.map((part) => resolveText(part, names)).join(separator);
  } else if (kind === 'Ref') {
    found = pseudoParameter(argument, names) ?? names.refs.get(argument);
  } else if (kind === 'Fn::GetAtt') {
    found = names.attributes.get(argument.join('.'));
  }
  if (found === undefined)
    throw new Error(`${JSON.stringify(value)} of the template is not there on this machine`);
  return found;
}

function pseudoParameter(name: string, { region }: ResourceNames): string | undefined {
  const known: Readonly<Record<string, string>> = {
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::AccountId': LOCAL_ACCOUNT,
  };
  return known[name];
}
