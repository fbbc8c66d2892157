/** Merges lexical shards into one: documents are appended, dictionaries united, postings renumbered. */
import {
  type Dictionary,
  DictionaryWriter,
  DOCUMENT_COLUMNS,
  DocumentColumns,
  type LexicalColumns,
  orderUtf8,
  type StringTable,
  type UnitRow,
  writePosting,
} from './lexical-format.js';
import type { LexicalShard } from './lexical-shard.js';

/** New number of each old document; -1 for documents that are left out. */
type Renumbering = Int32Array[];

/** Merges `shards`, the oldest first. If two shards have the same unit, the newer one's documents stay. `keep` can drop blobs. */
export function mergeLexical(
  shards: readonly LexicalShard[],
  keep: (oid: string) => boolean = () => true,
): LexicalColumns {
  const documents = new DocumentColumns();
  const units: UnitRow[] = [];
  const symbols = new SymbolPool();
  const renumbering: Renumbering = shards.map((shard) => new Int32Array(shard.meta.documents).fill(-1));
  const newest = newestUnits(shards);
  for (const [i, shard] of shards.entries()) {
    for (const unit of unitsByDocument(shard)) {
      if (newest.get(unitKey(shard, unit)) !== i || !keep(shard.unitOid(unit))) continue;
      units.push(copyUnit(shard, unit, { documents, symbols, renumbering: renumbering[i] }));
    }
  }
  return {
    oidBytes: shards[0].meta.oidBytes,
    units,
    documents,
    symbols: symbols.list,
    terms: mergeTerms(shards, renumbering),
    names: mergeNames(shards, renumbering),
  };
}

class SymbolPool {
  readonly list: string[] = [];
  private readonly ids = new Map<string, number>();

  /** Returns 1 + index of a symbol; 0 for null. */
  id(symbol: string | null): number {
    if (symbol === null) return 0;
    let id = this.ids.get(symbol);
    if (id === undefined) {
      id = this.list.push(symbol);
      this.ids.set(symbol, id);
    }
    return id;
  }
}

function unitKey(shard: LexicalShard, unit: number): string {
  return `${shard.unitOid(unit)} ${shard.unitLanguageId(unit)}`;
}

function newestUnits(shards: readonly LexicalShard[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const [i, shard] of shards.entries())
    for (let unit = 0; unit < shard.meta.units; unit++) newest.set(unitKey(shard, unit), i);
  return newest;
}

/** Units in the order of their documents: new numbers must rise as the old ones do, since postings hold their differences. */
function unitsByDocument(shard: LexicalShard): number[] {
  return Array.from({ length: shard.meta.units }, (_, unit) => unit).sort(
    (a, b) => shard.unitFirst[a] - shard.unitFirst[b] || a - b,
  );
}

interface MergeTarget {
  documents: DocumentColumns;
  symbols: SymbolPool;
  renumbering: Int32Array;
}

function copyUnit(shard: LexicalShard, unit: number, { documents, symbols, renumbering }: MergeTarget): UnitRow {
  const firstDocument = documents.length;
  const from = shard.unitFirst[unit];
  const count = shard.unitDocuments[unit];
  for (let document = from; document < from + count; document++) {
    renumbering[document] = documents.length;
    for (const column of DOCUMENT_COLUMNS) {
      const value = column === 'symbol' ? symbols.id(shard.documentSymbol(document)) : shard.columns[column][document];
      documents[column].push(value);
    }
  }
  return {
    oid: shard.unitOid(unit),
    language: shard.unitLanguageId(unit),
    flags: shard.unitFlags[unit],
    size: shard.unitSize[unit],
    firstDocument,
    documents: count,
  };
}

/** Yields every entry of the sorted tables in order, with its index in each table (-1 where it is absent). */
export function* unionEntries(tables: readonly StringTable[]): Generator<{ entry: string; indexes: number[] }> {
  const next = tables.map(() => 0);
  const headOf = (table: StringTable, i: number) => (next[i] < table.length ? table.at(next[i]) : null);
  const heads = tables.map(headOf);
  for (;;) {
    let least: string | null = null;
    for (const head of heads) if (head !== null && (least === null || orderUtf8(head, least) < 0)) least = head;
    if (least === null) return;
    const indexes = heads.map((head, i) => (head === least ? next[i]++ : -1));
    for (const [i, index] of indexes.entries()) if (index >= 0) heads[i] = headOf(tables[i], i);
    yield { entry: least, indexes };
  }
}

function mergeTerms(shards: readonly LexicalShard[], renumbering: Renumbering): Dictionary {
  const writer = new DictionaryWriter();
  for (const { entry, indexes } of unionEntries(shards.map((shard) => shard.terms))) {
    let before = 0;
    let begun = false;
    for (const [i, index] of indexes.entries()) {
      if (index < 0) continue;
      shards[i].eachPosting(index, (old, body, name, enclosing) => {
        const document = renumbering[i][old];
        if (document < 0) return;
        if (!begun) writer.begin(entry);
        begun = true;
        writePosting(writer.out, document - before, (body | (name << 16) | (enclosing << 24)) >>> 0);
        before = document;
      });
    }
  }
  return writer.finish();
}

function mergeNames(shards: readonly LexicalShard[], renumbering: Renumbering): Dictionary {
  const writer = new DictionaryWriter();
  for (const { entry, indexes } of unionEntries(shards.map((shard) => shard.names))) {
    const found = indexes.flatMap((index, i) => {
      if (index < 0) return [];
      const moved = shards[i].definitions(index).map((raw) => ({ ...raw, document: renumbering[i][raw.document] }));
      return moved.filter((raw) => raw.document >= 0);
    });
    if (found.length === 0) continue;
    writer.begin(entry);
    let before = 0;
    for (const { document, kind, flags, lines } of found) {
      writer.out.varint(document - before);
      writer.out.byte(kind);
      writer.out.byte(flags);
      writer.out.varint(lines);
      before = document;
    }
  }
  return writer.finish();
}
