/** Synthesises the stack with the context of `cdk.json`, without its bundles, for the tests of lib/infra. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DlxBatchStack } from '../../lib/infra/dlx-batch-stack.ts';
import { readStackContext } from '../../lib/infra/settings.ts';

/** The context of `cdk.json`. */
export const cdkJsonContext: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'),
).context;

/**
 * An app without the slow steps that change no template: no bundles, unless the context sets them, and no validation by
 * the library, unless `validated`.
 */
export function newApp(context: Record<string, unknown>, validated = false): App {
  return new App({
    context: { 'aws:cdk:bundling-stacks': [], ...context },
    builtinCloudFormationValidation: validated,
    outdir: mkdtempSync(join(tmpdir(), 'app-')),
  });
}

/** An app with the context of `cdk.json`, overridden by `context`. */
export function appWith(context: Record<string, unknown> = {}, validated = false): App {
  return newApp({ ...cdkJsonContext, ...context }, validated);
}

/** The stack as `bin/app.ts` creates it. */
export function stackIn(app: App): DlxBatchStack {
  const { stackName, props } = readStackContext(app.node);
  return new DlxBatchStack(app, stackName, props);
}

/** Templates by their contexts: a synthesis takes 0.2 s, and a worker runs many files. */
const templates = new Map<string, ReturnType<Template['toJSON']>>();

export function templateWith(context: Record<string, unknown> = {}): Template {
  const id = JSON.stringify(context);
  const template = templates.get(id) ?? Template.fromStack(stackIn(appWith(context))).toJSON();
  templates.set(id, template);
  return Template.fromJSON(structuredClone(template));
}

/** The logical id of the resource that an output of the stack names. */
export function outputLogicalId(template: Template, output: string): string {
  return template.toJSON().Outputs[output].Value.Ref;
}

/** The resource that an output of the stack names. */
export function resourceOf(template: Template, output: string): ReturnType<Template['toJSON']> {
  return template.toJSON().Resources[outputLogicalId(template, output)];
}
