/** The resources of a template, with the statements of their policies. */
import { flat, type Json } from './template-text.ts';

/** A resource with references as texts: `<LogicalId.Arn>`. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  /** Its properties. */
  readonly is: Json;
  readonly deletion?: string;
  readonly replacement?: string;
}

/** A statement of a role or of users. */
export interface Statement {
  /** Of its policy. */
  readonly id: string;
  /** The role; of a managed policy its id. */
  readonly owner: string;
  readonly effect: string;
  readonly actions: readonly string[];
  readonly on: readonly string[];
  readonly if: Json;
}

export class Resources {
  readonly all: readonly Resource[];

  constructor(template: Json) {
    this.all = Object.entries<Json>(template.Resources).map(([id, resource]) => ({
      id,
      type: resource.Type.replace('AWS::', ''),
      is: flat(resource.Properties ?? {}),
      deletion: resource.DeletionPolicy,
      replacement: resource.UpdateReplacePolicy,
    }));
  }

  of(...types: string[]): readonly Resource[] {
    return this.all.filter(({ type }) => types.includes(type));
  }

  /** The resource to which a reference refers. */
  at(reference: string): Resource | undefined {
    const [, id] = /<(\w+)/.exec(reference) ?? [];
    return this.all.find((resource) => resource.id === id);
  }

  /** All statements of roles and users, with the resource that has them. */
  get statements(): readonly Statement[] {
    return this.of('IAM::Policy', 'IAM::ManagedPolicy').flatMap(({ id, is }) =>
      is.PolicyDocument.Statement.map(({ Effect, Action, Resource, Condition }: Json) => ({
        id,
        owner: is.Roles?.[0] ?? id,
        effect: Effect,
        actions: [Action].flat(),
        on: [Resource].flat(),
        if: Condition,
      })),
    );
  }

  /** @param owner the ARN of a role, or the id of a managed policy */
  statementsOf(owner: string): readonly Statement[] {
    return this.statements.filter((each) => each.owner === owner.replace('.Arn', ''));
  }

  get handlers(): ReadonlyMap<string, Resource> {
    return new Map(
      this.of('Lambda::Function').map((each) => [each.is.Handler.replace('.handler', ''), each]),
    );
  }

  /** The states of both machines that are of a type, also within maps. */
  states(type: string): readonly { readonly name: string; readonly is: Json }[] {
    const inside = (states: Json): { name: string; is: Json }[] =>
      Object.entries<Json>(states).flatMap(([name, is]) => [
        { name, is },
        ...inside(is.ItemProcessor?.States ?? {}),
      ]);
    return this.of('StepFunctions::StateMachine')
      .flatMap(({ is }) => inside(is.DefinitionString.States))
      .filter(({ is }) => is.Type === type);
  }

  /** The function that a task calls. */
  called(task: Json): Resource {
    return this.at(task.Parameters.FunctionName)!;
  }

  bucketRules(): readonly { readonly id: string; readonly rule: Json }[] {
    return this.of('S3::Bucket').flatMap(({ id, is }) =>
      (is.LifecycleConfiguration?.Rules ?? []).map((rule: Json) => ({ id, rule })),
    );
  }
}

/** Whether any statement allows an action, as IAM matches them: `*` stands for any characters. */
export function allows(statements: readonly Statement[], action: string, resource: string): boolean {
  return statements.some(({ actions, on }) => matchesAny(actions, action) && matchesAny(on, resource));
}

function matchesAny(patterns: readonly string[], text: string): boolean {
  const escaped = patterns.map((pattern) =>
    pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'),
  );
  return escaped.some((pattern) => new RegExp(`^${pattern}$`).test(text));
}
