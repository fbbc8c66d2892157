/**
 * Parsers of structural search: ast-grep, with native grammars. Those that ast-grep does not bring along are optional packages,
 * because each holds libraries for all systems: one that is missing, or is not the pinned version, is treated as absent.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SgNode } from '@ast-grep/napi';
import type { Grammar } from '../languages/language.js';
import { allLanguages } from '../languages/registry.js';
import { PACKAGE_PREFIX, PATTERN_PINS } from './pins.js';

export type PatternNode = SgNode;

/** Grammars of all languages by their names; those that are no package are part of ast-grep itself. */
const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  [...allLanguages()].flatMap(({ grammar }) => (grammar === undefined ? [] : [[grammar.name, grammar]])),
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

/** Loads ast-grep and every grammar there is, once per process; gives their names, none where ast-grep cannot be loaded. */
export function loadPatternParsers(): Promise<ReadonlySet<string>> {
  loading ??= load();
  return loading;
}

/** The root node of the parsed text, or null without a grammar. `loadPatternParsers` has to be awaited before. */
export function parseForPatterns(grammar: string, text: string): PatternNode | null {
  return napi === null || !ready.has(grammar) ? null : napi.parse(grammar, text).root();
}

/** Letter that stands for the `$` of variables where a pattern is parsed. */
export function expandoOf(grammar: string): string {
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
