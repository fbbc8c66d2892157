/** Text of the commands that look after a store. */

import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { commandText } from '../../params/command-line.js';
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
          return `${name.padEnd(7)} ${groupDigits(rows)} rows${size}${unindexed > 0 ? `, ${groupDigits(unindexed)} not indexed yet` : ''}`;
        }),
        maintainer
          ? `maintained by ${visibleLine(maintainer.holder)} until ${maintainer.until}`
          : 'maintained by nobody now',
      ];
    case 'init':
      return [
        `${visibleLine(at)}: ${report.created ? 'made the tables' : 'the tables are there'} of profile ${profile}`,
      ];
    case 'rebuild':
      return rebuiltLines(report.rebuilt);
    case 'fsck':
      return [
        ...(report.faults ?? []).map(visibleLine),
        ...damaged.map(({ repo, ref, problem }) => `${visibleLine(repo)} ${visibleLine(ref)}: ${visibleLine(problem)}`),
        nextStep(report),
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

function rebuiltLines(rebuilt: FleetReport['rebuilt']): string[] {
  if (rebuilt === undefined) return [];
  const { copied, published, left, unreadable, switched } = rebuilt;
  const made = `copied ${formatCount(copied, 'ref', 'refs')}, published ${formatCount(published, 'ref', 'refs')} from clones`;
  return [
    ...(unreadable === null ? [] : [`the old tables cannot be opened: ${visibleLine(unreadable)}`]),
    ...left.map(({ repo, ref, problem }) => `${visibleLine(repo)} ${visibleLine(ref)}: ${visibleLine(problem)}`),
    switched
      ? `${made}; the store uses the new tables`
      : `${made}; the old tables stay in use, since refs are left: name clones that have them, or force it`,
  ];
}

function nextStep({
  checked = 0,
  damaged = [],
  faults = [],
}: Pick<FleetReport, 'checked' | 'damaged' | 'faults'>): string {
  if (faults.length > 0) return `The store needs new tables: ${commandText('fleet rebuild')}`;
  if (damaged.length > 0) return 'Publish these refs again.';
  return `checked ${formatCount(checked, 'content', 'contents')}: nothing is wrong`;
}
