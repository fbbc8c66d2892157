/** Groups events into lineages, each the history of one piece of code through all places it moved to. */
import type { DefinitionPlace, TraceEvent, Version } from './trace.js';

export interface Lineage {
  /** All places of the code, in no particular order. */
  places: DefinitionPlace[];
  /** Newest first. */
  events: TraceEvent[];
  /** Versions at the ref asked for; empty if the code is gone. */
  present: Version[];
}

const idOf = ({ path, key }: DefinitionPlace): string => `${path}\0${key}`;

/** Joins events by place and by moves. `events` are newest first; `present` are the definitions at the ref. */
export function groupLineages(events: readonly TraceEvent[], present: readonly Version[]): Lineage[] {
  const parents = new Map<string, string>();
  const places = new Map<string, DefinitionPlace>();
  const add = (place: DefinitionPlace): string => {
    const id = idOf(place);
    if (!parents.has(id)) {
      parents.set(id, id);
      places.set(id, { path: place.path, key: place.key });
    }
    return id;
  };
  const find = (id: string): string => {
    let root = id;
    while (parents.get(root) !== root) root = parents.get(root) as string;
    for (let at = id; at !== root; ) {
      const next = parents.get(at) as string;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  for (const event of events) {
    const id = add(event);
    if (event.from !== undefined) parents.set(find(add(event.from)), find(id));
  }
  for (const version of present) add({ path: version.path, key: version.definition.key });
  const lineages = new Map<string, Lineage>();
  const lineageOf = (id: string): Lineage => {
    const root = find(id);
    const known = lineages.get(root) ?? { places: [], events: [], present: [] };
    lineages.set(root, known);
    return known;
  };
  for (const [id, place] of places) lineageOf(id).places.push(place);
  for (const event of events) lineageOf(idOf(event)).events.push(event);
  for (const version of present)
    lineageOf(idOf({ path: version.path, key: version.definition.key })).present.push(version);
  return [...lineages.values()];
}

/** Does the lineage pass through this place? */
export function passes(lineage: Lineage, place: DefinitionPlace): boolean {
  return lineage.places.some(({ path, key }) => path === place.path && key === place.key);
}

/** Version to show: the one at the ref, or the last one before the code disappeared. */
export function newestVersion({ present, events }: Lineage): Version | null {
  if (present.length > 0) return present[0];
  const last = events.find(({ type }) => type === 'disappeared') ?? events[0];
  return last?.after ?? last?.before ?? null;
}

/** Event in which the code first appeared; null if it is older than the commits that were walked. */
export function firstAppearance({ events }: Lineage): TraceEvent | null {
  const oldest = events.at(-1);
  return oldest?.type === 'appeared' ? oldest : null;
}

/**
 * Event after which the code was gone for good; null if it exists, or if no single commit removed it. The lineage may
 * have newer changes, made on a branch that still had the code.
 */
export function lastDisappearance({ events, present }: Lineage): TraceEvent | null {
  if (present.length > 0) return null;
  const last = events.find(({ type }) => type === 'disappeared' || type === 'appeared');
  return last?.type === 'disappeared' ? last : null;
}
