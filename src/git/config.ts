/** Git configuration, and settings that switch off the commands that a repository configures. */
import type { Git } from './process.js';

export interface ConfigEntry {
  /** Key with section and variable in lower case, as git prints it. */
  key: string;
  value: string;
  scope: 'system' | 'global' | 'local' | 'worktree' | 'command';
  origin: string;
}

/** `SCOPE NUL ORIGIN NUL KEY`, then a newline and the value if there is one, then NUL. */
const ENTRY = /([^\0]*)\0([^\0]*)\0([^\0\n]*)(?:\n([^\0]*))?\0/g;

/** Reads all configured values in git's order of precedence, lowest first. */
export async function readGitConfig(git: Git): Promise<ConfigEntry[]> {
  const { stdout } = await git.run(['config', '--list', '-z', '--show-scope', '--show-origin']);
  const entries: ConfigEntry[] = [];
  for (const [, scope, origin, key, value = 'true'] of stdout.toString('utf8').matchAll(ENTRY)) {
    // Our safety settings, which are passed with `-c`, do not count.
    if (scope !== 'command') entries.push({ key, value, scope: scope as ConfigEntry['scope'], origin });
  }
  return entries;
}

/** Returns whether a setting came with the repository and not from the user. */
export function isOfRepository({ scope }: ConfigEntry): boolean {
  return scope === 'local' || scope === 'worktree';
}

/** Returns whether a remote has promised objects that may be missing here. */
export function isPartialClone(config: readonly ConfigEntry[]): boolean {
  return config.some(({ key }) => key === 'extensions.partialclone' || /^remote\..*\.promisor$/s.test(key));
}

/**
 * Settings that switch off content filters of the repository's own configuration. Filters are commands, and a `.git/config` can come in
 * an archive. The user's global filters stay.
 */
export function withoutLocalFilters(config: readonly ConfigEntry[]): [string, string][] {
  const settings: [string, string][] = [];
  for (const { key } of config.filter(isOfRepository)) {
    const match = /^(filter\..*)\.(clean|smudge|process)$/s.exec(key);
    if (match) settings.push([key, ''], [`${match[1]}.required`, 'false']);
  }
  return settings;
}

/**
 * Settings that replace merge drivers of the repository's own configuration, which are commands, by git's three-way merge. The user's
 * global drivers stay. Renormalising is off, since it would run content filters.
 */
export function withoutLocalMergeDrivers(config: readonly ConfigEntry[]): [string, string][] {
  const drivers = config.filter((entry) => isOfRepository(entry) && /^merge\..*\.driver$/s.test(entry.key));
  return [
    ['merge.renormalize', 'false'],
    ...drivers.map(({ key }): [string, string] => [key, 'git merge-file -q %A %O %B']),
  ];
}

/**
 * Settings that switch off all configured hooks. From git 2.54 on, configuration can name commands for hooks, some of which run whenever
 * a ref is written. `core.hooksPath` does not stop them.
 */
export function withoutConfiguredHooks(config: readonly ConfigEntry[]): [string, string][] {
  const names = config.flatMap(({ key }) => /^hook\.(.+)\.(?:command|event)$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)].map((name) => [`hook.${name}.enabled`, 'false']);
}
