/** Reads the outputs of a deployed stack. */
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { handlerOptions, TIMEOUTS } from './timeouts.ts';

/**
 * The outputs of a stack by name, in the region and account of the environment.
 *
 * @throws the SDK's error: `ValidationError` if there is no such stack
 */
export async function stackOutputs(
  stackName: string,
  timeouts = TIMEOUTS,
): Promise<ReadonlyMap<string, string>> {
  const cloudFormation = new CloudFormation({ requestHandler: handlerOptions(timeouts) });
  try {
    const { Stacks } = await cloudFormation.describeStacks({ StackName: stackName });
    const outputs = new Map<string, string>();
    for (const { OutputKey, OutputValue } of Stacks?.[0]?.Outputs ?? []) {
      if (OutputKey !== undefined && OutputValue !== undefined) outputs.set(OutputKey, OutputValue);
    }
    return outputs;
  } finally {
    cloudFormation.destroy();
  }
}
