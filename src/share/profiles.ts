/** Lists every profile that this repository has records or shards of, and their locations. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { STATE_FOLDER } from '../base/local-key.js';
import { listNotes } from '../git/notes.js';
import { commitDate, readAbout } from '../git/notes-history.js';
import type { ObjectReader } from '../git/objects.js';
import { localStateDirectory, type Repository } from '../git/repository.js';
import { sizesOf } from './compact.js';
import { type ExportSource, treeSource } from './export-source.js';
import { listNotesRefs, type NotesRef } from './notes-refs.js';

interface ProfileLocation {
  where: 'notes' | 'remote' | 'tree' | 'shards';
  /** Ref name, `<commit>:.socraticode/…`, or directory. */
  name: string;
  /** Null where counting would need all files to be read. */
  records: number | null;
  bytes: number;
  /** Date of the newest commit, in ISO 8601. */
  date: string | null;
}

export interface KnownProfile {
  kind: string;
  profile: string;
  /** Description of the profile from the notes commit: untrusted text. */
  about: string | null;
  places: ProfileLocation[];
}

/**
 * Lists profiles sorted by kind and profile. `tree` is the snapshot whose `.socraticode/` is searched; null for none.
 */
export async function listProfiles(
  repository: Repository,
  objects: ObjectReader,
  tree: string | null,
): Promise<KnownProfile[]> {
  const profiles = new Map<string, KnownProfile>();
  const add = (kind: string, profile: string, place: ProfileLocation, about: string | null = null) => {
    const key = `${kind}/${profile}`;
    const known = profiles.get(key) ?? { kind, profile, about: null, places: [] };
    profiles.set(key, { ...known, about: known.about ?? about, places: [...known.places, place] });
  };
  for (const { ref, commit, kind, profile, remote } of await indexRefs(repository)) {
    const { notes } = await listNotes(repository.git, commit);
    const bytes = await sizesOf(repository.git, notes.values());
    const date = await commitDate(repository.git, commit);
    const where = remote === null ? 'notes' : 'remote';
    add(kind, profile, { where, name: ref, records: notes.size, bytes, date }, await readAbout(repository.git, commit));
  }
  const place = tree === null ? null : await treeSource(repository, objects, tree);
  if (place !== null) await addPortable(place, add);
  for (const { kind, profile, name, bytes } of shardLocations(localStateDirectory(repository)))
    add(kind, profile, { where: 'shards', name, records: null, bytes, date: null });
  return [...profiles.keys()].sort().map((key) => profiles.get(key) as KnownProfile);
}

async function indexRefs(repository: Repository): Promise<NotesRef[]> {
  return (await listNotesRefs(repository)).filter(({ isKnowledge }) => !isKnowledge);
}

async function addPortable(
  place: ExportSource,
  add: (kind: string, profile: string, place: ProfileLocation) => void,
): Promise<void> {
  for (const { kind, profile } of await place.recordSets()) {
    const { files } = await place.files({ kind, profile });
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    add(kind, profile, { where: 'tree', name: `${place.name}/${kind}/${profile}`, records: null, bytes, date: null });
  }
}

interface ShardLocation {
  kind: string;
  profile: string;
  name: string;
  bytes: number;
}

const VECTOR_NAME = /^vectors-([0-9a-f]{4,64})-[0-9a-f]{16}\.(?:bin|hnsw)$/;

/** Shard directories as syntax profiles, and the vector files in them as vector profiles. */
function shardLocations(state: string): ShardLocation[] {
  const places: ShardLocation[] = [];
  for (const folder of names(state)) {
    const profile = STATE_FOLDER.exec(folder)?.[1];
    if (profile === undefined) continue;
    const directory = join(state, folder);
    const sizes = new Map<string, number>();
    for (const name of names(directory)) {
      const owner = VECTOR_NAME.exec(name)?.[1] ?? '';
      const size = statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
      sizes.set(owner, (sizes.get(owner) ?? 0) + size);
    }
    for (const [owner, bytes] of sizes) {
      const kind = owner === '' ? 'syntax' : 'vectors';
      places.push({ kind, profile: owner === '' ? profile : owner, name: directory, bytes });
    }
  }
  return places;
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
