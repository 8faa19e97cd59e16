/** Loads functions as a new process would: each time with all modules of the project, their state and their clients anew. */
import { registerHooks } from 'node:module';
import type { FunctionName } from '../../functions/bundle.ts';

const ROOT = new URL('../../', import.meta.url).href;
const NUMBER = /\?process=\d+$/;

let processes = 0;

// What a module of a numbered process imports has the same number.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [number] = NUMBER.exec(context.parentURL ?? '') ?? [];
    const { url } = resolved;
    if (number === undefined || !url.startsWith(ROOT) || url.includes('/node_modules/')) return resolved;
    return { ...resolved, url: url + number };
  },
});

/** @returns loads functions of one more process, in the environment of each call */
export function newProcess(): <Module>(name: FunctionName) => Promise<Module> {
  const number = ++processes;
  return (name) => import(`${ROOT}functions/${name}.ts?process=${number}`);
}
