/**
 * Selects the paths of a tree to index, by name alone. Order of the rules: secrets always stay out, then `exclude` of the
 * settings, then `.socraticodeignore`, then the built-in rules, which `include` overrides.
 */
import ignore from 'ignore';
import picomatch from 'picomatch';
import { SocraticodeError } from '../base/errors.js';
import { globFault, plainGlob, SAFE_GLOB_OPTIONS } from '../base/glob.js';
import * as excluded from './excluded-names.js';

type SkipByName = 'excluded' | 'ignored' | 'builtin' | 'secret';

/** Reason to skip a path (with slashes, from the top of the repository); null to index it. */
export type Selector = (path: string) => SkipByName | null;

export interface SelectorOptions {
  include: readonly string[];
  exclude: readonly string[];
  /** Text of `.socraticodeignore`, in the syntax of `.gitignore`. */
  ignoreFile?: string;
  /** Files and folders to index even if their names are excluded; secrets stay out. */
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

/** Test for all globs in one expression; a glob that matches a folder also matches everything below it. */
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

/** Test whether a path is one of these or below one. It looks up the folders of the path, so a long list costs no more than a short one. */
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

/** Test for the lines of an ignore file. Throws BAD_CONFIG for a line that could take forever to match. */
function ignoreTest(text: string): Test {
  text.split('\n').forEach((line, i) => {
    const fault = globFault(line);
    if (fault !== null) throw new SocraticodeError('BAD_CONFIG', `.socraticodeignore:${i + 1}: ${fault}`);
  });
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(text);
  return (path) => rules.ignores(path);
}

const SECRET_NAME = new RegExp(
  `^(?:${oneOf(excluded.SECRET_NAMES)})$|(?:${oneOf(excluded.SECRET_SUFFIXES)})$|${excluded.SECRET_PATTERNS.map(({ pattern }) => pattern.source).join('|')}`,
);
const SECRET_FOLDER = new RegExp(`(?:^|/)(?:${oneOf(excluded.SECRET_FOLDERS)})(?:/|$)`);
const SECRET_TAIL = new RegExp(`(?:^|/)(?:${oneOf(excluded.SECRET_TAILS)})$`);

function isSecretName(name: string): boolean {
  if (SECRET_NAME.test(name)) return true;
  return excluded.ENV_FILE.test(name) && !excluded.ENV_EXAMPLE.test(name);
}

const BUILTIN_NAME = new RegExp(`^(?:${oneOf(excluded.BUILTIN_NAMES)})$|(?:${oneOf(excluded.BUILTIN_SUFFIXES)})$`);
const BUILTIN_FOLDERS = new Set(excluded.BUILTIN_FOLDERS);
const DIST_NAME = new RegExp(`(?:${oneOf(excluded.DIST_SUFFIXES)})$`);

function isBuiltinFolder(parts: readonly string[]): boolean {
  return parts.some((part, i) => {
    if (BUILTIN_FOLDERS.has(part)) return true;
    if (part !== excluded.VENDOR_FOLDER) return false;
    const child = parts[i + 1] ?? '';
    return i === 0 || child.slice(1).includes('.') || excluded.VENDOR_CHILDREN.includes(child);
  });
}

/** Decisions that depend on the folder alone, shared by its files. */
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
    isDist: parts.includes(excluded.DIST_FOLDER),
  };
}

/** Decisions that depend on the name alone; a tree has far fewer names than paths. */
interface Name {
  isSecret: boolean;
  isBuiltin: boolean;
  isBundle: boolean;
}

function nameOf(base: string): Name {
  const lower = base.toLowerCase();
  return { isSecret: isSecretName(lower), isBuiltin: BUILTIN_NAME.test(lower), isBundle: DIST_NAME.test(lower) };
}

/** Caches the results of `derive`, up to a number that keeps a hostile tree from filling memory. */
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

