/**
 * Starts the program from `dist/bundle.js`: all modules in one file, and beside it the code that V8 compiled when the same command
 * ran last. Otherwise Node finds, reads and compiles some 160 modules for one search, a third of its processor time.
 * The code lies in the program's own folder, as Python keeps its own: whoever may write there may change the program as well.
 */
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { keepBytecode } from './runtime.js';

/** Main modules of the bundle: the command line, a parser child, and a server's indexing process. */
export type BundleEntry = 'program' | 'parser' | 'background';

/** Functions by the names of chunks, as `release/bundle.mjs` writes them. Each fills `exports`; `root` is the URL of `dist/`. */
type Chunks = Record<string, (exports: object, require: (name: string) => unknown, root: string) => void>;

interface Started<T> {
  module: T;
  /**
   * Writes the code compiled so far, for the next process of this name, unless that of `part` and of all loaded chunks is there
   * already. A part is something that one process does and another does not, such as parsing a language. Never throws.
   */
  keepCode: (part?: string) => void;
}

const ROOT = new URL('../', import.meta.url).href;
const BUNDLE = fileURLToPath(new URL('bundle.js', ROOT));
const CODE = fileURLToPath(new URL('code/', ROOT));
const DIGEST_BYTES = 32;

/**
 * Loads a main module from the bundle. `modules` loads it from its own file where no bundle was built, where compiled code
 * cannot be saved (a bundle without it is slower than modules), and where Node has options other than `own`, since a debugger
 * or a profiler should show modules. `name` tells apart what different commands compile.
 */
export async function loadProgram<T>(
  entry: BundleEntry,
  name: string,
  modules: () => Promise<T>,
  own: readonly string[] = [],
): Promise<Started<T>> {
  const { NODE_OPTIONS, NODE_V8_COVERAGE } = process.env;
  const hasOptions = process.execArgv.some((option) => !own.includes(option)) || NODE_OPTIONS || NODE_V8_COVERAGE;
  return (hasOptions ? null : startBundle<T>(entry, name)) ?? { module: await modules(), keepCode() {} };
}

function startBundle<T>(entry: BundleEntry, name: string): Started<T> | null {
  const source = readOrNull(BUNDLE)?.toString('latin1');
  if (source === undefined) return null;
  keepBytecode();
  const path = `${CODE}${name}-${process.version}-${process.arch}-${digestOf(source)}`;
  const cached = readCode(path);
  if (cached === null && !canKeep()) return null;
  const script = new Script(source, { filename: BUNDLE, cachedData: cached?.code });
  const parts = new Set(script.cachedDataRejected ? [] : cached?.parts);
  const loaded = new Map<string, object>();
  return {
    module: loaderOf(script.runInThisContext() as Chunks, loaded)(entry) as T,
    keepCode(part = '') {
      const { size } = parts;
      // An index that has nothing to do, and one subcommand of several, load few chunks; the next one may need others.
      for (const each of [part, ...loaded.keys()]) parts.add(each);
      if (parts.size > size) writeCode(path, [...parts], script.createCachedData());
    },
  };
}

/** `require` of the chunks. Packages that are not part of the bundle are found as the modules in `dist/` find them. */
function loaderOf(chunks: Chunks, loaded: Map<string, object>): (name: string) => unknown {
  const require = createRequire(BUNDLE);
  return function load(name) {
    const known = loaded.get(name);
    if (known !== undefined || !Object.hasOwn(chunks, name)) return known ?? require(name);
    const exports = {};
    // Chunks may require each other in a ring.
    loaded.set(name, exports);
    chunks[name](exports, load, ROOT);
    return exports;
  };
}

/** A bundle begins with `// `, its digest and a line end. */
const digestOf = (source: string): string => source.slice(3, 19);

interface CachedCode {
  parts: string[];
  code: Buffer;
}

/**
 * Reads a file of compiled code: a hash of the rest, the parts as a line of JSON, and the code. Null if there is none or it is
 * damaged, which V8 would not notice.
 */
function readCode(path: string): CachedCode | null {
  const file = readOrNull(path);
  const body = file?.subarray(DIGEST_BYTES);
  if (body === undefined || !file?.subarray(0, DIGEST_BYTES).equals(sha256(body))) return null;
  const end = body.indexOf('\n');
  return { parts: JSON.parse(body.toString('utf8', 0, end)) as string[], code: body.subarray(end + 1) };
}

function canKeep(): boolean {
  try {
    // Closed to others under any umask: who can write here can run code as this user.
    mkdirSync(CODE, { recursive: true, mode: 0o755 });
    accessSync(CODE, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function writeCode(path: string, parts: string[], code: Buffer): void {
  const temporary = `${path}-${process.pid}`;
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(parts)}\n`), code]);
  try {
    writeFileSync(temporary, Buffer.concat([sha256(body), body]), { mode: 0o644 });
    renameSync(temporary, path);
    // Temporary files of killed processes. A process that still writes fails to rename its file, and writes it another time.
    const own = `${basename(path)}-`;
    for (const name of readdirSync(CODE)) if (name.startsWith(own)) rmSync(CODE + name, { force: true });
  } catch {
    rmSync(temporary, { force: true });
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
