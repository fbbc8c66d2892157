/** Vector part of a search: opens a snapshot's vectors, embeds the query, and reports missing vectors. */
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

/** Embedded queries that a long-lived process remembers: agents repeat queries with other filters. */
const QUERIES_KEPT = 256;

interface VectorQuery {
  query: ParsedQuery;
  lexical: LexicalScores;
  signal?: AbortSignal;
}

interface NearQuery {
  /** Null if there are no vectors, or if the model knows no word of the query. */
  scorer: DenseScorer | null;
  report: VectorState;
  /** Reason why the query has no vector although the snapshot has some, and the built-in model could not replace them. */
  fault: SocraticodeError | null;
}

export class VectorSearch {
  /** By corpus: each snapshot is opened once per process. */
  private readonly opened = new WeakMap<Corpus, VectorIndex>();
  /** Vectors of the built-in model, used beside a provider's, or if those cannot be. */
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

  /** Opens the vectors and the model before the query needs them. */
  warm(snapshot: IndexedSnapshot): void {
    if (snapshot.defaults.mode === 'lexical') return;
    try {
      builtinModel();
      this.open(snapshot);
    } catch (error) {
      // The query meets the same error and reports it.
      log.debug((error as Error).message);
    }
  }

  state({ settings }: IndexedSnapshot, vectors: VectorIndex): VectorState {
    return vectorState(settings, vectors);
  }

  /**
   * Embeds the query. If the provider fails, the built-in model replaces it and the report says so; if that model knows no
   * word of the query either, the search continues by words alone.
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

  /** Uses the built-in model's vectors instead of a provider's: they cost nothing and need no server. */
  private async substitute(
    snapshot: IndexedSnapshot,
    { lexical }: VectorQuery,
    report: VectorState,
    reason: string | null,
    fault: SocraticodeError | null,
  ): Promise<NearQuery> {
    const { corpus, settings } = snapshot;
    if (!isProvider(settings.embedder) || corpus.live.count === 0) return { scorer: null, report, fault };
    const query = this.builtinQuery(snapshot, lexical);
    if (query === null)
      return { scorer: null, report: { ...report, reason: `searched by words alone: ${reason}` }, fault };
    const { covered, total } = query.vectors;
    const said = `searched with the vectors of the built-in model: ${reason}`;
    return { scorer: new DenseScorer(corpus, query), report: { covered, total, reason: said }, fault: null };
  }

  /** The query for the built-in model where another one is set; null if it knows no word of it. */
  private builtinQuery(snapshot: IndexedSnapshot, { terms }: LexicalScores): DenseQuery | null {
    const { corpus, settings, overlayShards } = snapshot;
    let vectors = this.substitutes.get(corpus);
    if (vectors === undefined) {
      const own = { ...settings, embedder: { ...settings.embedder, name: 'builtin' as const } };
      vectors = openVectors(this.session, own, corpus.live, overlayShards);
      this.substitutes.set(corpus, vectors);
    }
    return vectors.covered === 0 ? null : staticQuery(builtinModel(), vectors, terms);
  }

  /** Returns the query as vectors, null if it has none, or the reason why the snapshot's vectors do not fit it. */
  private async embed(
    snapshot: IndexedSnapshot,
    vectors: VectorIndex,
    asked: VectorQuery,
  ): Promise<DenseQuery | string | null> {
    const { settings, corpus } = snapshot;
    const { terms } = asked.lexical;
    if (!isProvider(settings.embedder)) return staticQuery(builtinModel(), vectors, terms);
    const content = await this.embedText(settings, asked);
    if (content.length !== vectors.dimensions)
      return `the model gives ${content.length} numbers, the vectors here have ${vectors.dimensions}; run \`git socraticode index\``;
    const own = this.builtinQuery(snapshot, asked.lexical);
    // Few searches need it: most have the built-in model.
    const { centred } = await import('../../search/centre.js');
    return providerQuery(builtinModel(), vectors, centred(content, corpus.live, vectors), { terms, own });
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
