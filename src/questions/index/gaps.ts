/** Tells which of the files that the rules select an index lacks: the test of `index --require-complete`. */
import { formatCounts } from '../writing/format.js';
import type { DryRun, IndexReport } from './output.js';

/** `3 unreadable, 2 parse-timeout`; '' for a complete index. Files that a rule leaves out are no gap. */
export function gaps(document: DryRun | IndexReport): string {
  if ('wouldParse' in document) {
    const { wouldParse, wouldLoad, vectors } = document;
    return formatCounts({ 'to parse': wouldParse, 'to load': wouldLoad, 'chunks to embed': vectors.wouldEmbed });
  }
  const { skipped, degraded, vectors } = document;
  const without = vectors.fault === null ? 0 : vectors.total - vectors.covered;
  return formatCounts({ unreadable: skipped.unreadable ?? 0, ...degraded, 'chunks without a vector': without });
}
