/** Checks a store, and removes a repository from it. */
import type { FleetEngine, ViewRow } from './contract.js';
import { isSocraticodeError, SocraticodeError } from './internal.js';
import { viewKey } from './keys.js';
import { decodeLinks } from './links.js';
import { openPayload, openText } from './unit.js';
import { decodeFacts, keysOf, readStats } from './view.js';

/** Units opened at a time. */
const CHUNK = 200;

interface DamagedView {
  repo: string;
  ref: string;
  problem: string;
}

/** Reads all tables, and opens every unit that a view names. Returns the views that have to be published again, and the faults of tables. */
export async function checkFleet(
  engine: FleetEngine,
): Promise<{ checked: number; damaged: DamagedView[]; faults: string[] }> {
  const faults = await engine.verify();
  // Without the list of views, nothing else can be found.
  if (faults.some((fault) => fault.startsWith('view:'))) return { checked: 0, damaged: [], faults };
  const found = await engine.readViews({ parts: 'all' });
  const problems = new Map<string, string | null>();
  const damaged: DamagedView[] = [];
  for (const view of found?.views ?? []) {
    const problem = view.commit === '' ? null : await problemOf(engine, view, problems);
    if (problem !== null) damaged.push({ repo: view.repo, ref: view.ref, problem });
  }
  return { checked: problems.size, damaged, faults };
}

/** `problems`: result by unit, null for a good one; filled in. */
async function problemOf(
  engine: FleetEngine,
  view: ViewRow,
  problems: Map<string, string | null>,
): Promise<string | null> {
  try {
    readStats(view.stats, () => {});
    decodeLinks(view.links);
    const keys = keysOf(decodeFacts(view.facts));
    const fresh = keys.filter((key) => !problems.has(key));
    for (let i = 0; i < fresh.length; i += CHUNK) await open(engine, fresh.slice(i, i + CHUNK), problems);
    const bad = keys.filter((key) => problems.get(key) !== null);
    return bad.length === 0 ? null : `${bad.length} of ${keys.length} contents: ${problems.get(bad[0])}`;
  } catch (error) {
    if (!isSocraticodeError(error, 'FLEET_STORE')) throw error;
    return error.message;
  }
}

async function open(engine: FleetEngine, keys: readonly string[], problems: Map<string, string | null>): Promise<void> {
  const [missing, payloads, texts] = await Promise.all([
    engine.missing(keys),
    engine.payloads(keys),
    engine.texts(keys),
  ]);
  const absent = new Set(missing);
  for (const key of keys) {
    const payload = payloads.get(key);
    if (absent.has(key) || payload === undefined) problems.set(key, `unit ${key} is absent`);
    else
      problems.set(
        key,
        faultOf(() => [openPayload(key, payload), openText(key, texts.get(key) ?? new Uint8Array(0))]),
      );
  }
}

function faultOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!isSocraticodeError(error, 'FLEET_STORE')) throw error;
    return error.message;
  }
}

/**
 * Removes a repository. Its units go as well, unless another repository of the family may need them: then maintenance collects
 * the unnamed ones. Returns the number of its refs. Throws BAD_ARGUMENT if the store has no such repository.
 */
export async function dropRepository(engine: FleetEngine, repo: string): Promise<number> {
  const { views } = (await engine.readViews({ parts: 'heads' })) ?? { views: [] };
  const own = views.filter((view) => view.repo === repo);
  if (own.length === 0) throw new SocraticodeError('BAD_ARGUMENT', `the fleet has no repository ${repo}`);
  const { family } = own[0];
  const isShared = views.some((view) => view.repo !== repo && view.family === family);
  await engine.remove(isShared ? { views: own.map(({ ref }) => viewKey(repo, ref)) } : { family });
  return own.length;
}
