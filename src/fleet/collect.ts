/** Tells which units are still needed: a view names them. */
import type { ViewRow } from './contract.js';
import { decodeFacts, keysOf } from './view.js';

/** Keys of all units that these views name. `views` need their facts. Throws FLEET_STORE for a damaged view. */
export function namedUnits(views: Iterable<Pick<ViewRow, 'facts' | 'commit'>>): Set<string> {
  const named = new Set<string>();
  for (const { facts, commit } of views)
    if (commit !== '') for (const key of keysOf(decodeFacts(facts))) named.add(key);
  return named;
}
