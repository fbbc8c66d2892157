/** Text of `agents install|status|uninstall`: a line for each file. */
import { visibleLine } from '../../base/hygiene.js';
import type { AgentsFile, AgentsReport } from './output.js';

const DONE: Readonly<Record<AgentsFile['change'], string>> = {
  ...{ create: 'created', add: 'added a section to', replace: 'renewed', remove: 'removed the section from' },
  ...{ delete: 'deleted', none: 'unchanged', keep: 'kept, since it is not ours:', refuse: 'left alone' },
};
const WOULD: Readonly<Partial<Record<AgentsFile['change'], string>>> = {
  ...{ create: 'would create', add: 'would add a section to', replace: 'would renew' },
  ...{ remove: 'would remove the section from', delete: 'would delete' },
};

export function agentsText({ action, written, files }: AgentsReport): string {
  const lines = files.map((file) => {
    const { host, path, change, reason, isInstalled, isCurrent } = file;
    const state = isInstalled ? (isCurrent ? 'installed' : 'installed, of another version') : 'not installed';
    const did = action === 'status' ? state : ((written ? undefined : WOULD[change]) ?? DONE[change]);
    const verdict = change === 'refuse' ? DONE.refuse : did;
    return visibleLine(`${host.padEnd(7)} ${verdict} ${path}${reason === null ? '' : `: ${reason}`}`);
  });
  return `${lines.join('\n')}\n`;
}
