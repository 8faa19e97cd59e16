/** Template and code of this program, as a stack deploys them: built once for all tests, in node_modules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeProgram } from '../../lib/local/deployments.ts';
import { eventBus } from '../../lib/local/events/event-bus.ts';
import { objectCreatedEvent } from '../../lib/local/events/service-events.ts';
import type { ObjectCreated } from '../../lib/local/s3/server.ts';
import { functionIn, roleOf, type StackTemplate } from '../../lib/local/template.ts';

/** @param folder an empty one, in which the code is then */
export async function builtProgram(
  folder: string,
): Promise<{ readonly template: StackTemplate; readonly codeDir: string }> {
  await writeProgram(folder);
  const template = JSON.parse(readFileSync(join(folder, 'template.json'), 'utf8'));
  return { template, codeDir: join(folder, 'code') };
}

/** The event of an upload as its rule sends it. */
export function uploadEvent(created: ObjectCreated, time = new Date()): string {
  let sent = '';
  const receive = (text: string) => {
    sent = text;
  };
  eventBus([{ pattern: {}, receive }], () => time)(objectCreatedEvent(created));
  return sent;
}

/** Logical id of the role of a function. */
export function roleNamed(template: StackTemplate, name: string): string {
  return roleOf(template, functionIn(template, name).logicalId);
}
