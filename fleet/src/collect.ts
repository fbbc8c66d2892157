/** Units that are still needed, since a view names them, and ages from which others are removed. */
import type { ViewRow } from './contract.js';
import { decodeFacts, keysOf } from './view.js';

/** Keys of all units that these views name. `views` need their facts. Throws FLEET_STORE for a damaged view. */
export function namedUnits(views: Iterable<Pick<ViewRow, 'facts' | 'commit'>>): Set<string> {
  const named = new Set<string>();
  for (const { facts, commit } of views)
    if (commit !== '') for (const key of keysOf(decodeFacts(facts))) named.add(key);
  return named;
}

/** Seconds that unnamed units stay, for a publication under way that may need them. */
const ORPHANS_KEPT = 86_400;
/**
 * Seconds that older versions of tables stay, for work that still reads them. Each maintenance that optimizes leaves a whole
 * copy of a table: a day of them would be 144 copies.
 */
const VERSIONS_KEPT = 900;

/** Ages from which maintenance removes things by itself. `now`: seconds since 1970. */
export const agesAt = (now: number) => ({ orphansBefore: now - ORPHANS_KEPT, versionsBefore: now - VERSIONS_KEPT });
