/** Text of `codebase_watch`. */
import { indexingText } from '../../index/server/text.js';
import type { WatchReport } from './output.js';

export function serverWatchText({ action, watches, watcher, reason, indexing }: WatchReport): string {
  const state = watches
    ? 'changes of the work tree are noticed by themselves'
    : 'git is asked for changes with every question';
  const lines = [
    ...(indexing === null ? [] : [indexingText(indexing).trimEnd()]),
    reason ?? state,
    ...(action === 'stop' ? ['nothing to stop: answers always know uncommitted files'] : []),
    ...(watcher === null ? [] : [`process ${watcher} keeps this work tree ready, too`]),
  ];
  return `${lines.join('\n')}\n`;
}
