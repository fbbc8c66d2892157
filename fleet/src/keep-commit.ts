/** Keeps several commits of a branch: each is a view of its own beside the branch's, and the oldest are removed. */
import type { FleetEngine, ViewRow } from './contract.js';
import { keptName, keptOf } from './keys.js';

/** Keeps the commit of this view and the newest others of its branch, `count` in all. Repeating it is harmless. */
export async function keepCommit(engine: FleetEngine, view: ViewRow, count: number): Promise<void> {
  const ref = keptName(view.ref, view.commit);
  const heads = (await engine.readViews({ parts: 'heads', repo: view.repo }))?.views ?? [];
  const own = heads.find((head) => head.ref === ref);
  // A kept commit that is published again after others is the newest.
  if (own === undefined || own.commit === '' || own.publishedAt < view.publishedAt)
    await engine.swapView({ ...view, ref, previous: own?.commit ?? '', isDefault: false });
  const others = heads.filter((head) => head.commit !== '' && head.ref !== ref && keptOf(head.ref) === view.ref);
  // Of two that were published in one second, the one before this view is the newer.
  const isLast = ({ commit }: ViewRow) => Number(commit === view.previous);
  const old = others.sort((a, b) => b.publishedAt - a.publishedAt || isLast(b) - isLast(a)).slice(count - 1);
  const none = new Uint8Array(0);
  const nothing = {
    commit: '',
    tree: '',
    covered: 0,
    total: 0,
    isDefault: false,
    facts: none,
    stats: none,
    links: none,
  };
  for (const head of old)
    await engine.swapView({ ...head, ...nothing, previous: head.commit, publishedAt: view.publishedAt });
}
