/** A template as text that one reads, line by line: references by name, definitions and widgets as documents. */
// biome-ignore lint/suspicious/noExplicitAny: a value of a template, whose shape the type of the resource decides.
export type Json = any;

/** A value that is longer is on lines of its own. */
const LINE_CHARACTERS = 110;

/** A resource or an output: its type, and each property as lines. */
interface Part {
  readonly type: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** The resources and outputs of a template by their logical ids. */
function partsOf(template: Json): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  const add = (id: string, type: string, properties: Json) =>
    parts.set(id, {
      type,
      properties: new Map(
        Object.entries(flat(properties)).map(([name, value]) => [
          name,
          linesOf({ [name]: value }, 2).join('\n'),
        ]),
      ),
    });
  for (const [id, resource] of Object.entries<Json>(template.Resources)) {
    const { Type, Properties, Metadata: _, ...attributes } = resource;
    add(masked(id), Type, { ...attributes, ...Properties });
  }
  for (const [id, { Value }] of Object.entries<Json>(template.Outputs)) add(id, 'output', { Value });
  return parts;
}

/** The whole template, or what differs from another one: missing parts and properties by their names alone. */
export function templateText(template: Json, other?: Json): string {
  const parts = partsOf(template);
  const others = other === undefined ? new Map<string, Part>() : partsOf(other);
  const texts = [...parts].flatMap(([id, { type, properties }]) => {
    const before = others.get(id);
    const gone = [...(before?.properties.keys() ?? [])].filter((name) => !properties.has(name));
    const changed = [...properties].filter(([name, lines]) => before?.properties.get(name) !== lines);
    const lines = [...gone.map((name) => `  without ${name}`), ...changed.map(([, text]) => text)];
    return before !== undefined && lines.length === 0 ? [] : [[`${id} ${type}`, ...lines].join('\n')];
  });
  const missing = [...others.keys()].filter((id) => !parts.has(id)).map((id) => `without ${id}`);
  return `${[...missing, ...texts].join('\n')}\n`;
}

/** Hashes of code, and of functions in the ids of their versions. */
function masked(text: string): string {
  return text
    .replaceAll(/(CurrentVersion\w{8})[\da-f]{32}/g, '$1<hash>')
    .replaceAll(/\b[\da-f]{64}\.zip/g, '<hash>.zip');
}

/** A value with references as `<LogicalId>` and `<LogicalId.Attribute>`, and JSON texts as what they say. */
export function flat(value: Json): Json {
  if (Array.isArray(value)) return value.map(flat);
  if (typeof value === 'string') return /^\s*[{[].*[}\]]\s*$/s.test(value) ? parsed(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const [kind, argument] = Object.entries<Json>(value)[0] ?? [];
  if (kind === 'Ref') return `<${argument}>`;
  if (kind === 'Fn::GetAtt') return `<${argument.join('.')}>`;
  if (kind === 'Fn::Join') {
    const texts = argument[1].map((part: Json) => (typeof part === 'string' ? part : textOf(flat(part))));
    return flat(texts.join(argument[0]));
  }
  return Object.fromEntries(Object.entries<Json>(value).map(([name, item]) => [name, flat(item)]));
}

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));

function parsed(text: string): Json {
  try {
    return flat(JSON.parse(text));
  } catch {
    return text;
  }
}

function linesOf(value: Json, indent: number): string[] {
  const margin = ' '.repeat(indent);
  return Object.entries<Json>(value).flatMap(([name, item]) => {
    if (isStatement(item)) return [`${margin}- ${masked(statementText(item))}`];
    const start = Array.isArray(value) ? `${margin}-` : `${margin}${name}:`;
    const isText =
      typeof item === 'string' || (Array.isArray(item) && item.every((each) => typeof each === 'string'));
    const inline = masked(isText ? [item].flat().join(', ') : JSON.stringify(item));
    const isLine = isText || typeof item !== 'object' || inline.length <= LINE_CHARACTERS;
    return isLine ? [`${start} ${inline.trim()}`] : [start, ...linesOf(item, indent + 2)];
  });
}

const isStatement = (item: Json) => item?.Effect !== undefined && item.Action !== undefined;

function statementText({ Effect, Action, Resource = 'this', Principal, Condition }: Json): string {
  const who = Principal === undefined ? '' : ` for ${JSON.stringify(Principal)}`;
  const condition = Condition === undefined ? '' : ` if ${JSON.stringify(Condition)}`;
  return `${Effect} ${[Action].flat().join(', ')} on ${[Resource].flat().join(', ')}${who}${condition}`;
}
