/**
 * Takes publications into a store: checks them, makes rows of units, and swaps views. A server calls it after its
 * authorisation, a trusted publisher directly. It stores nothing between calls.
 */
import { setImmediate } from 'node:timers/promises';
import type { FleetEngine } from './contract.js';
import { isSocraticodeError, SocraticodeError } from './internal.js';
import { keepCommit } from './keep-commit.js';
import { checkName, familyId, viewKey } from './keys.js';
import { decodeLinks } from './links.js';
import type {
  KeepRequest,
  PlanAnswer,
  PlanRequest,
  Publication,
  PublishedView,
  PublishTarget,
  UnitsAnswer,
  UnitsRequest,
  ViewAnswer,
  ViewHead,
} from './target.js';
import { makeUnit, type StoredUnit } from './unit.js';
import { decodeFacts, keysOf, readStats } from './view.js';

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export interface IntakeOptions {
  /** False leaves texts out. */
  keepsText?: boolean;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export class FleetIntake implements PublishTarget {
  private readonly keepsText: boolean;
  private readonly now: () => number;

  constructor(
    private readonly engine: FleetEngine,
    { keepsText = true, now = Date.now }: IntakeOptions = {},
  ) {
    this.keepsText = keepsText;
    this.now = now;
  }

  /** Throws FLEET_PROFILE and BAD_ARGUMENT. Writes nothing. */
  async plan(request: PlanRequest): Promise<PlanAnswer> {
    this.check(request);
    const [previous, missing] = await Promise.all([this.commitOf(request), this.engine.missing(request.keys)]);
    return { previous, missing };
  }

  /** Stores the units that are still missing. Throws FLEET_BAD_UNIT, and then stores nothing of the batch. */
  async units({ units, ...about }: UnitsRequest): Promise<UnitsAnswer> {
    this.check(about);
    const place = {
      profile: this.engine.profile,
      family: familyId(about.family),
      keepsText: this.keepsText,
      now: this.seconds(),
    };
    const made: StoredUnit[] = [];
    for (const upload of units) {
      made.push(makeUnit(upload, place));
      // Each unit takes some milliseconds; in between, the server answers others.
      await setImmediate();
    }
    const byKey = new Map(made.map((each) => [each.unit.key, each]));
    const missing = await this.engine.missing([...byKey.keys()]);
    const rows = missing.flatMap((key) => byKey.get(key) ?? []);
    if (rows.length > 0) {
      await this.engine.append(
        rows.map(({ unit }) => unit),
        rows.map(({ record }) => record),
      );
    }
    return { stored: rows.length };
  }

  /** Publishes a view, or a deleted branch (`commit` is ''). Throws FLEET_PROFILE, BAD_ARGUMENT and FLEET_STORE. */
  async view(request: PublishedView): Promise<ViewAnswer> {
    this.check(request);
    const { profile, family, keep = 0, ...view } = request;
    for (const oid of [view.commit, view.previous, view.tree])
      if (oid !== '' && !OID.test(oid)) throw new SocraticodeError('BAD_ARGUMENT', 'a commit is a full object id');
    const isDeleted = view.commit === '';
    const keys = isDeleted ? [] : keysIn(view);
    const missing = await this.engine.missing(keys);
    if (missing.length > 0) return { outcome: 'incomplete', missing };
    const none = new Uint8Array(0);
    const content = { ...view, ...(isDeleted && { facts: none, stats: none, links: none }) };
    const row = { ...content, family: familyId(family), publishedAt: this.seconds() };
    const isOurs = await this.engine.swapView(row);
    if (isOurs && keep > 0 && !isDeleted) await keepCommit(this.engine, row, keep);
    if (!isOurs) return { outcome: 'moved', commit: await this.commitOf(request) };
    // Maintenance may have collected a unit since the plan: the publisher sends it again.
    const lost = await this.engine.missing(keys);
    return lost.length > 0 ? { outcome: 'incomplete', missing: lost } : { outcome: 'published' };
  }

  async keep({ commit, keep, ...about }: KeepRequest): Promise<boolean> {
    this.check(about);
    const found = await this.engine.readViews({ parts: 'all', keys: [viewKey(about.repo, about.ref)] });
    const row = found?.views.find((view) => view.commit === commit && commit !== '');
    if (row !== undefined) await keepCommit(this.engine, row, keep);
    return row !== undefined;
  }

  async refs(request: Omit<Publication, 'ref'>): Promise<ViewHead[]> {
    this.check({ ...request, ref: 'HEAD' });
    const found = await this.engine.readViews({ parts: 'heads', repo: request.repo });
    return (found?.views ?? []).filter(({ commit }) => commit !== '');
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  private async commitOf({ repo, ref }: Publication): Promise<string> {
    const found = await this.engine.readViews({ parts: 'heads', keys: [viewKey(repo, ref)] });
    return found?.views[0]?.commit ?? '';
  }

  private check({ profile, repo, family, ref }: Publication): void {
    const own = this.engine.profile.id;
    if (profile !== own)
      throw new SocraticodeError('FLEET_PROFILE', `the fleet's profile is ${own}, the publisher's is ${profile}`);
    checkName(repo, 'repository');
    checkName(family, 'family');
    checkName(ref, 'ref');
  }

  private seconds(): number {
    return Math.floor(this.now() / 1_000);
  }
}

/** Keys that an uploaded view names. A damaged view is the publisher's fault, not the store's. */
function keysIn({ facts, stats, links }: Pick<PublishedView, 'facts' | 'stats' | 'links'>): string[] {
  try {
    readStats(stats, () => {});
    decodeLinks(links);
    return keysOf(decodeFacts(facts));
  } catch (cause) {
    if (!isSocraticodeError(cause, 'FLEET_STORE')) throw cause;
    throw new SocraticodeError('BAD_ARGUMENT', `the view is refused: ${cause.message}`, { cause });
  }
}
