/** Asks linked repositories the same thing, several at a time, within a time limit. */
import { join } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { visibleLine } from '../../base/hygiene.js';
import { lockHolder } from '../../base/lock.js';
import type { LinkedAnswer, LinkState } from '../../questions/results/output.js';
import type { GraphPreparer } from '../graph/prepare.js';
import type { Searcher } from '../search/searcher.js';
import type { Session } from '../session.js';
import { labelsOf } from './labels.js';
import type { inspectLink } from './linked-repository.js';
import type { Link } from './links.js';

/** A repository that can be asked. */
export interface Searchable {
  session: Session;
  searcher: Searcher;
  /** Linked graphs of the session, where its process keeps them. */
  graphs?: () => Promise<GraphPreparer>;
  /** Returns whether the process that opened it is indexing it. */
  isIndexing?: () => boolean;
  /** Called when the question is done with it. */
  release?: () => void;
}

export interface LinkAccess {
  /** Opens an allowed repository, by the top of its work tree. */
  open: (directory: string) => Promise<Searchable>;
  /** Time in milliseconds that linked repositories may take after this one's own answer. */
  graceMs: number;
}

/** Repositories asked at a time: each may have files to parse. */
const AT_ONCE = 4;

/** Parts of an answer that say how much of a repository it is about. */
export interface Answered {
  commit: string | null;
  coverage: { covered: number; total: number };
}

/** Result of asking one linked repository. */
export interface Outcome<Answer extends Answered> {
  link: Link;
  projectId: string | null;
  state: LinkState;
  response: Answer | null;
  reason: string | null;
}

export type AskOne<Answer> = (repository: Searchable, signal: AbortSignal) => Promise<Answer>;

export class OtherRepositories<Answer extends Answered> {
  private readonly controller = new AbortController();
  private readonly signal: AbortSignal;
  private readonly done = new Map<Link, Outcome<Answer>>();
  private readonly commonDirs = new Map<Link, string>();

  constructor(
    private readonly askOne: AskOne<Answer>,
    private readonly access: LinkAccess,
    private readonly given?: AbortSignal,
  ) {
    const signal = given;
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
        await this.askLink(link);
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

  private async askLink(link: Link): Promise<void> {
    const outcome = await this.answerOf(link).catch((error: unknown): Outcome<Answer> => {
      const reason = isSocraticodeError(error) ? `${error.message}; ${error.hint}` : String(error);
      return { ...nothing(link), state: 'failed', reason };
    });
    this.done.set(link, outcome);
  }

  private async answerOf(link: Link): Promise<Outcome<Answer>> {
    const repository = await this.access.open(link.directory as string);
    const { session, isIndexing, release } = repository;
    try {
      const response = await this.askOne(repository, this.signal);
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
  async outcomes(asking: Promise<void>, links: readonly Link[]): Promise<Outcome<Answer>[]> {
    const { graceMs } = this.access;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([asking, grace]).finally(() => clearTimeout(timer));
    this.given?.throwIfAborted();
    return links.map((link) => this.done.get(link) ?? this.late(link));
  }

  private late(link: Link): Outcome<Answer> {
    const isWriting = this.isWriting(link);
    const seconds = Math.round(this.access.graceMs / 100) / 10;
    const reason = isWriting ? 'it is being indexed; ask again' : `no answer within ${seconds} s; ask again`;
    return { ...nothing(link), state: isWriting ? 'indexing' : 'failed', reason };
  }
}

type Inspect = (link: Link, directory: string) => ReturnType<typeof inspectLink>;

function nothing(link: Link): Omit<Outcome<never>, 'response'> & { response: null } {
  return { link, projectId: null, state: 'failed', response: null, reason: null };
}

/** Labels and states of repositories, in order; `own`: the label that this repository has. */
export function statesOf(
  outcomes: readonly Outcome<Answered>[],
  own: string | undefined,
): Omit<LinkedAnswer, 'results'>[] {
  const named = outcomes.map(({ projectId, link }) => ({ ...link, projectId }));
  const labels = labelsOf(named, own === undefined ? [] : [own]);
  return outcomes.map(({ link, state, response, reason }, i) => ({
    project: labels[i],
    path: link.path,
    state,
    commit: response?.commit ?? null,
    coverage: response?.coverage ?? null,
    reason: reason === null ? null : visibleLine(reason),
  }));
}
