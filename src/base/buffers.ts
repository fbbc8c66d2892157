/** Growable typed arrays and LEB128 varints, in which the shard builder writes postings. */

/** Append-only Uint32Array; capacity doubles. */
export class Uint32List {
  private data: Uint32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.data = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const grown = new Uint32Array(this.data.length * 2);
      grown.set(this.data);
      this.data = grown;
    }
    this.data[this.length++] = value;
  }

  at(index: number): number {
    return this.data[index];
  }

  /** View of the pushed values; valid until the next push. */
  view(): Uint32Array {
    return this.data.subarray(0, this.length);
  }
}

/** Append-only byte buffer with varint support; capacity doubles. */
export class ByteWriter {
  private data: Buffer;
  length = 0;

  constructor(capacity = 4096) {
    this.data = Buffer.allocUnsafe(capacity);
  }

  private reserve(extra: number): void {
    if (this.length + extra <= this.data.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.data.length * 2, this.length + extra));
    this.data.copy(grown, 0, 0, this.length);
    this.data = grown;
  }

  byte(value: number): void {
    this.reserve(1);
    this.data[this.length++] = value;
  }

  /** Unsigned LEB128 of an integer below 2^32. */
  varint(value: number): void {
    this.reserve(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.data[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.data[this.length++] = rest;
  }

  at(index: number): number {
    return this.data[index];
  }

  bytes(source: Uint8Array): void {
    this.reserve(source.length);
    this.data.set(source, this.length);
    this.length += source.length;
  }

  /** View of the written bytes; valid until the next write. */
  view(): Buffer {
    return this.data.subarray(0, this.length);
  }
}

/** Reads the bytes of a ByteWriter. Checks no bounds: the bytes come from files whose checksum was verified. */
export class ByteReader {
  constructor(
    private readonly data: Uint8Array,
    public at = 0,
  ) {}

  byte(): number {
    return this.data[this.at++];
  }

  varint(): number {
    let byte = this.data[this.at++];
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.data[this.at++];
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }
}
