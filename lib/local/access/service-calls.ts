/**
 * The calls that services of AWS make for the stack: Lambda receives messages with the role of a function, the Scheduler
 * invokes a function with its own role, EventBridge sends to queues by their policies. Here no service makes them, so they
 * are checked when the stack starts.
 */
import { type ResourceNames, resolveText, type StackTemplate } from '../states/template.ts';
import { roleOf, type StackAccess } from './stack-access.ts';

interface ServiceCall {
  /** Logical id of the role; undefined for EventBridge, which has none. */
  readonly role?: string;
  readonly action: string;
  /** ARN. */
  readonly resource: unknown;
}

/** A topic is named by `Ref`, which gives its ARN. */
interface Reference {
  readonly Ref?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: properties of CloudFormation, whose shape the type of the resource decides.
type CallsOf = (properties: Readonly<Record<string, any>>, template: StackTemplate) => ServiceCall[];

/** What a service does with a resource, by the type of the resource. */
const CALLS: Readonly<Record<string, CallsOf>> = {
  'AWS::Lambda::EventSourceMapping': ({ FunctionName, EventSourceArn: resource }, template) =>
    ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'].map((action) => ({
      role: roleOf(template, FunctionName.Ref),
      action,
      resource,
    })),
  'AWS::Lambda::EventInvokeConfig': ({ FunctionName, DestinationConfig }, template) => [
    {
      role: roleOf(template, FunctionName.Ref),
      action: 'sqs:SendMessage',
      resource: DestinationConfig.OnFailure.Destination,
    },
  ],
  'AWS::Scheduler::Schedule': ({ Target: { RoleArn, Arn, DeadLetterConfig } }) => {
    const role = RoleArn['Fn::GetAtt'][0];
    return [
      { role, action: 'lambda:InvokeFunction', resource: Arn },
      { role, action: 'sqs:SendMessage', resource: DeadLetterConfig.Arn },
    ];
  },
  'AWS::Events::Rule': ({ Targets }, template) =>
    (Targets as { Arn: Reference; DeadLetterConfig?: { Arn: unknown } }[]).flatMap(
      ({ Arn, DeadLetterConfig }) => {
        const isTopic = template.Resources[Arn.Ref ?? '']?.Type === 'AWS::SNS::Topic';
        return [
          { action: isTopic ? 'sns:Publish' : 'sqs:SendMessage', resource: Arn },
          ...(DeadLetterConfig ? [{ action: 'sqs:SendMessage', resource: DeadLetterConfig.Arn }] : []),
        ];
      },
    ),
};

/** @throws Error if a service may not make a call */
export function checkServiceCalls(template: StackTemplate, names: ResourceNames, access: StackAccess): void {
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    for (const { role, action, resource } of CALLS[Type]?.(Properties, template) ?? []) {
      const arn = resolveText(resource, names);
      const isAllowed =
        role === undefined
          ? access.isServiceAllowed('events.amazonaws.com', action, arn, names.attributes.get(`${id}.Arn`)!)
          : access.isAllowed(role, action, arn);
      if (!isAllowed)
        throw new Error(`${id} needs the permission ${action} on ${arn}, which no policy grants`);
    }
  }
}
