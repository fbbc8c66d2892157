/** Searches a repository and its linked ones: asks each at its own HEAD and merges the results into one list. */
import { join } from 'node:path';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { visibleLine } from '../../base/hygiene.js';
import { lockHolder } from '../../base/lock.js';
import type { LinkedAnswer, LinkState } from '../../questions/results/output.js';
import type { SearchResponse } from '../../questions/search/output.js';
import type { Searcher, SearchOptions } from '../search/searcher.js';
import type { Session } from '../session.js';
import { fuse } from './fusion.js';
import { labelsOf } from './labels.js';
import { inspectLink } from './linked-repository.js';
import { findLinks, type Link } from './links.js';

/** A repository that can be searched. */
export interface Searchable {
  session: Session;
  searcher: Searcher;
  /** Returns whether the process that opened it is indexing it. */
  isIndexing?: () => boolean;
  /** Called when the search is done with it. */
  release?: () => void;
}

export interface LinkAccess {
  /** Opens an allowed repository, by the top of its work tree. */
  open: (directory: string) => Promise<Searchable>;
  /** Time in milliseconds that linked repositories may take after this one's own answer. */
  graceMs: number;
}

/** Repositories searched at a time: each may have files to parse. */
const AT_ONCE = 4;

/** Result of asking one linked repository. */
interface Outcome {
  link: Link;
  projectId: string | null;
  state: LinkState;
  response: SearchResponse | null;
  reason: string | null;
}

/** Throws as `Searcher.search` does for this repository; failures of linked ones are part of the answer. */
export async function searchLinked(
  main: Searchable,
  options: SearchOptions,
  access: LinkAccess,
): Promise<SearchResponse> {
  if (options.in !== undefined || options.allRefs) {
    const message = 'linked repositories are searched at their own HEAD: a range or all branches are of one repository';
    throw new SocraticodeError('BAD_ARGUMENT', message, { hint: 'Search them without a range, or this one alone.' });
  }
  const origin = await main.session.origin(options.ref, { unborn: true });
  // Merging reads the texts of results.
  const full = { ...options, noContent: false, mayBeEmpty: true };
  const answering = main.searcher.search(full);
  answering.catch(() => {});
  const others = new OtherRepositories(full, access);
  const { list, consent } = await findLinks(main.session, origin);
  const asking = others.ask(list, (link, directory) => inspectLink(link, directory, main.session.repository, consent));
  asking.catch(() => {});
  try {
    const answer = await answering;
    const outcomes = await others.outcomes(asking, list);
    const { config } = await main.session.configOfOrigin(origin);
    const all = joined(answer, outcomes, { limit: options.limit ?? config.search.limit, own: config.projectId });
    return options.noContent ? { ...all, results: all.results.map(({ content: _, ...rest }) => rest) } : all;
  } finally {
    others.stop();
  }
}

class OtherRepositories {
  private readonly controller = new AbortController();
  private readonly signal: AbortSignal;
  private readonly done = new Map<Link, Outcome>();
  private readonly commonDirs = new Map<Link, string>();

  constructor(
    private readonly options: SearchOptions,
    private readonly access: LinkAccess,
  ) {
    const { signal } = options;
    this.signal = signal === undefined ? this.controller.signal : AbortSignal.any([signal, this.controller.signal]);
  }

  stop(): void {
    this.controller.abort();
  }

  async ask(links: readonly Link[], inspect: Inspect): Promise<void> {
    await Promise.all(links.map((link) => this.inspect(link, inspect)));
    const queue = this.withoutTwins(links);
    const worker = async (): Promise<void> => {
      for (let link = queue.shift(); link !== undefined && !this.signal.aborted; link = queue.shift())
        await this.askOne(link);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  private async inspect(link: Link, inspect: Inspect): Promise<void> {
    const found = link.refusal ?? (await inspect(link, link.directory as string));
    if ('state' in found) this.done.set(link, { ...nothing(link), ...found });
    else this.commonDirs.set(link, found.commonDir);
  }

  /** Returns the links to search: only the first of several work trees of one repository. */
  private withoutTwins(links: readonly Link[]): Link[] {
    const first = new Map<string, Link>();
    return links.filter((link) => {
      const commonDir = this.commonDirs.get(link);
      const twin = commonDir === undefined ? undefined : first.get(commonDir);
      if (twin !== undefined)
        this.done.set(link, { ...nothing(link), state: 'same', reason: `the same repository as ${twin.path}` });
      if (commonDir === undefined || twin !== undefined) return false;
      first.set(commonDir, link);
      return true;
    });
  }

  private async askOne(link: Link): Promise<void> {
    const outcome = await this.search(link).catch((error: unknown): Outcome => {
      const reason = isSocraticodeError(error) ? `${error.message}; ${error.hint}` : String(error);
      return { ...nothing(link), state: 'failed', reason };
    });
    this.done.set(link, outcome);
  }

  private async search(link: Link): Promise<Outcome> {
    const { session, searcher, isIndexing, release } = await this.access.open(link.directory as string);
    try {
      const response = await searcher.search({ ...this.options, ref: undefined, signal: this.signal });
      const { config } = await session.configOfOrigin(await session.origin(undefined, { unborn: true }));
      const { covered, total } = response.coverage;
      const isPartial = covered < total && (isIndexing?.() || this.isWriting(link));
      const state = isPartial ? 'indexing' : 'searched';
      return { link, projectId: config.projectId ?? null, state, response, reason: null };
    } finally {
      release?.();
    }
  }

  private isWriting(link: Link): boolean {
    const commonDir = this.commonDirs.get(link);
    return commonDir !== undefined && lockHolder(join(commonDir, 'socraticode', 'writer.lock')) !== null;
  }

  /** Returns the answers received within the grace time, and reports the others as missing. */
  async outcomes(asking: Promise<void>, links: readonly Link[]): Promise<Outcome[]> {
    const { graceMs } = this.access;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([asking, grace]).finally(() => clearTimeout(timer));
    this.options.signal?.throwIfAborted();
    return links.map((link) => this.done.get(link) ?? this.late(link));
  }

  private late(link: Link): Outcome {
    const isWriting = this.isWriting(link);
    const seconds = Math.round(this.access.graceMs / 100) / 10;
    const reason = isWriting ? 'it is being indexed; ask again' : `no answer within ${seconds} s; ask again`;
    return { ...nothing(link), state: isWriting ? 'indexing' : 'failed', reason };
  }
}

type Inspect = (link: Link, directory: string) => ReturnType<typeof inspectLink>;

function nothing(link: Link): Outcome {
  return { link, projectId: null, state: 'failed', response: null, reason: null };
}

function joined(
  answer: SearchResponse,
  outcomes: readonly Outcome[],
  { limit, own }: { limit: number; own: string | undefined },
): SearchResponse {
  const labels = labelsOf(
    outcomes.map(({ projectId, link }) => ({ ...link, projectId })),
    own === undefined ? [] : [own],
  );
  const lists = outcomes.flatMap(({ response }, i) => (response === null ? [] : { ...response, project: labels[i] }));
  const results = fuse(answer.query, [{ ...answer, project: null }, ...lists], limit);
  const linked = outcomes.map(
    ({ link, state, response, reason }, i): LinkedAnswer => ({
      project: labels[i],
      path: link.path,
      state,
      commit: response?.commit ?? null,
      coverage: response?.coverage ?? null,
      results: results.filter(({ project }) => project === labels[i]).length,
      reason: reason === null ? null : visibleLine(reason),
    }),
  );
  return { ...answer, linked, results };
}
