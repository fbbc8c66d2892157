/** Tells which packages that samples import from are this repository's own. */
import type { DocumentFacts } from './facts.js';
import type { Lookup } from './lookup.js';

/** From this share of a package's imported names on, that are ours, the package is. */
const OWN_SHARE = 0.6;

/**
 * No file is asked for the name of its package: a package is ours if the repository defines what documents import from it. Of one
 * name alone that may be chance, so that then a folder has to have the name of the package.
 */
export function ownPackages(documents: Iterable<DocumentFacts>, lookup: Lookup): ReadonlySet<string> {
  const names = new Map<string, Set<string>>();
  for (const { mentions } of documents) {
    for (const { kind, text, from } of mentions) {
      if (kind !== 'import' || from === undefined) continue;
      const root = packageOf(from);
      const known = names.get(root);
      if (known === undefined) names.set(root, new Set([text]));
      else known.add(text);
    }
  }
  const folders = new Set(lookup.graph.tables.files.flatMap(({ path }) => path.split('/').slice(0, -1)));
  const own = new Set<string>();
  for (const [root, all] of names) {
    if (root === '') continue;
    const ours = [...all].filter((name) => lookup.topLevel(name).length > 0).length;
    const isNamed = folders.has(root.slice(root.lastIndexOf('/') + 1));
    if (ours / all.size >= OWN_SHARE && (ours > 1 || isNamed)) own.add(root);
  }
  return own;
}

/** `@scope/name` of `@scope/name/part`, `a` of `a.b` and `a::b`; '' for a relative path. */
export function packageOf(from: string): string {
  if (/^\.|^crate\b|^self\b|^super\b/.test(from)) return '';
  const scoped = /^@[^/]+\/[^/]+/.exec(from)?.[0];
  return scoped ?? from.split(/[./]|::/)[0];
}
