/** Records of the right blob, in the right form, that say what is not so. */
import type { BlobFacts, Chunk, CodeSymbol } from '../../../src/extract/facts.js';
import { noRelations, type Reference, type Relations } from '../../../src/languages/roles/relation-facts.js';
import { MAX_BLOB_BYTES, type SyntaxRecord } from '../../../src/record/format.js';
import { decodeSyntaxRecord, encodeSyntaxRecord } from '../../../src/record/syntax-codec.js';
import { decodeVectorRecord, encodeVectorRecord } from '../../../src/record/vector-codec.js';

/** In every name that is made up: it may be shown as the name of something, never as a line of code. */
export const LIE = 'LIE';
/** What a terminal must not be given, and what would break a line of a list. */
const EVIL = `${LIE}\u202e\u001b[2J\n\u200b]0;x\u0007`;

const END = (facts: BlobFacts) => facts.chunks.at(-1)?.end ?? 0;

function chunk(start: number, end: number, more: Partial<Chunk> = {}): Chunk {
  return { start, end, startLine: 1, endLine: 1, kind: 'code', symbol: -1, ...more };
}

function symbol(start: number, end: number, more: Partial<CodeSymbol> = {}): CodeSymbol {
  return {
    ...{ name: LIE, kind: 'function', container: -1, exported: true, start, end, startLine: 1, endLine: 1 },
    ...{ nameStart: start, signature: { start, end }, doc: null, ...more },
  };
}

function reference(more: Partial<Reference> = {}): Reference {
  const nothing = { receiver: '', args: -1, literal: '', symbol: -1, startLine: 1, endLine: 1 };
  return { kind: 'call', name: LIE, ...nothing, ...more };
}

/** `count` things, but no more than the blob has bytes: more is noticed before it costs anything. */
const each = <T>(size: number, make: (i: number) => T): T[] =>
  Array.from({ length: Math.min(size, 15_000) }, (_, i) => make(i));

const related = (facts: BlobFacts, relations: Partial<Relations>): BlobFacts => ({
  ...facts,
  relations: { ...noRelations(), ...relations },
});

type Falsify = (facts: BlobFacts, index: number) => BlobFacts | SyntaxRecord;

/** What the size of the blob gives away. */
const BLATANT: Record<string, Falsify> = {
  'chunks beyond the end': (facts) => {
    const line = { startLine: facts.lines, endLine: facts.lines };
    return { ...facts, chunks: [...facts.chunks, chunk(END(facts), END(facts) + 999, line)] };
  },
  'a chunk of 16 MiB': (facts) => ({
    ...facts,
    chunks: [chunk(0, MAX_BLOB_BYTES)],
    symbols: [],
    relations: noRelations(),
  }),
  'half of it': (facts) => ({
    ...{ lines: 1, generated: false, symbols: [], relations: noRelations(), parseErrors: [] },
    chunks: [chunk(0, Math.max(1, END(facts) >> 1))],
  }),
  nothing: () => ({ lines: 0, generated: false, chunks: [], symbols: [], relations: noRelations(), parseErrors: [] }),
  'too many lines': (facts) => ({ ...facts, lines: 1_000_000 }),
  'chunks of one byte each, too many': () => ({
    ...{ lines: 1, generated: false, symbols: [], relations: noRelations(), parseErrors: [] },
    chunks: Array.from({ length: 20_000 }, (_, i) => chunk(i, i + 1)),
  }),
  'symbols and uses without end': (facts) => ({
    ...facts,
    symbols: Array.from({ length: 20_000 }, () => symbol(0, 1)),
    relations: { ...noRelations(), references: Array.from({ length: 20_000 }, () => reference()) },
    chunks: facts.chunks.map((known) => ({ ...known, symbol: -1 })),
  }),
  'left out as binary': () => ({ skip: 'binary' }),
  'left out as a secret': () => ({ skip: 'secret' }),
};

