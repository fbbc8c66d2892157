/** Files of the page, read once: its program, the style, and the worker that colours code. None is of a repository. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SocraticodeError } from '../base/errors.js';
import { packageFile } from '../base/version.js';
import { shell } from './shell.js';

export interface Asset {
  type: string;
  body: Buffer;
  /** Changes with the content. */
  tag: string;
  /** True for a file whose address changes with the content, so that browsers need not ask for it again. */
  isLasting: boolean;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
/** Views that have an address of their own, which all show the same shell. */
const VIEWS = ['/', '/read', '/review', '/history', '/map', '/hotspots', '/people', '/fleet', '/fleet/read'];
/** Address of the program; the worker's is relative to it. */
const PROGRAM = '/web/page/main.js';
/** The modules of `page/`, joined by the build. */
const JOINED = new URL('./page-bundle.js', import.meta.url);

/** Assets by their path in the address. Throws BROKEN_INSTALLATION. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  try {
    const assets = new Map([[PROGRAM, asset(SCRIPT, readFileSync(JOINED))]]);
    assets.set('/web/page/page.css', asset(STYLE, readFileSync(packageFile('web/page.css'))));
    assets.set('/web/highlighter.js', asset(SCRIPT, readFileSync(packageFile('web/highlighter.js'))));
    return withShell(assets);
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', 'files of the web page are missing from this installation', {
      cause,
    });
  }
}

const asset = (type: string, body: Buffer): Asset => ({ type, body, tag: `"${hashOf(body)}"`, isLasting: true });

const hashOf = (body: Buffer | string): string => createHash('sha256').update(body).digest('hex').slice(0, 32);

/** The files in a folder named by their content, so that browsers keep them, and the shell at each view. */
function withShell(files: ReadonlyMap<string, Asset>): ReadonlyMap<string, Asset> {
  const folder = `/${hashOf([...files.values()].map(({ tag }) => tag).join()).slice(0, 16)}`;
  const assets = new Map([...files].map(([path, file]) => [folder + path, file]));
  const body = Buffer.from(shell(folder));
  const page = { ...asset('text/html; charset=utf-8', body), isLasting: false };
  for (const view of VIEWS) assets.set(view, page);
  return assets;
}
