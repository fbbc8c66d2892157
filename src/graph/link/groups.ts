/** Paths of routes that are declared on a group: `api := r.Group("/api")`, then `api.GET("/carts")` is `/api/carts`. */
import type { Binding, Reference } from '../../languages/roles/relation-facts.js';
import type { LinkFacts } from '../link-input.js';
import { belowPath, isRouterMaker } from '../route-paths.js';

/** Maximum number of groups within one another. */
const MAX_DEPTH = 10;

/**
 * Literals of the uses of groups with the paths of the groups before them, null for a file that makes none. A group that is handed
 * on has its own path, for the function that declares routes on it.
 */
export function groupedLiterals({ relations, symbols }: Pick<LinkFacts, 'relations' | 'symbols'>) {
  const { references, bindings } = relations;
  const made = references.filter(({ kind, name, literal }) => kind === 'call' && isRouterMaker(name) && literal !== '');
  if (made.length === 0) return null;
  const groups = new Groups(made, bindings, symbols);
  const found = new Map<Reference, string>();
  for (const reference of references) {
    const { kind, name, receiver, literal } = reference;
    const isHanded = kind === 'value' && receiver === '';
    if (!isHanded && kind !== 'call' && kind !== 'decorator') continue;
    const prefix = groups.pathOf(isHanded ? name : receiver, reference.symbol, reference.startLine);
    if (prefix !== '') found.set(reference, belowPath(prefix, literal));
  }
  return found;
}

interface Group {
  line: number;
  made: Reference;
}

class Groups {
  /** By scope and name, in the order of their lines: a file may make thousands of one name. */
  private readonly byName = new Map<string, Group[]>();

  constructor(
    made: readonly Reference[],
    bindings: readonly Binding[],
    private readonly symbols: LinkFacts['symbols'],
  ) {
    const byPlace = new Map(made.map((call) => [`${call.startLine} ${calledPath(call)}`, call]));
    for (const { line, value, scope, name } of bindings) {
      const call = byPlace.get(`${line} ${value}`);
      if (call === undefined) continue;
      const key = keyOf(scope, name);
      const list = this.byName.get(key);
      if (list === undefined) this.byName.set(key, [{ line, made: call }]);
      else list.push({ line, made: call });
    }
    for (const list of this.byName.values()) list.sort((a, b) => a.line - b.line);
  }

  /** Path of the group that a name means at a line of a scope, '' if it means none. */
  pathOf(name: string, scope: number, line: number, depth = 0): string {
    if (depth >= MAX_DEPTH) return '';
    for (let at = scope; ; at = this.symbols[at].container) {
      const last = lastUntil(this.byName.get(keyOf(at, name)) ?? [], at < 0 ? Number.POSITIVE_INFINITY : line);
      if (last !== undefined) {
        const { receiver, literal, symbol, startLine } = last.made;
        // A name that is made a group of itself (`r = r.Group("/x")`) means what it was before.
        return belowPath(this.pathOf(receiver, symbol, startLine - 1, depth + 1), literal);
      }
      if (at < 0) return '';
    }
  }
}

const keyOf = (scope: number, name: string): string => `${scope} ${name}`;

/** The last group that is made before or on a line. */
function lastUntil(groups: readonly Group[], line: number): Group | undefined {
  let [from, to] = [0, groups.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (groups[middle].line <= line) from = middle + 1;
    else to = middle;
  }
  return groups[from - 1];
}

/** `api.Group()` */
function calledPath({ receiver, name }: Reference): string {
  return receiver === '' ? `${name}()` : `${receiver}.${name}()`;
}
