/** All targets of the fuzzer, loaded when they are needed: coverage takes longer with more code. */
import type { Target } from './target.ts';

const LOADERS: Readonly<Record<string, () => Promise<Target>>> = {
  records: async () => (await import('./targets/records.ts')).records,
  links: async () => (await import('./targets/links.ts')).links,
  jobs: async () => (await import('./targets/jobs.ts')).jobs,
  covers: async () => (await import('./targets/covers.ts')).covers,
  containers: async () => (await import('./targets/containers.ts')).containers,
  's3-requests': async () => (await import('./targets/s3-requests.ts')).s3Requests,
  schedules: async () => (await import('./targets/schedules.ts')).schedules,
  options: async () => (await import('./targets/options.ts')).options,
  messages: async () => (await import('./targets/messages.ts')).messages,
  'json-lines': async () => (await import('./targets/json-lines.ts')).jsonLines,
  definitions: async () => (await import('./targets/definitions.ts')).definitions,
};

export const TARGET_NAMES: readonly string[] = Object.keys(LOADERS);

export function loadTarget(name: string): Promise<Target> {
  return LOADERS[name]!();
}
