/** `context`: named files and folders next to the code. Those in the repository are part of its index, others are kept apart. */
import { resolve } from 'node:path';
import { SocraticodeError } from '../../../base/errors.js';
import type { Progress } from '../../../base/progress.js';
import { ARTIFACTS_FILE, type Artifact, liesIn } from '../../../config/context-artifacts.js';
import { isPartialClone } from '../../../git/worktree.js';
import { allowCommand } from '../../../session/linked/consent.js';
import type { Searcher, SearchOptions } from '../../../session/search/searcher.js';
import type { Session } from '../../../session/session.js';
import type { SnapshotOrigin } from '../../../session/snapshot/snapshot.js';
import type {
  ContextArtifact,
  ContextIndexReport,
  ContextList,
  ContextRemoveReport,
  ContextSearchResponse,
} from '../output.js';
import { insideSources, outsideSources, readTexts } from './artifact-texts.js';
import { describeInside, describeOutside, describeRefused } from './describe.js';
import { type InsideArtifact, type InsideContext, inspectInside } from './inside.js';
import { type FoundOutside, MAX_OUTSIDE, OutsideArtifacts, type OutsideSnapshot, type Refusal } from './outside.js';
import { compareOutside, removeStores } from './outside-store.js';

/** Named in an answer, of those that could not be searched: a hostile list has no end. */
const MAX_UNAVAILABLE = 5;

interface ContextOptions {
  /** Branch, tag or commit; without one what is checked out, uncommitted files included. */
  ref?: string;
  /** Names of artifacts; all of them without. */
  artifacts?: readonly string[];
  signal?: AbortSignal;
}

interface ContextSearchOptions
  extends ContextOptions,
    Pick<
      SearchOptions,
      'query' | 'limit' | 'minScore' | 'mode' | 'committed' | 'noContent' | 'explain' | 'path' | 'within'
    > {}

interface ContextIndexOptions extends ContextOptions {
  progress?: Progress;
  /** Indexes a ref elsewhere than in this process: blobs that were parsed, null where that goes on. */
  update?: (ref: string | undefined, signal: AbortSignal | undefined) => Promise<number | null>;
}

/** The state of inside artifacts, of which the numbers are made. */
export interface Inspected {
  artifact: Artifact;
  inside: InsideArtifact | null;
  document: ContextArtifact;
}

export class ContextArtifacts {
  readonly outside: OutsideArtifacts;

  constructor(
    readonly session: Session,
    private readonly searcher: Searcher,
  ) {
    this.outside = new OutsideArtifacts(session);
  }

  /** Every artifact and its state. Indexes nothing. Throws BAD_CONFIG, UNKNOWN_REF, and BAD_ARGUMENT for an unknown name. */
  async list({ ref, artifacts }: ContextOptions = {}): Promise<ContextList> {
    const origin = await this.origin(ref);
    const chosen = artifacts === undefined ? (origin.artifacts ?? []) : choose(origin, artifacts);
    const inspected = await this.inspect(chosen, origin, ref);
    return { ...headOf(origin), artifacts: listOf(inspected) };
  }

  /** One artifact, with the text of its files from the `from`th on, as far as that is not too much. Throws as `list` does. */
  async read(name: string, { ref, from = 0 }: { ref?: string; from?: number } = {}): Promise<ContextList> {
    const origin = await this.origin(ref);
    const chosen = choose(origin, [name]);
    const known = await this.outside.find(outsideOnes(chosen), origin);
    const inspected = await this.inspect(chosen, origin, ref, known);
    const outside = known.found[0]?.files;
    const files = inspected[0].inside?.files ?? [];
    const sources =
      outside === undefined
        ? insideSources(this.session, files, known.maxFileBytes)
        : outsideSources(outside, known.maxFileBytes);
    return { ...headOf(origin), artifacts: listOf(inspected), files: await readTexts(sources, from) };
  }

