/**
 * The calls that services of AWS make with roles of the stack: Lambda receives messages and sends those of failed calls, the
 * Scheduler invokes a function, SQS moves dead letters. Here no service makes them.
 */
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import type { Resources } from './resources.ts';

export interface ServiceCall {
  /** References to ARNs: `<LogicalId.Arn>`. */
  readonly role: string;
  readonly on: string;
  readonly action: string;
}

export function serviceCalls(all: Resources): readonly ServiceCall[] {
  const roleOf = (functionReference: string) => all.at(functionReference)!.is.Role;
  const receiving = (role: string, on: string) =>
    ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'].map((action) => ({
      role,
      action,
      on,
    }));
  return [
    ...all
      .of('Lambda::EventSourceMapping')
      .flatMap(({ is }) => receiving(roleOf(is.FunctionName), is.EventSourceArn)),
    ...all.of('Lambda::Function').flatMap(({ is }) => {
      const deadLetters = is.Environment?.Variables[ENVIRONMENT.deadLettersArn];
      return deadLetters === undefined ? [] : receiving(is.Role, deadLetters);
    }),
    ...all.of('Lambda::EventInvokeConfig').map(({ is }) => ({
      role: roleOf(is.FunctionName),
      action: 'sqs:SendMessage',
      on: is.DestinationConfig.OnFailure.Destination,
    })),
    ...all.of('Scheduler::Schedule').flatMap(({ is: { Target } }) => [
      { role: Target.RoleArn, action: 'lambda:InvokeFunction', on: Target.Arn },
      { role: Target.RoleArn, action: 'sqs:SendMessage', on: Target.DeadLetterConfig.Arn },
    ]),
  ];
}
