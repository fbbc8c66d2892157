/** Text of `fleet status`, `fleet fsck`, `fleet maintain` and `fleet drop`. */
import { visibleLine } from '../../base/hygiene.js';
import { formatBytes, formatCount } from '../writing/format.js';
import type { FleetReport } from './output.js';

export function fleetText(report: FleetReport): string {
  return `${linesOf(report).join('\n')}\n`;
}

function linesOf({ action, at, profile, ...report }: FleetReport): string[] {
  const { damaged = [], dropped, maintained, maintainer, tables } = report;
  switch (action) {
    case 'status':
      return [
        `${visibleLine(at)}, profile ${profile}`,
        `${formatCount(report.repositories ?? 0, 'repository', 'repositories')}, ${formatCount(report.refs ?? 0, 'ref', 'refs')}`,
        ...Object.entries(tables ?? {}).map(([name, { rows, bytes, unindexed }]) => {
          const size = bytes === null ? '' : `, ${formatBytes(bytes)}`;
          return `${name.padEnd(7)} ${rows.toLocaleString('en')} rows${size}${unindexed > 0 ? `, ${unindexed.toLocaleString('en')} not indexed yet` : ''}`;
        }),
        maintainer
          ? `maintained by ${visibleLine(maintainer.holder)} until ${maintainer.until}`
          : 'maintained by nobody now',
      ];
    case 'fsck':
      return [
        ...damaged.map(({ repo, ref, problem }) => `${visibleLine(repo)} ${visibleLine(ref)}: ${visibleLine(problem)}`),
        damaged.length === 0
          ? `checked ${formatCount(report.checked ?? 0, 'content', 'contents')}: nothing is wrong`
          : 'Publish these refs again.',
      ];
    case 'maintain':
      if (!maintained) return ['another process maintains this store'];
      return [
        `removed ${formatCount(maintained.orphans, 'unused content', 'unused contents')}, ${formatCount(maintained.duplicates, 'surplus row', 'surplus rows')}, ${formatCount(maintained.tombstones, 'deleted ref', 'deleted refs')}`,
        `${maintained.optimized ? 'optimized; ' : ''}${formatBytes(maintained.freedBytes)} freed`,
      ];
    case 'drop':
      return [`removed ${visibleLine(dropped?.repo ?? '')}: ${formatCount(dropped?.refs ?? 0, 'ref', 'refs')}`];
  }
}
