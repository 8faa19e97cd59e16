/**
 * Rows of state machines: text files of states, input and what the functions answer, and of how the execution ends.
 *
 *     A retry waits longer each time.
 *
 *       $ {"A":{"Type":"Task",...,"Retry":[...]}} <- {"a":1} with ["!E",{"x":1},null]
 *       {"output":{...},"waits":[2000],"calls":[{"in":{"a":1}},...]}
 *
 * A function answers, fails with the error after `!`, or (`null`) never answers; the last answer is repeated.
 * `TASK` and `MAP` stand for the usual fields of these states. `npm run rows` writes how executions end now.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDefinition } from '../../lib/local/states/definition.ts';
import type { StateError } from '../../lib/local/states/paths.ts';
import { errorNamed, ITEM_READER, scripted, task } from '../local/states/scripted-run.ts';

const FILE = new URL('state-rows.txt', import.meta.url).pathname;
const RESULT_WRITER = {
  Resource: 'arn:aws:states:::s3:putObject',
  Parameters: { Bucket: 'b', 'Prefix.$': '$.key' },
};
const CHILD = { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, StartAt: 'B' };
const SHORTHANDS: Readonly<Record<string, object>> = {
  TASK: task(),
  MAP: {
    Type: 'Map',
    ItemReader: ITEM_READER,
    ItemSelector: { 'item.$': '$$.Map.Item.Value', 'index.$': '$$.Map.Item.Index' },
    ResultWriter: RESULT_WRITER,
    ResultPath: null,
    ItemProcessor: { ...CHILD, States: { B: task({ ResultSelector: { 'y.$': '$.Payload.y' }, End: true }) } },
  },
};

/** JSON in which `"TASK":true` stands for fields of the object around it. */
function read(text: string) {
  return JSON.parse(text, (_name, value) => {
    const names = Object.keys(SHORTHANDS).filter((name) => value?.[name] === true);
    for (const name of names) {
      const { [name]: _, ...others } = value;
      value = { ...SHORTHANDS[name], ...others };
    }
    return value;
  });
}

async function ended(row: string): Promise<object> {
  const [, states, input, answers = '[{}]'] = /^(.*) <- (.*?)(?: with (.*))?$/.exec(row)!;
  const functions: unknown[] = JSON.parse(answers);
  const { items, ...given } = JSON.parse(input!);
  try {
    const { run, waits, calls, files } = scripted(
      read(states!),
      (_payload, call) => {
        const answer = functions[Math.min(call, functions.length) - 1];
        if (typeof answer === 'string' && answer.startsWith('!')) throw errorNamed(answer.slice(1));
        return answer;
      },
      { random: () => 0.5 },
    );
    if (items !== undefined) files.set('b/items', items);
    const end = await run(given).then(
      (output) => ({ output }),
      ({ errorName, message }: StateError) => ({ error: errorName, cause: message }),
    );
    return { ...end, ...(waits.length > 0 && { waits }), ...(calls.length > 0 && { calls }) };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

test('state machines end as their rows say', async () => {
  const lines: string[] = [];
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    if (line.startsWith('  $ ')) lines.push(line, `  ${JSON.stringify(await ended(line.slice(4)))}`);
    else if (!line.startsWith('  ')) lines.push(line);
  }
  await expect(lines.join('\n')).toMatchFileSnapshot(FILE);
});

test.each([
  ['Version', '1.0'],
  ['QueryLanguage', 'JSONata'],
])('a machine with %s %s is refused, by its name', (name, value) => {
  const machine = { StartAt: 'A', States: { A: { Type: 'Succeed' } }, [name]: value };
  expect(() => loadDefinition(JSON.stringify(machine))).toThrow(`Unrecognized key: "${name}"`);
});
