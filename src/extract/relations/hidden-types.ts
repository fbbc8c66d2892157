/** Types that are declared in a block and are no symbols: in that block the name means no type of the file, and no import. */
import type { RawRelations } from './raw.js';

/** Stands for the type where another one mentions it. */
const UNKNOWN = 'unknown';

type Hidden = RawRelations['hidden'][number];

/** Drops uses of hidden types, and what bindings say by their names. */
export function hideTypes(raw: RawRelations): void {
  if (raw.hidden.length === 0) return;
  const byName = new Map<string, Hidden[]>();
  for (const hidden of raw.hidden) {
    const list = byName.get(hidden.name);
    if (list === undefined) byName.set(hidden.name, [hidden]);
    else list.push(hidden);
  }
  const isHidden = (name: string, at: number): boolean =>
    byName.get(name)?.some(({ start, end }) => start <= at && at < end) ?? false;
  raw.references = raw.references.filter(({ kind, name, receiver, at }) => {
    if (kind !== 'type' && kind !== 'extends' && kind !== 'implements') return true;
    return !isHidden(receiver === '' ? name : (receiver.split('.', 1)[0] ?? ''), at);
  });
  for (const binding of raw.bindings) {
    if (binding.type === '') continue;
    binding.type = binding.type.replace(WORD, (word) => (isHidden(word, binding.at) ? UNKNOWN : word));
  }
}

const WORD = /(?<![\w$.])[A-Za-z_$][\w$]*(?![\w$])/g;
