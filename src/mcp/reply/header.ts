/** First line of a reply: the snapshot, how much of it is indexed, and uncommitted changes. */
import { visibleLine } from '../../base/hygiene.js';
import { shortCommit } from './cursor.js';

/** Fields that most documents share. */
interface About {
  ref?: unknown;
  commit?: unknown;
  coverage?: unknown;
  dirty?: unknown;
  overlay?: unknown;
}

/** Longest name of a ref, in characters; longer ones are cut. */
const MAX_REF = 80;

/** Header line; '' for a document that is about no snapshot. `running` is the text about the background indexer. */
export function headerLine(document: object, running: string | null): string {
  const { ref, commit, coverage, dirty, overlay } = document as About;
  const parts = typeof ref === 'string' ? [snapshot(ref, typeof commit === 'string' ? commit : '')] : [];
  let isPartial = false;
  if (typeof coverage === 'object' && coverage !== null) {
    const { covered, total } = coverage as { covered: number; total: number };
    isPartial = covered < total;
    parts.push(isPartial ? `partial: ${covered}/${total} files` : `${covered}/${total} files`);
  }
  if (typeof dirty === 'number' && dirty > 0)
    parts.push(uncommitted(dirty, typeof overlay === 'number' ? overlay : dirty));
  // Waiting improves only answers from a partial index.
  if (running !== null && isPartial) parts.push(visibleLine(running));
  return parts.length === 0 ? '' : `${parts.join(' · ')}\n`;
}

function snapshot(ref: string, commit: string): string {
  const name = visibleLine(ref.length > MAX_REF ? `${ref.slice(0, MAX_REF)}…` : ref);
  return commit === '' || commit.startsWith(ref) ? name : `${name} @ ${shortCommit(commit)}`;
}

function uncommitted(dirty: number, overlay: number): string {
  if (overlay === 0) return `${dirty} uncommitted not included`;
  return overlay === dirty ? `${dirty} uncommitted included` : `${overlay} of ${dirty} uncommitted included`;
}
