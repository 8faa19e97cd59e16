/** A line of a plan, a version to solve; and the message that starts its job. */
import type { ObjectVersion } from '../ports.ts';
import { UNVERSIONED } from './sweep/version-markers.ts';

/** Why a version is planned: it is under `scheduled/`, its event was missed, a user listed its key, or its outcome before. */
type PlanReason = 'scheduled' | 'missed' | 'listed' | 'failed' | 'stalled' | 'rejected';

export interface PlannedVersion extends ObjectVersion {
  readonly why: PlanReason;
}

/**
 * Makes the message for a version: the fields of the EventBridge event that are read, without a sequencer, because the
 * listing gives the order of versions. `runId` is outside of `detail`, so it does not change the job's identity.
 *
 * @param runId omitted if a user resends one upload
 */
export function messageFor(version: ObjectVersion, bucket: string, runId?: string): string {
  const { key, versionId, bytes, etag, latest, lastModified: time } = version;
  // In a bucket without versions the ETag identifies the job, as for an event.
  const named = versionId === UNVERSIONED && latest ? {} : { 'version-id': versionId };
  return JSON.stringify({
    version: '0',
    'detail-type': 'Object Created',
    source: 'aws.s3',
    time,
    detail: {
      version: '0',
      bucket: { name: bucket },
      object: { key, size: bytes, etag, ...named },
      reason: runId === undefined ? 'Resend' : 'BulkRun',
    },
    runId,
  });
}
