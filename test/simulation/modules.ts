/** Loads the code under test: fresh copies of the modules with state for each world, and sources with planted defects. */
import { registerHooks } from 'node:module';
import type { FunctionName } from '../../functions/bundle.ts';
import { PLANTS, planted } from './plants.ts';

const ROOT = new URL('../../', import.meta.url).href;
/** Modules that keep clients of AWS, which count retries and remember answers. */
const WITH_STATE = ['functions/', 'lib/aws/'].map((folder) => ROOT + folder);

/** A handler of a function, as Lambda calls it. */
export type Handler = (event: unknown, context: unknown) => Promise<unknown>;

export type Handlers = Readonly<Record<FunctionName, Handler>>;

/** Installs the hooks, once for this process. @param plant name of a planted defect */
export function installModuleHooks(plant: string | undefined): void {
  const defect = plant === undefined ? undefined : PLANTS[plant];
  if (plant !== undefined && defect === undefined) {
    throw new Error(`no plant has the name ${plant}: expected one of ${Object.keys(PLANTS).join(', ')}`);
  }
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const [, world] = /\?world=(\d+)$/.exec(context.parentURL ?? '') ?? [];
      if (world === undefined || !WITH_STATE.some((folder) => found.url.startsWith(folder))) return found;
      return { ...found, url: `${found.url}?world=${world}` };
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (defect === undefined || url.replace(/\?.*/, '') !== ROOT + defect.path) return loaded;
      return { ...loaded, source: planted(defect, String(loaded.source)) };
    },
  });
}

let worlds = 0;

/** Loads a fresh copy of the functions. */
export async function loadHandlers(names: readonly FunctionName[]): Promise<Handlers> {
  const world = ++worlds;
  const entries = await Promise.all(
    names.map(async (name) => {
      const module = await import(`${ROOT}functions/${name}.ts?world=${world}`);
      return [name, module.handler as Handler] as const;
    }),
  );
  return Object.fromEntries(entries) as Handlers;
}
