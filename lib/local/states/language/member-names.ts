/** Names of the members in JSON text, which `JSON.parse` reports once even if an object has one twice. */

interface Repeated {
  /** Of the object: names and indices from the root. */
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

/** A string, with its colon if it is the name of a member; or a structural character. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\],]/g;

/** @param text JSON @returns the first member whose object has another of that name */
export function findRepeatedMember(text: string): Repeated | undefined {
  const open: { readonly names: Set<string>; place: PropertyKey }[] = [];
  for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
    const innermost = open.at(-1);
    if (token === '{') open.push({ names: new Set(), place: '' });
    else if (token === '[') open.push({ names: new Set(), place: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof innermost?.place === 'number') innermost.place++;
    else if (quoted !== undefined && colon !== undefined && innermost !== undefined) {
      const name = JSON.parse(quoted) as string;
      if (innermost.names.has(name)) return { path: open.slice(0, -1).map(({ place }) => place), name };
      innermost.names.add(name);
      innermost.place = name;
    }
  }
  return undefined;
}
