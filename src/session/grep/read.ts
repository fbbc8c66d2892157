/** Reads the bytes of many files, in order, with many requests to git under way. */
import { realpathSync } from 'node:fs';
import { pathOf, readWorkFile } from '../../overlay/work-file.js';
import type { Session } from '../session.js';
import type { GrepFile } from './files.js';
import type { KeptContents } from './kept.js';

/** Larger files are left out and counted: no text that people wrote is as large. */
export const MAX_BYTES = 32 << 20;
/** Requests under way, and bytes that they may ask for. */
const WINDOW = 256;
const WINDOW_BYTES = 32 << 20;

type Content = { bytes: Buffer } | { fault: 'too-large' | 'unreadable' };

export interface ReadOptions {
  /** Contents that are kept for the next question. */
  contents: KeptContents | null;
  /** Bytes of a blob; undefined if unknown. */
  sizeOf: (oid: string) => number | undefined;
  signal?: AbortSignal;
}

/** Yields each file with its content. */
export async function* readFiles(
  session: Session,
  files: readonly GrepFile[],
  { contents: kept, sizeOf, signal }: ReadOptions,
): AsyncGenerator<[GrepFile, Content]> {
  const { workTree } = session.repository;
  const root = workTree === null ? null : realpathSync.native(workTree, { encoding: 'buffer' });
  for (let from = 0; from < files.length; from += WINDOW) {
    signal?.throwIfAborted();
    const some = files.slice(from, from + WINDOW);
    const sizes = await Promise.all(some.map(({ oid }) => (oid === null ? 0 : (sizeOf(oid) ?? askSize(session, oid)))));
    for (let start = 0; start < some.length; ) {
      let end = start;
      for (let bytes = 0; end < some.length && (end === start || bytes + (sizes[end] ?? 0) <= WINDOW_BYTES); end++)
        bytes += sizes[end] ?? 0;
      const contents = await Promise.all(
        some.slice(start, end).map((file, i) => read({ session, root, kept }, file, sizes[start + i])),
      );
      for (const [i, content] of contents.entries()) yield [some[start + i], content];
      start = end;
    }
  }
}

async function askSize({ objects }: Session, oid: string): Promise<number | null> {
  const info = await objects.info(oid);
  return info?.type === 'blob' ? info.size : null;
}

interface Source {
  session: Session;
  /** Real path of the work tree. */
  root: Buffer | null;
  kept: KeptContents | null;
}

function read(
  { session, root, kept }: Source,
  { oid, name }: GrepFile,
  size: number | null,
): Content | Promise<Content> {
  if (name !== null) {
    const file = root === null ? null : readWorkFile(pathOf(root, name), MAX_BYTES);
    return file === null ? { fault: 'unreadable' } : { bytes: file.bytes };
  }
  if (size === null) return { fault: 'unreadable' };
  if (size > MAX_BYTES) return { fault: 'too-large' };
  const bytes = kept?.get(oid as string);
  return bytes === undefined ? readBlob(session, oid as string, kept) : { bytes };
}

async function readBlob({ objects }: Session, oid: string, kept: KeptContents | null): Promise<Content> {
  const object = await objects.read(oid);
  if (object === null) return { fault: 'unreadable' };
  kept?.add(oid, object.content);
  return { bytes: object.content };
}
