/** Pages as text. Everything from the repository is made visible and escaped here; no page has a script or makes a request. */
import { createHash } from 'node:crypto';
import { visibleLine } from '../../../base/hygiene.js';

/** Markup that is safe to put into a page. */
export class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => visibleLine(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign]);

type Part = Html | string | number | readonly Part[];

const markup = (part: Part): string => {
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(markup).join('') : escaped(String(part));
};

/** A template whose values are escaped, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(strings.map((text, i) => (i === 0 ? text : `${markup(values[i - 1])}${text}`)).join(''));
}

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem 1.5rem 4rem}
nav,footer,.note,.by{color:GrayText;font-size:.875rem}
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.125rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid color-mix(in srgb,GrayText 30%,transparent);padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
td.n,th.n{text-align:right;white-space:nowrap}
code{font:.875rem ui-monospace,monospace}
blockquote{border-left:3px solid GrayText;margin:1rem 0;padding:0 0 0 1rem}
svg{height:auto;max-width:100%}
svg rect{fill:Canvas;stroke:GrayText}svg text{fill:CanvasText;font:13px system-ui,sans-serif}svg line{stroke:GrayText}
`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

export interface Page {
  /** From the top of the site, with slashes. */
  name: string;
  title: string;
  /** Links to the pages above. */
  trail: readonly Html[];
  body: Html;
}

export function pageText({ title, trail, body }: Page, footer: Html): string {
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${trail.length === 0 ? '' : html`<nav>${trail.flatMap((link, i) => (i === 0 ? [link] : [' / ', link]))}</nav>`}
<main>
<h1>${title}</h1>
${body}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
  return head.text;
}
