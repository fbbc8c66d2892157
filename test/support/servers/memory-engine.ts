/**
 * Engine in memory: exact BM25 and exact cosine. It is the oracle of the contract tests, and small enough to be read as
 * the meaning of the contract.
 */
import { namedUnits } from '../../../fleet/src/collect.js';
import type {
  CandidateRequest,
  Candidates,
  FleetEngine,
  FleetProfile,
  FleetStatus,
  MaintainReport,
  MaintainRequest,
  RecordRow,
  Removal,
  UnitCandidate,
  UnitRow,
  ViewRequest,
  ViewRow,
  Views,
} from '../../../fleet/src/contract.js';
import { SocraticodeError } from '../../../fleet/src/internal.js';
import { viewKey } from '../../../fleet/src/keys.js';
import { LEASE_SECONDS, mayTakeLease } from '../../../fleet/src/lease.js';

/** Constants of BM25, as LanceDB's index has them. */
const K1 = 1.2;
const B = 0.75;

interface HeldUnit extends UnitRow {
  frequency: ReadonlyMap<string, number>;
  length: number;
}

export class MemoryEngine implements FleetEngine {
  private readonly units = new Map<string, HeldUnit>();
  private readonly recordOf = new Map<string, RecordRow>();
  private readonly views = new Map<string, ViewRow>();
  private lease: FleetStatus['lease'] = null;
  private version = 0;

  constructor(readonly profile: FleetProfile) {}

  async append(units: readonly UnitRow[], records: readonly RecordRow[]): Promise<void> {
    for (const { vector, key } of units)
      if (vector.length !== this.profile.dimensions)
        throw new SocraticodeError('INTERNAL', `unit ${key} has a vector of ${vector.length} numbers`);
    for (const record of records) this.recordOf.set(record.key, record);
    for (const unit of units) {
      const frequency = new Map<string, number>();
      const terms = unit.terms.split(' ').filter((term) => term !== '');
      for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
      this.units.set(unit.key, { ...unit, frequency, length: terms.length });
    }
  }

  async missing(keys: readonly string[]): Promise<string[]> {
    return keys.filter((key) => !this.units.has(key));
  }

  async candidates({ terms, vector, families, count }: CandidateRequest): Promise<Candidates> {
    const searched = [...this.units.values()].filter(({ family }) => families?.includes(family) ?? true);
    const best = (score: (unit: HeldUnit) => number): UnitCandidate[] =>
      searched
        .map((unit) => ({ key: unit.key, family: unit.family, score: score(unit) }))
        .filter((unit) => unit.score > 0)
        .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
        .slice(0, count);
    const bm25 = this.scorer(terms);
    return { words: best(bm25), vectors: vector === null ? [] : best((unit) => product(unit.vector, vector)) };
  }

  private scorer(terms: readonly string[]): (unit: HeldUnit) => number {
    const all = [...this.units.values()];
    const average = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
    const weights = [...new Set(terms)].map((term) => {
      const df = all.filter(({ frequency }) => frequency.has(term)).length;
      return { term, idf: Math.log(1 + (all.length - df + 0.5) / (df + 0.5)) };
    });
    return ({ frequency, length }) =>
      weights.reduce((sum, { term, idf }) => {
        const tf = frequency.get(term) ?? 0;
        return sum + (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / average));
      }, 0);
  }

  async records(keys: readonly string[]): Promise<Map<string, Omit<RecordRow, 'text'>>> {
    return new Map(keys.flatMap((key) => this.entry(key)));
  }

  async payloads(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    return new Map(keys.flatMap((key) => this.entry(key)).map(([key, { payload }]) => [key, payload]));
  }

  async texts(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    return new Map(keys.flatMap((key) => this.entry(key)).map(([key, { text }]) => [key, text]));
  }

  private entry(key: string): [string, RecordRow][] {
    const record = this.recordOf.get(key);
    return record === undefined ? [] : [[key, record]];
  }

  async readViews({ parts, keys, repo, since }: ViewRequest): Promise<Views | null> {
    const version = String(this.version);
    if (since === version) return null;
    const none = new Uint8Array(0);
    const views = [...this.views]
      .filter(([key, view]) => (keys?.includes(key) ?? true) && (repo === undefined || view.repo === repo))
      .map(([, view]) => ({
        ...view,
        facts: parts === 'facts' || parts === 'all' ? view.facts : none,
        stats: parts === 'stats' || parts === 'all' ? view.stats : none,
        links: parts === 'links' || parts === 'all' ? view.links : none,
      }));
    return { version, views: views.sort((a, b) => compare(a.repo, b.repo) || compare(a.ref, b.ref)) };
  }

  async swapView(view: ViewRow): Promise<boolean> {
    const key = viewKey(view.repo, view.ref);
    if ((this.views.get(key)?.commit ?? '') !== view.previous) return false;
    this.views.set(key, view);
    this.version++;
    return true;
  }

  async remove(what: Removal): Promise<void> {
    if ('views' in what) for (const key of what.views) this.views.delete(key);
    else if ('units' in what) for (const key of what.units) this.drop(key);
    else {
      for (const { key, family } of [...this.recordOf.values()]) if (family === what.family) this.drop(key);
      for (const [key, { family }] of this.views) if (family === what.family) this.views.delete(key);
    }
    this.version++;
  }

  private drop(key: string): void {
    this.units.delete(key);
    this.recordOf.delete(key);
  }

  async maintain({ holder, now, orphansBefore }: MaintainRequest): Promise<MaintainReport | null> {
    if (!mayTakeLease(this.lease, holder, now)) return null;
    this.lease = { holder, until: now + LEASE_SECONDS };
    const named = namedUnits(this.views.values());
    const orphans = [...this.recordOf.values()].filter(
      ({ key, addedAt }) => addedAt < orphansBefore && !named.has(key),
    );
    for (const { key } of orphans) this.drop(key);
    const dead = [...this.views].filter(([, view]) => view.commit === '' && view.publishedAt < orphansBefore);
    for (const [key] of dead) this.views.delete(key);
    if (dead.length > 0) this.version++;
    return { orphans: orphans.length, duplicates: 0, tombstones: dead.length, optimized: false, freedBytes: 0 };
  }

  async status(): Promise<FleetStatus> {
    const of = (rows: number) => ({ rows, bytes: null, unindexed: 0 });
    const tables = { unit: of(this.units.size), record: of(this.recordOf.size), view: of(this.views.size) };
    return { profile: this.profile.id, engine: 'memory', tables, lease: this.lease };
  }

  async warm(): Promise<void> {}

  async verify(): Promise<string[]> {
    return [];
  }

  async close(): Promise<void> {}
}

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
