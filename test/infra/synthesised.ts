/** The stack as `cdk.json` has it, without its bundle: what the tests of lib/infra look at. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { DlxBatchStack } from '../../lib/infra/dlx-batch-stack.ts';
import { readStackContext } from '../../lib/infra/stack-context.ts';

/** The context of `cdk.json`. */
export const cdkJsonContext: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'),
).context;

/** Every app's cloud assembly; gone when the tests of a file have run. */
const assemblies = mkdtempSync(join(tmpdir(), 'dlx-batch-assemblies-'));
afterAll(() => rmSync(assemblies, { recursive: true }));

/**
 * An app that leaves out what takes long and changes no template: the bundle, unless its context asks for it, and
 * the library's own validation, unless `validated`.
 */
export function newApp(context: Record<string, unknown>, validated = false): App {
  return new App({
    context: { 'aws:cdk:bundling-stacks': [], ...context },
    builtinCloudFormationValidation: validated,
    outdir: mkdtempSync(join(assemblies, 'app-')),
  });
}

/** The same with the context of `cdk.json`, and then the given one. */
export function appWith(context: Record<string, unknown> = {}, validated = false): App {
  return newApp({ ...cdkJsonContext, ...context }, validated);
}

/** The stack as `bin/app.ts` makes it. */
export function stackIn(app: App): DlxBatchStack {
  const { stackName, props } = readStackContext(app.node, () => undefined);
  return new DlxBatchStack(app, stackName, props);
}

export function templateWith(context: Record<string, unknown> = {}): Template {
  return Template.fromStack(stackIn(appWith(context)));
}

/** The logical id of what an output of the stack names. */
export function outputLogicalId(template: Template, output: string): string {
  return template.toJSON().Outputs[output].Value.Ref;
}

/** The resource that an output of the stack names, as it stands in the template. */
export function resourceOf(template: Template, output: string): ReturnType<Template['toJSON']> {
  return template.toJSON().Resources[outputLogicalId(template, output)];
}
