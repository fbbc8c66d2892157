/** The vector side of a search: opens a snapshot's vectors, turns queries into vectors, and says what is missing. */
import { isSocraticodeError, type SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { remember } from '../../base/remember.js';
import { builtinModel } from '../../embed/builtin/index.js';
import type { Embedder } from '../../embed/embedder.js';
import type { LexicalScores } from '../../search/bm25.js';
import type { Corpus } from '../../search/corpus.js';
import { type DenseQuery, DenseScorer, providerQuery, staticQuery } from '../../search/dense.js';
import type { ParsedQuery } from '../../search/query.js';
import type { VectorIndex } from '../../shard/nearest.js';
import type { Session } from '../session.js';
import type { IndexedSnapshot } from '../snapshot/snapshot.js';
import { createEmbedder, isProvider, openVectors, type VectorState, vectorState } from '../vectors/vectors.js';

/** Embedded queries that a long-lived process remembers: agents ask again with other filters. */
const QUERIES_KEPT = 256;

export interface VectorQuery {
  query: ParsedQuery;
  lexical: LexicalScores;
  signal?: AbortSignal;
}

export interface NearQuery {
  /** Null where there is nothing to compare with: no vectors, words no model knows. */
  scorer: DenseScorer | null;
  report: VectorState;
  /** Why the query has no vector although there are vectors, if no others could stand in. */
  fault: SocraticodeError | null;
}

export class VectorSearch {
  /** By corpus: a snapshot is opened once a process. */
  private readonly opened = new WeakMap<Corpus, VectorIndex>();
  /** Those of the built-in model, where a provider's cannot be used. */
  private readonly substitutes = new WeakMap<Corpus, VectorIndex>();
  private embedder: { settings: string; embedder: Promise<Embedder> } | null = null;
  private readonly queries = new Map<string, Float32Array>();

  constructor(private readonly session: Session) {}

  open({ corpus, settings, overlayShards }: IndexedSnapshot): VectorIndex {
    let vectors = this.opened.get(corpus);
    if (vectors === undefined) {
      vectors = openVectors(this.session, settings, corpus.live, overlayShards);
      this.opened.set(corpus, vectors);
    }
    return vectors;
  }

  /** Opens what a query will need, while there is nothing else to do. */
  warm(snapshot: IndexedSnapshot): void {
    if (snapshot.defaults.mode === 'lexical') return;
    try {
      builtinModel();
      this.open(snapshot);
    } catch (error) {
      // The query itself will say what is wrong.
      log.debug((error as Error).message);
    }
  }

  state({ settings }: IndexedSnapshot, vectors: VectorIndex): VectorState {
    return vectorState(settings, vectors);
  }

  /**
   * The query as vectors. An embedder that cannot be used is a result, not an error: the built-in model stands in for it,
   * and the report says so; where that knows no word of the query, words still find code.
   */
  async query(snapshot: IndexedSnapshot, asked: VectorQuery): Promise<NearQuery> {
    const vectors = this.open(snapshot);
    const report = this.state(snapshot, vectors);
    if (vectors.covered === 0) return this.substitute(snapshot, asked, report, report.reason, null);
    try {
      const query = await this.embed(snapshot, vectors, asked);
      if (typeof query === 'string') return this.substitute(snapshot, asked, report, query, null);
      return { scorer: query === null ? null : new DenseScorer(snapshot.corpus, query), report, fault: null };
    } catch (error) {
      if (!isSocraticodeError(error) || !error.code.startsWith('EMBEDDER_')) throw error;
      log.debug(error.message);
      return this.substitute(snapshot, asked, report, `${error.message}. ${error.hint}`, error);
    }
  }

  /** Searches by the built-in model's vectors instead of a provider's: they cost nothing and need nobody. */
  private async substitute(
    snapshot: IndexedSnapshot,
    { lexical }: VectorQuery,
    report: VectorState,
    reason: string | null,
    fault: SocraticodeError | null,
  ): Promise<NearQuery> {
    const { corpus, settings, overlayShards } = snapshot;
    if (!isProvider(settings.embedder) || corpus.live.count === 0) return { scorer: null, report, fault };
    let vectors = this.substitutes.get(corpus);
    if (vectors === undefined) {
      const own = { ...settings, embedder: { ...settings.embedder, name: 'builtin' as const } };
      vectors = openVectors(this.session, own, corpus.live, overlayShards);
      this.substitutes.set(corpus, vectors);
    }
    const query = vectors.covered === 0 ? null : staticQuery(builtinModel(), vectors, lexical.terms);
    if (query === null)
      return { scorer: null, report: { ...report, reason: `searched by words alone: ${reason}` }, fault };
    const { covered, total } = vectors;
    const said = `searched with the vectors of the built-in model: ${reason}`;
    return { scorer: new DenseScorer(corpus, query), report: { covered, total, reason: said }, fault: null };
  }

  /** The query as vectors, null where it has none, or why those at hand do not fit it. */
  private async embed(
    snapshot: IndexedSnapshot,
    vectors: VectorIndex,
    asked: VectorQuery,
  ): Promise<DenseQuery | string | null> {
    const { settings } = snapshot;
    const { terms } = asked.lexical;
    if (!isProvider(settings.embedder)) return staticQuery(builtinModel(), vectors, terms);
    const content = await this.embedText(settings, asked);
    if (content.length !== vectors.dimensions)
      return `the model gives ${content.length} numbers, the vectors here have ${vectors.dimensions}; run \`git socraticode index\``;
    return providerQuery(builtinModel(), vectors, content, terms);
  }

  private async embedText(settings: IndexedSnapshot['settings'], asked: VectorQuery): Promise<Float32Array> {
    const key = JSON.stringify([settings.embedder, asked.query.text]);
    const name = JSON.stringify(settings.embedder);
    if (this.embedder?.settings !== name) this.embedder = { settings: name, embedder: createEmbedder(settings) };
    const vector =
      this.queries.get(key) ?? (await (await this.embedder.embedder).embedQuery(asked.query.text, asked.signal));
    remember(this.queries, key, vector, QUERIES_KEPT);
    return vector;
  }
}
