/** Imports exported records into the record stores that apply under the settings. */
import { log } from '../../base/log.js';
import { groupDigits } from '../../base/printable.js';
import type { ImportReport } from '../../questions/import/question.js';
import { type RecordStore, syntaxStore, vectorStore } from '../../record/store.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import { EXPORT_DIRECTORY, type ExportSource, importRecordSet, treeSource } from '../../share/exported-records.js';
import { sharesVectors } from '../indexing/known-snapshot.js';
import type { Session } from '../session.js';
import type { SnapshotFiles, SnapshotOrigin } from '../snapshot/snapshot.js';
import { vectorSource } from '../vectors/vector-source.js';

interface UsedStore {
  kind: 'syntax' | 'vectors';
  profile: string;
  store: RecordStore<unknown>;
}

/** Returns the stores that apply under a configuration. Vectors only if it shares them, or takes those of others. */
export function usedStores(session: Session, config: SnapshotFiles['config'], direction: 'out' | 'in'): UsedStore[] {
  const { repository, objects, profile, about } = session;
  const syntax = syntaxStore(repository, objects, profile, about);
  const stores: UsedStore[] = [{ kind: SYNTAX_KIND, profile, store: syntax }];
  const source = vectorSource(session, config);
  const wanted = direction === 'out' ? sharesVectors(source, config) : source.costly;
  if (wanted) {
    const store = vectorStore(repository, objects, source.profile, source.about);
    stores.push({ kind: VECTORS_KIND, profile: source.profile, store });
  }
  return stores;
}

/** Imports records into their stores. The caller holds the writer lock. Throws CANCELLED, GIT_FAILED and DISK. */
export async function importStores(
  { objects }: Session,
  place: ExportSource,
  stores: readonly UsedStore[],
  signal?: AbortSignal,
): Promise<ImportReport> {
  const profiles: ImportReport['profiles'] = [];
  for (const { kind, profile, store } of stores) {
    const imported = await importRecordSet(place, { kind, profile }, { store, objects, signal });
    if (imported.files > 0 || imported.bad > 0) profiles.push({ kind, profile, ...imported });
  }
  return { source: place.name, profiles, otherProfiles: await otherRecordSets(place, stores) };
}

/** Lists the record sets of a source that belong to no store, as `<kind>/<profile>`. */
export async function otherRecordSets(place: ExportSource, stores: readonly UsedStore[]): Promise<string[]> {
  const names = (await place.recordSets()).map(({ kind, profile }) => `${kind}/${profile}`);
  return names.filter((name) => !stores.some(({ kind, profile }) => name === `${kind}/${profile}`));
}

/**
 * Imports `.socraticode/` of the snapshot into each store that has no notes yet, before anything is parsed or fetched. The
 * caller holds the writer lock. Throws CANCELLED, GIT_FAILED and DISK.
 */
export async function bringPortable(session: Session, origin: SnapshotOrigin, signal?: AbortSignal): Promise<void> {
  const { repository, objects } = session;
  const { config } = await session.configOfOrigin(origin);
  const stores = usedStores(session, config, 'in');
  const tips = await Promise.all(stores.map(({ store }) => store.readTip()));
  const empty = stores.filter((_, i) => tips[i] === null);
  if (empty.length === 0) return;
  const place = await treeSource(repository, objects, origin.resolved.tree);
  if (place === null) return;
  const { profiles } = await importStores(session, place, empty, signal);
  for (const { kind, added, bad } of profiles) {
    log.info(`${groupDigits(added)} ${kind} records taken from ${EXPORT_DIRECTORY}/`);
    if (bad > 0) log.warn(`${bad} unusable items in ${EXPORT_DIRECTORY}/ were passed over`);
  }
}
