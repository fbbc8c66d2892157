/** Makes the text of a hook from `hooks/shim.sh` of this package and the name of the event. */
import { readFileSync } from 'node:fs';
import { SocraticodeError } from '../base/errors.js';
import { quotedWord } from '../base/hygiene.js';
import type { HookEvent } from './events.js';

/** Absolute paths on this machine that run the worker if PATH lacks git-socraticode. */
export interface Fallback {
  node: string;
  program: string;
}

/**
 * Finds the process that the worker waits for before it shares: the nearest git process above this shell. It is the
 * parent, or further up if a hook manager runs in between.
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

/**
 * Shell lines for one event. For `null` they tell the indexing event by the number of the hook's arguments. They change
 * nothing in the script around them but `$!`, and for a push three variables with the prefix `socraticode_`.
 */
export function shimLines(event: HookEvent | null, fallback: Fallback | null): string {
  const settings = [
    `  socraticode_event=${event ?? '"post-event-$#"'}`,
    `  socraticode_node=${quotedWord(fallback?.node ?? '')}`,
    `  socraticode_program=${quotedWord(fallback?.program ?? '')}`,
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
      // The file is one level further up, since the compiled tests are deeper than dist.
    }
  }
  throw new SocraticodeError('BROKEN_INSTALLATION', 'hooks/shim.sh is missing from this installation');
}
