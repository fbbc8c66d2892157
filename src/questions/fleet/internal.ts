/**
 * Parts of this package for `git-socraticode-fleet`, which imports nothing else of `src`. Only its loader imports this. It is no interface
 * for others: both packages have one version.
 */

export { writeFileAtomic } from '../../base/atomic.js';
export { ByteReader, ByteWriter, inUtf8 } from '../../base/binary.js';
export { remember } from '../../base/cache.js';
export { ERROR_CODES, type ErrorCode, isSocraticodeError, SocraticodeError } from '../../base/errors.js';
export { firstFrom, indexIn } from '../../base/lists.js';
export { acquireLock } from '../../base/lock.js';
export { log } from '../../base/log.js';
export { safeJson, visibleLine } from '../../base/printable.js';
export { type Holder, lifeOf, ownHolder } from '../../base/processes.js';
export { createProgress, type Progress } from '../../base/progress.js';
export { profileId, resolveConfig } from '../../config/resolve.js';
export type { Config } from '../../config/settings.js';
export { builtinModel } from '../../embed/builtin/index.js';
export { builtinIdentity, wordVector } from '../../embed/builtin/model.js';
export type { Embedder } from '../../embed/provider.js';
export type { BlobFacts } from '../../extract/facts.js';
export { syntaxFingerprint } from '../../extract/version.js';
export { isAncestor, listBranches, listTags, readBranchAndRemotes } from '../../git/branches.js';
export { Git } from '../../git/process.js';
export { Remote } from '../../git/remote.js';
export { readGitConfig } from '../../git/repository.js';
export type { LinkedFacts, ReachedPlace } from '../../graph/across/facts.js';
export { mayUse, Published, placeKey, sketchOf, wantedOf } from '../../graph/across/facts.js';
export { deriveBlobs } from '../../indexer/derive.js';
export { ParserPool } from '../../indexer/parser-pool.js';
export { computeStaticVectors } from '../../indexer/static-vectors.js';
export { LANGUAGE_IDS } from '../../languages/ids.js';
export { noRelations } from '../../languages/roles/relation-facts.js';
export { commandText, optionText } from '../../params/param.js';
export type { CborLimits } from '../../record/cbor.js';
export { type CborValue, decodeCanonical, encodeCanonical } from '../../record/cbor.js';
export { HASH_BYTES } from '../../record/format.js';
export { syntaxStore } from '../../record/store.js';
export { contradiction, decodeChunksAndSymbols, encodeUnchecked } from '../../record/syntax-codec.js';
export { decodeVectorRecord, encodeVectorRecord } from '../../record/vector-codec.js';
export { collapse, type SearchResult } from '../../search/collapse.js';
export { type Corpus, PATH_CLASSES, type PathClass, PathPostings, pathLength, pathTerms } from '../../search/corpus.js';
export {
  CENTRE_SAMPLE,
  type DenseQuery,
  DenseScorer,
  meanOfChunks,
  providerQuery,
  staticQuery,
  without,
} from '../../search/dense.js';
export { asTyped, exactTexts } from '../../search/exact.js';
export { createFilter, nameMatcher, pathFilter, pathMatcher } from '../../search/filter.js';
export {
  type Collection,
  type LexicalScores,
  scoreBm25f,
  type TermMatch,
} from '../../search/lexical.js';
export { inEnglish, type ParsedQuery, parseQuery } from '../../search/query.js';
export { readBest } from '../../search/rerank.js';
export { aboveShare, type RankedChunk, startRanking } from '../../search/scoring.js';
export { withIds } from '../../search/typed-filters.js';
export { DENSE, EXACT } from '../../search/weights.js';
export { cutOff, foreignHost, foreignPage, jsonIn, NO_JSON, type Refusal, readBytes } from '../../serve/loopback.js';
export { Graphs } from '../../session/graph/graphs.js';
export { sharedRepository } from '../../session/records/bring-records.js';
export { Session } from '../../session/session.js';
export { linkedFacts } from '../../session/siblings/ask.js';
export { Corpora } from '../../session/snapshot/corpora.js';
export type { IndexedSnapshot, SnapshotOrigin } from '../../session/snapshot/snapshot.js';
export { isProvider, vectorSource } from '../../session/vectors/vector-source.js';
export { createEmbedder, openVectors } from '../../session/vectors/vectors.js';
export { LexicalBuilder } from '../../shard/builder.js';
export { encodeLexical, orderUtf8, packStrings, StringTable } from '../../shard/lexical-format.js';
export { LexicalShard } from '../../shard/lexical-shard.js';
export { documentsOf, FileTable, type LiveSet, liveSetOf, locate } from '../../shard/live-set.js';
export { unionEntries } from '../../shard/merge.js';
export { VectorIndex } from '../../shard/nearest.js';
export { makeRows, VectorShard } from '../../shard/vector-shard.js';
export { chooseRemote } from '../../share/pull.js';
export type { Asker } from '../asker.js';
export type { FleetSearchDocument } from '../search/output.js';
export type {
  FleetAsking,
  FleetFileQuery,
  FleetQuery,
  FleetReposQuery,
  FleetUsesQuery,
} from './asking.js';
export { fileParams, readBodyValues, reposParams, searchParams, usesParams } from './asking.js';
export type { AgentHandler, Agents, FleetPackage, FleetStart } from './package.js';
export { userConfig } from './package.js';
export type {
  DropValues,
  FleetFileDocument,
  FleetReport,
  FleetReposDocument,
  FleetTokens,
  FleetUsesDocument,
  FleetValues,
  MaintainValues,
  PublishReport,
  PublishValues,
  RebuildValues,
  TokenValues,
} from './question.js';
