/**
 * Builds the page: library, program, style and data in one file that makes no request. Text of the repository is only in
 * a JSON block, and the program shows it as text, so it is never markup.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SocraticodeError } from '../../base/errors.js';
import { PAGE_BODY } from './page-shell.js';
import { PAGE_STYLE } from './page-style.js';
import type { PagePayload } from './types.js';

/** The modules of `page/`, joined by the build. */
const PROGRAM = new URL('./page-bundle.js', import.meta.url);
const LIBRARY = 'cytoscape/dist/cytoscape.min.js';

/** The page as text. Throws BROKEN_INSTALLATION if the library or the program is missing. */
export function html(payload: PagePayload): string {
  const library = inScript(installed(() => createRequire(import.meta.url).resolve(LIBRARY)));
  const program = inScript(installed(() => PROGRAM));
  const policy = [
    "default-src 'none'",
    `script-src ${sha256(library)} ${sha256(program)}`,
    `style-src ${sha256(PAGE_STYLE)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    '<title>Code graph</title>',
    // The library adds its own style sheet, which the policy refuses, unless an element with this id exists.
    `<style id="__________cytoscape_stylesheet">${PAGE_STYLE}</style>`,
    '</head>',
    `<body>${PAGE_BODY}`,
    `<script type="application/json" id="data">${inData(payload)}</script>`,
    `<script>${library}</script>`,
    `<script>${program}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Checks code for HTML: a script ends at the first end tag, even within a string. Throws INTERNAL. */
function inScript(code: string): string {
  if (/<\/script|<script|<!--/i.test(code)) throw new SocraticodeError('INTERNAL', 'a script that no page can hold');
  return code;
}

/** JSON with the characters escaped that are special in HTML or end a line in JavaScript. */
const inData = (payload: PagePayload): string =>
  JSON.stringify(payload).replace(
    /[<>&\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function installed(find: () => string | URL): string {
  try {
    return readFileSync(find(), 'utf8');
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', 'a file of the page is missing from this installation', {
      cause,
    });
  }
}
