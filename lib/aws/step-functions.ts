/** Implements the port for executions with AWS Step Functions. */
import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  ExecutionNotRedrivable,
  SFN,
} from '@aws-sdk/client-sfn';
import { type ExecutionState, type Executions, failureText } from '../batch/delivery/executions.ts';
import type { S3Client } from './s3-client.ts';
import { handlerOptions, TIMEOUTS } from './timeouts.ts';
import { ForeignAnswerError } from './transient-errors.ts';

const STATUS: Readonly<Record<string, ExecutionState['status']>> = {
  RUNNING: 'running',
  PENDING_REDRIVE: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  ABORTED: 'failed',
};

export type StatesClient = SFN;

/** A client for an endpoint, with the region and credentials of an S3 client. */
export function sfnClientAt(
  endpoint: string,
  { config }: Pick<S3Client, 'config'>,
  timeouts = TIMEOUTS,
): SFN {
  const { region, credentials } = config;
  return new SFN({ endpoint, region, credentials, requestHandler: handlerOptions(timeouts) });
}

/** A client with region, credentials and `AWS_ENDPOINT_URL_SFN` from the environment. */
export function sfnClient(timeouts = TIMEOUTS): SFN {
  return new SFN({ requestHandler: handlerOptions(timeouts) });
}

/**
 * Executions of a state machine.
 *
 * @param stateMachineArn its ARN; those of its executions follow from it
 * @param sfn a client; by default one from the environment
 */
export function stepFunctions(stateMachineArn: string, sfn: SFN = sfnClient()): Executions {
  const arnOf = (name: string) => `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  return {
    async start(name, input) {
      try {
        const { executionArn } = await sfn.startExecution({ stateMachineArn, name, input });
        if (executionArn === undefined) throw new ForeignAnswerError('the answer names no execution');
        return true;
      } catch (error) {
        if (error instanceof ExecutionAlreadyExists) return false;
        throw error;
      }
    },

    async describe(name) {
      try {
        const execution = await sfn.describeExecution({ executionArn: arnOf(name) });
        const { status = '', redriveStatus, input, error, cause } = execution;
        const known = STATUS[status];
        if (known === undefined) throw new Error(`execution ${name} has the unknown status ${status}`);
        const redrivable = redriveStatus === 'REDRIVABLE';
        return { status: known, redrivable, input, cause: failureText(error, cause) };
      } catch (error) {
        if (error instanceof ExecutionDoesNotExist) return undefined;
        throw error;
      }
    },

    async redrive(name) {
      try {
        await sfn.redriveExecution({ executionArn: arnOf(name) });
        return true;
      } catch (error) {
        if (error instanceof ExecutionNotRedrivable) return false;
        throw error;
      }
    },
  };
}
