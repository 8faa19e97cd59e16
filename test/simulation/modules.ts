/** Loads the code under test: sources with planted defects, versions of the program, and the clients of AWS. */
import { createRequire, registerHooks } from 'node:module';
import { FUNCTION_NAMES, type FunctionName } from '../../functions/bundle.ts';
import { PLANTS, planted } from './plants.ts';
import { currentProcess, type SimulatedProcess } from './world.ts';

const ROOT = new URL('../../', import.meta.url).href;

/** The variable of a function's environment that has the number of its release. */
export const RELEASE_VARIABLE = 'SIMULATED_RELEASE';
/** In bundles a constant: here the program of each process has its own. */
const VERSION_CONSTANT = /\bPROGRAM_VERSION\b/g;
const VERSION_IMPORT = /^import \{ PROGRAM_VERSION \} from .*$/m;

/** A run that waits for a lost upload polls for a day: 23 times instead of 195 times. */
const RARE_POLLS = {
  path: 'lib/batch/bulk-run/follow-run.ts',
  text: 'Math.min(MAX_IDLE_SECONDS, secondsSince(state.progressAt) / 10)',
  replacement: 'secondsSince(state.progressAt) / 2',
};

/** A handler of a function, as Lambda calls it. */
export type Handler = (event: unknown, context: unknown) => Promise<unknown>;

export type Handlers = Readonly<Record<FunctionName, Handler>>;

/** Installs the hooks, once for this process. @param plant name of a planted defect */
export function installModuleHooks(plant: string | undefined): void {
  const defect = plant === undefined ? undefined : PLANTS[plant];
  if (plant !== undefined && defect === undefined) {
    throw new Error(`no plant has the name ${plant}: expected one of ${Object.keys(PLANTS).join(', ')}`);
  }
  const program = { version: () => `release-${process.env[RELEASE_VARIABLE] ?? 'none'}` };
  Object.assign(globalThis, { simulatedProgram: program });
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const isPlanted = defect !== undefined && url === ROOT + defect.path;
      if (url === `${ROOT}lib/batch/bulk-run/follow-run.ts`) {
        return { ...loaded, source: planted(RARE_POLLS, String(loaded.source)) };
      }
      const hasVersion = url.startsWith(`${ROOT}lib/batch/large/`);
      if (!isPlanted && !hasVersion) return loaded;
      let source = String(loaded.source);
      if (isPlanted) source = planted(defect, source);
      if (VERSION_IMPORT.test(source)) {
        source = source
          .replace(VERSION_IMPORT, '')
          .replaceAll(VERSION_CONSTANT, 'globalThis.simulatedProgram.version()');
      }
      return { ...loaded, source };
    },
  });
  const require = createRequire(import.meta.url);
  for (const [name, client] of [
    ['@aws-sdk/client-s3', 'S3'],
    ['@aws-sdk/client-sqs', 'SQS'],
    ['@aws-sdk/client-sfn', 'SFN'],
    ['@aws-sdk/client-eventbridge', 'EventBridgeClient'],
  ] as const) {
    const module = require(name);
    module[client] = clientOfEachProcess(module[client]);
  }
}

type Client = new (...given: unknown[]) => object;

/**
 * Clients that a module creates while it is loaded: modules are loaded once, but each process has state of its own, with
 * credentials of its own.
 */
function clientOfEachProcess(Real: Client): Client {
  return new Proxy(Real, {
    construct(_, given) {
      if (currentProcess() !== undefined) return new Real(...given);
      const clients = new WeakMap<SimulatedProcess, object>();
      return new Proxy(
        {},
        {
          get(_target, name) {
            const owner = currentProcess()!;
            const client = clients.get(owner) ?? new Real(...given);
            clients.set(owner, client);
            const value = Reflect.get(client, name);
            return typeof value === 'function' ? value.bind(client) : value;
          },
        },
      );
    },
  });
}

/** The handlers of all functions. */
export async function loadHandlers(): Promise<Handlers> {
  const entries = await Promise.all(
    FUNCTION_NAMES.map(async (name) => {
      const module = await import(`${ROOT}functions/${name}.ts`);
      return [name, module.handler as Handler] as const;
    }),
  );
  return Object.fromEntries(entries) as Handlers;
}
