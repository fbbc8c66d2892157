/** The anchor of a new note: the symbol, lines or file that its target means. */
import { SocraticodeError } from '../../base/errors.js';
import { type Anchor, anchorAt, MAX_ANCHORED_BYTES, spanOf } from '../../knowledge/anchor.js';
import { findBytes } from '../../knowledge/find-bytes.js';
import { type FoundFile, TreeFiles } from '../../session/files/tree-file.js';
import { prefixOf } from '../../session/prefix.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { type Located, readerOf } from '../show/locate.js';
import { TextLines } from '../show/parts.js';

interface Target {
  target: string;
  ref?: string;
  committed?: boolean;
}

/** Throws BAD_ARGUMENT for a target that is not there, is ambiguous, or cannot be read. */
export async function anchorOf(at: Asker, values: Target): Promise<Anchor> {
  const { session, directory } = at;
  const includesWork = workTreeUse(values) === 'included';
  const origin = await session.origin(values.ref, { unborn: includesWork });
  const files = new TreeFiles(session, origin, includesWork);
  const reader = readerOf(at, { ...values, targets: [values.target] }, { files, prefix: prefixOf(session, directory) });
  try {
    const found = await reader.locate(values.target);
    if ('code' in found) {
      const picks = (found.candidates?.list ?? []).map(({ pick }) => pick).slice(0, 5);
      throw new SocraticodeError('BAD_ARGUMENT', found.message, { hint: `Name one of them: ${picks.join(', ')}` });
    }
    const anchor = anchorIn(found, origin);
    return found.file.isUncommitted ? committedAnchor(at, origin, found.file, anchor) : anchor;
  } finally {
    await reader.close();
  }
}

/** Throws BAD_ARGUMENT. */
function anchorIn({ file, ranges, symbol }: Located, { resolved }: SnapshotOrigin): Anchor {
  const { path, bytes, oid } = file;
  const [{ start, end }] = ranges;
  const isWhole = symbol === null && start === 1 && end === Infinity;
  const last = Math.max(1, new TextLines(bytes).count);
  const lines = isWhole ? null : { start, end: Math.min(end, last) };
  const anchor =
    bytes.length > MAX_ANCHORED_BYTES
      ? null
      : anchorAt(bytes, { path, symbol, lines, blob: oid, commit: resolved.commit });
  if (anchor === null)
    throw new SocraticodeError('BAD_ARGUMENT', `no note can be kept about ${path}`, { hint: 'It is too large.' });
  return anchor;
}

/** Sets the anchor in the committed version, if the same bytes stand there: other clones have that version alone. */
async function committedAnchor(
  { session }: Asker,
  { resolved }: SnapshotOrigin,
  file: FoundFile,
  anchor: Anchor,
): Promise<Anchor> {
  const { lines, path, symbol } = anchor;
  const committed = resolved.commit === null ? null : await session.objects.read(`${resolved.commit}:${path}`);
  if (lines === null || committed?.type !== 'blob') return anchor;
  const span = spanOf(file.bytes, lines);
  const known = span === null ? null : file.bytes.subarray(span.start, span.end);
  const found = findBytes(committed.content, anchor, known, lines.start);
  if (found === null) return anchor;
  return (
    anchorAt(committed.content, { path, symbol, lines: found, blob: committed.oid, commit: anchor.commit }) ?? anchor
  );
}
