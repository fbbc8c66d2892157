/** Who named the linked repositories: what the user did not name is not followed out of the repository. */
import { CONFIG_KEYS } from './keys.js';
import { readSources } from './sources.js';
import type { ConfigSources } from './types.js';

export interface NamedLink {
  path: string;
  /** Named by the user as well, not only by files or the git config of the repository. */
  trusted: boolean;
}

/** The paths of `linkedProjects` in the order of the resolved list. The caller has resolved it: every value is checked. */
export function namedLinks(paths: readonly string[], sources: Omit<ConfigSources, 'languageIds'>): NamedLink[] {
  const settings = readSources(CONFIG_KEYS, sources).filter(({ key, trusted }) => trusted && key === 'linkedProjects');
  const users = new Set(settings.flatMap(({ value }) => value as string[]));
  return paths.map((path) => ({ path, trusted: users.has(path) }));
}
