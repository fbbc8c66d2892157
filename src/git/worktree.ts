/** Git configuration, and settings that switch off the commands that a repository configures. */
import type { Git } from './process.js';

export interface ConfigEntry {
  /** Key with section and variable in lower case, as git prints it. */
  key: string;
  value: string;
  scope: 'system' | 'global' | 'local' | 'worktree' | 'command';
  origin: string;
}

/** Reads all configured values in git's order of precedence, lowest first. */
export async function readGitConfig(git: Git): Promise<ConfigEntry[]> {
  const { stdout } = await git.run(['config', '--list', '-z', '--show-scope', '--show-origin']);
  const fields = stdout.toString('utf8').split('\0');
  const entries: ConfigEntry[] = [];
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [scope, origin, pair] = [fields[i], fields[i + 1], fields[i + 2]];
    // Skips our safety settings, which are passed with `-c`.
    if (scope === 'command') continue;
    const newline = pair.indexOf('\n');
    const key = newline < 0 ? pair : pair.slice(0, newline);
    entries.push({
      key,
      value: newline < 0 ? 'true' : pair.slice(newline + 1),
      scope: scope as ConfigEntry['scope'],
      origin,
    });
  }
  return entries;
}

/** True if objects may be missing that a remote has promised to deliver. */
export function isPartialClone(config: readonly ConfigEntry[]): boolean {
  return config.some(({ key }) => key === 'extensions.partialclone' || /^remote\..*\.promisor$/s.test(key));
}

/**
 * Settings that switch off the content filters in the repository's own configuration. They are commands, and a
 * `.git/config` can come in an archive. The user's global filters stay.
 */
export function withoutLocalFilters(config: readonly ConfigEntry[]): [string, string][] {
  const settings: [string, string][] = [];
  for (const { key, scope } of config) {
    const match = /^(filter\..*)\.(clean|smudge|process)$/s.exec(key);
    if (match && (scope === 'local' || scope === 'worktree'))
      settings.push([key, ''], [`${match[1]}.required`, 'false']);
  }
  return settings;
}

/**
 * Settings that replace the merge drivers in the repository's own configuration by git's own three-way merge: they are commands.
 * The user's global drivers stay. Without renormalising, a merge runs no content filter.
 */
export function withoutLocalMergeDrivers(config: readonly ConfigEntry[]): [string, string][] {
  const settings: [string, string][] = [['merge.renormalize', 'false']];
  for (const { key, scope } of config)
    if (/^merge\..*\.driver$/s.test(key) && (scope === 'local' || scope === 'worktree'))
      settings.push([key, 'git merge-file -q %A %O %B']);
  return settings;
}

/**
 * Settings that switch off all configured hooks. From git 2.54 on, configuration can name commands for hooks, some of which
 * run whenever a ref is written; `core.hooksPath` does not stop them.
 */
export function withoutConfiguredHooks(config: readonly ConfigEntry[]): [string, string][] {
  const names = new Set<string>();
  for (const { key } of config) {
    const name = /^hook\.(.+)\.(?:command|event)$/s.exec(key)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names].map((name) => [`hook.${name}.enabled`, 'false']);
}
