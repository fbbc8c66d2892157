/** Routes of tRPC, which are the keys of objects that routers are made of, and routers of Koa that are mounted. */
import { NO_HANDLER } from '../roles/relation-facts.js';
import { type Call, elementsOf, type FactSink } from '../roles/relations.js';
import { skipSpace, skipString } from '../roles/scan.js';

/** Calls that make a router of tRPC from an object. */
const MAKERS = /^(?:router|createTRPCRouter|createRouter|createCallerRouter|mergeRouters)$/;
const KEY = /([\w$]+)\s*(?=[:,}])/y;
const SPREAD = /\.{3}/y;
const MAX_KEYS = 2_000;
/** Begin of a value that is a procedure: `publicProcedure.query(…)`, `t.procedure.input(…)`. */
const PROCEDURE = /^[\w$.]*[pP]rocedure\w*\b/;
const ROUTER = /^(?:[\w$.]*\.)?([\w$]*[rR]outer[\w$]*)$/;

/** States the procedures of `router({ getCart: publicProcedure.query(…), items: itemsRouter })`. */
export function procedures({ name, view }: Call, sink: FactSink): void {
  const { source, rules } = sink;
  if (!MAKERS.test(name)) return;
  const open = skipSpace(source, view.start + 1, view.end, rules.lexical);
  if (source[open] !== '{') return;
  let at = open + 1;
  for (let count = 0; count < MAX_KEYS && at < view.end; count++) {
    at = skipSpace(source, at, view.end, rules.lexical);
    KEY.lastIndex = at;
    const key = KEY.exec(source);
    SPREAD.lastIndex = at;
    if (key === null && !SPREAD.test(source)) return;
    const from = key === null ? at : skipSpace(source, at + key[0].length, view.end, rules.lexical);
    const hasValue = source[from] === ':';
    const value = hasValue ? skipSpace(source, from + 1, view.end, rules.lexical) : at;
    const end = endOfValue(hasValue ? value : from, view.end, sink);
    if (key !== null)
      state(key[1], at, hasValue ? source.slice(value, Math.min(end, value + 300)).trim() : key[1], sink);
    if (source[end] !== ',') return;
    at = end + 1;
  }
}

function state(key: string, at: number, value: string, sink: FactSink): void {
  const router = ROUTER.exec(value);
  if (router !== null) sink.reference(at, at + key.length, 'route', value, { literal: `USE /${key}` });
  else if (PROCEDURE.test(value) || /\.(?:query|mutation|subscription)\s*\(/.test(value))
    sink.reference(at, at + key.length, 'route', NO_HANDLER, { literal: `TRPC /${key}` });
  else if (/^[\w$]+$/.test(value)) sink.reference(at, at + key.length, 'route', value, { literal: `TRPC /${key}` });
}

/** Place of the comma or the bracket behind a value. */
function endOfValue(from: number, limit: number, sink: FactSink): number {
  const { source, rules } = sink;
  for (let at = from; at < limit; ) {
    const char = source[at];
    if (char === ',' || char === '}' || char === ')' || char === ']') return at;
    if (char === '(' || char === '{' || char === '[') at = sink.closing(at, limit);
    else if (char === '"' || char === "'" || char === '`') at = Math.max(at + 1, skipString(source, at, limit, '"\'`'));
    else if (char === '/') at = Math.max(at + 1, skipSpace(source, at, limit, rules.lexical));
    else at++;
  }
  return limit;
}

const MOUNTERS = /^(?:use|mount|register|route)$/;
/** `carts.routes()`: what Koa mounts of a router. */
const MOUNTED = /^([A-Za-z_$][\w$.]{0,100})\.(?:routes|middleware)\(\)$/;

/** `router.use(carts.routes())` hands the router on. */
export function mountedRouters({ name, view }: Call, sink: FactSink): void {
  if (!MOUNTERS.test(name) || view.end - view.start > MAX_MOUNT) return;
  for (const { start, end } of elementsOf(view.start + 1, view.end - 1, sink)) {
    const router = MOUNTED.exec(sink.source.slice(start, end))?.[1];
    if (router !== undefined)
      sink.reference(start + router.lastIndexOf('.') + 1, start + router.length, 'value', router);
  }
}

/** A call that mounts routers is shorter, in UTF-16 units. */
const MAX_MOUNT = 500;