  /** The normal search over the artifacts' files alone. Throws what a search throws, and BAD_ARGUMENT without any artifact. */
  async search({ artifacts, within: accepts, ...options }: ContextSearchOptions): Promise<ContextSearchResponse> {
    const origin = await this.origin(options.ref);
    const chosen = choose(origin, artifacts);
    const folders = chosen.flatMap(({ name, inside }) => (inside === null ? [] : [{ name, inside }]));
    const { found, refused, snapshot } = await this.refreshOutside(chosen, origin, options.signal);
    const searched = new Set(found.filter(({ files }) => files.list.length > 0).map(({ artifact }) => artifact.name));
    const within = (path: string) => {
      const own = folders.filter(({ inside }) => liesIn(path, inside));
      for (const { name } of own) searched.add(name);
      return (own.length > 0 || snapshot.nameOf.has(path)) && accepts?.(path) !== false;
    };
    const extend = async (base: Parameters<OutsideSnapshot['extend']>[0]) => snapshot.extend(base);
    const response = await this.searcher.search({
      ...options,
      within,
      ...(snapshot.files.length > 0 && { extend }),
    });
    const rest = chosen.filter(({ name }) => !searched.has(name));
    const inspected = await this.inspect(rest, origin, options.ref, { found, refused });
    const unavailable = inspected.filter(({ document }) => document.note !== null);
    return {
      ...response,
      artifacts: chosen.length - unavailable.length,
      unavailable: unavailable
        .slice(0, MAX_UNAVAILABLE)
        .map(({ document: { name, state, note } }) => ({ name, state, note: note ?? '' })),
      unavailableTotal: unavailable.length,
      results: response.results
        .filter(({ path }) => !snapshot.hasMoved(path))
        .map((result) => withOwnName(result, snapshot)),
    };
  }

  /** Indexes the ref, and brings outside artifacts up to date. Throws what indexing throws. */
  async index(options: ContextIndexOptions = {}): Promise<ContextIndexReport> {
    const { ref, signal } = options;
    const origin = await this.origin(ref);
    const chosen = choose(origin, options.artifacts);
    const indexed = await this.indexSnapshot(chosen, origin, options);
    const { found, snapshot } = await this.refreshOutside(chosen, origin, signal);
    const inspected = await this.inspect(chosen, origin, ref);
    return {
      ...headOf(origin),
      ...(indexed === null ? { indexing: true as const, new: 0 } : { new: indexed }),
      outside: { artifacts: found.length, files: snapshot.files.length, new: snapshot.parsed },
      artifacts: listOf(inspected),
    };
  }

  /** Deletes what is kept of outside artifacts. Throws DISK, and BAD_ARGUMENT for an unknown name. */
  async remove({ artifacts }: Pick<ContextOptions, 'artifacts'> = {}): Promise<ContextRemoveReport> {
    // Without names nothing has to be read right: what is to go is in one place.
    const origin = await this.origin(undefined).catch((error: unknown) => {
      if (artifacts !== undefined) throw error;
      return null;
    });
    const chosen =
      origin === null ? [] : artifacts === undefined ? (origin.artifacts ?? []) : choose(origin, artifacts);
    let gone = { removed: 0, bytes: 0 };
    if (artifacts === undefined) gone = removeStores(this.session);
    else if (origin !== null) {
      for (const { files } of (await this.outside.find(outsideOnes(chosen), origin)).found) {
        const { removed, bytes } = removeStores(this.session, files);
        gone = { removed: gone.removed + removed, bytes: gone.bytes + bytes };
      }
    }
    this.outside.clear();
    const kept = chosen.flatMap(({ name, inside }) => (inside === null ? [] : [name]));
    const note = `part of the repository's index; to keep one out, take it from ${ARTIFACTS_FILE}`;
    return { schemaVersion: 1, ...gone, kept, note: kept.length > 0 ? note : null };
  }

  /** Artifacts with their state, in their order. */
  async inspect(
    artifacts: readonly Artifact[],
    origin: SnapshotOrigin,
    ref: string | undefined,
    known?: { found: readonly FoundOutside[]; refused: ReadonlyMap<string, Refusal> },
  ): Promise<Inspected[]> {
    if (artifacts.length === 0) return [];
    const { found, refused } = known ?? (await this.outside.find(outsideOnes(artifacts), origin));
    const hasInside = artifacts.some(({ inside }) => inside !== null);
    const context = hasInside ? await this.insideContext(origin, ref) : null;
    const { maxFileBytes } = (await this.session.configOfOrigin(origin)).config;
    return Promise.all(
      artifacts.map(async (artifact): Promise<Inspected> => {
        if (artifact.inside !== null && context !== null) {
          const inside = await inspectInside(context, artifact);
          return { artifact, inside, document: describeInside(artifact, inside) };
        }
        const outside = found.find((each) => each.artifact.name === artifact.name);
        const document =
          outside === undefined
            ? this.describeRefusal(artifact, refused.get(artifact.name) ?? 'not-allowed')
            : describeOutside(artifact, outside.files, compareOutside(this.session, outside.files, maxFileBytes));
        return { artifact, inside: null, document };
      }),
    );
  }

