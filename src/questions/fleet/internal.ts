/**
 * Parts of this package that `git-socraticode-fleet` uses. It imports nothing else of `src`, and only its loader imports this.
 * No interface for others: the two packages have one version.
 */
export { ByteReader, ByteWriter } from '../../base/buffers.js';
export { ERROR_CODES, type ErrorCode } from '../../base/error-codes.js';
export { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
export { safeJson, visibleLine } from '../../base/hygiene.js';
export { type Holder, lifeOf, ownHolder } from '../../base/lock-holder.js';
export { log } from '../../base/log.js';
export { createProgress, type Progress } from '../../base/progress.js';
export { remember } from '../../base/remember.js';
export { profileId } from '../../config/profile.js';
export { resolveConfig } from '../../config/resolve.js';
export type { Config } from '../../config/types.js';
export { builtinModel } from '../../embed/builtin/index.js';
export { wordVector } from '../../embed/builtin/model.js';
export { builtinIdentity } from '../../embed/builtin-identity.js';
export type { Embedder } from '../../embed/embedder.js';
export type { BlobFacts } from '../../extract/facts.js';
export { syntaxFingerprint } from '../../extract/version.js';
export { listBranches, listTags } from '../../git/branches.js';
export { isAncestor } from '../../git/merge-bases.js';
export { readBranchAndRemotes } from '../../git/porcelain.js';
export { Git } from '../../git/process.js';
export { Remote } from '../../git/remote.js';
export { readGitConfig } from '../../git/worktree.js';
export type { LinkedFacts } from '../../graph/across/facts.js';
export { Published, placeKey, type ReachedPlace } from '../../graph/across/impact.js';
export { mayUse, sketchOf, wantedOf } from '../../graph/across/sketch.js';
export { deriveBlobs } from '../../indexer/derive.js';
export { ParserPool } from '../../indexer/parser-pool.js';
export { computeStaticVectors } from '../../indexer/static-run.js';
export { LANGUAGE_IDS } from '../../languages/ids.js';
export { noRelations } from '../../languages/roles/relation-facts.js';
export { commandText, optionText } from '../../params/command-line.js';
export { type CborValue, decodeCanonical, encodeCanonical } from '../../record/cbor.js';
export { decodeChunksAndSymbols, encodeUnchecked } from '../../record/codec.js';
export { HASH_BYTES } from '../../record/limits.js';
export { contradiction } from '../../record/plausible.js';
export type { CborLimits } from '../../record/prescan.js';
export { syntaxStore } from '../../record/store.js';
export { decodeVectorRecord, encodeVectorRecord } from '../../record/vector-codec.js';
export { type Collection, type LexicalScores, scoreBm25f, type TermMatch } from '../../search/bm25.js';
export { CENTRE_SAMPLE, meanOfChunks, without } from '../../search/centre.js';
export { collapse, type SearchResult } from '../../search/collapse.js';
export { type Corpus, PATH_CLASSES, type PathClass } from '../../search/corpus.js';
export { type DenseQuery, DenseScorer, providerQuery, staticQuery } from '../../search/dense.js';
export { asTyped, exactTexts } from '../../search/exact.js';
export { createFilter, nameMatcher, pathFilter, pathMatcher } from '../../search/filter.js';
export { withIds } from '../../search/filter-names.js';
export { PathPostings, pathLength, pathTerms } from '../../search/paths.js';
export { inEnglish, type ParsedQuery, parseQuery } from '../../search/query.js';
export { aboveShare, type RankedChunk, startRanking } from '../../search/rank.js';
export { readBest } from '../../search/read-best.js';
export { DENSE, EXACT } from '../../search/weights.js';
export { jsonIn, NO_JSON, readBytes } from '../../serve/loopback/body.js';
export { foreignHost, foreignPage, type Refusal } from '../../serve/loopback/guard.js';
export { cutOff } from '../../serve/loopback/listen.js';
export { GraphPreparer } from '../../session/graph/prepare.js';
export { linkedFacts } from '../../session/linked/linked-facts.js';
export { sharedRepository } from '../../session/records/bring-records.js';
export { Session } from '../../session/session.js';
export { SnapshotPreparer } from '../../session/snapshot/prepare.js';
export type { IndexedSnapshot, SnapshotOrigin } from '../../session/snapshot/snapshot.js';
export { isProvider, vectorSource } from '../../session/vectors/vector-source.js';
export { createEmbedder, openVectors } from '../../session/vectors/vectors.js';
export { LexicalBuilder } from '../../shard/builder.js';
export { encodeLexical } from '../../shard/columns.js';
export { LexicalShard } from '../../shard/lexical.js';
export { documentsOf, FileTable, type LiveSet, liveSetOf, locate } from '../../shard/live.js';
export { unionEntries } from '../../shard/merge.js';
export { VectorIndex } from '../../shard/nearest.js';
export { orderUtf8, packStrings, StringTable } from '../../shard/strings.js';
export { VectorShard } from '../../shard/vector-shard.js';
export { chooseRemote } from '../../share/remotes.js';
export type { Asker } from '../asker.js';
export type { PublishReport } from '../publish/output.js';
export type { PublishValues } from '../publish/question.js';
export type {
  FleetAsking,
  FleetFileQuery,
  FleetQuery,
  FleetReposQuery,
  FleetUsesQuery,
} from './asking.js';
export { fileParams, readBodyValues, reposParams, searchParams, usesParams } from './asking.js';
export type { FleetFileDocument } from './file/output.js';
export type { FleetReport } from './output.js';
export type { AgentHandler, Agents, FleetPackage, FleetStart } from './package.js';
export type { DropValues, FleetValues, MaintainValues, RebuildValues } from './question.js';
export type { FleetReposDocument } from './repos/output.js';
export type { FleetSearchDocument } from './search/output.js';
export { userConfig } from './settings.js';
export type { FleetUsesDocument } from './uses/output.js';
