/** Git configuration and the uncommitted state of a work tree, read without running what the repository configures. */
import type { Git } from './process.js';

export interface ConfigEntry {
  /** Lower-case section and variable, as git prints it. */
  key: string;
  value: string;
  scope: 'system' | 'global' | 'local' | 'worktree' | 'command';
  origin: string;
}

/** Every configured value in git's order of precedence, lowest first. */
export async function readGitConfig(git: Git): Promise<ConfigEntry[]> {
  const { stdout } = await git.run(['config', '--list', '-z', '--show-scope', '--show-origin']);
  const fields = stdout.toString('utf8').split('\0');
  const entries: ConfigEntry[] = [];
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const [scope, origin, pair] = [fields[i], fields[i + 1], fields[i + 2]];
    // Our own `-c` safety settings are not the user's configuration.
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

/** True if objects may be missing that some remote promised to deliver. */
export function isPartialClone(config: readonly ConfigEntry[]): boolean {
  return config.some(({ key }) => key === 'extensions.partialclone' || /^remote\..*\.promisor$/s.test(key));
}

/**
 * Content filters that the repository's own configuration names are commands a stranger may have chosen (a
 * `.git/config` can arrive inside an archive). These settings switch them off; the user's global ones stay.
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
 * From git 2.54 on, configuration can name commands for hooks, among them those that run whenever a ref is written.
 * `core.hooksPath` does not stop them. These settings do, for every name there is: our own commands run no hooks.
 */
export function withoutConfiguredHooks(config: readonly ConfigEntry[]): [string, string][] {
  const names = new Set<string>();
  for (const { key } of config) {
    const name = /^hook\.(.+)\.(?:command|event)$/s.exec(key)?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names].map((name) => [`hook.${name}.enabled`, 'false']);
}
