/** Contents of blobs between the questions of a long-lived process: git takes longer to hand over a blob than a search of it. */

/** Bytes that are kept; of a larger tree, the blobs that were read first. */
const MAX_BYTES = 64 << 20;
/** Time without a question after which all are let go. */
const IDLE_MS = 60_000;

export class KeptContents {
  private readonly blobs = new Map<string, Buffer>();
  private bytes = 0;
  private timer: NodeJS.Timeout | null = null;

  get(oid: string): Buffer | undefined {
    return this.blobs.get(oid);
  }

  add(oid: string, content: Buffer): void {
    if (this.bytes + content.length > MAX_BYTES || this.blobs.has(oid)) return;
    this.blobs.set(oid, content);
    this.bytes += content.length;
  }

  /** Postpones the time at which the contents are let go. */
  use(): this {
    this.timer ??= setTimeout(() => this.clear(), IDLE_MS).unref();
    this.timer.refresh();
    return this;
  }

  clear(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.blobs.clear();
    this.bytes = 0;
  }
}
