/** The item reader and result writer of a map, with permissions for `work/` only: the library grants whole buckets. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import {
  ResultWriterV2,
  type ResultWriterV2Props,
  type S3FileItemReaderProps,
  S3JsonLItemReader,
} from 'aws-cdk-lib/aws-stepfunctions';

interface WorkFolder {
  /** Prefix of the objects that the map may use. */
  readonly workPrefix: string;
}

/** Reads the items of a map, one per line, from an object under `work/`. */
export class ShardItemReader extends S3JsonLItemReader {
  readonly #workPrefix: string;

  constructor({ workPrefix, ...props }: S3FileItemReaderProps & WorkFolder) {
    super(props);
    this.#workPrefix = workPrefix;
  }

  override providePolicyStatements(): PolicyStatement[] {
    return workStatements(this.bucket, this.#workPrefix, ['s3:GetObject']);
  }
}

/** Writes the results of a map's children under `work/`. */
export class ShardResultWriter extends ResultWriterV2 {
  readonly #workPrefix: string;

  constructor({ workPrefix, ...props }: ResultWriterV2Props & WorkFolder) {
    super(props);
    this.#workPrefix = workPrefix;
  }

  override providePolicyStatements(): PolicyStatement[] {
    return workStatements(this.bucket, this.#workPrefix, [
      's3:PutObject',
      's3:GetObject',
      's3:ListMultipartUploadParts',
      's3:AbortMultipartUpload',
    ]);
  }
}

/** Not for the key of the bucket: the library omits these permissions too (aws-cdk issue 32144), so `SolveLarge` grants them. */
function workStatements(
  bucket: IBucket | undefined,
  workPrefix: string,
  actions: string[],
): PolicyStatement[] {
  if (bucket === undefined) return [];
  return [new PolicyStatement({ actions, resources: [bucket.arnForObjects(`${workPrefix}*`)] })];
}
