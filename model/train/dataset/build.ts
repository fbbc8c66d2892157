/**
 * The dataset stage: pairs of text to pairs of sub-words. Reads `DIR/pairs/*.jsonl`, chooses the vocabulary, and writes
 * `DIR/dataset.bin`. Everything is decided by content (hashes, sorted names), so the same pairs give the same bytes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packSections } from '../../../src/base/binary.js';
import { segment } from '../../../src/embed/builtin/model.js';
import type { Pair } from '../pairs/types.js';
import type { VocabularySettings } from '../recipe.js';
import { DATASET_MAGIC, type DatasetColumns, type DatasetMeta, KINDS, SPLITS } from './format.js';
import { Lexicon } from './lexicon.js';
import { Sides, Texts } from './texts.js';

export interface DatasetOptions {
  /** Folder of the JSONL files. */
  pairs: string;
  out: string;
  settings: VocabularySettings;
}

export function buildDataset({ pairs, out, settings }: DatasetOptions): void {
  const lexicon = new Lexicon();
  const texts = new Texts(lexicon, settings);
  for (const file of readdirSync(pairs).sort()) {
    if (!file.endsWith('.jsonl')) continue;
    const lines = readFileSync(join(pairs, file), 'utf8').split('\n');
    texts.addPackage(
      file.replace(/\.jsonl$/, ''),
      lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Pair),
    );
  }
  const words = chooseVocabulary(texts, lexicon, settings);
  const { packages, languages } = texts;
  const meta: DatasetMeta = { words, packages, languages, pairs: texts.kind.length };
  writeFileSync(out, packSections(DATASET_MAGIC, meta, { ...columnsOf(texts, lexicon, words) }));
  const kinds = KINDS.map((kind, i) => `${kind} ${texts.kind.filter((one) => one === i).length}`);
  console.log(`${meta.pairs} pairs (${kinds.join(', ')}) from ${packages.length} packages, ${words.length} words`);
}

/** The words worth a row: by sqrt(document frequency x package frequency) in training pairs. */
function chooseVocabulary(texts: Texts, lexicon: Lexicon, settings: VocabularySettings): string[] {
  const size = lexicon.terms.length;
  const documents = new Float64Array(size);
  const packages = new Float64Array(size);
  const last = new Int32Array(size).fill(-1);
  for (let side = 0; side < texts.hash.length; side++) {
    const pack = texts.pack[side >> 1];
    if (SPLITS[texts.split[side >> 1]] !== 'train') continue;
    for (const [term] of texts.terms.entries(side)) {
      documents[term]++;
      if (last[term] !== pack) packages[term]++;
      last[term] = pack;
    }
  }
  const score = (id: number) => documents[id] * packages[id];
  const wanted = Array.from({ length: size }, (_, id) => id).filter(
    (id) => packages[id] >= settings.packages && /^(?:[a-z][a-z0-9]{0,23}|\d{1,4})$/.test(lexicon.terms[id]),
  );
  wanted.sort((a, b) => score(b) - score(a) || (lexicon.terms[a] < lexicon.terms[b] ? -1 : 1));
  const best = wanted.slice(0, settings.words).map((id) => lexicon.terms[id]);
  return best.sort();
}

function columnsOf(texts: Texts, lexicon: Lexicon, words: readonly string[]): DatasetColumns {
  const rows = toRows(texts, lexicon, words);
  const held = heldOutTerms(texts);
  return {
    kind: Uint8Array.from(texts.kind),
    pack: Uint16Array.from(texts.pack),
    split: Uint8Array.from(texts.split),
    hash: Uint32Array.from(texts.hash),
    start: rows.start.view(),
    row: Uint16Array.from(rows.id.view()),
    count: Uint8Array.from(rows.count.view()),
    termStart: held.start.view(),
    term: held.id.view(),
    termCount: Uint8Array.from(held.count.view()),
  };
}

/** Replaces terms by rows of the vocabulary: their own, or those of their segments. */
function toRows(texts: Texts, lexicon: Lexicon, words: readonly string[]): Sides {
  const rowOf = new Map(words.map((word, row) => [word, row]));
  const rowsOf = lexicon.terms.map((term) => segment(term, rowOf));
  const sides = new Sides();
  for (let side = 0; side < texts.hash.length; side++) {
    const sums = new Map<number, number>();
    for (const [term, count] of texts.terms.entries(side))
      for (const row of rowsOf[term]) sums.set(row, (sums.get(row) ?? 0) + count);
    sides.open();
    sides.add(sums);
  }
  sides.open();
  return sides;
}

function heldOutTerms(texts: Texts): Sides {
  const sides = new Sides();
  for (let side = 0; side < texts.hash.length; side++) {
    sides.open();
    if (SPLITS[texts.split[side >> 1]] !== 'train') sides.add(texts.terms.entries(side));
  }
  sides.open();
  return sides;
}
