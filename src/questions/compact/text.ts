/** Text of `compact`. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { commandText } from '../../params/command-line.js';
import { formatBytes, formatCount } from '../writing/format.js';
import type { CompactReport } from './output.js';

export function compactText({ remote, dryRun, refs, reason, otherProfiles }: CompactReport): string {
  const at = remote === null ? '' : ` on ${visibleLine(remote)}`;
  if (refs.length === 0) return `no notes${at} to compact\n`;
  const lines = refs.map(({ ref, records, commits, bytes, changed }) => {
    const name = `${visibleLine(ref)}${at}`;
    if (!changed) return `${name}: ${formatCount(records.kept, 'record')} in one commit already`;
    const done = dryRun ? ['would be kept', 'would be dropped'] : ['kept', 'dropped'];
    const dropped = records.dropped > 0 ? `, ${groupDigits(records.dropped)} ${done[1]}` : '';
    const history = commits > 1 ? `, ${groupDigits(commits)} commits ${dryRun ? 'would be ' : ''}squashed` : '';
    const size = `${formatBytes(bytes.before)} -> ${formatBytes(bytes.after)}`;
    return `${name}: ${formatCount(records.kept, 'record')} ${done[0]}${dropped}${history}; ${size}`;
  });
  const changed = refs.some((ref) => ref.changed);
  if (changed && !dryRun && remote === null) lines.push('git gives the space back with its next `git gc`');
  if (reason !== null) lines.push(`no record was dropped: ${reason}`);
  for (const ref of otherProfiles) {
    const [id] = ref.split('/').slice(-1);
    lines.push(
      `${visibleLine(ref)} is not of this version or these settings: ${commandText('remove', { profile: id })}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
