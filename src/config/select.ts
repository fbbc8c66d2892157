/**
 * Which paths of a tree are indexed, by name alone. The order of the rules: secrets always stay out, then what the
 * settings exclude, then `.socraticodeignore`, then the built-in rules, which `include` overrides.
 */
import ignore from 'ignore';
import picomatch from 'picomatch';
import { SocraticodeError } from '../base/errors.js';
import { globFault, plainGlob, SAFE_GLOB_OPTIONS } from '../base/glob.js';
import * as builtin from './builtin-excludes.js';
import * as secret from './secret-names.js';

export type SkipByName = 'excluded' | 'ignored' | 'builtin' | 'secret';

/** Takes a path with slashes, relative to the repository; null means: index it. */
export type Selector = (path: string) => SkipByName | null;

export interface SelectorOptions {
  include: readonly string[];
  exclude: readonly string[];
  /** The text of `.socraticodeignore`, in the syntax of `.gitignore`. */
  ignoreFile?: string;
  /** Files and folders that are indexed whatever their names are, secrets aside. */
  named?: readonly string[];
}

type Test = (path: string) => boolean;

const NEVER: Test = () => false;

const GLOB_OPTIONS = { ...SAFE_GLOB_OPTIONS, strictSlashes: true };

function escapeForRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function oneOf(texts: readonly string[]): string {
  return texts.map(escapeForRegex).join('|');
}

/** One expression for all globs: each also matches what is below a folder of that name. */
function globTest(globs: readonly string[]): Test {
  if (globs.length === 0) return NEVER;
  const sources = globs.flatMap((glob) => {
    const bare = plainGlob(glob.replace(/^\.?\//, '').replace(/\/+$/, ''));
    const isAnchored = bare.includes('/') || glob.startsWith('/');
    const full = isAnchored ? bare : `**/${bare}`;
    return [full, `${full}/**`].map((pattern) => picomatch.makeRe(pattern, GLOB_OPTIONS).source);
  });
  const expression = new RegExp(sources.join('|'));
  return (path) => expression.test(path);
}

/** Is a path one of these, or below one? Asked of every file: it looks at the folders above, not at the whole list. */
function belowTest(paths: readonly string[] = []): Test {
  if (paths.length === 0) return NEVER;
  const wanted = new Set(paths);
  return (path) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (wanted.has(path.slice(0, at))) return true;
    }
    return wanted.has(path);
  };
}

/** Throws BAD_CONFIG for a line that could take forever to match. */
function ignoreTest(text: string): Test {
  text.split('\n').forEach((line, i) => {
    const fault = globFault(line);
    if (fault !== null) throw new SocraticodeError('BAD_CONFIG', `.socraticodeignore:${i + 1}: ${fault}`);
  });
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(text);
  return (path) => rules.ignores(path);
}

const SECRET_NAME = new RegExp(
  `^(?:${oneOf(secret.SECRET_NAMES)})$|(?:${oneOf(secret.SECRET_SUFFIXES)})$|${secret.SECRET_PATTERNS.map((p) => p.source).join('|')}`,
);
const SECRET_FOLDER = new RegExp(`(?:^|/)(?:${oneOf(secret.SECRET_FOLDERS)})(?:/|$)`);
const SECRET_TAIL = new RegExp(`(?:^|/)(?:${oneOf(secret.SECRET_TAILS)})$`);

function isSecretName(name: string): boolean {
  if (SECRET_NAME.test(name)) return true;
  return secret.ENV_FILE.test(name) && !secret.ENV_EXAMPLE.test(name);
}

const BUILTIN_NAME = new RegExp(`^(?:${oneOf(builtin.BUILTIN_NAMES)})$|(?:${oneOf(builtin.BUILTIN_SUFFIXES)})$`);
const BUILTIN_FOLDERS = new Set(builtin.BUILTIN_FOLDERS);
const DIST_NAME = new RegExp(`(?:${oneOf(builtin.DIST_SUFFIXES)})$`);

function isBuiltinFolder(parts: readonly string[]): boolean {
  return parts.some((part, i) => {
    if (BUILTIN_FOLDERS.has(part)) return true;
    if (part !== builtin.VENDOR_FOLDER) return false;
    const child = parts[i + 1] ?? '';
    return i === 0 || child.slice(1).includes('.') || builtin.VENDOR_CHILDREN.includes(child);
  });
}

/** What the folder alone decides; files of a folder share it. */
interface Folder {
  isSecret: boolean;
  isBuiltin: boolean;
  isDist: boolean;
}

function folderOf(directory: string): Folder {
  const parts = directory.split('/');
  return {
    isSecret: SECRET_FOLDER.test(directory.toLowerCase()),
    isBuiltin: isBuiltinFolder(parts),
    isDist: parts.includes(builtin.DIST_FOLDER),
  };
}

/** What the name alone decides; a tree has far fewer names than paths. */
interface Name {
  isSecret: boolean;
  isBuiltin: boolean;
  isBundle: boolean;
}

function nameOf(base: string): Name {
  const lower = base.toLowerCase();
  return { isSecret: isSecretName(lower), isBuiltin: BUILTIN_NAME.test(lower), isBundle: DIST_NAME.test(lower) };
}

/** Remembers what `derive` gave, up to a bound that keeps a hostile tree from filling memory. */
function remembered<T>(derive: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  const bound = 100_000;
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = derive(key);
      if (known.size >= bound) known.clear();
      known.set(key, value);
    }
    return value;
  };
}

/** Compiles the rules once; the selector then takes about a microsecond a path. Throws BAD_CONFIG for a bad ignore file. */
export function createSelector(options: SelectorOptions): Selector {
  const excluded = globTest(options.exclude);
  const included = globTest(options.include);
  const ignored = options.ignoreFile === undefined ? NEVER : ignoreTest(options.ignoreFile);
  const named = belowTest(options.named);
  const folder = remembered(folderOf);
  const name = remembered(nameOf);
  return (path) => {
    const slash = path.lastIndexOf('/');
    const inFolder = folder(path.slice(0, Math.max(0, slash)));
    const base = name(path.slice(slash + 1));
    if (base.isSecret || inFolder.isSecret || SECRET_TAIL.test(path.toLowerCase())) return 'secret';
    if (named(path)) return null;
    if (excluded(path)) return 'excluded';
    if (ignored(path)) return 'ignored';
    const isBuiltin = base.isBuiltin || inFolder.isBuiltin || (inFolder.isDist && base.isBundle);
    return isBuiltin && !included(path) ? 'builtin' : null;
  };
}
