/** `context`: lists, shows, searches, indexes and removes the artifacts of a repository. */
import '../../session/search/searcher.js'; // Loaded with this file, while git answers.
import { SocraticodeError } from '../../base/errors.js';
import { hasFilters, splitFilters } from '../../search/query-filters.js';
import type { Asker } from '../asker.js';
import { ContextArtifacts } from './artifacts/context-artifacts.js';
import type { ContextIndexReport, ContextList, ContextRemoveReport, ContextSearchResponse } from './output.js';
import type { IndexValues, ListValues, RemoveValues, SearchValues, ShowValues } from './params.js';
import { artifactsOf } from './project-artifacts.js';

/** Lines of each result in the documents that agents get: artifacts are prose, whose lines are long. */
const REPLY_LINES = 10;
/** Time in milliseconds that a call waits for an index that is being made. */
const WAIT_MS = 20_000;

/** A server keeps the artifacts of a project while it is open. */
async function openArtifacts(at: Asker): Promise<ContextArtifacts> {
  if (at.server !== undefined) return artifactsOf(at.server.project);
  return new ContextArtifacts(at.session, await at.searcher());
}

/** Throws BAD_CONFIG, UNKNOWN_REF, and BAD_ARGUMENT for an unknown name. */
export async function answerList(at: Asker, { artifact, ref }: ListValues): Promise<ContextList> {
  const artifacts = await openArtifacts(at);
  // Agents have no tool to show one: naming it asks for the text of its files.
  if (at.server !== undefined && artifact !== undefined)
    return artifacts.read(artifact[0], { ref, from: at.server.skip });
  return artifacts.list({ ref, artifacts: artifact });
}

/** Throws as `answerList` does. */
export async function answerShow(at: Asker, { name, ref }: ShowValues): Promise<ContextList> {
  return (await openArtifacts(at)).read(name, { ref });
}

/** Throws what a search throws, and BAD_ARGUMENT without any artifact, or for a filter that is about code. */
export async function answerSearch(at: Asker, values: SearchValues): Promise<ContextSearchResponse> {
  const {
    query: typed = '',
    artifact,
    ref,
    committed,
    limit,
    minScore,
    noContent,
    path,
    author,
    since,
    until,
  } = values;
  const { query, filters } = splitFilters(typed);
  if (filters.uses !== undefined || filters.tag !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'uses: and tag: are about code, and artifacts are none', {
      hint: 'git socraticode search QUERY searches code and artifacts.',
    });
  const is = [...(values.is ?? []), ...(filters.is ?? [])];
  const conditions = { author, since, until, ...filters, is, ref, committed };
  const { within } = hasFilters(conditions) ? await (await import('../file-filters.js')).narrow(at, conditions) : {};
  const asked = { query, artifacts: artifact, ref, committed, limit, minScore, noContent, path, signal: at.signal };
  const response = await (await openArtifacts(at)).search({ ...asked, within });
  if (at.server === undefined) return response;
  const { withExcerpts } = await import('../results/excerpt.js');
  return withExcerpts(response, () => REPLY_LINES);
}

/** Throws what indexing throws. */
export async function answerIndex(at: Asker, { artifact, ref }: IndexValues): Promise<ContextIndexReport> {
  const { server, signal } = at;
  const artifacts = await openArtifacts(at);
  if (server === undefined) return artifacts.index({ artifacts: artifact, ref, signal });
  const { background } = server.project;
  return artifacts.index({
    ref,
    signal,
    async update(indexed, until) {
      const outcome = await background.update({ ref: indexed }, { waitMs: WAIT_MS, signal: until });
      if (outcome.status === 'failed') throw outcome.error;
      return outcome.status === 'done' ? outcome.report.new : null;
    },
  });
}

/** Throws DISK, and BAD_ARGUMENT for an unknown name. */
export async function answerRemove(at: Asker, { artifact }: RemoveValues): Promise<ContextRemoveReport> {
  return (await openArtifacts(at)).remove({ artifacts: artifact });
}
