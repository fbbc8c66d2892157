/** `fleet rebuild`: makes new tables beside the old ones, from their undamaged parts and from clones, and switches the store to them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetEngine } from '../contract.js';
import type { Rebuild } from '../engines/lance/rebuild.js';
import { FleetIntake } from '../intake.js';
import { createProgress, type FleetReport, isSocraticodeError, Session } from '../internal.js';
import { Publisher } from '../publish/publish.js';
import { publishRefs, repositoryName } from '../publish/refs.js';
import { copyViews, type LeftView } from '../rebuild.js';

/** Milliseconds until no server publishes into the old tables: servers check every ten seconds which tables are current. */
const SETTLE_MS = 12_000;

export interface RebuildOptions {
  /** Clones whose notes replace damaged contents. */
  from: readonly string[];
  /** Switches even if refs are left out. */
  force: boolean;
  keepsText: boolean;
  signal: AbortSignal;
  settleMs?: number;
}

type Report = NonNullable<FleetReport['rebuilt']>;

/** Throws the errors of publishing, and FLEET_STORE. */
export async function rebuildFleet(rebuild: Rebuild, options: RebuildOptions): Promise<Report> {
  const { old, next, problem } = rebuild;
  const first = old === null ? { copied: 0, left: [] } : await copyViews(old, next);
  const { published, left } = await publishClones(next, { ...options, left: first.left, knowsRefs: old !== null });
  const lost = left.map(({ repo, ref, problem: why }) => ({ repo, ref, problem: why }));
  const isEmpty = problem !== null && published === 0;
  const switched = options.force || (lost.length === 0 && !isEmpty);
  const report = { copied: first.copied, published, left: lost, unreadable: problem, switched };
  if (!switched) return report;
  await rebuild.switch();
  if (old === null) return report;
  await sleep(options.settleMs ?? SETTLE_MS, undefined, { signal: options.signal });
  const last = await copyViews(old, next);
  return { ...report, copied: report.copied + last.copied };
}

interface Clones extends RebuildOptions {
  left: readonly LeftView[];
  /** False if the old tables cannot say which refs there were. */
  knowsRefs: boolean;
}

async function publishClones(next: FleetEngine, clones: Clones): Promise<{ published: number; left: LeftView[] }> {
  const left = new Map(clones.left.map((view) => [`${view.repo}\0${view.ref}`, view]));
  let published = 0;
  for (const directory of clones.from) {
    const session = await Session.open({ directory });
    try {
      for (const view of await publishClone(session, next, { ...clones, left: [...left.values()] })) {
        published++;
        left.delete(`${view.repo}\0${view.ref}`);
      }
    } finally {
      session.close();
    }
  }
  return { published, left: [...left.values()] };
}

/** Publishes the remaining commits of a clone's repository, or its current branch if the refs are unknown. */
async function publishClone(
  session: Session,
  next: FleetEngine,
  { left, knowsRefs, keepsText, signal }: Clones,
): Promise<{ repo: string; ref: string }[]> {
  const { config } = await session.configOf(null, true);
  const repo = config.fleet.repo ?? (await repositoryName(session));
  const family = config.fleet.family ?? repo;
  const progress = createProgress('publishing');
  const target = new FleetIntake(next, { keepsText });
  const publisher = new Publisher(session, target, next.profile, { repo, family, signal, progress });
  const own = left.filter((view) => view.repo === repo);
  const wanted = knowsRefs
    ? own.map(({ ref, commit, isDefault }) => ({ ref: commit, name: ref, isDefault }))
    : (await publishRefs(session, {})).chosen;
  const done: { repo: string; ref: string }[] = [];
  try {
    for (const each of wanted) {
      const isThere = await session.objects.resolve(each.ref).then(
        () => true,
        (error: unknown) => {
          if (!isSocraticodeError(error, 'UNKNOWN_REF')) throw error;
          return false;
        },
      );
      if (!isThere) continue;
      await publisher.publish(each);
      done.push({ repo, ref: each.name });
    }
  } finally {
    progress.finish();
  }
  return done;
}
