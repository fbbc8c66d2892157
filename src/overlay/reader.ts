/** Reads objects of the repository, and blobs that exist only as files of the work tree. */
import type { GitObject, ObjectInfo, ObjectReader } from '../git/objects.js';
import { blobOid } from '../git/objects.js';
import { type EditedTree, readIn } from './unsaved.js';

export class OverlayReader implements ObjectReader {
  /** Blobs that were requested but are gone, because their files have changed since the scan. */
  readonly moved = new Set<string>();
  private readonly files = new Map<string, { name: Buffer; size: number }[]>();

  constructor(
    private readonly objects: ObjectReader,
    private readonly workTree: EditedTree & { format: 'sha1' | 'sha256' },
    files: readonly { oid: string; name: Buffer; size: number }[],
  ) {
    for (const file of files) this.files.set(file.oid, [...(this.files.get(file.oid) ?? []), file]);
  }

  /**
   * Reads an object. Bytes of a work tree file are returned only if they hash to `name`; if the file changed, the
   * result is null.
   */
  async read(name: string): Promise<GitObject | null> {
    const content = this.contentOf(name);
    if (content !== null) return { oid: name, type: 'blob', content };
    const committed = await this.objects.read(name);
    if (committed === null && this.files.has(name)) this.moved.add(name);
    return committed;
  }

  async info(name: string): Promise<ObjectInfo | null> {
    const [file] = this.files.get(name) ?? [];
    return file === undefined ? this.objects.info(name) : { oid: name, type: 'blob', size: file.size };
  }

  /** Does nothing: this reader opens no resource. */
  close(): void {}

  private contentOf(oid: string): Buffer | null {
    const { format } = this.workTree;
    for (const { name, size } of this.files.get(oid) ?? []) {
      const file = readIn(this.workTree, name, size);
      if (file !== null && blobOid(file.bytes, format) === oid) return file.bytes;
    }
    return null;
  }
}
