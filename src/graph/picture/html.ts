/**
 * Builds the page: program, style and data in one file that makes no request. Text of the repository is only in a JSON
 * block, and the program shows it as text, so it never becomes markup. The style is that of the web page.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SocraticodeError } from '../../base/errors.js';
import { packageFile } from '../../base/runtime.js';
import type { PagePayload } from './folders.js';

/** The modules of `page/`, joined by the build. */
const PROGRAM = new URL('./page-bundle.js', import.meta.url);
const STYLE = packageFile('web/page.css');

/** The page as text. Throws BROKEN_INSTALLATION if the program or the style is missing. */
export function html(payload: PagePayload): string {
  const program = inScript(installed(PROGRAM));
  const style = installed(STYLE);
  const policy = [
    "default-src 'none'",
    `script-src ${sha256(program)}`,
    `style-src ${sha256(style)}`,
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
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<script type="application/json" id="data">${inData(payload)}</script>`,
    `<script>${program}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Checks that code can be in HTML: a script ends at the first end tag, even within a string. Throws INTERNAL. */
function inScript(code: string): string {
  if (/<\/script|<script|<!--/i.test(code)) throw new SocraticodeError('INTERNAL', 'a script that no page can hold');
  return code;
}

/** JSON in which characters are escaped that are special in HTML or end a line in JavaScript. */
const inData = (payload: PagePayload): string =>
  JSON.stringify(payload).replace(
    /[<>&\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function installed(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', 'a file of the page is missing from this installation', {
      cause,
    });
  }
}
