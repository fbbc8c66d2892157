/** The text of the hooks: `hooks/shim.sh` of this package, told which event it stands for. */
import { readFileSync } from 'node:fs';
import { SocraticodeError } from '../base/errors.js';
import type { HookEvent } from './events.js';

/** What runs the worker where PATH does not have it: absolute paths on this machine. */
export interface Fallback {
  node: string;
  program: string;
}

/**
 * The worker must not share while the push is still under way: it waits for the nearest git above this shell. That is
 * the parent, or further up where a hook manager stands between.
 */
const FIND_PUSHER = `socraticode_pusher=$PPID
while [ -r "/proc/$socraticode_pusher/stat" ]; do
  read -r socraticode_stat <"/proc/$socraticode_pusher/stat" || break
  case $socraticode_stat in *'(git)'*) break ;; esac
  socraticode_stat=\${socraticode_stat##*') '}
  socraticode_stat=\${socraticode_stat#* }
  socraticode_pusher=\${socraticode_stat%% *}
  [ "$socraticode_pusher" -gt 1 ] || { socraticode_pusher=$PPID && break; }
done 2>/dev/null
`;

/** One word for the shell, whatever it holds. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Shell lines for one event; `null` finds out by its arguments which of the indexing events it is. They change nothing
 * of the script around them but `$!`, and for a push three variables with our name.
 */
export function shimLines(event: HookEvent | null, fallback: Fallback | null): string {
  const settings = [
    `  socraticode_event=${event ?? '"post-event-$#"'}`,
    `  socraticode_node=${shellWord(fallback?.node ?? '')}`,
    `  socraticode_program=${shellWord(fallback?.program ?? '')}`,
  ];
  const text = readShim();
  const body = text.replace(/^\(\n/m, () => `(\n${settings.join('\n')}\n`);
  return event === 'pre-push' ? FIND_PUSHER + body : body;
}

function readShim(): string {
  for (const up of ['../../hooks/shim.sh', '../../../hooks/shim.sh']) {
    try {
      return readFileSync(new URL(up, import.meta.url), 'utf8');
    } catch {
      // Not at this depth.
    }
  }
  throw new SocraticodeError('BROKEN_INSTALLATION', 'hooks/shim.sh is missing from this installation');
}
