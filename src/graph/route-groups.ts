/** Groups of routes below a path, in one file: groups that a call makes, and routers in locals that a call mounts. */
import { addTo, firstFrom } from '../base/lists.js';
import { wordSet } from '../languages/language.js';
import type { Binding, Reference } from '../languages/roles/relation-facts.js';
import type { LinkFacts } from '../record/link-facts.js';
import { belowPath } from './route-tables.js';

/** Calls that make a group of routes below a path: gin, echo and fiber; ASP.NET; FastAPI; Flask; Hono. */
export const ROUTER_MAKERS = wordSet('Group MapGroup APIRouter Blueprint basePath PathPrefix');

/** Does a use make a group of routes? Koa makes a router with a prefix. */
const makesGroup = ({ kind, name, literal }: Reference): boolean =>
  literal !== '' &&
  (kind === 'call' || kind === 'new') &&
  (ROUTER_MAKERS.has(name) || /(?:[a-z]|^|API)Router$/.test(name));

/** Does a call mount its argument below a path? */
const mountsBelow = ({ kind, name, literal }: Reference): boolean =>
  kind === 'call' && /^(?:[mM]ount|use|route|register|include_router)$/.test(name) && /^\/./.test(literal);

/** Literal of a call that makes a router which is mounted below a path. */
export const MOUNTED = 'USE';

/** Maximum depth of nested groups. */
const MAX_DEPTH = 10;

/**
 * Literals of uses of groups, with the paths of the groups before them; null for a file without groups. A group that is
 * handed on counts as a use: the function that takes it declares routes on it.
 */
export function groupedLiterals({ relations, symbols }: Pick<LinkFacts, 'relations' | 'symbols'>) {
  const { references, bindings } = relations;
  const made = references.filter(makesGroup);
  const mounts = references.filter(mountsBelow);
  if (made.length === 0 && mounts.length === 0) return null;
  const groups = new Groups(made, bindings, symbols);
  if (made.length > 0) groups.addFields(references);
  const makers = mounts.length === 0 ? [] : groups.addMounted(mounts, references, bindings);
  const found = new Map<Reference, string>(makers);
  for (const reference of references) {
    const { kind, name, receiver, literal } = reference;
    const isHanded = kind === 'value' && receiver === '';
    if (!isHanded && kind !== 'call' && kind !== 'decorator') continue;
    const prefix = groups.pathOf(isHanded ? name : receiver, reference.symbol, reference.startLine);
    if (prefix === '') continue;
    // `GET|POST /carts`: methods before the path.
    const methods = /^[A-Z|]+ /.exec(literal)?.[0] ?? '';
    found.set(reference, methods + belowPath(prefix, literal.slice(methods.length)));
  }
  return found;
}

/** A name that means a group from a line on. */
interface Group {
  line: number;
  /** The call that makes or mounts it: its literal is the path of the group, below that of its receiver. */
  made: Reference;
}

class Groups {
  /** By scope and name, in the order of their lines: a file may make thousands of one name. */
  private readonly byName = new Map<string, Group[]>();
  private readonly madeAt: ReadonlyMap<string, Reference>;

  constructor(
    made: readonly Reference[],
    bindings: readonly Binding[],
    private readonly symbols: LinkFacts['symbols'],
  ) {
    const byPlace = new Map(made.map((call) => [`${call.startLine} ${calledPath(call)}`, call]));
    for (const { line, value, scope, name } of bindings) {
      // `app.MapGroup("/x").RequireAuthorization()` is the group as well.
      const call = byPlace.get(`${line} ${value}`) ?? byPlace.get(`${line} ${value.slice(0, value.indexOf('()') + 2)}`);
      if (call === undefined) continue;
      addTo(this.byName, keyOf(scope, name), { line, made: call });
    }
    for (const list of this.byName.values()) list.sort((a, b) => a.line - b.line);
    this.madeAt = byPlace;
  }

  /** `s.api = s.router.Group("/api")`: the field is a group in all functions of the file. */
  addFields(references: readonly Reference[]): void {
    const calls = new Map([...this.madeAt.values()].map((made) => [made.startLine, made]));
    for (const { kind, receiver, name, startLine } of references) {
      const made = kind === 'write' && receiver !== '' ? calls.get(startLine) : undefined;
      if (made === undefined) continue;
      const key = keyOf(-1, `${receiver}.${name}`);
      // A field with two paths has none that is known.
      this.byName.set(key, this.byName.has(key) ? [] : [{ line: 0, made }]);
    }
  }

  /**
   * `r.Mount("/admin", admin)`: a router in a local is a group from where it is made. Returns the calls of functions that make such routers,
   * with the paths.
   */
  addMounted(mounts: readonly Reference[], references: readonly Reference[], bindings: readonly Binding[]) {
    const mountAt = new Map(mounts.map((mount) => [mount.startLine, mount]));
    const locals = new Map<string, Binding>();
    for (const binding of bindings) if (binding.scope >= 0) locals.set(keyOf(binding.scope, binding.name), binding);
    const makers = new Map<string, Reference>();
    for (const { kind, receiver, name, symbol, startLine } of references) {
      const mount = mountAt.get(startLine);
      const isName = mount !== undefined && receiver === '' && name !== mount.receiver && mount.symbol === symbol;
      const local = isName && kind !== 'call' ? locals.get(keyOf(symbol, name)) : undefined;
      const key = keyOf(symbol, name);
      if (mount === undefined || local === undefined || local.value === '') continue;
      if (!this.byName.has(key)) this.byName.set(key, [{ line: local.line, made: mount }]);
      if (/\(\)$/.test(local.value)) makers.set(`${local.line} ${local.value}`, mount);
    }
    return new Map(
      references.flatMap((each): [Reference, string][] => {
        const mount = each.kind === 'call' ? makers.get(`${each.startLine} ${calledPath(each)}`) : undefined;
        return mount === undefined ? [] : [[each, `${MOUNTED} ${mount.literal}`]];
      }),
    );
  }

  /** Path of the group that a name means at a line of a scope, '' if it means none. */
  pathOf(name: string, scope: number, line: number, depth = 0): string {
    if (depth >= MAX_DEPTH) return '';
    // `this.router.get("/x")`: a field of a type around.
    const held = name.startsWith('this.') ? name.slice(5) : name;
    for (let at = scope; ; at = this.symbols[at].container) {
      const last = lastUntil(
        this.byName.get(keyOf(at, at < 0 ? name : held)) ?? [],
        at < 0 ? Number.POSITIVE_INFINITY : line,
      );
      if (last !== undefined) {
        const { receiver, literal, symbol, startLine } = last.made;
        // In `r = r.Group("/x")`, the second `r` means the group before.
        return belowPath(this.pathOf(receiver, symbol, startLine - 1, depth + 1), literal);
      }
      if (at < 0) return '';
    }
  }
}

const keyOf = (scope: number, name: string): string => `${scope} ${name}`;

/** The last group made before or on a line. */
function lastUntil(groups: readonly Group[], line: number): Group | undefined {
  return groups[firstFrom(groups.length, (i) => groups[i].line <= line) - 1];
}

/** `api.Group()`, `new Router()` */
function calledPath({ kind, receiver, name }: Reference): string {
  return `${kind === 'new' ? 'new ' : ''}${receiver === '' ? '' : `${receiver}.`}${name}()`;
}
