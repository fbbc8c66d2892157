/** Objects and branches that notes tell of: a remote is sent a note only if it has all of them already. */

import { CatFileReader } from '../git/objects.js';
import type { Git } from '../git/process.js';
import type { Notes } from '../git/unite.js';
import type { Told } from '../knowledge/entry.js';
import { MAX_ENTRY_BYTES } from '../knowledge/entry.js';
import { inspectEntry } from '../knowledge/inspect.js';
import { kindOfRef } from '../knowledge/kinds.js';

const READ_AT_ONCE = 512;

/**
 * Objects and branches that each note of a ref tells of, by target. A record tells of its blob, an entry of everything that it
 * names. Notes that cannot be read are left out: nobody knows what they tell.
 */
export async function toldByNotes(git: Git, ref: string, notes: Notes): Promise<Map<string, Told>> {
  const kind = kindOfRef(ref);
  if (kind === null) return new Map([...notes.keys()].map((target) => [target, { objects: [target], branches: [] }]));
  const objects = new CatFileReader(git);
  const told = new Map<string, Told>();
  const readOne = async ([target, note]: [string, string]) => {
    const size = (await objects.info(note))?.size ?? Number.POSITIVE_INFINITY;
    const object = size <= MAX_ENTRY_BYTES ? await objects.read(note) : null;
    const verdict = object === null ? null : inspectEntry(kind, object.content, target);
    if (verdict?.ok) told.set(target, verdict.told);
  };
  try {
    const all = [...notes];
    for (let at = 0; at < all.length; at += READ_AT_ONCE)
      await Promise.all(all.slice(at, at + READ_AT_ONCE).map(readOne));
  } finally {
    objects.close();
  }
  return told;
}
