/**
 * How requests to services other than S3 name an operation, and answers to forms. (Smithy 2.0, "AWS protocols".)
 *
 *     JSON       X-Amz-Target: AmazonSQS.GetQueueAttributes
 *     a form     Action=DescribeStacks&StackName=DlxBatch          the answer is XML
 *     a path     GET /2015-03-31/functions/solve-batch
 */
import type { IncomingMessage } from 'node:http';
import { element, type XmlMarkup } from './s3/http/xml.ts';

/** What a request names. */
export interface ServiceCall {
  /** Of the signature, such as `sqs`; empty without one. */
  readonly signingName: string;
  /** Of a request with JSON. */
  readonly target?: string;
  /** Of a form. */
  readonly action?: string;
  /** Method and path. */
  readonly route: string;
  /** Those of a form or a query; undefined if they are in a body of JSON. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

const FORM = 'application/x-www-form-urlencoded';

/** Whether a request is for another service than S3. */
export function isServiceRequest({ headers }: IncomingMessage): boolean {
  return headers['x-amz-target'] !== undefined || !['', 's3'].includes(signingNameOf(headers.authorization));
}

export function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith(FORM) === true;
}

export function readServiceCall(incoming: IncomingMessage, body: string): ServiceCall {
  const { method, url = '', headers } = incoming;
  const target = headers['x-amz-target'];
  const signingName = signingNameOf(headers.authorization);
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const route = `${method} ${pathname}`;
  if (target !== undefined) return { target: String(target), signingName, route };
  if (!isForm(incoming)) return { signingName, route, parameters: Object.fromEntries(searchParams) };
  const { Action: action = '', Version: _version, ...parameters } = formParameters(body);
  return { signingName, route, action: String(action), parameters };
}

type ListMember = string | Record<string, string>;

/**
 * The members of lists, `ActionNames.member.1`, are in the order of their numbers. A member may be a structure,
 * `ContextEntries.member.1.ContextKeyName`, whose own lists have one member.
 */
function formParameters(body: string): Record<string, string | ListMember[]> {
  const parameters: Record<string, string> = {};
  const lists: Record<string, ListMember[]> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const [, list, number, field] = /^(\w+)\.member\.(\d+)(?:\.(\w+)(?:\.member\.1)?)?$/.exec(name) ?? [];
    if (list === undefined) {
      parameters[name] = value;
      continue;
    }
    lists[list] ??= [];
    if (field === undefined) lists[list].push(value);
    else lists[list][Number(number) - 1] = { ...(lists[list][Number(number) - 1] as object), [field]: value };
  }
  return { ...parameters, ...lists };
}

/**
 * The answer to a form as XML.
 *
 * @param form of the request
 * @param answer of the operation, or an error with `__type` and `message`
 */
export function formAnswer(form: string, answer: object, requestId: string): string {
  const { __type: code, message } = answer as { __type?: string; message?: string };
  const action = new URLSearchParams(form).get('Action') ?? '';
  const content =
    code === undefined
      ? element(`${action}Response`, [element(`${action}Result`, elementsOf(answer))])
      : element('ErrorResponse', [
          element('Error', [element('Code', code), element('Message', message ?? '')]),
          element('RequestId', requestId),
        ]);
  return content.markup;
}

function elementsOf(value: object): XmlMarkup[] {
  return Object.entries(value).flatMap(([name, item]) => {
    if (item === undefined) return [];
    if (Array.isArray(item))
      return [
        element(
          name,
          item.flatMap((each) => elementsOf({ member: each })),
        ),
      ];
    return [element(name, typeof item === 'object' ? elementsOf(item) : item)];
  });
}

function signingNameOf(authorization = ''): string {
  return /Credential=[^,\s]*\/([\w-]+)\/aws4_request/.exec(authorization)?.[1] ?? '';
}