  /** Origin of a ref, or of HEAD, which may have no commit yet. Throws BAD_CONFIG. */
  async origin(ref: string | undefined): Promise<SnapshotOrigin> {
    const origin = await this.session.origin(ref, { unborn: true });
    if (origin.artifactsFault === undefined) return origin;
    throw new SocraticodeError('BAD_CONFIG', origin.artifactsFault, { hint: `Correct ${ARTIFACTS_FILE}.` });
  }

  private describeRefusal(artifact: Artifact, refusal: Refusal): ContextArtifact {
    const { workTree, gitDir } = this.session.repository;
    const allow = allowCommand(resolve(workTree ?? gitDir, artifact.path), 'context.allow');
    return describeRefused(artifact, refusal, allow, MAX_OUTSIDE);
  }

  private async insideContext(origin: SnapshotOrigin, ref: string | undefined): Promise<InsideContext> {
    const { session } = this;
    const manifest = session.shards.readManifest();
    const [{ selection }, changes] = await Promise.all([
      session.selectionOf(origin),
      ref === undefined ? session.readChanges?.() : undefined,
    ]);
    return {
      objects: session.objects,
      tree: origin.resolved.tree,
      partial: isPartialClone(session.gitConfig),
      selection,
      shards: session.shards.openShards(manifest),
      unreadable: new Set(manifest.unreadable),
      changes: changes?.list ?? [],
    };
  }

  private async refreshOutside(artifacts: readonly Artifact[], origin: SnapshotOrigin, signal?: AbortSignal) {
    const { found, refused, maxFileBytes } = await this.outside.find(outsideOnes(artifacts), origin);
    return { found, refused, snapshot: await this.outside.refresh(found, maxFileBytes, signal) };
  }

  /** Blobs that were parsed, null where that goes on. A repository without a commit has nothing to index. */
  private async indexSnapshot(
    artifacts: readonly Artifact[],
    origin: SnapshotOrigin,
    { ref, signal, progress, update }: ContextIndexOptions,
  ): Promise<number | null> {
    const isUnborn = origin.resolved.commit === null && ref === undefined;
    if (isUnborn || artifacts.every(({ inside }) => inside === null)) return 0;
    if (update !== undefined) return update(ref, signal);
    const { indexRef } = await import('../../../session/indexing/index-operation.js');
    return (await indexRef(this.session, { ref, signal, progress })).new;
  }
}

function headOf({ resolved }: SnapshotOrigin) {
  return { schemaVersion: 1 as const, ref: resolved.ref, commit: resolved.commit };
}

function listOf(inspected: readonly Inspected[]): ContextList['artifacts'] {
  return { list: inspected.map(({ document }) => document), leftOut: 0 };
}

function outsideOnes(artifacts: readonly Artifact[]): Artifact[] {
  return artifacts.filter(({ inside }) => inside === null);
}

/** Throws BAD_ARGUMENT for a name that none has, and where there are none at all. */
function choose({ artifacts = [] }: SnapshotOrigin, names?: readonly string[]): readonly Artifact[] {
  if (artifacts.length === 0) {
    throw new SocraticodeError('BAD_ARGUMENT', 'this repository names no context artifacts', {
      hint: `List files or folders in ${ARTIFACTS_FILE}: {"artifacts": [{"name": "…", "path": "…", "description": "…"}]}`,
    });
  }
  for (const name of names ?? []) {
    if (artifacts.some((artifact) => artifact.name === name)) continue;
    const hint = `Artifacts here: ${artifacts.map((artifact) => artifact.name).join(', ')}`;
    throw new SocraticodeError('BAD_ARGUMENT', `no artifact is called ${name}`, { hint });
  }
  return names === undefined ? artifacts : artifacts.filter(({ name }) => names.includes(name));
}

function withOwnName<T extends { path: string; artifact?: string }>(result: T, { nameOf }: OutsideSnapshot): T {
  const artifact = nameOf.get(result.path);
  return artifact === undefined ? result : { ...result, artifact };
}
