/** The item reader and result writer of a map, with permissions for `work/` only: the library grants whole buckets. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { ResultWriterV2, S3JsonLItemReader } from 'aws-cdk-lib/aws-stepfunctions';
import { WORK_PREFIX } from '../../batch/names.ts';

/** Reads the items of a map, one per line, from an object under `work/`. */
export class ShardItemReader extends S3JsonLItemReader {
  override providePolicyStatements(): PolicyStatement[] {
    return workStatements(this.bucket, ['s3:GetObject']);
  }
}

/** Writes the results of a map's children under `work/`. */
export class ShardResultWriter extends ResultWriterV2 {
  override providePolicyStatements(): PolicyStatement[] {
    return workStatements(this.bucket, [
      's3:PutObject',
      's3:GetObject',
      's3:ListMultipartUploadParts',
      's3:AbortMultipartUpload',
    ]);
  }
}

/** There are no permissions for keys, which the library omits too (aws-cdk issue 32144): S3 manages the keys. */
function workStatements(bucket: IBucket | undefined, actions: string[]): PolicyStatement[] {
  if (bucket === undefined) return [];
  return [new PolicyStatement({ actions, resources: [bucket.arnForObjects(`${WORK_PREFIX}*`)] })];
}
