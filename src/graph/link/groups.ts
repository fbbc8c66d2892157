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

class Groups {
  private readonly byName = new Map<string, { binding: Binding; made: Reference }[]>();

  constructor(
    made: readonly Reference[],
    bindings: readonly Binding[],
    private readonly symbols: LinkFacts['symbols'],
  ) {
    const byPlace = new Map(made.map((call) => [`${call.startLine} ${calledPath(call)}`, call]));
    for (const binding of bindings) {
      const call = byPlace.get(`${binding.line} ${binding.value}`);
      if (call === undefined) continue;
      const list = this.byName.get(binding.name) ?? [];
      this.byName.set(binding.name, [...list, { binding, made: call }]);
    }
  }

  /** Path of the group that a name means at a line of a scope, '' if it means none. */
  pathOf(name: string, scope: number, line: number, depth = 0): string {
    const all = this.byName.get(name);
    if (all === undefined || depth >= MAX_DEPTH) return '';
    for (let at = scope; ; at = this.symbols[at].container) {
      const last = all.filter(({ binding }) => binding.scope === at && (at < 0 || binding.line <= line)).at(-1);
      if (last !== undefined) {
        const { receiver, literal, symbol, startLine } = last.made;
        // A name that is made a group of itself (`r = r.Group("/x")`) means what it was before.
        return belowPath(this.pathOf(receiver, symbol, startLine - 1, depth + 1), literal);
      }
      if (at < 0) return '';
    }
  }
}

/** `api.Group()` */
function calledPath({ receiver, name }: Reference): string {
  return receiver === '' ? `${name}()` : `${receiver}.${name}()`;
}
