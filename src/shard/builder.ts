/**
 * Builds a lexical shard from blobs and their facts. It first collects a forward list of (document, term, frequencies), then inverts the
 * list by a counting sort.
 */
import crypto from 'node:crypto';
import { ByteWriter, Uint32List } from '../base/binary.js';
import { addTo } from '../base/lists.js';
import { qualifiedName } from '../extract/collect-drafts.js';
import type { BlobFacts, Chunk, CodeSymbol } from '../extract/facts.js';
import { ASCII_CLASS, eachIdentifier, identifierTerms, MAX_IDENTIFIER, nameKey } from '../extract/terms.js';
import { isLanguageOfContent } from '../languages/detect.js';
import {
  CHUNK_KINDS,
  DEFINITION_CAPITAL,
  DEFINITION_EXPORTED,
  DEFINITION_TOP_LEVEL,
  type Dictionary,
  DictionaryWriter,
  DocumentColumns,
  type LexicalColumns,
  sortUtf8,
  UNIT_FORWARDING,
  UNIT_GENERATED,
  UNIT_INCOMPLETE,
  UNIT_OF_CONTENT,
  UNIT_STATE_SHIFT,
  UNIT_STATES,
  type UnitRow,
  type UnitState,
  writePosting,
} from './lexical-format.js';

const KIND_INDEX = new Map<string, number>(CHUNK_KINDS.map((kind, i) => [kind, i]));

const MAX_BODY_TF = 0xffff;
const MAX_FIELD_TF = 0xff;

interface DefinitionRow {
  document: number;
  kind: number;
  flags: number;
  lines: number;
}

export class LexicalBuilder {
  private readonly units: UnitRow[] = [];
  private readonly documents = new DocumentColumns();
  private readonly symbols: string[] = [];
  private readonly symbolIds = new Map<string, number>();
  private readonly identifiers = new Identifiers();
  private readonly names = new Map<string, DefinitionRow[]>();
  // The forward list: document i owns entries [forwardStart[i], forwardStart[i + 1]).
  private readonly forwardStart = new Uint32List();
  private readonly forwardTerm = new Uint32List();
  private readonly forwardTf = new Uint32List();
  // Term frequencies of the current document, body | name << 16 | enclosing << 24, by term id.
  private tf = new Uint32Array(1 << 16);
  private touched: number[] = [];
  /** Number of terms counted so far in the current field. */
  private length = 0;

  constructor(private readonly oidBytes: number) {}

  get documentCount(): number {
    return this.documents.length;
  }

  get unitCount(): number {
    return this.units.length;
  }

  /** Adds a unit without documents for a blob of `size` bytes. `state`: the reason. */
  addSkipped(oid: string, language: string, state: UnitState, size: number): void {
    const flags = UNIT_OF_CONTENT | ((UNIT_STATES.indexOf(state) + 1) << UNIT_STATE_SHIFT);
    this.units.push({ oid, language, flags, size, firstDocument: this.documents.length, documents: 0 });
  }

  /** Adds one blob in one language. `state`: the reason why no record has these chunks; undefined if one does. */
  add(oid: string, language: string, facts: BlobFacts, bytes: Uint8Array, state?: UnitState): void {
    const firstDocument = this.documents.length;
    const fields = chunkFields(bytes, facts);
    for (const [i, chunk] of facts.chunks.entries()) {
      const document = this.documents.length;
      this.addDocument(chunk, fields[i]);
      for (const symbol of fields[i].defined) {
        const lines = symbol.endLine - symbol.startLine + 1;
        this.addDefinition(symbol.name, {
          document,
          kind: KIND_INDEX.get(symbol.kind) ?? 0,
          flags: definitionFlags(symbol),
          lines,
        });
      }
    }
    const forwarding = facts.chunks.length > 0 && facts.chunks.every((chunk) => chunk.kind === 'imports');
    const flags =
      (facts.generated ? UNIT_GENERATED : 0) |
      (forwarding ? UNIT_FORWARDING : 0) |
      (isLanguageOfContent(language, bytes) ? UNIT_OF_CONTENT : 0) |
      (facts.parseErrors.some(({ lost }) => lost) ? UNIT_INCOMPLETE : 0) |
      ((state === undefined ? 0 : UNIT_STATES.indexOf(state) + 1) << UNIT_STATE_SHIFT);
    this.units.push({ oid, language, flags, size: bytes.length, firstDocument, documents: facts.chunks.length });
  }

