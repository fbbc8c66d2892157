/** Cache of values by key, bounded by their bytes; the longest unused go first. */
export class ByteCache<T> {
  private readonly held = new Map<string, { value: T; bytes: number }>();
  private bytes = 0;

  constructor(private readonly most: number) {}

  get(key: string): T | undefined {
    const entry = this.held.get(key);
    if (entry === undefined) return undefined;
    this.held.delete(key);
    this.held.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, bytes: number): void {
    this.bytes += bytes - (this.held.get(key)?.bytes ?? 0);
    this.held.delete(key);
    this.held.set(key, { value, bytes });
    for (const [oldest, entry] of this.held) {
      if (this.bytes <= this.most) break;
      this.held.delete(oldest);
      this.bytes -= entry.bytes;
    }
  }
}
