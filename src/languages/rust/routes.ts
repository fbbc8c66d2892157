/** Routes of axum, actix and Rocket: chains of calls below paths, and functions that they name. */
import { addTo } from '../../base/lists.js';
import { bracketEnds, isOpaqueAt } from '../roles/masks.js';
import { NO_HANDLER } from '../roles/relation-facts.js';
import type { FactSink } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';

/** A file that builds routers. */
const BUILDS = /\bRouter::|\bweb::|\broutes!|\bget\(|\.(?:route|mount)\(/;
/**
 * `scope("/api")`, `resource("/x")`, `.route("/x", …)`, `.nest("/api", …)`, `.mount("/", routes![…])`: the call, and its path or the
 * constant that holds it.
 */
const PATHS =
  /\b(scope|resource|route|nest|nest_service|mount|at)\s*\(\s*(?:"([^"\n]{0,150})"|((?:\w{1,60}::){0,5}[A-Z][A-Z\d_]{1,80})\s*[,)])/g;
const CONSTANT = /\b(?:const|static)\s+([A-Z][A-Z\d_]*)\s*:\s*&(?:'static\s+)?str\s*=\s*"([^"\n]{0,150})"/g;
/** Calls that hand a function on: a method (`get(list)`, `web::get().to(list)`), or a part of an application (`.service(list)`). */
const HANDED =
  /\b(get|post|put|patch|delete|head|options|any|trace)\s*(?:\(\)(?:\s*\.(?:guard|wrap)\([^()]{0,100}\))*\s*\.to\(\s*(?!["\s)])([A-Za-z_][\w:]*)?|\(\s*(?!["\s)])([A-Za-z_][\w:]*)?)|\.(service|configure|merge|to|nest|mount)\s*\(\s*(?:"[^"\n]{0,150}"\s*,\s*)?([a-z_][\w:]*)\s*([()])|\broutes!\s*[[(]([^\])]{1,2000})/g;
/** A variable that holds a part of an application. */
const HELD = /\blet\s+(?:mut\s+)?([a-z_]\w*)\s*(?::[^=;]{1,100})?=\s*(?=[\w:]*(?:Router|scope|resource)\b)/g;
/** Functions of libraries that make a part; those of the repository lead to routes. */
const LIBRARY = /^(?:web|axum|routing|actix_web|actix_files|tower|tower_http)::|::[A-Z]|::new$/;
const MAX_DEPTH = 20;
const MAX_LINKS = 1_000;
const MAX_FOUND = 20_000;
/** Maximum length of a statement that makes a part, in UTF-16 units. */
const MAX_STATEMENT = 50_000;

/** Code that is below a path. */
interface Below {
  start: number;
  end: number;
  path: string;
  /** Path of the route itself: what is handed on there answers it. */
  isRoute: boolean;
}

type Brackets = ReturnType<typeof bracketEnds>;

/** States the routes of a file. */
export function rustRoutes(sink: FactSink): void {
  const { source, rules } = sink;
  if (!BUILDS.test(source)) return;
  const brackets = bracketEnds(source, rules.lexical);
  const constants = new Map([...source.matchAll(CONSTANT)].map(([, name, value]) => [name, value]));
  const below: Below[] = [];
  for (const match of source.matchAll(PATHS)) {
    if (below.length >= MAX_FOUND || isOpaqueAt(brackets, match.index)) continue;
    const [, name, written, constant] = match;
    const path = written ?? constants.get(constant.slice(constant.lastIndexOf(':') + 1)) ?? '*';
    const open = source.indexOf('(', match.index + name.length);
    const close = brackets.ends.get(open);
    if (close === undefined) continue;
    // The calls behind `scope("/api")` are below it; with the others only what they are given.
    const isChain = name === 'scope' || name === 'resource';
    const end = isChain ? chainEnd(sink, close, brackets.ends) : close;
    below.push({ start: match.index, end, path, isRoute: name === 'route' || name === 'resource' || name === 'at' });
  }
  const held = heldParts(sink, below, brackets);
  stateHanded(
    sink,
    [...below, ...held].sort((a, b) => a.start - b.start),
    brackets,
    new Set(held),
  );
}

/** Parts that variables hold, below the path at which each is handed on: `let api = Router::new()…;`, `.nest("/api", api)`. */
function heldParts(sink: FactSink, below: readonly Below[], brackets: Brackets): Below[] {
  const { source } = sink;
  const uses = new Map<string, number[]>();
  for (const match of source.matchAll(
    /\.(?:service|merge|nest|mount)\s*\(\s*(?:"[^"\n]{0,150}"\s*,\s*)?([a-z_]\w*)\s*\)/g,
  )) {
    addTo(uses, match[1], match.index + match[0].length - 1);
  }
  const held: Below[] = [];
  // From the last to the first: what is handed on stands in a later variable, whose own path is known then.
  for (const match of [...source.matchAll(HELD)].slice(0, MAX_LINKS).reverse()) {
    const end = statementEnd(source, match.index + match[0].length, brackets);
    const used = uses.get(match[1])?.find((at) => at > end);
    if (used === undefined || isOpaqueAt(brackets, match.index)) continue;
    const around = [...below, ...held].filter((each) => each.start < used && each.end >= used).slice(0, MAX_DEPTH);
    const path = around.sort((a, b) => a.start - b.start).reduce((whole, each) => joined(whole, each.path), '');
    held.push({ start: match.index, end, path, isRoute: false });
  }
  return held;
}

/** Place of the `;` that ends a statement. */
function statementEnd(source: string, from: number, brackets: Brackets): number {
  const limit = Math.min(source.length, from + MAX_STATEMENT);
  for (let at = from; at < limit; at++) {
    const close = brackets.ends.get(at);
    if (close !== undefined) at = close;
    else if (source[at] === ';' && !isOpaqueAt(brackets, at)) return at;
    else if (source[at] === '}') return at;
  }
  return limit;
}

function stateHanded(sink: FactSink, below: readonly Below[], brackets: Brackets, held: ReadonlySet<Below>): void {
  const { source } = sink;
  const open: Below[] = [];
  let next = 0;
  let count = 0;
  const heldNames = new Set(
    [...held].map(({ start }) => /^let\s+(?:mut\s+)?(\w+)/.exec(source.slice(start, start + 100))?.[1]),
  );
  for (const match of source.matchAll(HANDED)) {
    if (++count > MAX_FOUND) return;
    if (isOpaqueAt(brackets, match.index)) continue;
    const inside = match.index + match[0].length - 1;
    for (; next < below.length && below[next].start < inside; next++) {
      leave(open, below[next].start);
      if (open.length < MAX_DEPTH) open.push(below[next]);
    }
    leave(open, inside);
    const path = open.reduce((whole, { path: own }) => joined(whole, own), '') || '/';
    const handed = { match, path, isRoute: open.some((each) => each.isRoute) };
    if (match[1] !== undefined) stateMethod(handed, brackets, sink);
    else stateParts(handed, heldNames, sink);
  }
}

function leave(open: Below[], at: number): void {
  while (open.length > 0 && open[open.length - 1].end < at) open.pop();
}

/** A match of `HANDED` below a path. */
interface Handed {
  match: RegExpExecArray;
  path: string;
  isRoute: boolean;
}

/** `get(list)`, `web::get().to(list)`: a method with its function, or with a closure. */
function stateMethod({ match, path, isRoute }: Handed, brackets: Brackets, sink: FactSink): void {
  if (!isRoute) return;
  const [whole, method, toHandler, handler] = match;
  const inside = match.index + whole.length - 1;
  const name = handler ?? toHandler ?? NO_HANDLER;
  const isClosure = name === NO_HANDLER || /^(?:move|async)$/.test(name);
  const end = isClosure ? (brackets.ends.get(sink.source.lastIndexOf('(', inside)) ?? inside) + 1 : inside + 1;
  const literal = `${method === 'any' ? 'ANY' : method.toUpperCase()} ${path}`;
  sink.reference(match.index, end, 'route', isClosure ? NO_HANDLER : accessPath(name), { literal });
}

/** `.to(list)`, `.service(list)`, `routes![list]`: functions that are handed on. */
function stateParts(
  { match, path, isRoute }: Handed,
  heldNames: ReadonlySet<string | undefined>,
  sink: FactSink,
): void {
  const at = match.index;
  const [whole, , , , part, value, called, list = ''] = match;
  const state = (name: string, literal: string) =>
    sink.reference(at, at + whole.length, 'route', accessPath(name), { literal });
  if (part === 'to') {
    if (isRoute && called === ')' && !/\(\)\s*$/.test(sink.source.slice(Math.max(0, at - 3), at)))
      state(value, `ANY ${path}`);
  } else if (part !== undefined) {
    if (!LIBRARY.test(value) && !(called === ')' && heldNames.has(value))) state(value, `USE ${path}`);
  } else for (const name of list.split(',')) if (/^\s*[a-z_][\w:]*\s*$/.test(name)) state(name.trim(), `USE ${path}`);
}

/** End of the calls that follow a call: `.service(…).route(…)`. */
function chainEnd({ source, rules }: FactSink, close: number, ends: ReadonlyMap<number, number>): number {
  const link = /\.\s*\w+\s*(?=\()/y;
  let end = close;
  for (let count = 0; count < MAX_LINKS; count++) {
    link.lastIndex = skipSpace(source, end + 1, source.length, rules.lexical);
    const match = link.exec(source);
    const next = match === null ? undefined : ends.get(link.lastIndex);
    if (next === undefined) return end;
    end = next;
  }
  return end;
}

function accessPath(name: string): string {
  return name === NO_HANDLER ? name : name.replace(/::/g, '.').replace(/\.$/, '');
}

function joined(prefix: string, path: string): string {
  const own = path.replace(/^\/+|\/+$/g, '');
  return own === '' ? prefix : `${prefix}/${own}`;
}
