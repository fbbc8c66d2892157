/** Reads the bytes of many files, in order, with many requests to git under way. */
import { realpathSync } from 'node:fs';
import { pathOf, readWorkFile } from '../../overlay/work-file.js';
import type { Session } from '../session.js';
import type { GrepFile } from './files.js';

/** Larger files are left out and counted: no text that people wrote is as large. */
export const MAX_BYTES = 32 << 20;
/** Requests under way, and bytes that they may ask for. */
const WINDOW = 256;
const WINDOW_BYTES = 32 << 20;

export type Content = { bytes: Buffer } | { fault: 'too-large' | 'unreadable' };

/** Yields each file with its content. */
export async function* readFiles(
  session: Session,
  files: readonly GrepFile[],
  signal?: AbortSignal,
): AsyncGenerator<[GrepFile, Content]> {
  const { workTree } = session.repository;
  const root = workTree === null ? null : realpathSync.native(workTree, { encoding: 'buffer' });
  for (let from = 0; from < files.length; from += WINDOW) {
    signal?.throwIfAborted();
    const some = files.slice(from, from + WINDOW);
    const sizes = await Promise.all(some.map(({ oid }) => (oid === null ? 0 : sizeOf(session, oid))));
    for (let start = 0; start < some.length; ) {
      let end = start;
      for (let bytes = 0; end < some.length && (end === start || bytes + (sizes[end] ?? 0) <= WINDOW_BYTES); end++)
        bytes += sizes[end] ?? 0;
      const contents = await Promise.all(
        some.slice(start, end).map((file, i) => read({ session, root }, file, sizes[start + i])),
      );
      for (const [i, content] of contents.entries()) yield [some[start + i], content];
      start = end;
    }
  }
}

async function sizeOf({ objects }: Session, oid: string): Promise<number | null> {
  const info = await objects.info(oid);
  return info?.type === 'blob' ? info.size : null;
}

interface Source {
  session: Session;
  /** Real path of the work tree. */
  root: Buffer | null;
}

async function read({ session, root }: Source, { oid, name }: GrepFile, size: number | null): Promise<Content> {
  if (name !== null) {
    const file = root === null ? null : readWorkFile(pathOf(root, name), MAX_BYTES);
    return file === null ? { fault: 'unreadable' } : { bytes: file.bytes };
  }
  if (size === null) return { fault: 'unreadable' };
  if (size > MAX_BYTES) return { fault: 'too-large' };
  const object = await session.objects.read(oid as string);
  return object === null ? { fault: 'unreadable' } : { bytes: object.content };
}
