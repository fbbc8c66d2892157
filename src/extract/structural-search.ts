/** Structural search: finds the nodes of a syntax tree that look like a pattern, by ast-grep. Runs in a parser child. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SgNode } from '@ast-grep/napi';
import type { Grammar } from '../languages/language.js';
import { allLanguages, languageOf } from '../languages/registry.js';
import { PACKAGE_PREFIX, PATTERN_PINS } from './version.js';

/** Place of a match or of what a variable captured, in UTF-16 units of the file's text. */
export interface TreeSpan {
  start: number;
  end: number;
}

export interface TreeMatch extends TreeSpan {
  captures: (TreeSpan & { name: string })[];
}

/** The matches by their starts, outer ones before inner ones; or the reason why the language cannot read the pattern. */
export type TreeSearch = { matches: TreeMatch[] } | { fault: string };

type Rule = { pattern: string | { context: string; selector: string } };

/** Rules of the last pattern: one child searches many files for the same one. */
const PREPARED = new Map<string, Rule | { fault: string }>();

/** Searches the `bytes` of a file, read as UTF-8. `loadPatternParsers` must be awaited before. */
export function searchTree(bytes: Uint8Array, language: string, pattern: string): TreeSearch {
  const grammar = languageOf(language)?.grammar;
  if (grammar === undefined || grammar.lacksPatterns) return { fault: 'it has no grammar for patterns' };
  const key = `${language} ${pattern}`;
  if (!PREPARED.has(key)) {
    if (PREPARED.size > 100) PREPARED.clear();
    PREPARED.set(key, ruleOf(grammar.name, pattern.trim(), grammar.around ?? [['', '']]));
  }
  const rule = PREPARED.get(key) as Rule | { fault: string };
  if ('fault' in rule) return rule;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const root = parseForPatterns(grammar.name, text);
  if (root === null) return { fault: notInstalled(grammar.name) };
  const variables = variablesOf(pattern);
  const matches = root.findAll({ rule }).map((node) => matchOf(node, variables));
  return { matches: matches.sort((a, b) => a.start - b.start || b.end - a.end) };
}

function matchOf(node: PatternNode, variables: ReturnType<typeof variablesOf>): TreeMatch {
  const captures: TreeMatch['captures'] = [];
  for (const { name, isList } of variables) {
    const one = isList ? null : node.getMatch(name);
    const nodes = isList ? node.getMultipleMatches(name) : one === null ? [] : [one];
    if (nodes.length === 0) continue;
    const [start, end] = [spanOf(nodes[0]).start, spanOf(nodes[nodes.length - 1]).end];
    captures.push({ name, start, end });
  }
  return { ...spanOf(node), captures };
}

function spanOf(node: PatternNode): TreeSpan {
  const { start, end } = node.range();
  return { start: start.index, end: end.index };
}

function ruleOf(
  grammar: string,
  pattern: string,
  around: readonly (readonly [string, string])[],
): Rule | { fault: string } {
  if (parseForPatterns(grammar, '') === null) return { fault: notInstalled(grammar) };
  let fault: string | null = null;
  for (const [before, behind] of around) {
    const isAlone = before === '' && behind === '';
    const rule = isAlone ? aloneRule(grammar, pattern) : ruleAround(grammar, pattern, [before, behind]);
    fault = rule === null ? null : faultOf(grammar, rule);
    if (rule !== null && fault === null) return rule;
  }
  if (fault !== null) return { fault };
  return { fault: 'it does not parse' };
}

const aloneRule = (grammar: string, pattern: string): Rule | null =>
  parsed(grammar, pattern) === null ? null : { pattern };

function ruleAround(grammar: string, pattern: string, [before, behind]: readonly [string, string]): Rule | null {
  const selector = kindInside(grammar, pattern, [before, behind]);
  return selector === null ? null : { pattern: { context: before + pattern + behind, selector } };
}

/** Kind of the innermost node that spans the whole pattern; null if there is none, or if another node before it has the kind. */
function kindInside(grammar: string, pattern: string, [before, behind]: readonly [string, string]): string | null {
  const root = parsed(grammar, pattern, [before, behind]);
  const start = before.length;
  const end = start + expanded(grammar, pattern).length;
  let found: PatternNode | null = null;
  for (let node: PatternNode | undefined = root ?? undefined; node !== undefined; ) {
    const { start: from, end: to } = node.range();
    if (from.index === start && to.index === end && node.isNamed()) found = node;
    node = node.children().find((child) => child.range().start.index <= start && child.range().end.index >= end);
  }
  if (root === null || found === null) return null;
  const kind = String(found.kind());
  return root.find({ rule: { kind } })?.id() === found.id() ? kind : null;
}

/** The tree of a pattern; null if it has an error. A variable is no error where the grammar allows more than a name. */
function parsed(grammar: string, pattern: string, [before, behind] = ['', '']): PatternNode | null {
  const root = parseForPatterns(grammar, before + expanded(grammar, pattern) + behind);
  const variables = new Set([...pattern.matchAll(VARIABLE)].map(([variable]) => expanded(grammar, variable)));
  const errors = root?.findAll({ rule: { kind: 'ERROR' } }) ?? [];
  return root !== null && errors.every((node) => variables.has(node.text())) && !lacksBracket(root) ? root : null;
}

/** Did the parser make up a bracket that is not written? */
function lacksBracket(node: PatternNode): boolean {
  const { start, end } = node.range();
  if (start.index === end.index && /^[)\]}>"'`]$/.test(String(node.kind()))) return true;
  return node.children().some(lacksBracket);
}

