/** Reads linguist attributes of paths from the work tree's current `.gitattributes` files. */
import { posix } from 'node:path';
import { createAttributes, type PathAttributes } from '../git/attributes.js';
import { pathOf, readWorkFile } from './work-file.js';

const ATTRIBUTES_FILE = '.gitattributes';
const MAX_ATTRIBUTE_BYTES = 256 * 1024;

/** Reads each `.gitattributes` file once, and only those of folders that are asked about. */
export class WorkTreeAttributes {
  private readonly texts = new Map<string, string | null>();
  private readonly byFolder = new Map<string, (path: string) => PathAttributes>();

  constructor(private readonly root: Buffer) {}

  of(path: string): PathAttributes {
    const folder = posix.dirname(path);
    let attributes = this.byFolder.get(folder);
    if (attributes === undefined) {
      attributes = createAttributes(this.filesAbove(folder));
      this.byFolder.set(folder, attributes);
    }
    return attributes(path);
  }

  /** The text of one attributes file; null if there is none. */
  text(path: string): string | null {
    let text = this.texts.get(path);
    if (text === undefined) {
      text = readWorkFile(pathOf(this.root, Buffer.from(path)), MAX_ATTRIBUTE_BYTES)?.bytes.toString('utf8') ?? null;
      this.texts.set(path, text);
    }
    return text;
  }

  private filesAbove(folder: string): { path: string; text: string }[] {
    const files: { path: string; text: string }[] = [];
    for (let at = folder; ; at = posix.dirname(at)) {
      const path = at === '.' ? ATTRIBUTES_FILE : `${at}/${ATTRIBUTES_FILE}`;
      const text = this.text(path);
      if (text !== null) files.push({ path, text });
      if (at === '.') return files;
    }
  }
}
