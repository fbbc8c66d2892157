/** Recognises the files that say what imports mean. Linking needs their text, whether they are indexed or not. */
import { allLanguages } from './registry.js';

const { names, patterns } = listed();

/** `path`: of a file in the snapshot, from the repository root. */
export function isManifest(path: string): boolean {
  return names.has(path.slice(path.lastIndexOf('/') + 1)) || patterns.some((pattern) => pattern.test(path));
}

function listed(): { names: ReadonlySet<string>; patterns: readonly RegExp[] } {
  const languages = [...allLanguages()];
  return {
    names: new Set(languages.flatMap(({ manifests = [] }) => manifests)),
    patterns: [...new Set(languages.flatMap(({ manifestPattern }) => manifestPattern ?? []))],
  };
}
