/**
 * Builds a lexical shard from blobs and their facts. It first collects a forward list of (document, term, frequencies),
 * then inverts the list by a counting sort.
 */
import { Uint32List } from '../base/buffers.js';
import type { BlobFacts, CodeSymbol } from '../extract/facts.js';
import { nameKey } from '../extract/terms.js';
import { languageOfContent } from '../languages/detect.js';
import { type Dictionary, DictionaryWriter, DocumentColumns, type LexicalColumns, type UnitRow } from './columns.js';
import { type ChunkFields, chunkFields } from './document.js';
import { Identifiers } from './identifiers.js';
import {
  CHUNK_KINDS,
  DEFINITION_CAPITAL,
  DEFINITION_EXPORTED,
  DEFINITION_TOP_LEVEL,
  UNIT_FORWARDING,
  UNIT_GENERATED,
  UNIT_OF_CONTENT,
  UNIT_STATE_SHIFT,
  UNIT_STATES,
  type UnitState,
} from './lexical-format.js';
import { writePosting } from './postings.js';
import { sortUtf8 } from './strings.js';

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

  /** Adds a unit without documents for a blob of `size` bytes; `state` is the reason why it has none. */
  addSkipped(oid: string, language: string, state: UnitState, size: number): void {
    const flags = UNIT_OF_CONTENT | ((UNIT_STATES.indexOf(state) + 1) << UNIT_STATE_SHIFT);
    this.units.push({ oid, language, flags, size, firstDocument: this.documents.length, documents: 0 });
  }

  /** Adds one blob in one language. `state` is the reason why no record holds these chunks; undefined if one does. */
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
      (languageOfContent(bytes) === language ? UNIT_OF_CONTENT : 0) |
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
    const key = nameKey(name);
    const list = this.names.get(key);
    if (list === undefined) this.names.set(key, [definition]);
    else list.push(definition);
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

  /** Returns the columns of everything added so far; they are valid until the next `add`. */
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
