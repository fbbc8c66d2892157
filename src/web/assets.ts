/** Files of the page, read once: its modules as they are compiled, the style, and the libraries. None is of a repository. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
/** Modules of other folders that pages use, which run anywhere. */
const SHARED = [
  '/git/editors.js',
  '/git/forge.js',
  '/graph/picture/layers.js',
  '/extract/stem.js',
  '/search/stop-words.js',
];
const MODULES = new URL('./page/', import.meta.url);

/** Assets by their path in the address, in folders as compiled modules expect them. Throws BROKEN_INSTALLATION. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  try {
    const names = readdirSync(MODULES).filter((name) => name.endsWith('.js'));
    const assets = new Map(names.map((name) => [`/web/page/${name}`, asset(SCRIPT, readModule(name))]));
    for (const path of SHARED) assets.set(path, asset(SCRIPT, readFileSync(new URL(`..${path}`, import.meta.url))));
    assets.set('/web/page/lit-html.js', asset(SCRIPT, readLibrary()));
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

/**
 * The files in a folder named by their content, and the shell at each view. Asking for 27 files whether they had changed took
 * 100 ms of a first view.
 */
function withShell(files: ReadonlyMap<string, Asset>): ReadonlyMap<string, Asset> {
  const folder = `/${hashOf([...files.values()].map(({ tag }) => tag).join()).slice(0, 16)}`;
  const assets = new Map([...files].map(([path, file]) => [folder + path, file]));
  const body = Buffer.from(shell(folder, [...files.keys()]));
  const page = { ...asset('text/html; charset=utf-8', body), isLasting: false };
  for (const view of VIEWS) assets.set(view, page);
  return assets;
}

/** A compiled module. Browsers cannot find packages by name, so the only one that pages use gets its address. */
function readModule(name: string): Buffer {
  const code = readFileSync(new URL(name, MODULES), 'utf8');
  return Buffer.from(code.replace(/ from 'lit-html';/g, " from './lit-html.js';"));
}

/** lit-html is one module without imports. */
function readLibrary(): Buffer {
  const forNode = createRequire(import.meta.url).resolve('lit-html');
  return readFileSync(forNode.replace(/([\\/])node[\\/]lit-html\.js$/, '$1lit-html.js'));
}
