/** Small projects in memory, and what their imports mean, as one line of text each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLanguage } from '../../src/languages/detect.js';
import { LANGUAGE_IDS } from '../../src/languages/registry.js';
import { createResolver, loadImports, type Resolver, type Specified } from '../../src/languages/resolver.js';
import type { Resolution } from '../../src/languages/roles/project.js';
import type { ImportKind } from '../../src/languages/roles/relation-facts.js';
import { isManifest } from '../../src/session/graph/sources.js';

await loadImports(LANGUAGE_IDS);

export interface Fixture {
  /** White space between paths. */
  files: string;
  others?: string;
  /** Their paths count as files too. */
  manifests?: Record<string, string | object>;
  /** Package, namespace or module by path. */
  declared?: Record<string, string>;
  /** Names at top level by path, separated by spaces. */
  names?: Record<string, string>;
  /** Modules around every symbol of a file, by path. */
  enclosing?: Record<string, string[]>;
}

export interface Opened {
  resolver: Resolver;
  paths: string[];
  answer(from: string, specified: Specified): string;
  peers(path: string): string;
}

export function open({
  files,
  others = '',
  manifests = {},
  declared = {},
  names = {},
  enclosing = {},
}: Fixture): Opened {
  const words = (text: string | undefined) => (text ?? '').split(/\s+/).filter((word) => word !== '');
  for (const path of Object.keys(manifests)) assert.ok(isManifest(path), path);
  const paths = [...new Set([...words(files), ...Object.keys(manifests)])].sort();
  const number = (path: string) => {
    assert.ok(paths.includes(path), path);
    return paths.indexOf(path);
  };
  const resolver = createResolver({
    files: paths.map((path) => ({ path, language: detectLanguage(path, undefined, {}) ?? 'text' })),
    others: new Set(words(others)),
    manifests: new Map(
      Object.entries(manifests).map(([path, text]) => [path, typeof text === 'string' ? text : JSON.stringify(text)]),
    ),
    declared: (file) => words(declared[paths[file]]),
    topLevelNames: (file) => words(names[paths[file]]),
    enclosingModules: (file) => enclosing[paths[file]] ?? [],
  });
  return {
    resolver,
    paths,
    answer: (from, specified) => shown(resolver.resolve(number(from), specified)),
    peers: (path) =>
      resolver
        .peers(number(path))
        .map((peer) => paths[peer])
        .join(' '),
  };
}

/** `a.ts b.ts`, `a/x.go (package)`, `asset x.png`, `external react`, `unresolved`. */
function shown(resolution: Resolution): string {
  if (resolution.kind === 'files')
    return resolution.paths.join(' ') + (resolution.tier === 'package' ? ' (package)' : '');
  if (resolution.kind === 'asset') return `asset ${resolution.path}`;
  return resolution.kind === 'external' ? `external ${resolution.package}` : 'unresolved';
}

/** `from`, what is written, and what it means. Written: `specifier`, or `specifier: name, name`, with the kind before it in angle brackets. */
export type Case = [from: string, written: string, expected: string];

const WRITTEN = /^(?:<(?<kind>[\w-]+)> )?(?<specifier>.*?)(?:: (?<names>.*))?$/s;

export function specified(written: string): Specified {
  const { kind = 'import', specifier, names } = WRITTEN.exec(written)?.groups ?? {};
  return {
    kind: kind as ImportKind,
    specifier,
    names: (names ?? '').split(', ').flatMap((name) => (name === '' ? [] : [{ name, alias: name }])),
    symbol: 0,
  };
}

export function cases(title: string, fixture: Fixture, rows: readonly Case[]): void {
  test(title, () => {
    const { answer } = open(fixture);
    const seen = rows.map(([from, written]) => [from, written, answer(from, specified(written))]);
    assert.deepEqual(seen, rows);
  });
}
