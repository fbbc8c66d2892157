/** Tells which packages that samples import from are this repository's own. */

import { languageOf } from '../languages/registry.js';
import type { DocumentFacts } from './facts.js';
import type { Lookup } from './lookup.js';
import { partsOf } from './names.js';

/** Packages that manifests of a snapshot name, by ecosystem, each as `packageOf` gives what imports of it name. */
export type Published = ReadonlyMap<string, ReadonlySet<string>>;

/** From this share of a package's imported names on, that are ours, the package is. */
const OWN_SHARE = 0.6;

/**
 * A package is ours if a manifest names it, or, where none of its ecosystem names any, if the repository defines what documents import
 * from it. Of one name alone that may be chance, so that then a folder has to have the name of the package.
 */
export function ownPackages(
  documents: Iterable<DocumentFacts>,
  lookup: Lookup,
  published: Published = new Map(),
): ReadonlySet<string> {
  const names = new Map<string, Set<string>>();
  for (const { mentions } of documents) {
    for (const { kind, text, from } of mentions) {
      // Uses of a package in a sample tell as much as its import: some languages import packages whole.
      if ((kind !== 'import' && kind !== 'use') || from === undefined) continue;
      const root = packageOf(from);
      const known = names.get(root);
      const [name] = partsOf(text);
      if (known === undefined) names.set(root, new Set([name]));
      else known.add(name);
    }
  }
  let folders: ReadonlySet<string> | null = null;
  const isFolder = (name: string): boolean => {
    folders ??= new Set(lookup.graph.tables.files.flatMap(({ path }) => path.split('/').slice(0, -1)));
    return folders.has(name);
  };
  const own = new Set<string>();
  const named = new Set([...published.values()].flatMap((roots) => [...roots]));
  for (const [root, all] of names) {
    if (root === '') continue;
    if (named.has(root)) own.add(root);
    if (own.has(root)) continue;
    const definitions = [...all].map((name) => lookup.firstTopLevel(name)).filter((node) => node >= 0);
    if (definitions.some((node) => published.has(ecosystemOf(lookup, node)))) continue;
    const ours = definitions.length;
    if (ours / all.size >= OWN_SHARE && (ours > 1 || isFolder(root.slice(root.lastIndexOf('/') + 1)))) own.add(root);
  }
  return own;
}

/** Names that documents import from their own packages. */
export function importedNames(documents: readonly DocumentFacts[], own: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { mentions } of documents)
    for (const { kind, text, from } of mentions)
      if (kind === 'import' && from !== undefined && own.has(packageOf(from))) found.add(text);
  return found;
}

/** Files that every repository has: a link to one tells nothing. */
const COMMON = /^\/(?:readme|licen[cs]e|changelog|contributing|security|package\.json)[^/]*$/i;

/**
 * Tells which repositories on forges, as owner and name, are this one: those of whose linked paths most are here. No remote is asked, since
 * an answer depends on the snapshot alone.
 */
export function ownRepositories(
  documents: Iterable<DocumentFacts>,
  exists: (path: string) => boolean,
): ReadonlySet<string> {
  const linked = new Map<string, Set<string>>();
  for (const { mentions } of documents)
    for (const { kind, text, from } of mentions) {
      // Whether a folder is here no graph tells.
      if (kind !== 'link' || from === undefined || !/\.\w+$/.test(text)) continue;
      const known = linked.get(from);
      if (known === undefined) linked.set(from, new Set([text]));
      else known.add(text);
    }
  const own = [...linked].filter(([, paths]) => {
    const here = [...paths].filter((path) => exists(path.slice(1)));
    return here.length / paths.size >= OWN_SHARE && (here.length > 1 || here.some((path) => !COMMON.test(path)));
  });
  return new Set(own.map(([name]) => name));
}

function ecosystemOf({ graph }: Lookup, node: number): string {
  return languageOf(graph.tables.files[graph.fileOf(node)].language)?.packages?.ecosystem ?? '';
}

/** `@scope/name` of `@scope/name/part`, `a` of `a.b`, `a::b` and `npm:a@1`; '' for a relative path. */
export function packageOf(from: string): string {
  if (/^\.|^crate\b|^self\b|^super\b/.test(from)) return '';
  const name = from.replace(/^(?:npm|jsr):/, '');
  // `github.com/shop/cart`: a host comes first.
  const whole = /^@[^/]+\/[^/@]+|^[\w-]+(?:\.[\w-]+)+\/[^/]+\/[^/]+/.exec(name)?.[0];
  return whole ?? name.split(/[./@]|::/)[0];
}
