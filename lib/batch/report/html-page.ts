/** The frame of a page: title, styles, and a content security policy that allows no request, and no script but its own. */
import { HtmlMarkup, html } from './markup.ts';

export interface PageScript {
  readonly source: string;
  /** Its SHA-256 in Base64. */
  readonly hash: string;
}

/** What a page may do: run its own script; no request. */
export function contentPolicy(script?: PageScript): string {
  return `default-src 'none'; ${script === undefined ? '' : `script-src 'sha256-${script.hash}'; `}style-src 'unsafe-inline'`;
}

/** @param title plain text @param styles CSS @param script @default the page has none */
export function htmlPage(title: string, styles: HtmlMarkup, body: HtmlMarkup, script?: PageScript): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(script)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${styles}</style>
</head>
<body class="report">
${body}
${script !== undefined && html`<script>${new HtmlMarkup(script.source)}</script>`}
</body>
</html>
`.source;
}

/** The link with which keyboards jump to the content of a page with navigation, which has the id `main`. */
export const SKIP_LINK = /* @__PURE__ */ new HtmlMarkup('<a class="skip" href="#main">Skip to content</a>\n');
