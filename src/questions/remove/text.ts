/** Text of `remove`. */
import { visibleLine } from '../../base/hygiene.js';
import { formatBytes } from '../writing/format.js';
import type { RemoveReport } from './output.js';

export function removeText({ remote, dryRun, refs, remoteRefs, paths, kept }: RemoveReport): string {
  const verb = dryRun ? 'would delete' : 'deleted';
  const lines = [
    ...refs.map((ref) => `${verb} ${visibleLine(ref)}`),
    ...remoteRefs.map((ref) => `${verb} ${visibleLine(ref)} on ${visibleLine(remote ?? '')}`),
    ...paths.map(({ path, bytes }) => `${verb} ${visibleLine(path)} (${formatBytes(bytes)})`),
  ];
  if (lines.length === 0) lines.push('nothing to delete');
  return `${[...lines, ...kept.map((what) => `kept ${visibleLine(what)}`)].join('\n')}\n`;
}
