/**
 * Publishes refs of a repository: plan, units in batches, one conditional view. Killed at any point, it leaves units that the
 * next run finds, and no view. Of several publishers of one ref, the newest commit wins.
 */
import type { FleetProfile } from '../contract.js';
import {
  Corpora,
  type IndexedSnapshot,
  isAncestor,
  openVectors,
  type Progress,
  type Session,
  SocraticodeError,
} from '../internal.js';
import { familyId } from '../keys.js';
import type { PlanAnswer, Publication, PublishTarget } from '../target.js';
import { encodeFacts, encodeStats } from '../view.js';
import { type ContentFile, contentOf, statsOf } from './content.js';
import { linksOf } from './links.js';
import { uploadsOf } from './uploads.js';

/** A ref and the name under which it is published. */
export interface PublishedRef {
  ref: string;
  name: string;
  isDefault: boolean;
}

export interface PublishOptions {
  repo: string;
  family: string;
  dryRun?: boolean | undefined;
  /** Commits of each ref that stay searchable by their ids. */
  keep?: number | undefined;
  signal?: AbortSignal;
  progress: Progress;
}

export interface RefReport {
  ref: string;
  commit: string;
  outcome: 'published' | 'unchanged' | 'superseded' | 'planned' | 'deleted';
  /** Files with units, and files that the settings select. */
  covered: number;
  total: number;
  /** Units that the fleet lacked, and the bytes that were sent. */
  missing: number;
  sentBytes: number;
}

/** Tries after lost races before the publisher gives up. */
const ATTEMPTS = 5;

export class Publisher {
  private readonly corpora: Corpora;

  constructor(
    private readonly session: Session,
    private readonly target: PublishTarget,
    private readonly profile: FleetProfile,
    private readonly options: PublishOptions,
  ) {
    this.corpora = new Corpora(session);
  }

  /** Throws UNKNOWN_REF, the errors of indexing, and those of the target. */
  async publish({ ref, name, isDefault }: PublishedRef): Promise<RefReport> {
    const { session, options } = this;
    const origin = await session.origin(ref);
    const { commit, tree } = origin.resolved;
    if (commit === null) throw new SocraticodeError('UNBORN_HEAD', `${ref} has no commit yet`);
    const snapshot = await this.corpora.of(origin, options.signal);
    const files = contentOf(snapshot.corpus, familyId(options.family));
    const about = this.about(name);
    const report = { ref: name, commit, ...snapshot.coverage, missing: 0, sentBytes: 0 };
    let plan = await this.target.plan({ ...about, keys: files.map(({ key }) => key) });
    if (await this.isOlder(commit, plan.previous)) return { ...report, outcome: 'superseded' };
    report.missing = plan.missing.length;
    if (options.dryRun) return { ...report, outcome: 'planned' };
    if (plan.previous === commit && plan.missing.length === 0) {
      if (options.keep !== undefined) await this.target.keep({ ...about, commit, keep: options.keep });
      return { ...report, outcome: 'unchanged' };
    }
    const leftOut = new Set<string>();
    const stats = encodeStats(statsOf(snapshot.corpus));
    const links = await linksOf(session, origin, options.signal);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      report.sentBytes += await this.send(about, { files, plan, snapshot, leftOut });
      const included = files.filter(({ key }) => !leftOut.has(key));
      const covered = report.covered - (files.length - included.length);
      const view = { ...about, commit, previous: plan.previous, tree: tree, isDefault, stats, links };
      const facts = encodeFacts(included);
      const answer = await this.target.view({ ...view, covered, total: report.total, facts, keep: options.keep ?? 0 });
      if (answer.outcome === 'published') return { ...report, covered, outcome: 'published' };
      if (answer.outcome === 'incomplete') plan = { ...(await this.planAgain(about, files)), missing: answer.missing };
      else if (answer.commit === commit) return { ...report, covered, outcome: 'unchanged' };
      else if (await this.isBehind(commit, answer.commit)) return { ...report, outcome: 'superseded' };
      else plan = { previous: answer.commit, missing: [] };
    }
    throw new SocraticodeError('FLEET_MOVED', `${name} was published by others ${ATTEMPTS} times meanwhile`);
  }

  /** Marks a ref as deleted. False if another publisher changed it meanwhile. */
  async remove(name: string, previous: string): Promise<boolean> {
    const none = new Uint8Array(0);
    const head = { commit: '', previous, tree: '', covered: 0, total: 0, isDefault: false };
    const answer = await this.target.view({ ...this.about(name), ...head, facts: none, stats: none, links: none });
    return answer.outcome === 'published';
  }

  private about(ref: string): Publication {
    return { profile: this.profile.id, repo: this.options.repo, family: this.options.family, ref };
  }

  private planAgain(about: Publication, files: readonly ContentFile[]): Promise<PlanAnswer> {
    return this.target.plan({ ...about, keys: files.map(({ key }) => key) });
  }

  private async send(
    about: Publication,
    work: { files: readonly ContentFile[]; plan: PlanAnswer; snapshot: IndexedSnapshot; leftOut: Set<string> },
  ): Promise<number> {
    const { session, options } = this;
    const { corpus, settings } = work.snapshot;
    const wanted = new Set(work.plan.missing);
    const files = work.files.filter(({ key }) => wanted.delete(key));
    if (files.length === 0) return 0;
    const { config } = await session.configOfOrigin(await session.origin());
    const vectors =
      this.profile.content === this.profile.dimensions ? null : openVectors(session, settings, corpus.live);
    const context = { session, live: corpus.live, vectors, maxFileBytes: config.maxFileBytes, signal: options.signal };
    const onLeftOut = ({ key }: ContentFile) => work.leftOut.add(key);
    let sent = 0;
    let bytes = 0;
    for await (const batch of uploadsOf(files, { ...context, onLeftOut })) {
      await this.target.units({ ...about, units: batch.units });
      sent += batch.units.length;
      bytes += batch.bytes;
      options.progress.update(sent, files.length);
    }
    return bytes;
  }

  /** True if the published commit is known here and is newer: an old job must not move the branch back. */
  private async isOlder(commit: string, published: string): Promise<boolean> {
    if (published === '' || published === commit) return false;
    return isAncestor(this.session.repository.git, commit, published);
  }

  /** After a lost race: true unless the other commit is known here and ours is newer. */
  private async isBehind(commit: string, published: string): Promise<boolean> {
    return published !== '' && !(await isAncestor(this.session.repository.git, published, commit));
  }
}
