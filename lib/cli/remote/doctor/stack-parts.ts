/** The resources of a construct in a stack, by type and by name, and their ARNs. */
import type { CallerIdentity, StackResource } from '../../../aws/stack-inspection.ts';

export class StackParts {
  readonly #resources: readonly StackResource[];
  readonly #identity: CallerIdentity;
  /** Names of the construct and of its parents, with which all logical ids begin; empty in a stack of its own. */
  readonly #prefix: string;

  /**
   * @param resources of the stack, which may have others than those of the construct
   * @param queueUrl URL of the queue for uploads
   */
  constructor(identity: CallerIdentity, resources: readonly StackResource[], queueUrl: string) {
    this.#identity = identity;
    const isQueue = ({ type, physicalId }: StackResource) =>
      type === 'AWS::SQS::Queue' && queueName(physicalId) === queueName(queueUrl);
    this.#prefix = resources.find(isQueue)?.logicalId.replace(UPLOAD_QUEUE, '') ?? '';
    this.#resources = resources.filter(({ logicalId }) => logicalId.startsWith(this.#prefix));
  }

  /** Names, URLs or ARNs of the existing resources of a type, such as `AWS::SQS::Queue`. */
  idsOf(type: string): string[] {
    return this.#resources
      .filter((resource) => resource.type === type && resource.physicalId !== '')
      .map(({ physicalId }) => physicalId);
  }

  /** When the resource with a name was created or changed; undefined if it is not one of the stack. */
  changed(physicalId: string): Date | undefined {
    return this.#resources.find((resource) => resource.physicalId === physicalId)?.changed;
  }

  /** The ARN of the resource with a name in the construct, such as `SolveBatchRole`. */
  arnNamed(name: string): string | undefined {
    const found = this.#resources.find(
      ({ logicalId }) => logicalId.slice(0, -HASH_DIGITS) === this.#prefix + name,
    );
    return found && this.arnOf(found);
  }

  /** The ARN of a resource; undefined for a type that no check needs. */
  arnOf({ type, physicalId }: Pick<StackResource, 'type' | 'physicalId'>): string | undefined {
    const { region, account } = this.#identity;
    const arn = (service: string, resource: string) =>
      `arn:${this.partition}:${service}:${region}:${account}:${resource}`;
    if (physicalId.startsWith('arn:')) return physicalId;
    if (type === 'AWS::SQS::Queue') return arn('sqs', queueName(physicalId));
    if (type === 'AWS::Lambda::Function') return arn('lambda', `function:${physicalId}`);
    if (type === 'AWS::IAM::Role') return `arn:${this.partition}:iam::${account}:role/${physicalId}`;
    return undefined;
  }

  /** `aws`, or that of another group of regions. */
  get partition(): string {
    return this.#identity.arn.split(':')[1] ?? 'aws';
  }
}

/** Digits of the hash after the names in a logical id. */
const HASH_DIGITS = 8;
const UPLOAD_QUEUE = /UploadsQueue\w{8}$/;

/** The name of a queue. @param url its URL */
export function queueName(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