  private addDocument(chunk: BlobFacts['chunks'][number], fields: ChunkFields): void {
    const columns = this.documents;
    columns.start.push(chunk.start);
    columns.end.push(chunk.end);
    columns.startLine.push(chunk.startLine);
    columns.endLine.push(chunk.endLine);
    columns.hash.push(fields.hash);
    columns.kind.push(KIND_INDEX.get(chunk.kind) ?? 0);
    columns.symbol.push(this.symbolId(fields.symbol));
    columns.bodyLength.push(this.countBody(fields.body));
    const names = fields.defined.map((symbol) => symbol.name);
    columns.nameLength.push(this.countNames(names, this.addName));
    columns.enclosingLength.push(this.countNames(fields.enclosing, this.addEnclosing));
    this.forwardStart.push(this.forwardTerm.length);
    for (const term of this.touched) {
      this.forwardTerm.push(term);
      this.forwardTf.push(this.tf[term]);
      this.tf[term] = 0;
    }
    this.touched = [];
  }

  private symbolId(symbol: string): number {
    if (symbol === '') return 0;
    let id = this.symbolIds.get(symbol);
    if (id === undefined) {
      id = this.symbols.push(symbol);
      this.symbolIds.set(symbol, id);
    }
    return id;
  }

  private addDefinition(name: string, definition: DefinitionRow): void {
    addTo(this.names, nameKey(name), definition);
  }

  /** Counts the terms of the body and returns their number. */
  private countBody(text: Uint8Array): number {
    this.length = 0;
    this.identifiers.eachTerm(text, this.addBody);
    return this.length;
  }

  private countNames(names: readonly string[], add: (term: number) => void): number {
    this.length = 0;
    for (const name of names) this.identifiers.eachTermOf(name, add);
    return this.length;
  }

  private readonly addBody = (term: number): void => {
    const packed = this.touch(term);
    if ((packed & 0xffff) < MAX_BODY_TF) this.tf[term] = packed + 1;
  };

  private readonly addName = (term: number): void => {
    const packed = this.touch(term);
    if (((packed >>> 16) & 0xff) < MAX_FIELD_TF) this.tf[term] = packed + (1 << 16);
  };

  private readonly addEnclosing = (term: number): void => {
    const packed = this.touch(term);
    if (packed >>> 24 < MAX_FIELD_TF) this.tf[term] = packed + (1 << 24);
  };

  /** Returns the term's frequencies in the current document. */
  private touch(term: number): number {
    this.length++;
    if (term >= this.tf.length) {
      const grown = new Uint32Array(Math.max(this.tf.length * 2, term + 1));
      grown.set(this.tf);
      this.tf = grown;
    }
    const packed = this.tf[term];
    if (packed === 0) this.touched.push(term);
    return packed;
  }

  /** Returns the columns of everything added so far. They are valid until the next `add`. */
  finish(): LexicalColumns {
    return {
      oidBytes: this.oidBytes,
      units: this.units,
      documents: this.documents,
      symbols: this.symbols,
      terms: this.invert(),
      names: this.encodeNames(),
    };
  }

  private invert(): Dictionary {
    const { termIds } = this.identifiers;
    const terms = this.forwardTerm.view();
    const tfs = this.forwardTf.view();
    const starts = this.forwardStart.view();
    const first = new Uint32Array(termIds.size + 1);
    for (let i = 0; i < terms.length; i++) first[terms[i] + 1]++;
    for (let i = 1; i < first.length; i++) first[i] += first[i - 1];
    const next = first.slice();
    const documents = new Uint32Array(terms.length);
    const frequencies = new Uint32Array(terms.length);
    for (let document = 0; document < starts.length; document++) {
      const end = document + 1 < starts.length ? starts[document + 1] : terms.length;
      for (let i = starts[document]; i < end; i++) {
        const slot = next[terms[i]]++;
        documents[slot] = document;
        frequencies[slot] = tfs[i];
      }
    }
    const writer = new DictionaryWriter();
    for (const entry of sortUtf8(termIds.keys())) {
      writer.begin(entry);
      const id = termIds.get(entry) as number;
      let before = 0;
      for (let slot = first[id]; slot < first[id + 1]; slot++) {
        writePosting(writer.out, documents[slot] - before, frequencies[slot]);
        before = documents[slot];
      }
    }
    return writer.finish();
  }

