import { vi } from 'vitest';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { RESULTS_BUCKET } from '../support/dependencies.ts';
import { CREDENTIALS, REGION } from '../support/embedded-s3.ts';

/** Sets the environment that a stack gives its functions; undone by `vi.unstubAllEnvs`. */
export function stubStackEnvironment(endpoint: string, more: Readonly<Record<string, string>> = {}): void {
  const environment = {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    [ENVIRONMENT.resultsBucket]: RESULTS_BUCKET,
    ...more,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
}
