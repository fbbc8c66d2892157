/**
 * Copies the undamaged contents of a store into new tables beside it. Records are opened and search rows made anew from them,
 * so a damaged search table costs nothing. Repeating it copies what is new or was lost, so a killed rebuild continues.
 */
import type { FleetEngine, RecordRow, UnitRow, ViewRow } from './contract.js';
import { isSocraticodeError } from './internal.js';
import { viewKey } from './keys.js';
import { decodeLinks } from './links.js';
import { openPayload, openText, searchRow } from './unit.js';
import { decodeFacts, keysOf, readStats, type ViewFacts } from './view.js';

/** Units that are read and written at a time. */
const CHUNK = 200;
/** Most passes over the heads of views; publications may arrive meanwhile. */
const PASSES = 10;

export interface LeftView {
  repo: string;
  ref: string;
  commit: string;
  isDefault: boolean;
  problem: string;
}

/** Copies views until both stores have the same ones. Returns the number of copied views, and the damaged ones. */
export async function copyViews(from: FleetEngine, to: FleetEngine): Promise<{ copied: number; left: LeftView[] }> {
  const left = new Map<string, LeftView>();
  let copied = 0;
  let since: string | undefined;
  for (let pass = 0; pass < PASSES; pass++) {
    const heads = await from.readViews({ parts: 'heads', ...(since !== undefined && { since }) });
    if (heads === null) break;
    since = heads.version;
    const known = await to.readViews({ parts: 'heads' });
    const there = new Map((known?.views ?? []).map((view) => [viewKey(view.repo, view.ref), view]));
    for (const head of heads.views) {
      const key = viewKey(head.repo, head.ref);
      const own = there.get(key);
      // The new store's view is newer: a publisher has already used it.
      if (own?.commit === head.commit || (own !== undefined && own.publishedAt > head.publishedAt)) continue;
      if (own === undefined && head.commit === '') continue;
      const problem = await copyView(from, to, { head, previous: own?.commit ?? '' });
      if (problem === null) copied++;
      if (problem === null) left.delete(key);
      else left.set(key, leftOf(head, problem));
    }
  }
  return { copied, left: [...left.values()] };
}

const leftOf = ({ repo, ref, commit, isDefault }: ViewRow, problem: string): LeftView => ({
  ...{ repo, ref, commit, isDefault, problem },
});

/** Null, or the reason why the view cannot be copied. */
async function copyView(
  from: FleetEngine,
  to: FleetEngine,
  { head, previous }: { head: ViewRow; previous: string },
): Promise<string | null> {
  try {
    const view = await wholeView(from, head);
    if (view.commit !== '') await copyUnits(from, to, { family: view.family, facts: decodeFacts(view.facts) });
    await to.swapView({ ...view, previous });
    return null;
  } catch (error) {
    if (!isSocraticodeError(error, 'FLEET_STORE')) throw error;
    return error.message;
  }
}

async function wholeView(from: FleetEngine, head: ViewRow): Promise<ViewRow> {
  const found = await from.readViews({ parts: 'all', keys: [viewKey(head.repo, head.ref)] });
  const view = found?.views[0] ?? head;
  if (view.commit === '') return view;
  readStats(view.stats, () => {});
  decodeLinks(view.links);
  return view;
}

/** Throws FLEET_STORE if one of them is missing or damaged; those that were copied before are collected later. */
async function copyUnits(
  from: FleetEngine,
  to: FleetEngine,
  { family, facts }: { family: string; facts: ViewFacts },
): Promise<void> {
  const paths = new Map(keysOf(facts).map((key, file) => [key, facts.paths[facts.pathStart[file]]]));
  const missing = await to.missing([...paths.keys()]);
  for (let i = 0; i < missing.length; i += CHUNK) {
    const keys = missing.slice(i, i + CHUNK);
    const [known, texts] = [await from.records(keys), await from.texts(keys)];
    const units: UnitRow[] = [];
    const records: RecordRow[] = [];
    for (const key of keys) {
      const text = texts.get(key) ?? new Uint8Array(0);
      const record = known.get(key);
      const opened = openPayload(key, record?.payload ?? new Uint8Array(0));
      openText(key, text);
      const path = paths.get(key) as string;
      units.push({ key, family, ...searchRow(opened, path, to.profile) });
      records.push({ ...(record as Omit<RecordRow, 'text'>), text });
    }
    await to.append(units, records);
  }
}
