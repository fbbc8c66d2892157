/**
 * Installs hooks as entries of the repository's git configuration, which git 2.54 and later run in addition to hook
 * files. No file of the user is touched. One command serves all indexing events, another one the push.
 */
import type { Git } from '../git/process.js';
import type { ConfigEntry } from '../git/worktree.js';
import { type HookEvent, INDEX_EVENTS, SHARE_EVENT } from './events.js';
import type { HookChange } from './hook-files.js';
import { type Fallback, shimLines } from './shim.js';

const INDEX_NAME = 'git-socraticode';
const SHARE_NAME = 'git-socraticode-share';

interface ConfigHook {
  name: string;
  events: readonly HookEvent[];
  command: string;
}

/**
 * Configuration entries to install. git appends the hook's arguments to the command, so it ends with `:`, which ignores
 * them.
 */
function wanted(share: boolean, fallback: Fallback | null): ConfigHook[] {
  const hook = (name: string, events: readonly HookEvent[], event: HookEvent | null): ConfigHook => {
    return { name, events, command: `${shimLines(event, fallback)}:` };
  };
  const hooks = [hook(INDEX_NAME, INDEX_EVENTS, null)];
  return share ? [...hooks, hook(SHARE_NAME, [SHARE_EVENT], SHARE_EVENT)] : hooks;
}

/** Lists the configuration changes that installing makes. */
export function planConfig(config: readonly ConfigEntry[], share: boolean, fallback: Fallback | null): HookChange[] {
  const changes: HookChange[] = [];
  for (const { name, events, command } of wanted(share, fallback)) {
    const now = readNamed(config, name);
    const same = now.command === command && events.every((event) => now.events.includes(event));
    const kind = same ? 'none' : now.command === null ? 'create' : 'update';
    for (const event of events)
      changes.push({ event, path: `hook.${name}`, kind, reason: null, text: same ? null : command });
  }
  return changes;
}

export function planConfigRemoval(config: readonly ConfigEntry[]): HookChange[] {
  const changes: HookChange[] = [];
  for (const name of [INDEX_NAME, SHARE_NAME]) {
    const events = name === SHARE_NAME ? ([SHARE_EVENT] as const) : INDEX_EVENTS;
    const kind = readNamed(config, name).present ? 'delete' : 'none';
    for (const event of events) changes.push({ event, path: `hook.${name}`, kind, reason: null, text: null });
  }
  return changes;
}

/** Events for which the local configuration runs our command, each with its configuration section. */
export function configuredEvents(config: readonly ConfigEntry[]): Map<HookEvent, string> {
  const found = new Map<HookEvent, string>();
  for (const name of [INDEX_NAME, SHARE_NAME]) {
    const { command, events, enabled } = readNamed(config, name);
    if (command === null || !enabled) continue;
    for (const event of events) found.set(event as HookEvent, `hook.${name}`);
  }
  return found;
}

/** Writes or removes the sections that the changes name. Throws GIT_FAILED. */
export async function applyConfig(git: Git, changes: readonly HookChange[]): Promise<void> {
  for (const section of new Set(changes.filter(({ kind }) => kind !== 'none').map(({ path }) => path))) {
    const mine = changes.filter(({ path }) => path === section);
    // git exits with 128 if there is no such section.
    await git.run(['config', '--local', '--remove-section', section], { allow: [128] });
    const { text } = mine[0];
    if (text === null) continue;
    // The command comes first: an event without one would be an error to git.
    await git.run(['config', '--local', '--add', `${section}.command`, text]);
    for (const { event } of mine) await git.run(['config', '--local', '--add', `${section}.event`, event]);
  }
}

function readNamed(config: readonly ConfigEntry[], name: string) {
  const entries = config.filter(({ key, scope }) => scope === 'local' && key.startsWith(`hook.${name}.`));
  const values = (variable: string) =>
    entries.filter(({ key }) => key === `hook.${name}.${variable}`).map(({ value }) => value);
  return {
    present: entries.length > 0,
    command: values('command').pop() ?? null,
    events: values('event'),
    enabled: !/^(?:false|no|off|0)$/i.test(values('enabled').pop() ?? 'true'),
  };
}
