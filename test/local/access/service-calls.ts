/**
 * The calls that services of AWS make with roles of the stack: Lambda receives messages and sends those of failed calls, the
 * Scheduler invokes a function, SQS moves dead letters. Here no service makes them. (What rules of EventBridge may send: `test/infra/rules.test.ts`.)
 */
import { ENVIRONMENT } from '../../../lib/batch/names.ts';
import { type ResourceNames, resolveText, roleOf, type StackTemplate } from '../../../lib/local/template.ts';

export interface ServiceCall {
  /** Logical id. */
  readonly role: string;
  readonly action: string;
  /** ARN. */
  readonly resource: string;
}

// biome-ignore lint/suspicious/noExplicitAny: properties of CloudFormation, whose shape the type of the resource decides.
type Properties = any;

export function serviceCalls(template: StackTemplate, names: ResourceNames): ServiceCall[] {
  const call = (role: string, action: string, resource: unknown) => ({
    role,
    action,
    resource: resolveText(resource, names),
  });
  const callsOf: Readonly<Record<string, (properties: Properties) => ServiceCall[]>> = {
    'AWS::Lambda::EventSourceMapping': ({ FunctionName, EventSourceArn }) =>
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'].map((action) =>
        call(roleOf(template, FunctionName.Ref), action, EventSourceArn),
      ),
    'AWS::Lambda::Function': ({ Role, Environment }) => {
      const from = Environment?.Variables[ENVIRONMENT.deadLettersArn];
      const moving = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
      return from === undefined ? [] : moving.map((action) => call(Role['Fn::GetAtt'][0], action, from));
    },
    'AWS::Lambda::EventInvokeConfig': ({ FunctionName, DestinationConfig }) => [
      call(roleOf(template, FunctionName.Ref), 'sqs:SendMessage', DestinationConfig.OnFailure.Destination),
    ],
    'AWS::Scheduler::Schedule': ({ Target: { RoleArn, Arn, DeadLetterConfig } }) => [
      call(RoleArn['Fn::GetAtt'][0], 'lambda:InvokeFunction', Arn),
      call(RoleArn['Fn::GetAtt'][0], 'sqs:SendMessage', DeadLetterConfig.Arn),
    ],
  };
  return Object.values(template.Resources).flatMap(
    ({ Type, Properties }) => callsOf[Type]?.(Properties) ?? [],
  );
}