const notInstalled = (grammar: string): string =>
  `its grammar for patterns is not installed: ${installCommand([grammar])}`;

const expanded = (grammar: string, pattern: string): string =>
  pattern.replace(VARIABLE, (variable) => variable.replaceAll('$', () => expandoOf(grammar)));

function faultOf(grammar: string, rule: Rule): string | null {
  try {
    parseForPatterns(grammar, '')?.find({ rule });
    return null;
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    if (lines.some((line) => line.includes('Multiple AST nodes'))) return 'it is more than one piece of syntax';
    return (lines.at(-1) ?? '').replace(/^[\s|\->]*/, '').slice(0, 200);
  }
}

/** A variable of a pattern or a template. Names that begin with `_` are not captured. */
export const VARIABLE = /\$\$\$([A-Z_][A-Z0-9_]*)?|\$\$?([A-Z_][A-Z0-9_]*)/g;

/** Names of the variables that a match captures, each once. */
export function variablesOf(pattern: string): { name: string; isList: boolean }[] {
  const found = new Map<string, boolean>();
  for (const [all, list, one] of pattern.matchAll(VARIABLE)) {
    const name = list ?? one;
    if (name !== undefined && !name.startsWith('_')) found.set(name, all.startsWith('$$$'));
  }
  return [...found].map(([name, isList]) => ({ name, isList }));
}

/** Words that every text with a match contains, in letters of any case. None where the pattern may hold a comment. */
export function wordsOf(pattern: string): string[] {
  if (/\/[/*]|#|--|<!/.test(pattern)) return [];
  return [...new Set(pattern.replace(VARIABLE, ' ').match(/[\p{L}\p{N}_]{2,}/gu) ?? [])];
}

type PatternNode = SgNode;

/** Grammars for patterns by their names; those without a package are part of ast-grep itself. */
const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  [...allLanguages()].flatMap(({ grammar }) =>
    grammar === undefined || grammar.lacksPatterns ? [] : [[grammar.name, grammar]],
  ),
);
const isPackage = (grammar: string): boolean => Object.hasOwn(PATTERN_PINS, PACKAGE_PREFIX + grammar);

const PREBUILT_SYSTEM: Record<string, string> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' };
const PREBUILT_MACHINE: Record<string, string> = { x64: 'X64', arm64: 'ARM64' };

interface Registration {
  libraryPath: string;
  extensions: string[];
  languageSymbol: string;
  expandoChar: string;
}

type Napi = typeof import('@ast-grep/napi');

let napi: Napi | null = null;
let loading: Promise<ReadonlySet<string>> | null = null;
let ready: ReadonlySet<string> = new Set();

/** Loads ast-grep and all grammars for it, once per process. Returns their names; none if ast-grep cannot be loaded. */
export function loadPatternParsers(): Promise<ReadonlySet<string>> {
  loading ??= load();
  return loading;
}

/** The root node of the parsed text, or null without a grammar. `loadPatternParsers` must be awaited before. */
export function parseForPatterns(grammar: string, text: string): PatternNode | null {
  return napi === null || !ready.has(grammar) ? null : napi.parse(grammar, text).root();
}

/** Letter that replaces the `$` of variables when a pattern is parsed. */
function expandoOf(grammar: string): string {
  return GRAMMARS.get(grammar)?.expando ?? (isPackage(grammar) ? 'µ' : '$');
}

/** Command that adds the grammar of patterns. */
export function installCommand(grammars: readonly string[]): string {
  const packages = grammars.map((grammar) => PACKAGE_PREFIX + grammar);
  return `npm install -g ${packages.map((name) => `${name}@${PATTERN_PINS[name]}`).join(' ')}`;
}

async function load(): Promise<ReadonlySet<string>> {
  try {
    napi = await import('@ast-grep/napi');
    const found = findGrammars();
    // All in one call: a second one is silently ignored.
    napi.registerDynamicLanguage(found);
    ready = new Set([...[...GRAMMARS.keys()].filter((name) => !isPackage(name)), ...Object.keys(found)]);
  } catch {
    // No native module for this system: no language can be searched by patterns, which `doctor` reports.
  }
  return ready;
}

function findGrammars(): Record<string, Registration> {
  const require = createRequire(import.meta.url);
  const found: Record<string, Registration> = {};
  for (const [name, version] of Object.entries(PATTERN_PINS)) {
    try {
      const manifest = require.resolve(`${name}/package.json`);
      if (JSON.parse(readFileSync(manifest, 'utf8')).version !== version) continue;
      const libraryPath = findLibrary(dirname(manifest));
      if (libraryPath === null) continue;
      const grammar = name.slice(PACKAGE_PREFIX.length);
      found[grammar] = {
        libraryPath,
        extensions: [grammar],
        languageSymbol: GRAMMARS.get(grammar)?.symbol ?? `tree_sitter_${grammar}`,
        expandoChar: expandoOf(grammar),
      };
    } catch {
      // Not installed, or unreadable.
    }
  }
  return found;
}

/** The packages' own entry points print to stdout or expect an install script to have run, so look for the file. */
function findLibrary(folder: string): string | null {
  const target = `prebuild-${PREBUILT_SYSTEM[process.platform]}-${PREBUILT_MACHINE[process.arch]}`;
  const candidates = [join(folder, 'prebuilds', target, 'parser.so'), join(folder, 'parser.so')];
  // The native side aborts the process on a path that doesn't exist, so it never sees one.
  return candidates.find((path) => existsSync(path) && statSync(path).size > 0) ?? null;
}
