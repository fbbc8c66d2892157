/**
 * Pairs as text to pairs as sub-words: reads DIR/pairs/*.jsonl, chooses the vocabulary, and writes DIR/dataset.bin.
 * Everything is decided by content (hashes, sorted names), so the same pairs give the same bytes.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Uint32List } from '../../src/base/buffers.js';
import { packSections } from '../../src/base/sections.js';
import { segment } from '../../src/embed/builtin/vocabulary.js';
import { argument } from './arguments.js';
import { DATASET_MAGIC, type DatasetMeta, KINDS, SPLITS } from './dataset-format.js';
import { Lexicon } from './tokens.js';

const VOCABULARY = Number(argument('vocabulary', '12288'));
/** One file in fifty, one package in twenty. */
const FILE_SHARE = 50;
const PACKAGE_SHARE = 20;

interface Pair {
  kind: string;
  language: string;
  file: string;
  query: string;
  code: string;
}

function hash(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32LE(0);
}

/** Growing columns; side 2i is pair i's query, side 2i + 1 its code. */
class Pairs {
  readonly kind: number[] = [];
  readonly pack: number[] = [];
  readonly split: number[] = [];
  readonly hash: number[] = [];
  readonly start = new Uint32List();
  readonly term = new Uint32List();
  readonly count = new Uint32List();
  readonly packages: string[] = [];
  readonly languages: Record<string, number> = {};
  private readonly seen = new Set<string>();

  constructor(private readonly lexicon: Lexicon) {}

  addPackage(name: string, lines: readonly string[]): void {
    const held = hash(name) % PACKAGE_SHARE === 0;
    const [train, file, pack] = SPLITS.keys();
    this.packages.push(name);
    for (const line of lines) {
      const pair = JSON.parse(line) as Pair;
      const split = held ? pack : hash(`${name}/${pair.file}`) % FILE_SHARE === 0 ? file : train;
      this.add(pair, split);
    }
  }

  private add(pair: Pair, split: number): void {
    const kind = KINDS.indexOf(pair.kind as (typeof KINDS)[number]);
    if (kind < 0) return;
    const query = this.lexicon.count(pair.query, true);
    const code = this.lexicon.count(pair.code);
    const queryHash = hash(pair.query);
    const codeHash = hash(pair.code);
    const key = `${queryHash} ${codeHash}`;
    if (query.size === 0 || code.size < 3 || this.seen.has(key)) return;
    this.seen.add(key);
    this.kind.push(kind);
    this.pack.push(this.packages.length - 1);
    this.split.push(split);
    this.hash.push(queryHash, codeHash);
    this.languages[pair.language] = (this.languages[pair.language] ?? 0) + 1;
    for (const side of [query, code]) {
      this.start.push(this.term.length);
      for (const [term, count] of side) {
        this.term.push(term);
        this.count.push(Math.min(count, 255));
      }
    }
  }
}

/** The words worth a row: by sqrt(document frequency x package frequency), in at least two packages. */
function chooseVocabulary(pairs: Pairs, lexicon: Lexicon): string[] {
  const size = lexicon.terms.length;
  const documents = new Float64Array(size);
  const packages = new Float64Array(size);
  const last = new Int32Array(size).fill(-1);
  const starts = pairs.start.view();
  const terms = pairs.term.view();
  for (let side = 0; side < starts.length; side++) {
    const pack = pairs.pack[side >> 1];
    if (pairs.split[side >> 1] !== 0) continue;
    for (let i = starts[side]; i < (starts[side + 1] ?? terms.length); i++) {
      documents[terms[i]]++;
      if (last[terms[i]] !== pack) packages[terms[i]]++;
      last[terms[i]] = pack;
    }
  }
  const score = (id: number) => documents[id] * packages[id];
  const wanted = Array.from({ length: size }, (_, id) => id).filter(
    (id) => packages[id] >= 2 && /^(?:[a-z][a-z0-9]{0,23}|\d{1,4})$/.test(lexicon.terms[id]),
  );
  wanted.sort((a, b) => score(b) - score(a) || (lexicon.terms[a] < lexicon.terms[b] ? -1 : 1));
  return wanted
    .slice(0, VOCABULARY)
    .map((id) => lexicon.terms[id])
    .sort();
}

/** Replaces terms by rows of the vocabulary: themselves, or their segments. */
function toRows(pairs: Pairs, lexicon: Lexicon, words: readonly string[]) {
  const rowOf = new Map(words.map((word, row) => [word, row]));
  const rows = lexicon.terms.map((term) => segment(term, rowOf));
  const start = new Uint32List();
  const row = new Uint32List();
  const count = new Uint32List();
  const starts = pairs.start.view();
  const terms = pairs.term.view();
  const counts = pairs.count.view();
  for (let side = 0; side < starts.length; side++) {
    start.push(row.length);
    const sums = new Map<number, number>();
    for (let i = starts[side]; i < (starts[side + 1] ?? terms.length); i++)
      for (const id of rows[terms[i]]) sums.set(id, (sums.get(id) ?? 0) + counts[i]);
    for (const [id, sum] of sums) {
      row.push(id);
      count.push(Math.min(sum, 255));
    }
  }
  start.push(row.length);
  return { start: start.view(), row: Uint16Array.from(row.view()), count: Uint8Array.from(count.view()) };
}

function main(): void {
  const cache = argument('cache');
  const lexicon = new Lexicon();
  const pairs = new Pairs(lexicon);
  for (const name of readdirSync(join(cache, 'pairs')).sort()) {
    const lines = readFileSync(join(cache, 'pairs', name), 'utf8').split('\n');
    pairs.addPackage(
      name.replace(/\.jsonl$/, ''),
      lines.filter((line) => line !== ''),
    );
  }
  const words = chooseVocabulary(pairs, lexicon);
  const meta: DatasetMeta = { words, packages: pairs.packages, languages: pairs.languages, pairs: pairs.kind.length };
  const columns = {
    kind: Uint8Array.from(pairs.kind),
    pack: Uint16Array.from(pairs.pack),
    split: Uint8Array.from(pairs.split),
    hash: Uint32Array.from(pairs.hash),
    ...toRows(pairs, lexicon, words),
  };
  writeFileSync(join(cache, 'dataset.bin'), packSections(DATASET_MAGIC, meta, columns));
  const kinds = KINDS.map((kind, i) => `${kind} ${pairs.kind.filter((k) => k === i).length}`);
  console.log(`${pairs.kind.length} pairs (${kinds.join(', ')}) from ${pairs.packages.length} packages`);
  console.log(`${words.length} words; ${JSON.stringify(pairs.languages)}`);
}

main();
