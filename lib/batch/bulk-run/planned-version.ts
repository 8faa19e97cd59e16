/** A line of `plan.jsonl`: a version that is to be solved; and the message that asks for it. */
import type { ObjectVersion } from '../ports.ts';
import { UNVERSIONED } from './sweep/version-markers.ts';

/**
 * Why a version is planned: it lies under `scheduled/`; its event never came to an end; or the run that is run again
 * says so.
 */
export type PlanReason = 'scheduled' | 'missed' | 'failed' | 'stalled' | 'rejected';

export interface PlannedVersion extends ObjectVersion {
  readonly why: PlanReason;
}

/**
 * The message for a version: EventBridge's event as far as it is read, without a sequencer, since the order of versions
 * is that of the listing. The run stands beside the detail, and so in no job's identity.
 *
 * @param runId left out where a user resends one upload
 */
export function messageFor(version: ObjectVersion, bucket: string, runId?: string): string {
  const { key, versionId, bytes, etag, latest } = version;
  // In a bucket without versions the job is named by the ETag, as it is for an event.
  const named = versionId === UNVERSIONED && latest ? {} : { 'version-id': versionId };
  return JSON.stringify({
    version: '0',
    'detail-type': 'Object Created',
    source: 'aws.s3',
    detail: {
      version: '0',
      bucket: { name: bucket },
      object: { key, size: bytes, etag, ...named },
      reason: runId === undefined ? 'Resend' : 'BulkRun',
    },
    runId,
  });
}