/** Claims that the size of the blob does not refute, only its text, or nothing. */
const LIKELY: Record<string, Falsify> = {
  'evil names': (facts, index) => ({
    ...facts,
    symbols: facts.symbols.map((known, i) => ({ ...known, name: `${EVIL}${index}x${i}` })),
  }),
  'chunks of one byte': (facts) => {
    const chunks = each(END(facts), (i) => chunk(i, i + 1));
    const end = END(facts);
    return { ...facts, chunks: chunks.map((known, i) => (i === chunks.length - 1 ? { ...known, end } : known)) };
  },
  'lines that are elsewhere': (facts) => ({
    ...facts,
    lines: END(facts),
    chunks: facts.chunks.map((known) => ({ ...known, startLine: END(facts), endLine: END(facts) })),
  }),
  'one symbol that is everything': (facts) => {
    const end = END(facts);
    const doc = { start: end >> 2, end: end >> 1 };
    return {
      ...{ ...facts, lines: Math.max(facts.lines, 1), relations: noRelations() },
      symbols: [symbol(0, end, { name: EVIL, endLine: facts.lines, doc })],
      chunks: facts.chunks.map((known) => ({ ...known, symbol: 0, kind: 'function' as const })),
    };
  },
  'one name for everything, used everywhere': (facts) => ({
    ...related(facts, { references: each(END(facts), (i) => reference({ symbol: i % Math.max(1, END(facts)) })) }),
    symbols: each(END(facts), () => symbol(0, 1)),
  }),
  'symbols within symbols': (facts) => ({
    ...facts,
    ...{
      symbols: each(END(facts), (i) => symbol(0, 1, { container: i - 1, kind: 'class' })),
      relations: noRelations(),
    },
  }),
  'imports of what is not there': (facts) =>
    related(facts, {
      imports: each(END(facts), (i) => ({
        ...{ kind: 'import' as const, symbol: -1, startLine: 1, endLine: 1 },
        specifier: ['/etc/passwd', '../'.repeat(60), `./${LIE}`, './part1', '\u001b[2J', ''][i % 6],
        names: [{ name: '*', alias: '' }],
      })).slice(0, 5_000),
    }),
  'types in circles': (facts) => {
    const count = END(facts);
    const name = (i: number) => `${LIE}${i % count}`;
    return {
      ...related(facts, {
        bindings: each(count, (i) => ({
          ...{ scope: -1, name: name(i), type: name(i + 1), value: `${name(i + 1)}.${name(i + 2)}`, line: 1 },
        })),
        references: each(count, (i) =>
          reference({ receiver: `${name(i)}.`.repeat(20).slice(0, 150).replace(/\.$/, '') }),
        ),
      }),
      symbols: [],
      chunks: facts.chunks.map((known) => ({ ...known, symbol: -1, kind: 'code' as const })),
    };
  },
  'heirs of each other': (facts) => {
    const count = Math.min(END(facts), 2_000);
    return {
      ...related(facts, {
        references: Array.from({ length: count }, (_, i) =>
          reference({ kind: 'extends', name: `${LIE}${(i + 1) % count}`, symbol: i }),
        ),
      }),
      symbols: Array.from({ length: count }, (_, i) => symbol(0, 1, { name: `${LIE}${i}`, kind: 'class' })),
    };
  },
  'of another language': (facts) => ({ facts: { python: facts, haskell: facts, elixir: facts } }),
  'written by a tool': (facts) => ({ ...facts, generated: true }),
};

/** No record at all, or none of this blob. */
const BROKEN: Record<string, (bytes: Buffer, first: Buffer) => Uint8Array> = {
  'no record': () => Buffer.from('not a record'),
  'of another blob': (_, first) => first,
  flipped: (bytes) => Buffer.from(bytes).map((byte, i) => (i === bytes.length >> 1 ? byte ^ 0x40 : byte)),
  empty: () => Buffer.alloc(0),
  cut: (bytes) => bytes.subarray(0, 40),
  'of a newer version': (bytes) => Buffer.from(bytes).map((byte, i) => (i === 5 ? 23 : byte)),
};

/** Names of what `falsify` can do to a record: what is noticed, and what is not. */
export const NOTICED = [...Object.keys(BLATANT), ...Object.keys(BROKEN)];
export const UNNOTICED = Object.keys(LIKELY);

/** Falsifies the record of a blob; the record itself where it cannot be done to it. `first` is that of another blob. */
export function falsify(name: string, oid: string, bytes: Buffer, index: number, first: Buffer): Uint8Array {
  if (Object.hasOwn(BROKEN, name)) return BROKEN[name](bytes, first);
  const decoded = decodeSyntaxRecord(bytes, oid);
  if (!decoded.ok || !('facts' in decoded.record)) return bytes;
  const [[language, facts]] = Object.entries(decoded.record.facts);
  const made = (BLATANT[name] ?? LIKELY[name])(facts, index);
  const record: SyntaxRecord = 'skip' in made || 'facts' in made ? made : { facts: { [language]: made } };
  return encodeSyntaxRecord(oid, record);
}

/** For `forgeNotes`: everything stands on other lines. */
export function lie(oid: string, bytes: Buffer, index: number): Uint8Array {
  return falsify('lines that are elsewhere', oid, bytes, index, bytes);
}

/** Vectors of the right form that mean nothing: all alike, or the opposite. */
export function falsifyVectors(oid: string, bytes: Buffer, index: number): Uint8Array {
  const decoded = decodeVectorRecord(bytes, oid);
  if (!decoded.ok) return bytes;
  const { dimensions, languages } = decoded.record;
  for (const { rows } of Object.values(languages)) {
    for (let i = 0; i < rows.length; i++) rows[i] = index % 2 === 0 ? -rows[i] : [127, -127][i % 2];
  }
  return encodeVectorRecord(oid, { dimensions, languages }) ?? bytes;
}
