/** Stores pairs of text as columns of term ids, with the split of each pair. */
import { createHash } from 'node:crypto';
import { Uint32List } from '../../../src/base/binary.js';
import type { Pair } from '../pairs/types.js';
import type { VocabularySettings } from '../recipe.js';
import { KINDS, SPLITS } from './format.js';
import type { Lexicon } from './lexicon.js';

/** Maximum frequency, which fits in a byte; higher ones add no information. */
const MAX_COUNT = 255;
/** Minimum number of different terms of the code; shorter code answers nothing. */
const FEWEST_TERMS = 3;

/** Entries by side: side s owns [start[s], start[s + 1]). */
export class Sides {
  readonly start = new Uint32List();
  readonly id = new Uint32List();
  readonly count = new Uint32List();

  /** Starts the next side. */
  open(): void {
    this.start.push(this.id.length);
  }

  add(counts: Iterable<readonly [id: number, count: number]>): void {
    for (const [id, count] of counts) {
      this.id.push(id);
      this.count.push(Math.min(count, MAX_COUNT));
    }
  }

  /** Entries of a side. */
  *entries(side: number): Generator<readonly [id: number, count: number]> {
    const [start, id, count] = [this.start.view(), this.id.view(), this.count.view()];
    const end = side + 1 < start.length ? start[side + 1] : id.length;
    for (let i = start[side]; i < end; i++) yield [id[i], count[i]];
  }
}

export class Texts {
  readonly kind: number[] = [];
  readonly pack: number[] = [];
  readonly split: number[] = [];
  /** By side, as are the terms: 2i is pair i's query, 2i + 1 its code. */
  readonly hash: number[] = [];
  readonly terms = new Sides();
  readonly packages: string[] = [];
  readonly languages: Record<string, number> = {};
  private readonly seen = new Set<string>();

  constructor(
    private readonly lexicon: Lexicon,
    private readonly settings: VocabularySettings,
  ) {}

  /** Decides by the hash of a name whether a pair is held out, so that added packages or files move no other pair. */
  addPackage(name: string, pairs: readonly Pair[]): void {
    const { heldOutFile, heldOutPackage } = this.settings;
    const whole = hashOf(name) % heldOutPackage === 0;
    this.packages.push(name);
    for (const pair of pairs) {
      const held = hashOf(`${name}/${pair.file}`) % heldOutFile === 0;
      this.add(pair, SPLITS.indexOf(whole ? 'package' : held ? 'file' : 'train'));
    }
  }

  private add(pair: Pair, split: number): void {
    const query = this.lexicon.count(pair.query, true);
    const code = this.lexicon.count(pair.code);
    const hashes = [hashOf(pair.query), hashOf(pair.code)];
    const key = hashes.join(' ');
    if (query.size === 0 || code.size < FEWEST_TERMS || this.seen.has(key)) return;
    this.seen.add(key);
    this.kind.push(KINDS.indexOf(pair.kind));
    this.pack.push(this.packages.length - 1);
    this.split.push(split);
    this.hash.push(...hashes);
    this.languages[pair.language] = (this.languages[pair.language] ?? 0) + 1;
    for (const side of [query, code]) {
      this.terms.open();
      this.terms.add(side);
    }
  }
}

function hashOf(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32LE(0);
}