/** Test for paths that always stay out, which takes a fraction of the time of a selector. */
export function createSecretTest(): (path: string) => boolean {
  const folder = remembered((directory) => SECRET_FOLDER.test(directory.toLowerCase()));
  const name = remembered((base) => isSecretName(base.toLowerCase()));
  return (path) => {
    const slash = path.lastIndexOf('/');
    if (name(path.slice(slash + 1)) || folder(path.slice(0, Math.max(0, slash)))) return true;
    return SECRET_TAIL.test(path.toLowerCase());
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

export interface SelectRule {
  reason: SkipByName;
  /** A name, a glob, or a folder with a slash behind it. */
  pattern: string;
  /** Line of the ignore file, counted from 1; null for other rules. */
  line: number | null;
}

/** Pattern of a rule, and its line. */
type Found = Pick<SelectRule, 'pattern' | 'line'>;

/** Makes a finder, which takes about ten times as long as the selector. Throws BAD_CONFIG for a bad ignore file. */
export function createRuleFinder(options: SelectorOptions): (path: string) => SelectRule | null {
  const select = createSelector(options);
  const excluded = options.exclude.map((glob) => ({ glob, test: globTest([glob]) }));
  const ignored = ignoreLines(options.ignoreFile ?? '');
  const find: Readonly<Record<SkipByName, (path: string) => Found>> = {
    secret: (path) => listed(secretRule(path.toLowerCase())),
    excluded: (path) => listed(excluded.find(({ test }) => test(path))?.glob),
    ignored,
    builtin: (path) => listed(builtinRule(path)),
  };
  return (path) => {
    const reason = select(path);
    return reason === null ? null : { reason, ...find[reason](path) };
  };
}

const listed = (pattern = ''): Found => ({ pattern, line: null });

function ignoreLines(text: string): (path: string) => Found {
  const lines = text.split(/\r?\n/).map((pattern, i) => ({ pattern, mark: String(i + 1) }));
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(lines);
  return (path) => {
    const { rule } = rules.test(path);
    return { pattern: rule?.pattern ?? '', line: rule?.mark === undefined ? null : Number(rule.mark) };
  };
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function secretRule(path: string): string | undefined {
  const name = baseOf(path);
  const folder = excluded.SECRET_FOLDERS.find((each) => path.split('/').slice(0, -1).includes(each));
  if (folder !== undefined) return `${folder}/`;
  const env = name.startsWith('.env.') ? '.env.*' : '*.env';
  return (
    excluded.SECRET_NAMES.find((each) => each === name) ??
    suffixRule(excluded.SECRET_SUFFIXES, name) ??
    excluded.SECRET_PATTERNS.find(({ pattern }) => pattern.test(name))?.glob ??
    excluded.SECRET_TAILS.find((tail) => `/${path}`.endsWith(`/${tail}`)) ??
    (excluded.ENV_FILE.test(name) ? env : undefined)
  );
}

/** The longest suffix that matches: `*.tfvars.json` says more than `*.json`. */
function suffixRule(suffixes: readonly string[], name: string): string | undefined {
  const fitting = suffixes.filter((suffix) => name.endsWith(suffix)).sort((a, b) => b.length - a.length);
  return fitting.length === 0 ? undefined : `*${fitting[0]}`;
}

function builtinRule(path: string): string | undefined {
  const name = baseOf(path).toLowerCase();
  const named = excluded.BUILTIN_NAMES.find((each) => each === name) ?? suffixRule(excluded.BUILTIN_SUFFIXES, name);
  if (named !== undefined) return named;
  const folders = path.split('/').slice(0, -1);
  const folder = folders.find((each) => excluded.BUILTIN_FOLDERS.includes(each));
  if (folder !== undefined) return `${folder}/`;
  // A folder called `vendor` counts as copied code by its place and its content.
  if (isBuiltinFolder(folders)) return `${excluded.VENDOR_FOLDER}/`;
  const bundle = suffixRule(excluded.DIST_SUFFIXES, name);
  return bundle === undefined ? undefined : `${excluded.DIST_FOLDER}/**/${bundle}`;
}
