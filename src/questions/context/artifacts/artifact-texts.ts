/** The files of one artifact with their text, for reading it whole. */
import { realpathSync } from 'node:fs';
import { skipReason as contentReason } from '../../../extract/content.js';
import { pathOf, readWorkFile } from '../../../overlay/work-file.js';
import type { Session } from '../../../session/session.js';
import type { ContextFiles } from '../output.js';
import type { ArtifactFile } from './inside.js';
import { type OutsideFiles, outsidePath } from './outside-files.js';

/** Files listed, and bytes of text read of one and of all. */
const MAX_LISTED = 1_000;
const MAX_FILE_TEXT = 64 * 1024;
const MAX_TEXT = 512 * 1024;

interface Source {
  path: string;
  size: number | null;
  reason: string | null;
  read: () => Promise<Buffer | null>;
}

export function insideSources(session: Session, files: readonly ArtifactFile[], maxFileBytes: number): Source[] {
  const { workTree } = session.repository;
  const root = workTree === null ? null : realpathSync.native(workTree, { encoding: 'buffer' });
  return files.map(({ path, oid, name, size, reason }) => ({
    ...{ path, size, reason },
    read: async () => {
      if (oid !== null) return (await session.objects.read(oid))?.content ?? null;
      return root === null || name === null ? null : (readWorkFile(pathOf(root, name), maxFileBytes)?.bytes ?? null);
    },
  }));
}

export function outsideSources(files: OutsideFiles, maxFileBytes: number): Source[] {
  const root = Buffer.from(files.root);
  return files.list.map(({ path, name }) => ({
    ...{ path: outsidePath(files, path), size: null, reason: null },
    read: async () => readWorkFile(pathOf(root, name), maxFileBytes)?.bytes ?? null,
  }));
}

/** `from`: the first file whose text is wanted; of those before only the names are given. */
export async function readTexts(sources: readonly Source[], from: number): Promise<ContextFiles> {
  const list: ContextFiles['list'] = [];
  let left = MAX_TEXT;
  for (const [i, source] of sources.slice(0, MAX_LISTED).entries()) {
    const { path, size, reason } = source;
    if (reason !== null || i < from || left <= 0) {
      list.push({ path, bytes: size, reason: reason ?? (i < from ? null : 'beyond-limits') });
      continue;
    }
    const file = await readOne(source, Math.min(left, MAX_FILE_TEXT));
    left -= file.content?.length ?? 0;
    list.push(file);
  }
  return { list, leftOut: Math.max(0, sources.length - MAX_LISTED) };
}

async function readOne({ path, size, read }: Source, most: number): Promise<ContextFiles['list'][number]> {
  const bytes = await read();
  if (bytes === null) return { path, bytes: size, reason: 'unreadable' };
  // A file that is not indexed yet may hold anything.
  const reason = contentReason(bytes);
  if (reason !== null) return { path, bytes: bytes.length, reason };
  const isWhole = bytes.length <= most;
  const end = isWhole ? bytes.length : bytes.lastIndexOf(0x0a, most - 1) + 1 || most;
  const content = bytes.toString('utf8', 0, end);
  return {
    path,
    bytes: bytes.length,
    reason: null,
    content,
    ...(isWhole ? {} : { contentLeftOut: bytes.length - end }),
  };
}
