/**
 * The picture as one page: library, program, style and data in a single file that asks no one for anything. Text of the
 * repository is only ever data: it stands in a JSON block, from which the program puts it on the screen as text.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SocraticodeError } from '../../base/errors.js';
import { PAGE_BODY } from './page-shell.js';
import { PAGE_STYLE } from './page-style.js';
import type { PagePayload } from './types.js';

/** The program of the page: modules of this folder, each after those that it imports. */
export const PAGE_MODULES = [
  ...['types', 'folders', '../query/components', 'page/data', 'page/dom', 'page/colours', 'page/force', 'page/layouts'],
  ...[
    'page/style',
    'page/scene',
    'page/captions',
    'page/stage',
    'page/panel',
    'page/search',
    'page/legend',
    'page/tip',
    'page/main',
  ],
];

const LIBRARY = 'cytoscape/dist/cytoscape.min.js';

/** Throws INTERNAL if the installation is incomplete. */
export function html(payload: PagePayload): string {
  const library = inScript(readLibrary());
  const program = inScript(joinModules());
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
    // The library would add a style sheet of its own, which the policy refuses, unless one with its name is there.
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

/** To HTML, a script ends at its end tag wherever that stands, and these may hide one. Throws INTERNAL. */
function inScript(code: string): string {
  if (/<\/script|<script|<!--/i.test(code)) throw new SocraticodeError('INTERNAL', 'a script that no page can hold');
  return code;
}

/** JSON without a character that means anything to HTML or that JavaScript takes for a line's end. */
const inData = (payload: PagePayload): string =>
  JSON.stringify(payload).replace(
    /[<>&\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function readLibrary(): string {
  try {
    return readFileSync(createRequire(import.meta.url).resolve(LIBRARY), 'utf8');
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', `${LIBRARY} is missing from this installation`, { cause });
  }
}

/** The compiled modules as one script: what they import from each other is already there. */
export function joinModules(): string {
  const parts = PAGE_MODULES.map((name) =>
    readFileSync(new URL(`./${name}.js`, import.meta.url), 'utf8')
      .replace(/^import\s[^;]*;\n/gm, '')
      .replace(/^export \{[^}]*\}[^;\n]*;\n/gm, '')
      .replace(/^export /gm, ''),
  );
  return `(() => {\n'use strict';\n${parts.join('')}})();`;
}
