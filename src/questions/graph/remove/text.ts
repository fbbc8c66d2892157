/** Text of the graphs that were deleted. */
import { formatBytes, formatCount } from '../../writing/format.js';
import type { GraphRemoveReport } from './output.js';

export function graphRemoveText({ removed }: GraphRemoveReport): string {
  if (removed.files === 0) return 'no linked graphs are kept here\n';
  const what = formatCount(removed.files, 'file');
  return `deleted the linked graphs: ${what}, ${formatBytes(removed.bytes)}; the next question links again\n`;
}