  private encodeNames(): Dictionary {
    const writer = new DictionaryWriter();
    for (const name of sortUtf8(this.names.keys())) {
      writer.begin(name);
      let before = 0;
      for (const definition of this.names.get(name) as DefinitionRow[]) {
        writer.out.varint(definition.document - before);
        writer.out.byte(definition.kind);
        writer.out.byte(definition.flags);
        writer.out.varint(definition.lines);
        before = definition.document;
      }
    }
    return writer.finish();
  }
}

function definitionFlags(symbol: CodeSymbol): number {
  return (
    (symbol.exported ? DEFINITION_EXPORTED : 0) |
    (symbol.container < 0 ? DEFINITION_TOP_LEVEL : 0) |
    (/^\p{Lu}/u.test(symbol.name) ? DEFINITION_CAPITAL : 0)
  );
}

interface ChunkFields {
  /** The chunk's text in UTF-8; empty for what a program made. */
  body: Uint8Array;
  /** Definitions whose name lies in this chunk. */
  defined: CodeSymbol[];
  /** Names of the definitions that contain the whole chunk, outermost first. */
  enclosing: string[];
  /** Qualified name that a result shows; '' if the chunk belongs to no definition. */
  symbol: string;
  /** First 4 bytes of the text's SHA-256. Equal chunks collapse in results (their text is compared too). */
  hash: number;
}

const NOTHING = new Uint8Array();

/** Computes the fields that every chunk of a blob contributes to the index, in order. */
export function chunkFields(bytes: Uint8Array, facts: BlobFacts): ChunkFields[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let next = 0;
  const byName = ownSymbols(facts.symbols).sort((a, b) => a.nameStart - b.nameStart);
  return facts.chunks.map((chunk) => {
    const defined: CodeSymbol[] = [];
    while (next < byName.length && byName[next].nameStart < chunk.start) next++;
    while (next < byName.length && byName[next].nameStart < chunk.end) defined.push(byName[next++]);
    const text = buffer.subarray(chunk.start, chunk.end);
    return {
      body: chunk.kind === 'output' ? NOTHING : text,
      defined,
      enclosing: enclosingNames(facts.symbols, chunk),
      symbol: chunk.symbol < 0 ? '' : qualifiedName(facts.symbols, chunk.symbol),
      hash: textHash(text),
    };
  });
}

const METHODS: ReadonlySet<string> = new Set(['method', 'constructor']);

/** Symbols without members that a method assigns: for a search such a name is only a use. */
function ownSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  const around: CodeSymbol[] = [];
  return symbols.filter((symbol) => {
    while (around.length > 0 && around[around.length - 1].end <= symbol.start) around.pop();
    const isAssigned = around.some(({ kind, container }) => METHODS.has(kind) && container === symbol.container);
    around.push(symbol);
    return !isAssigned;
  });
}

function textHash(text: Uint8Array): number {
  // `crypto.hash` takes half the time of a hash object, but older versions of Node do not have it.
  if (crypto.hash === undefined) return crypto.createHash('sha256').update(text).digest().readUInt32LE(0);
  const digest = crypto.hash('sha256', text, 'binary');
  const byte = (at: number) => digest.charCodeAt(at) << (at * 8);
  return (byte(0) | byte(1) | byte(2) | byte(3)) >>> 0;
}

function enclosingNames(symbols: readonly CodeSymbol[], chunk: Chunk): string[] {
  const names: string[] = [];
  let at = chunk.symbol;
  while (at >= 0) {
    const symbol = symbols[at];
    const contains = symbol.start < chunk.start || symbol.nameStart < chunk.start;
    if (contains) names.unshift(symbol.name);
    at = symbol.container;
  }
  return names;
}

// Turns text into term ids without making a string for every word. The same few thousand identifiers make up most of a repository, so
// each is split into terms once and then found by its bytes. Splits exactly as `eachIdentifier` does.

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Share of used slots at which the table grows, so that probing stays short. */
const MAX_LOAD = 0.5;
/** Longest probe sequence. Somebody may write identifiers whose hashes collide on purpose; beyond this, they are looked up as strings. */
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
   * Identifiers with letters outside ASCII, and identifiers whose probe sequence would be too long. Both are rare, so strings are fast
   * enough.
   */
  private readonly others = new Map<string, number[]>();
  private readonly scratch = Buffer.alloc(256);

  constructor() {
    this.start.push(0);
    this.first.push(0);
  }

  /** Calls `visit` with the id of every term of a text, in order. A term that repeats is visited again. */
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
      // Copied: a substring would keep the whole run in memory.
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
