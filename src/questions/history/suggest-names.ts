/** Names that resemble one that was not found, from what the shards of this repository define. */
import { editDistance } from '../../base/edit-distance.js';
import { nameKey } from '../../extract/terms.js';
import type { Session } from '../../session/session.js';

const MAX_SUGGESTIONS = 3;
/** Edits beyond a third of the name make another name. */
const EDITS_PER_LETTER = 3;

export function suggestNames({ shards }: Session, name: string): string[] {
  const wanted = nameKey(name);
  const limit = Math.max(1, Math.floor(wanted.length / EDITS_PER_LETTER));
  const best = new Map<string, number>();
  for (const shard of shards.openShards(shards.readManifest())) {
    for (let i = 0; i < shard.names.length; i++) {
      const key = shard.names.at(i);
      if (Math.abs(key.length - wanted.length) > limit) continue;
      const distance = editDistance(wanted, key);
      if (distance > limit || distance === 0) continue;
      const document = shard.definitions(i)[0]?.document;
      const symbol = document === undefined ? null : shard.documentSymbol(document);
      // The name as it is written: the key has no case.
      const written = symbol?.split('.').find((part) => nameKey(part) === key) ?? key;
      best.set(written, Math.min(distance, best.get(written) ?? distance));
    }
  }
  return [...best]
    .sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(([written]) => written);
}
