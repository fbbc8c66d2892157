/** Text that an editor has not saved: it stands in for the file on disk wherever the overlay reads the work tree. */
import { createHash } from 'node:crypto';
import { type FileStamp, pathOf, readWorkFile, stampOf } from './work-file.js';

interface Unsaved {
  path: string;
  bytes: Buffer;
  stamp: FileStamp;
}

const keyOf = (name: Uint8Array): string => Buffer.from(name).toString('latin1');

export class UnsavedTexts {
  /** By the bytes of the path, as Latin-1. */
  private readonly texts = new Map<string, Unsaved>();
  /** Grows with each change. */
  version = 0;

  /** `path`: from the top of the work tree. */
  set(path: string, text: string): void {
    const bytes = Buffer.from(text);
    // Equal stamps must mean equal contents, so the hash stands where a file has its inode.
    const inode = `unsaved-${createHash('sha256').update(bytes).digest('hex')}`;
    const stamp = { size: bytes.length, mtime: '0', ctime: '0', inode };
    const key = keyOf(Buffer.from(path));
    if (this.texts.get(key)?.stamp.inode === inode) return;
    this.texts.set(key, { path, bytes, stamp });
    this.version++;
  }

  delete(path: string): void {
    if (this.texts.delete(keyOf(Buffer.from(path)))) this.version++;
  }

  has(path: string): boolean {
    return this.find(Buffer.from(path)) !== undefined;
  }

  get paths(): string[] {
    return [...this.texts.values()].map(({ path }) => path);
  }

  find(name: Uint8Array): Omit<Unsaved, 'path'> | undefined {
    return this.texts.size === 0 ? undefined : this.texts.get(keyOf(name));
  }
}

/** A work tree, `root` being its real path, with the texts that stand in for files of it. */
export interface EditedTree {
  root: Buffer;
  unsaved?: UnsavedTexts | null;
}

/** As `stampOf`. */
export function stampIn({ root, unsaved }: EditedTree, name: Uint8Array): FileStamp | null {
  return unsaved?.find(name)?.stamp ?? stampOf(pathOf(root, name));
}

/** As `readWorkFile`. */
export function readIn(
  { root, unsaved }: EditedTree,
  name: Uint8Array,
  limit: number,
): { stamp: FileStamp; bytes: Buffer } | null {
  const text = unsaved?.find(name);
  if (text === undefined) return readWorkFile(pathOf(root, name), limit);
  return text.bytes.length <= limit ? text : null;
}
