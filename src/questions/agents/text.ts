/** Text of `agents install|status|uninstall`: a line for each file. */
import { visibleLine } from '../../base/hygiene.js';
import type { AgentsFile, AgentsReport } from './output.js';

const DONE: Readonly<Record<AgentsFile['change'], string>> = {
  ...{ create: 'created', add: 'added a PART to', replace: 'renewed', remove: 'removed the PART from' },
  ...{ delete: 'deleted', none: 'unchanged', keep: 'kept, since it is not ours:', refuse: 'left alone' },
};
const WOULD: Readonly<Partial<Record<AgentsFile['change'], string>>> = {
  ...{ create: 'would create', add: 'would add a PART to', replace: 'would renew' },
  ...{ remove: 'would remove the PART from', delete: 'would delete' },
};

/** After the settings that a hook is in. */
const HOOK = ' (hook: the symbols around what other searches find)';

export function agentsText({ action, written, files }: AgentsReport): string {
  const lines = files.map((file) => {
    const { host, path, kind, change, reason, isInstalled, isCurrent } = file;
    const state = isInstalled ? (isCurrent ? 'installed' : 'installed, of another version') : 'not installed';
    const did = action === 'status' ? state : ((written ? undefined : WOULD[change]) ?? DONE[change]);
    const verdict = (change === 'refuse' ? DONE.refuse : did).replace('PART', kind);
    const what = kind === 'hook' && action !== 'uninstall' ? HOOK : '';
    return visibleLine(`${host.padEnd(7)} ${verdict} ${path}${reason === null ? what : `: ${reason}`}`);
  });
  return `${lines.join('\n')}\n`;
}
