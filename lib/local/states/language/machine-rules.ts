/**
 * Rules about all states of a machine: transitions lead to states, every state is reachable, the machine can end, and
 * names occur once. A map's children are a machine of their own for all of these but the names.
 */
import type * as z from 'zod';

/** Characters, inclusive. */
const MAX_STATE_NAME = 80;

interface AnyState {
  readonly Type: string;
  readonly Next?: string;
  readonly End?: true;
  readonly Default?: string;
  readonly Choices?: readonly { readonly Next: string }[];
  readonly Label?: string;
  readonly ItemProcessor?: AnyMachine;
}

interface AnyMachine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, AnyState>>;
}

/** Checks the transitions between the states of one machine. */
export function checkStates({ StartAt, States }: AnyMachine, context: z.RefinementCtx): void {
  const report = (message: string, ...path: PropertyKey[]) =>
    context.addIssue({ code: 'custom', message, path });
  const names = Object.keys(States);
  const reached = new Set<string>();
  const pending: [name: string, ...path: PropertyKey[]][] = [[StartAt, 'StartAt']];
  let isComplete = true;
  for (const [name, ...path] of pending) {
    const state = Object.hasOwn(States, name) ? States[name] : undefined;
    if (state === undefined) {
      isComplete = false;
      report(`expected the name of a state: ${names.join(', ')}`, ...path);
    } else if (!reached.has(name)) {
      reached.add(name);
      pending.push(...transitionsOf(name, state));
    }
  }
  if (!isComplete) return;
  const unreachable = names.find((name) => !reached.has(name));
  if (unreachable !== undefined) report('expected a state that another one leads to', 'States', unreachable);
  if (!names.some((name) => isLast(States[name]!)))
    report('expected a state that ends the machine', 'States');
}

function* transitionsOf(name: string, { Next, Default, Choices = [] }: AnyState) {
  const path = (...fields: PropertyKey[]) => ['States', name, ...fields];
  if (Next !== undefined) yield [Next, ...path('Next')] as [string, ...PropertyKey[]];
  for (const [index, choice] of Choices.entries()) {
    yield [choice.Next, ...path('Choices', index, 'Next')] as [string, ...PropertyKey[]];
  }
  if (Default !== undefined) yield [Default, ...path('Default')] as [string, ...PropertyKey[]];
}

function isLast({ Type, End }: AnyState): boolean {
  return End === true || Type === 'Succeed' || Type === 'Fail';
}

/** Checks the names of all states and labels, also those in maps. */
export function checkNames(machine: AnyMachine, context: z.RefinementCtx): void {
  const names = new Set<string>();
  const labels = new Set<string>();
  const check = ({ States }: AnyMachine, path: readonly PropertyKey[]) => {
    for (const [name, { Label, ItemProcessor }] of Object.entries(States)) {
      const report = (message: string, ...field: PropertyKey[]) =>
        context.addIssue({ code: 'custom', message, path: [...path, 'States', name, ...field] });
      if (name === '' || [...name].length > MAX_STATE_NAME) {
        report(`expected a state name of 1 to ${MAX_STATE_NAME} characters`);
      }
      if (names.has(name)) report('expected a state name that occurs once, also among the children of maps');
      names.add(name);
      if (Label !== undefined && labels.has(Label)) report('expected a label that no other map has', 'Label');
      if (Label !== undefined) labels.add(Label);
      if (ItemProcessor !== undefined) check(ItemProcessor, [...path, 'States', name, 'ItemProcessor']);
    }
  };
  check(machine, []);
}
