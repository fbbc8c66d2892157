/** Collects facts of files for linking: from records, many at a time, or by parsing files without a readable record. */
import type { BlobFacts } from '../../extract/facts.js';
import type { ObjectReader } from '../../git/objects.js';
import { factsKey, type LinkFacts, type SourceFile } from '../../graph/link-input.js';
import { deriveBlobs } from '../../indexer/derive.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import type { PlannedBlob } from '../../indexer/plan.js';
import { noRelations } from '../../languages/roles/relation-facts.js';
import { contradictionOf } from '../../record/plausible.js';
import type { SyntaxStore } from '../../record/store.js';

interface FactsContext {
  objects: Pick<ObjectReader, 'read' | 'info'>;
  /** Null for uncommitted files, which have no records. */
  store: Pick<SyntaxStore, 'read' | 'load'> | null;
  /** Reads what a compiler told about a file of that many lines; absent where nothing did. */
  compiled?: (file: SourceFile, lines: number) => Promise<Uint8Array | null>;
  /** Called only if there is something to parse; null to leave out what has no record. */
  parsers: (() => ParserPool) | null;
  maxFileBytes: number;
  signal?: AbortSignal;
}

/** Concurrent requests to git: enough to keep it busy, few enough that the answers fit into memory. */
const AT_ONCE = 128;

/** Returns facts by `factsKey`; unreadable files have none. Throws the errors of parsing, and CANCELLED. */
export async function collectFacts(
  wanted: readonly SourceFile[],
  context: FactsContext,
): Promise<Map<string, LinkFacts>> {
  const facts = new Map<string, LinkFacts>();
  const linked = wanted.filter(({ state }) => state === 'linked');
  const missing = context.store === null ? linked : await fromRecords(linked, context.store, facts, context.signal);
  await inBatches(
    wanted.filter(({ state }) => state === 'degraded'),
    context.signal,
    (file) => countLines(file, context, facts),
  );
  const { parsers } = context;
  if (missing.length > 0 && parsers !== null) await fromText(missing, { ...context, parsers }, facts);
  const told = linked.filter(({ compiled }) => compiled !== undefined);
  await inBatches(told, context.signal, (file) => addCompiled(file, context, facts));
  return facts;
}

async function addCompiled(file: SourceFile, context: FactsContext, facts: Map<string, LinkFacts>): Promise<void> {
  const key = factsKey(file);
  const found = facts.get(key);
  if (found === undefined || found.compiled !== undefined) return;
  const compiled = await context.compiled?.(file, found.lines);
  if (compiled) facts.set(key, { ...found, compiled });
}

async function inBatches(
  files: readonly SourceFile[],
  signal: AbortSignal | undefined,
  each: (file: SourceFile) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    await Promise.all(files.slice(at, at + AT_ONCE).map(each));
  }
}

/** Reads facts from records and returns the files without a usable record. */
async function fromRecords(
  files: readonly SourceFile[],
  store: NonNullable<FactsContext['store']>,
  facts: Map<string, LinkFacts>,
  signal?: AbortSignal,
): Promise<SourceFile[]> {
  const missing: SourceFile[] = [];
  await store.load(files.length);
  await inBatches(files, signal, async (file) => {
    const key = factsKey(file);
    if (facts.has(key)) return;
    const decoded = await store.read(file.oid);
    const found = decoded?.ok && 'facts' in decoded.record ? decoded.record.facts[file.language] : undefined;
    const isWrong = found !== undefined && file.size !== undefined && contradictionOf(found, file.size) !== null;
    if (found === undefined || isWrong) missing.push(file);
    else facts.set(key, forLinking(found));
  });
  return missing;
}

/** Drops chunks and offsets, since facts of a whole repository are in memory at once. */
function forLinking({ lines, symbols, relations }: BlobFacts): LinkFacts {
  return {
    lines,
    symbols: symbols.map(({ name, kind, container, exported, startLine, endLine }) => ({
      ...{ name, kind, container, exported, startLine, endLine },
    })),
    relations,
  };
}

/** Counts the lines of a file that the indexer could not parse; it is not parsed again. */
async function countLines(file: SourceFile, context: FactsContext, facts: Map<string, LinkFacts>): Promise<void> {
  const info = await context.objects.info(file.oid);
  if (info === null || info.size > context.maxFileBytes) return;
  const object = await context.objects.read(file.oid);
  if (object === null) return;
  const { content } = object;
  let lines = content.length === 0 || content.at(-1) === NEWLINE ? 0 : 1;
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) lines++;
  facts.set(factsKey(file), { lines, symbols: [], relations: noRelations() });
}

const NEWLINE = 0x0a;

async function fromText(
  files: readonly SourceFile[],
  { objects, parsers, maxFileBytes, signal }: FactsContext & { parsers: () => ParserPool },
  facts: Map<string, LinkFacts>,
): Promise<void> {
  const planned = new Map<string, PlannedBlob>();
  for (const { oid, language, path } of files) {
    const known = planned.get(oid);
    if (known === undefined) planned.set(oid, { oid, languages: [language], path, sharded: false });
    else if (!known.languages.includes(language)) known.languages.push(language);
  }
  const context = {
    ...{ objects, pool: parsers(), maxFileBytes, signal, relations: true, onBadRecord: () => {} },
    store: { read: async () => null },
  };
  const notes = new Map(files.map(({ oid, compiled }) => [oid, compiled]));
  for await (const { oid, units } of deriveBlobs([...planned.values()], context)) {
    for (const { language, facts: found } of units) {
      if (found !== null) facts.set(factsKey({ oid, language, compiled: notes.get(oid) }), forLinking(found));
    }
  }
}
