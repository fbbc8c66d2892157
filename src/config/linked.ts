/** Sources of the linked repositories' paths. A path that only the repository names is not followed outside of it. */
import { SETTINGS } from './settings.js';
import { readSources } from './sources.js';
import type { ConfigSources } from './types.js';

interface NamedLink {
  path: string;
  /** The user names it too, not only the repository's files or git config. */
  trusted: boolean;
}

/** Paths of `linkedProjects` in the order of the resolved list; the caller has resolved it, so every value is checked. */
export function namedLinks(paths: readonly string[], sources: Omit<ConfigSources, 'languageIds'>): NamedLink[] {
  const settings = readSources(SETTINGS, sources).filter(({ key, trusted }) => trusted && key === 'linkedProjects');
  const users = new Set(settings.flatMap(({ value }) => value as string[]));
  return paths.map((path) => ({ path, trusted: users.has(path) }));
}
