/**
 * Finds the rule by which a selector leaves a path out, for people who ask why. The selector decides; this looks up the entry
 * of its lists, or the line of the ignore file, that decided.
 */
import ignore from 'ignore';
import * as excluded from './excluded-names.js';
import { createSelector, globTest, isBuiltinFolder, type SelectorOptions, type SkipByName } from './select.js';

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
