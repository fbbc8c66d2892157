/**
 * Turns text into term ids without making a string for every word. The same few thousand identifiers make up most of a
 * repository, so each is cut into terms once and then found by its bytes. Cuts exactly as `eachIdentifier` does.
 */
import { ByteWriter, Uint32List } from '../base/buffers.js';
import { ASCII_CLASS, eachIdentifier, identifierTerms, MAX_IDENTIFIER } from '../extract/terms.js';

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Share of used slots at which the table grows, so that probing stays short. */
const MAX_LOAD = 0.5;
/**
 * Longest probe sequence. Somebody may write identifiers whose hashes collide on purpose; beyond this, they are looked
 * up as strings.
 */
const MAX_PROBES = 64;

export class Identifiers {
  /** Ids of all terms seen so far. */
  readonly termIds = new Map<string, number>();
  /** ASCII identifiers by hash: 1 + index, 0 for none. Linear probing. */
  private slots = new Uint32Array(1 << 15);
  private readonly hashes = new Uint32List();
  private readonly bytes = new ByteWriter(1 << 16);
  /** Identifier i has the bytes [start[i], start[i + 1]) and the term ids [first[i], first[i + 1]). */
  private readonly start = new Uint32List();
  private readonly first = new Uint32List();
  private readonly ids = new Uint32List();
  /**
   * Identifiers with letters outside ASCII, and identifiers whose probe sequence would be too long. Both are rare, so
   * strings are fast enough.
   */
  private readonly others = new Map<string, number[]>();
  private readonly scratch = Buffer.alloc(256);

  constructor() {
    this.start.push(0);
    this.first.push(0);
  }

  /** Calls `visit` with the id of every term of a text, in order; a term that repeats is visited again. */
  eachTerm(text: Uint8Array, visit: (term: number) => void, length = text.length): void {
    for (let i = 0; i < length; ) {
      if (text[i] < 128 && ASCII_CLASS[text[i]] === 0) {
        i++;
        continue;
      }
      const from = i;
      let hash = FNV_BASIS;
      let seen = 0;
      for (; i < length; i++) {
        const c = text[i];
        if (c < 128 && ASCII_CLASS[c] === 0) break;
        seen |= c;
        hash = Math.imul(hash ^ c, FNV_PRIME);
      }
      if (seen >= 128) this.visitOther(text, from, i, visit);
      else if (i - from <= MAX_IDENTIFIER) {
        const index = this.indexOf(text, from, i, hash >>> 0);
        if (index < 0) this.visitOther(text, from, i, visit);
        else this.visitKnown(index, visit);
      }
    }
  }

  /** Does what `eachTerm` does, for a name that already is a string. */
  eachTermOf(name: string, visit: (term: number) => void): void {
    const { length } = name;
    if (length <= this.scratch.length) {
      let seen = 0;
      for (let i = 0; i < length; i++) {
        const c = name.charCodeAt(i);
        seen |= c;
        this.scratch[i] = c;
      }
      if (seen < 128) {
        this.eachTerm(this.scratch, visit, length);
        return;
      }
    }
    eachIdentifier(name, (identifier) => {
      for (const id of this.idsOfOther(identifier)) visit(id);
    });
  }

  private visitKnown(index: number, visit: (term: number) => void): void {
    const end = this.first.at(index + 1);
    for (let i = this.first.at(index); i < end; i++) visit(this.ids.at(i));
  }

  private visitOther(text: Uint8Array, from: number, to: number, visit: (term: number) => void): void {
    // The run is cut at ASCII characters, so decoding it alone gives the same as decoding the whole text.
    const run = Buffer.from(text.buffer, text.byteOffset + from, to - from).toString('utf8');
    eachIdentifier(run, (identifier) => {
      for (const id of this.idsOfOther(identifier)) visit(id);
    });
  }

  private idsOfOther(identifier: string): number[] {
    let ids = this.others.get(identifier);
    if (ids === undefined) {
      ids = identifierTerms(identifier).map((term) => this.termId(term));
      // Copy the identifier: a substring would keep the whole run in memory.
      this.others.set(Buffer.from(identifier).toString(), ids);
    }
    return ids;
  }

  /** Finds or adds the identifier in `text[from, to)` and returns its index; -1 if the probe sequence is too long. */
  private indexOf(text: Uint8Array, from: number, to: number, hash: number): number {
    let slot = hash & (this.slots.length - 1);
    let probes = 0;
    for (let entry = this.slots[slot]; entry !== 0; entry = this.slots[slot]) {
      if (++probes > MAX_PROBES) return -1;
      if (this.hashes.at(entry - 1) === hash && this.equals(entry - 1, text, from, to)) return entry - 1;
      slot = (slot + 1) & (this.slots.length - 1);
    }
    const index = this.hashes.length;
    this.slots[slot] = index + 1;
    this.add(text, from, to, hash);
    return index;
  }

  private equals(index: number, text: Uint8Array, from: number, to: number): boolean {
    const at = this.start.at(index);
    if (this.start.at(index + 1) - at !== to - from) return false;
    for (let i = from; i < to; i++) if (this.bytes.at(at + i - from) !== text[i]) return false;
    return true;
  }

  private add(text: Uint8Array, from: number, to: number, hash: number): void {
    this.hashes.push(hash);
    this.bytes.bytes(text.subarray(from, to));
    this.start.push(this.bytes.length);
    const identifier = Buffer.from(text.buffer, text.byteOffset + from, to - from).toString('latin1');
    for (const term of identifierTerms(identifier)) this.ids.push(this.termId(term));
    this.first.push(this.ids.length);
    if (this.hashes.length > this.slots.length * MAX_LOAD) this.grow();
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    for (let index = 0; index < this.hashes.length; index++) {
      let slot = this.hashes.at(index) & (this.slots.length - 1);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = index + 1;
    }
  }

  private termId(term: string): number {
    let id = this.termIds.get(term);
    if (id === undefined) {
      id = this.termIds.size;
      this.termIds.set(term, id);
    }
    return id;
  }
}
