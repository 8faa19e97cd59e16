/**
 * Results of state machines that LocalStack recorded from Step Functions (tests/aws/services/stepfunctions/v2, validated
 * snapshots of 23 March 2026). `states.jsonl` has the states, with functions named by a literal, the input, what the
 * functions return (`null` never answers), and the end: output, or error and cause, without the number of the event that it
 * names. Of machines with Catch, a row has the execution up to the failure.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { StateError } from '../../../lib/local/states/paths.ts';
import { scripted } from '../../local/states/scripted-run.ts';
import { differences } from './differences.ts';

interface Row {
  readonly of: string;
  readonly test: string;
  readonly states: Record<string, object>;
  readonly input: never;
  readonly functions?: readonly (
    | null
    | { readonly payload: unknown }
    | { errorType: string; errorMessage: string }
  )[];
  readonly answer: {
    readonly output?: unknown;
    readonly error?: string;
    /** Text, or fields of JSON. */
    readonly cause?: unknown;
    /** Where CreateStateMachine finds an error. */
    readonly refused?: string;
  };
}

const ROWS: readonly Row[] = readFileSync(new URL('states.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  // Comments have no effect, and the definitions of the stack have none.
  .map((line) => JSON.parse(line, (name, value) => (name === 'Comment' ? undefined : value)));

/** A function that returns the recorded results in turn. */
function functionOf({ functions = [] }: Row) {
  return (_payload: unknown, call: number) => {
    const result = functions[call - 1] ?? null;
    if (result === null || 'payload' in result) {
      return result && (result.payload === '{{large}}' ? 'ä'.repeat(140_000) : result.payload);
    }
    throw Object.assign(new Error(result.errorMessage), { name: result.errorType });
  };
}

async function answerOf(row: Row): Promise<Row['answer']> {
  const { run } = scripted(row.states, functionOf(row), { execution: { Input: row.input } });
  try {
    const output = await run(row.input);
    return { output };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const cause = typeof row.answer.cause === 'object' ? JSON.parse(error.message) : error.message;
    return {
      ...(error.errorName !== '' && { error: error.errorName }),
      ...(cause !== '' && { cause }),
    };
  }
}

describe('state machines end as recorded from AWS', () => {
  test.each(ROWS.map((row, index) => [`${row.of} ${row.test} (${index})`, row] as const))(
    '%s',
    async (_name, row) => {
      const { refused, ...recorded } = row.answer;
      if (refused !== undefined) {
        expect(() => scripted(row.states)).toThrow(refused.replaceAll('/', '.'));
        return;
      }
      expect(differences(recorded, await answerOf(row), new Map())).toEqual([]);
    },
  );
});
