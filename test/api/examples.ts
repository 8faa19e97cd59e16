/** The examples in doc comments: extracts and runs them. */
import { transformSync } from 'esbuild';

/** A fenced block of an `@example` tag. */
export interface Example {
  /** The name that follows the comment. */
  readonly name: string;
  readonly code: string;
}

/** Declarations that a module exports, with their doc comments. */
export interface DocumentedExport {
  readonly name: string;
  readonly comment: string | undefined;
}

const EXPORT =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:\/\/ biome-ignore.*\n)?export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|interface|type) (\w+)/g;

/** The declarations that a source exports. */
export function exportsIn(source: string): DocumentedExport[] {
  return [...source.matchAll(EXPORT)].map(([, comment, name]) => ({ name: name!, comment }));
}

/** The examples of a source, one for each fenced block of an `@example` tag. */
export function examplesIn(source: string): Example[] {
  return exportsIn(source).flatMap(({ name, comment = '' }) =>
    comment
      .split('@example')
      .slice(1)
      .flatMap((part) => [...part.matchAll(/```ts\n([\s\S]*?)```/g)])
      .map(([, block]) => ({ name, code: block!.replaceAll(/^ \* ?/gm, '') })),
  );
}

/** Called for each comment `// => value`: the value before it, and the value in the comment. */
export type Assertion = (actual: unknown, expected: unknown) => void;

/**
 * Runs an example; each `expression; // => value` becomes an assertion.
 *
 * @param modules the modules that it may import, by name
 * @returns the number of assertions that were run
 */
export async function runExample(
  code: string,
  modules: Readonly<Record<string, object>>,
  assertion: Assertion,
): Promise<number> {
  let assertions = 0;
  const assertEqual: Assertion = (actual, expected) => {
    assertions++;
    assertion(actual, expected);
  };
  const checked = code.replaceAll(/^.*; \/\/ => .*$/gm, (line) => assertedLine(line));
  const { code: plain } = transformSync(checked, {
    loader: 'ts',
    format: 'esm',
    supported: { 'async-await': true },
  });
  const body = plain.replaceAll(
    /^import \{([^}]*)\} from "([^"]+)";$/gm,
    (_, names: string, module: string) =>
      `const {${names.replaceAll(' as ', ': ')}} = modules[${JSON.stringify(module)}];`,
  );
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (modules: object, assertEqual: Assertion) => Promise<void>;
  await new AsyncFunction('modules', 'assertEqual', body)(modules, assertEqual);
  return assertions;
}

/** `for (...) expression; // => value` and `expression; // => value`, with the expression checked. */
function assertedLine(line: string): string {
  const [, indent, statement, expected] = /^( *)(.*); \/\/ => (.*)$/.exec(line)!;
  const loop = /^(for (?:await )?\(.*? of .*\)|if \(.*?\)) (?=[\w([])/.exec(statement!)?.[0] ?? '';
  return `${indent}${loop}assertEqual(${statement!.slice(loop.length)}, ${expected});`;
}
