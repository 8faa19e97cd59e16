/**
 * The only place where the page makes markup and worker scripts from strings. Its content security policy allows one
 * policy of Trusted Types, this one, so no other code of the page can.
 */
import type { HtmlMarkup } from '../../../../batch/report/markup.ts';

interface TrustedTypePolicy {
  createHTML(source: string): string;
  createScriptURL(url: string): string;
}
type WithTrustedTypes = typeof globalThis & {
  readonly trustedTypes?: { createPolicy(name: string, rules: TrustedTypePolicy): TrustedTypePolicy };
};

/** Also the name in the content security policy. */
const POLICY_NAME = 'puzzles';

const unchanged: TrustedTypePolicy = { createHTML: (source) => source, createScriptURL: (url) => url };
// Browsers without Trusted Types take the strings themselves.
const policy =
  (globalThis as WithTrustedTypes).trustedTypes?.createPolicy(POLICY_NAME, unchanged) ?? unchanged;

/** The element of a fragment: every text in it was escaped when the fragment was made. */
export function elementOf(markup: HtmlMarkup): Element {
  const template = document.createElement('template');
  template.innerHTML = policy.createHTML(markup.source);
  return template.content.firstElementChild!;
}

/** A worker of a script of the page's server. @param url a constant of the source code */
export function startWorker(url: string): Worker {
  return new Worker(policy.createScriptURL(url), { type: 'module' });
}
