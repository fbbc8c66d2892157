// An index.scip as the judge reads it: definitions by group, and the places that name each.
import { readScip } from './graph-truth-scip.mjs';

const DEFINITION = 1;
/** The last descriptor of a symbol: its name in backticks or plain, and the suffix that tells its kind. */
const DESCRIPTOR = /(?:`((?:[^`]|``)+)`|([\w$+-]+))(\([^()]*\)\.|[#.:/!])$/;
/** `private total: number` of a constructor is both a parameter and a property. */
const PARAMETER_PROPERTY = /`<constructor>`\(\)\.\((?:`((?:[^`]|``)+)`|([\w$+-]+))\)$/;
const CONSTRUCTOR = /`<constructor>`\([^()]*\)\.$/;

/** Name and group of a symbol; null for one that nobody asks for: locals, parameters, modules, keys of literals. */
function classify(symbol) {
  const property = PARAMETER_PROPERTY.exec(symbol);
  if (property !== null) return { name: property[1] ?? property[2], group: 'members', afterDot: true };
  const found = DESCRIPTOR.exec(symbol);
  if (found === null || symbol.startsWith('local ') || CONSTRUCTOR.test(symbol)) return null;
  const [whole, quoted, plain, suffix] = found;
  const name = (quoted ?? plain).replaceAll('``', '`').replace(/^<[gs]et>/, '');
  const around = symbol.slice(0, -whole.length);
  if (suffix === '#') return { name, group: 'types' };
  if (suffix.startsWith('(')) return { name, group: around.endsWith('#') ? 'members' : 'functions' };
  if (suffix !== '.') return null;
  return { name, group: /[#:]$/.test(around) ? 'members' : 'variables' };
}

/**
 * What a compiler knows: `paths` that it read; `definitions`, each `{id, name, group, path, line, column}` with 1-based
 * lines; `sites(id)`, `{path, line, column, endColumn, isDefinition}`; `relatives(id)`, symbols that it overrides or that
 * override it; `named(path, line)`, the places of a line that it knows anything of, with the
 * `name` of what they mean, null for locals and the like.
 */
export function openScip(file) {
  const sites = new Map();
  const relatives = new Map();
  const lines = new Map();
  const definitions = new Map();
  const paths = new Set();
  // Packages of one name and version (copies of an example) have symbols of one name, which nobody can tell apart.
  const shared = new Set();
  for (const { path, occurrences, symbols } of readScip(file)) {
    paths.add(path);
    const defined = new Set(occurrences.filter(({ roles }) => roles & DEFINITION).map(({ symbol }) => symbol));
    for (const { range, symbol, roles } of occurrences) {
      const site = { path, line: range[0] + 1, column: range[1], endColumn: range[range.length - 1] };
      if (range.length > 3) site.endColumn = site.column;
      const kind = classify(symbol.replace(CONSTRUCTOR, ''));
      const isKnown = !symbol.startsWith('local ') || defined.has(symbol);
      if (isKnown) push(lines, `${path}:${site.line}`, { ...site, name: kind?.name ?? null });
      if (kind === null) continue;
      site.isDefinition = (roles & DEFINITION) !== 0;
      // Whoever makes an object names its class.
      const id = symbol.replace(CONSTRUCTOR, '');
      if (id !== symbol && site.isDefinition) continue;
      push(sites, id, site);
      if (!site.isDefinition) continue;
      if (!definitions.has(id)) definitions.set(id, { id, ...kind, ...site });
      else if (definitions.get(id).path !== path) shared.add(id);
    }
    for (const { symbol, relatives: others } of symbols)
      for (const other of others) {
        push(relatives, symbol, other);
        push(relatives, other, symbol);
      }
  }
  const twins = stubTwins(definitions, sites);
  const idsOf = (id) => [id, ...(twins.get(id) ?? [])];
  return {
    paths,
    definitions: [...definitions.values()].filter(({ id }) => !shared.has(id)).map(({ isDefinition, ...rest }) => rest),
    sites: async ({ id }) => idsOf(id).flatMap((one) => sites.get(one) ?? []),
    relatives: async ({ id }) => [...closure(relatives, id)].flatMap((other) => sites.get(other) ?? []),
    named: (path, line) => lines.get(`${path}:${line}`) ?? [],
  };
}

const STUB = /\.pyi$/;

/**
 * A stub and the code that it declares are one definition: compilers lead to the stub from outside, and to the code from the
 * modules behind it. `cart.pyi` declares what `cart.py` names, by an import, with the same name.
 */
function stubTwins(definitions, sites) {
  const named = new Map();
  for (const [id, places] of sites) {
    const kind = classify(id);
    if (kind.group !== 'members')
      for (const { path, isDefinition } of places) if (!isDefinition) push(named, `${path} ${kind.name}`, id);
  }
  const twins = new Map();
  for (const { id, path, name, group } of definitions.values()) {
    if (!STUB.test(path) || group === 'members') continue;
    const others = new Set(named.get(`${path.replace(STUB, '.py')} ${name}`));
    others.delete(id);
    if (others.size !== 1) continue;
    const [other] = others;
    for (const one of definitions.keys()) {
      const twin = one === id || (id.endsWith('#') && one.startsWith(id)) ? other + one.slice(id.length) : null;
      if (twin === null || !definitions.has(twin)) continue;
      push(twins, one, twin);
      push(twins, twin, one);
    }
  }
  return twins;
}

function closure(relatives, id) {
  const found = new Set([id]);
  for (const each of found) for (const other of relatives.get(each) ?? []) found.add(other);
  found.delete(id);
  return found;
}

function push(lists, key, value) {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
