/** JSON Schemas of the documents, of their types: descriptions are the comments of the members. */
import { fileURLToPath } from 'node:url';
import {
  API,
  type Checker,
  type Project,
  SymbolFlags,
  type Type,
  TypeFlags,
  type Symbol as TypeSymbol,
  type UnionType,
} from 'typescript/unstable/sync';
import { PUZZLE_STATUSES } from '../../lib/batch/solving/puzzle-status.ts';
import { GRADES } from '../../lib/sudoku/rating/grades.ts';

export interface Schema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The schema of each member of `Documents`, by its name. */
export function documentSchemas(): Record<string, Schema> {
  const api = new API({ cwd: FOLDER });
  try {
    const config = `${FOLDER}tsconfig.json`;
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)!;
    const documents = declaredType(project, `${FOLDER}documents.ts`, 'Documents');
    const { properties = {} } = new SchemaMaker(project.checker).ofObject(documents);
    return Object.fromEntries(
      Object.entries(properties).map(([title, schema]) => [
        title,
        { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema },
      ]),
    );
  } finally {
    api.close();
  }
}

function declaredType({ program, checker }: Project, path: string, name: string): Type {
  const file = checker.getSymbolAtLocation(program.getSourceFile(path)!)!;
  return checker.getDeclaredTypeOfSymbol(checker.getMemberInModuleExports(file, name)!);
}

/** Meanings of members without a comment. */
const USUAL_MEANINGS: Readonly<Record<string, string>> = {
  schema: 'The name of the document. Its number changes if a field is removed or changes its meaning.',
  ...Object.fromEntries(PUZZLE_STATUSES.map((status) => [status, `Puzzles with the status \`${status}\`.`])),
  ...Object.fromEntries(GRADES.map((grade) => [grade, `Puzzles of the grade \`${grade}\`.`])),
};

class SchemaMaker {
  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  ofObject(type: Type): Schema {
    const checker = this.#checker;
    const members = checker.getPropertiesOfType(type).map((symbol) => this.#member(symbol));
    const [index] = checker.getIndexInfosOfType(type);
    return {
      type: 'object',
      ...(members.length > 0 && {
        properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
        required: members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      }),
      ...(index !== undefined && { additionalProperties: this.#schema(index.valueType) }),
    };
  }

  #member(symbol: TypeSymbol) {
    const checker = this.#checker;
    const type = checker.getTypeOfSymbol(symbol)!;
    const [comment = ''] = checker.getDocumentationCommentOfSymbol(symbol).split('\n\n');
    const text = comment
      .replaceAll('\n', ' ')
      .replaceAll(/\{@link (\w+)\}/g, '`$1`')
      .trim();
    const description = text || (USUAL_MEANINGS[symbol.name] ?? '');
    return {
      name: symbol.name,
      schema: { ...(description !== '' && { description }), ...this.#schema(type) },
      // JSON omits members that are undefined.
      isRequired: !(symbol.flags & SymbolFlags.Optional) && !membersOf(type).some(isUndefined),
    };
  }

  #schema(type: Type): Schema {
    const checker = this.#checker;
    const types = membersOf(type).filter((each) => !isUndefined(each));
    if (types.length > 1) return this.#union(types);
    const [only = type] = types;
    const { flags } = only;
    if (flags & TypeFlags.Literal) return { const: (only as Type & { value: unknown }).value };
    if (flags & TypeFlags.StringLike) return { type: 'string' };
    if (flags & TypeFlags.NumberLike) return { type: 'number' };
    if (checker.isArrayType(only)) {
      return { type: 'array', items: this.#schema(checker.getTypeArguments(only as never)[0]!) };
    }
    if (flags & TypeFlags.StructuredType) return this.ofObject(only);
    if (flags & TypeFlags.AnyOrUnknown) return {};
    throw new Error(`no schema for ${checker.typeToString(only)}`);
  }

  #union(types: readonly Type[]): Schema {
    if (types.every(({ flags }) => flags & TypeFlags.BooleanLiteral)) return { type: 'boolean' };
    if (!types.every(({ flags }) => flags & TypeFlags.StringLiteral)) {
      return { anyOf: types.map((type) => this.#schema(type)) };
    }
    return { enum: types.map((type) => (type as Type & { value: unknown }).value) };
  }
}

const membersOf = (type: Type): readonly Type[] =>
  type.flags & TypeFlags.Union ? (type as UnionType).getTypes() : [type];
const isUndefined = ({ flags }: Type) => (flags & TypeFlags.Undefined) !== 0;

/** A field of a document: `timing.solveMs`, `hardest[].index`. */
export interface Field {
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
}

/** The fields of a document, those of its parts after them. */
export function fieldsOf(schema: Schema, path = ''): Field[] {
  if (schema.anyOf !== undefined) return uniqueFields(schema.anyOf.flatMap((each) => fieldsOf(each, path)));
  if (schema.items !== undefined) return fieldsOf(schema.items, `${path}[]`);
  const prefix = path === '' ? '' : `${path}.`;
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const isOptional = !(schema.required ?? []).includes(name);
    const type = `${typeName(each)}${isOptional ? ', optional' : ''}`;
    return [{ path: prefix + name, type, meaning: each.description ?? '' }, ...fieldsOf(each, prefix + name)];
  });
  return schema.additionalProperties ? [...own, ...fieldsOf(schema.additionalProperties, `${prefix}*`)] : own;
}

function uniqueFields(fields: readonly Field[]): Field[] {
  return [...new Map(fields.map((field) => [field.path, field])).values()];
}

function typeName(schema: Schema): string {
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeName))].join(' or ');
  if (schema.items !== undefined) return `list of ${plural(typeName(schema.items))}`;
  return schema.type ?? 'any value';
}

function plural(name: string): string {
  return name.startsWith('`') ? name : `${name}s`;
}
