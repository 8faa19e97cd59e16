/** Names of the resources in the policies of a template: those that exist here, and placeholders for all others. */
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';
import { deadLettersArn } from '../queue/queue-service.ts';
import { bucketArn } from '../s3/operations/permissions.ts';
import { namesOf, type StateMachinesOptions } from '../states/machines.ts';
import type { ResourceNames, StackTemplate } from '../states/template.ts';

/** @param queueArn of the queue of uploads */
export function policyNames(
  template: StackTemplate,
  options: Pick<StateMachinesOptions, 'region' | 'outputs'>,
  queueArn: string,
): ResourceNames {
  // A role may invoke every version, so the name of the current one makes no difference.
  const names = namesOf({ id: 'current', template }, options);
  const refs = new Map(names.refs);
  const attributes = new Map(names.attributes);
  const queueId = [...refs].find(([, name]) => name === options.outputs.QueueUrl)?.[0];
  const deadLetters = template.Outputs.DeadLetterQueueUrl?.Value as { readonly Ref?: string } | undefined;
  const queueArns = new Map([
    [queueId, queueArn],
    [deadLetters?.Ref, deadLettersArn(queueArn)],
  ]);
  for (const [id, { Type }] of Object.entries(template.Resources)) {
    const [, service = '', kind] = Type.toLowerCase().split('::');
    const name = refs.get(id) ?? (attributes.get(`${id}.Arn`) ?? id).split(':').at(-1)!;
    // In the names of queues, there is no kind.
    const resource = Type === 'AWS::SQS::Queue' ? id : `${kind}/${id}`;
    const placeholder = `arn:aws:${service}:${options.region}:${LOCAL_ACCOUNT}:${resource}`;
    const arn = Type === 'AWS::S3::Bucket' ? bucketArn(name) : (queueArns.get(id) ?? placeholder);
    refs.set(id, Type === 'AWS::SNS::Topic' ? placeholder : name);
    if (!attributes.has(`${id}.Arn`)) attributes.set(`${id}.Arn`, arn);
  }
  return { ...names, refs, attributes };
}
