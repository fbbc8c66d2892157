/** Routes of axum, actix and Rocket: chains of calls below paths, and functions that they name. */

import { bracketEnds, isOpaqueAt } from '../roles/masks.js';
import { NO_HANDLER } from '../roles/relation-facts.js';
import type { FactSink } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';

/** A file that builds routers. */
const BUILDS = /\bRouter::|\bweb::|\broutes!|\bget\(|\.route\(/;
/**
 * `scope("/api")`, `resource("/x")`, `.route("/x", …)`, `.nest("/api", …)`, `.mount("/", routes![…])`: groups 1 and 2 are the call and its
 * path.
 */
const PATHS = /\b(scope|resource|route|nest|nest_service|mount|at)\s*\(\s*"([^"\n]{0,150})"/g;
/** Calls that hand a function on: a method (`get(list)`, `web::get().to(list)`), or a part of an application (`.service(list)`). */
const HANDED =
  /\b(get|post|put|patch|delete|head|options|any|trace)\s*(?:\(\)(?:\s*\.(?:guard|wrap)\([^()]{0,100}\))*\s*\.to\(\s*([A-Za-z_][\w:]*)|\(\s*(?!["\s)])([A-Za-z_][\w:]*)?)|\.(service|configure|merge|to|nest)\s*\(\s*(?:"[^"\n]{0,150}"\s*,\s*)?([a-z_][\w:]*)\s*(\(\)|\))|\broutes!\s*[[(]([^\])]{1,2000})/g;
const MAX_DEPTH = 20;
const MAX_LINKS = 1_000;
const MAX_FOUND = 20_000;

/** Code that is below a path. */
interface Below {
  start: number;
  end: number;
  path: string;
  /** Path of the route itself: what is handed on there answers it. */
  isRoute: boolean;
}

/** States the routes of a file. */
export function rustRoutes(sink: FactSink): void {
  const { source, rules } = sink;
  if (!BUILDS.test(source)) return;
  const brackets = bracketEnds(source, rules.lexical);
  const below: Below[] = [];
  for (const match of source.matchAll(PATHS)) {
    if (below.length >= MAX_FOUND || isOpaqueAt(brackets, match.index)) continue;
    const [, name, path] = match;
    const open = source.indexOf('(', match.index + name.length);
    const close = brackets.ends.get(open);
    if (close === undefined) continue;
    // The calls behind `scope("/api")` are below it; with the others only what they are given.
    const isChain = name === 'scope' || name === 'resource';
    const end = isChain ? chainEnd(sink, close, brackets.ends) : close;
    below.push({ start: match.index, end, path, isRoute: name === 'route' || name === 'resource' || name === 'at' });
  }
  stateHanded(sink, below, brackets);
}

function stateHanded(sink: FactSink, below: readonly Below[], brackets: ReturnType<typeof bracketEnds>): void {
  const { source } = sink;
  const open: Below[] = [];
  let next = 0;
  let count = 0;
  for (const match of source.matchAll(HANDED)) {
    if (++count > MAX_FOUND) return;
    if (isOpaqueAt(brackets, match.index)) continue;
    const inside = match.index + match[0].length - 1;
    for (; next < below.length && below[next].start < inside; next++) {
      while (open.length > 0 && open[open.length - 1].end < below[next].start) open.pop();
      if (open.length < MAX_DEPTH) open.push(below[next]);
    }
    while (open.length > 0 && open[open.length - 1].end < inside) open.pop();
    const path = open.reduce((whole, { path: own }) => joined(whole, own), '') || '/';
    const isRoute = open.some((each) => each.isRoute);
    const [, method, toHandler, handler, part, value, called, list] = match;
    const at = match.index;
    const state = (name: string, literal: string) =>
      sink.reference(at, at + match[0].length, 'route', accessPath(name), { literal });
    if (method !== undefined) {
      const name = handler ?? toHandler ?? NO_HANDLER;
      if (isRoute)
        state(
          /^(?:move|async)$/.test(name) ? NO_HANDLER : name,
          `${method === 'any' ? 'ANY' : method.toUpperCase()} ${path}`,
        );
    } else if (part === 'to') {
      if (isRoute && called === ')' && !/\(\)\s*$/.test(source.slice(Math.max(0, at - 3), at)))
        state(value, `ANY ${path}`);
    } else if (part !== undefined) state(value, `USE ${path}`);
    else
      for (const name of (list ?? '').split(','))
        if (/^\s*[a-z_][\w:]*\s*$/.test(name)) state(name.trim(), `USE ${path}`);
  }
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
