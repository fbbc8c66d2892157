/**
 * Finds the grammars that this machine has, and parses with them. Grammars are optional packages: one that is missing,
 * or isn't the pinned version (it could give other records for the same bytes), is treated as absent, never as an error.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SgNode } from '@ast-grep/napi';
import type { Grammar } from '../languages/language.js';
import { allLanguages } from '../languages/registry.js';
import { GRAMMAR_PINS, PACKAGE_PREFIX } from './pins.js';

export type SyntaxNode = SgNode;

/** Grammars of all languages by their names; those that are no package are part of ast-grep itself. */
const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  [...allLanguages()].flatMap(({ grammar }) => (grammar === undefined ? [] : [[grammar.name, grammar]])),
);
const isPackage = (grammar: string): boolean => Object.hasOwn(GRAMMAR_PINS, PACKAGE_PREFIX + grammar);

const PREBUILT_SYSTEM: Record<string, string> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' };
const PREBUILT_MACHINE: Record<string, string> = { x64: 'X64', arm64: 'ARM64' };

interface Registration {
  libraryPath: string;
  extensions: string[];
  languageSymbol: string;
  expandoChar: string;
}

export interface GrammarStatus {
  available: string[];
  missing: string[];
}

type Napi = typeof import('@ast-grep/napi');

let napi: Napi | null = null;
let loading: Promise<GrammarStatus> | null = null;
const ready = new Set<string>();

/** Loads every grammar there is, once per process; later calls share the result. */
export function loadGrammars(): Promise<GrammarStatus> {
  loading ??= load();
  return loading;
}

export const grammarStatus = loadGrammars;

/** True once `loadGrammars` found the grammar. */
export function hasGrammar(grammar: string): boolean {
  return ready.has(grammar);
}

/** The root node of the parsed text, or null without a grammar. Node positions count UTF-16 units. */
export function parseWithGrammar(grammar: string, text: string): SyntaxNode | null {
  if (napi === null || !ready.has(grammar)) return null;
  return napi.parse(grammar, text).root();
}

/** Letter that stands for the `$` of variables where a pattern is parsed. */
export function expandoOf(grammar: string): string {
  return GRAMMARS.get(grammar)?.expando ?? (isPackage(grammar) ? 'µ' : '$');
}

async function load(): Promise<GrammarStatus> {
  const all = [...GRAMMARS.keys()].sort();
  try {
    napi = await import('@ast-grep/napi');
    for (const grammar of all) if (!isPackage(grammar)) ready.add(grammar);
    const found = findGrammars();
    // All in one call: a second one is silently ignored.
    napi.registerDynamicLanguage(found);
    for (const grammar of Object.keys(found)) ready.add(grammar);
  } catch {
    // Without the native module every language falls back to line chunks, which `missing` reports.
  }
  return { available: all.filter((name) => ready.has(name)), missing: all.filter((name) => !ready.has(name)) };
}

/** Version of each grammar package that is installed, whether it fits or not; null for none. */
export function grammarVersions(): Record<string, string | null> {
  const require = createRequire(import.meta.url);
  const version = (name: string): string | null => {
    try {
      return JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')).version;
    } catch {
      return null;
    }
  };
  return Object.fromEntries(Object.keys(GRAMMAR_PINS).map((name) => [name, version(name)]));
}

function findGrammars(): Record<string, Registration> {
  const require = createRequire(import.meta.url);
  const found: Record<string, Registration> = {};
  for (const [name, version] of Object.entries(GRAMMAR_PINS)) {
    try {
      const manifest = require.resolve(`${name}/package.json`);
      if (JSON.parse(readFileSync(manifest, 'utf8')).version !== version) continue;
      const libraryPath = findLibrary(dirname(manifest));
      if (libraryPath === null) continue;
      const grammar = name.slice(PACKAGE_PREFIX.length);
      found[grammar] = {
        libraryPath,
        extensions: [grammar],
        languageSymbol: symbolOf(grammar),
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

function symbolOf(grammar: string): string {
  return GRAMMARS.get(grammar)?.symbol ?? `tree_sitter_${grammar}`;
}
