/** Python. */

import { type Call, calls } from '../roles/call-rules.js';
import { elementsOf, handedOn, MAX_LIST_LENGTH } from '../roles/escaping-values.js';
import type { FactSink, NodeView, RelationRules } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { assignment, outerName, shadows } from './assignments.js';
import { definition, lambda, MAX_BODY_LENGTH, types } from './functions.js';
import { importFrom, importStatement } from './import-statements.js';
import { HANDED_ON, LEXICAL, NAME } from './lexical.js';
import { MENTIONS } from './names.js';
import { assertion, condition } from './narrowings.js';
import { heldValue } from './values.js';

/** Text that a decorated or inheriting line may hold before the list. */
const CLASS_HEAD = /\bclass\s+$/;
const DOTTED = /^[\p{L}_][\p{L}\p{N}_.]*$/u;
/** Calls that declare routes, and their first string: patterns are raw strings, and modules to include can be in a tuple. */
const ROUTES: ReadonlySet<string> = new Set(
  'path re_path url include add_url_rule add_api_route websocket include_router mount'.split(' '),
);
const ROUTE = /^\(\s*(?:\(\s*)?[rub]?(["'])([^"'\n]{1,150})\1/i;
const MAX_ROUTE_LENGTH = 200;
/** Calls of FastAPI and Flask that say by name below which path the routes of a router are. */
const PREFIXED: ReadonlySet<string> = new Set(['APIRouter', 'Blueprint', 'include_router', 'register_blueprint']);
const PREFIX = /[(,]\s*(?:url_)?prefix\s*=\s*[rub]?(["'])([^"'\n]{1,150})\1\s*[,)]/i;
const MAX_PREFIXED_LENGTH = 2_000;

/** Calls, and the bases of classes, which are argument lists too. */
function special({ callee, name, receiver, list, start, end, view }: Call, sink: FactSink): boolean {
  const { source } = sink;
  if (CLASS_HEAD.test(source.slice(Math.max(0, start - 10), start))) {
    bases(view, sink);
    return true;
  }
  if (name === 'super' && receiver === '') {
    sink.remember(end, start, 'super');
    return true;
  }
  handedOn(view.start + 1, view.end - 1, HANDED_ON, sink);
  if (/^_*\p{Lu}/u.test(name)) keywords(callee.accessPath, view, sink);
  if (source[start - 1] === '@') {
    sink.reference(callee.nameStart, end, 'decorator', callee.accessPath, { args: list.count, literal: list.literal });
    return true;
  }
  if (ROUTES.has(name) || PREFIXED.has(name)) {
    const literal = routeOf(name, source.slice(view.start, Math.min(view.end, view.start + MAX_PREFIXED_LENGTH)));
    sink.reference(callee.nameStart, end, 'call', callee.accessPath, { args: list.count, literal });
    return true;
  }
  if ((name === 'cast' || name === 'NewType' || name === 'TypeVar') && list.count > 0) return name === 'TypeVar';
  return false;
}

function routeOf(name: string, list: string): string {
  if (PREFIXED.has(name)) return PREFIX.exec(list)?.[2] ?? '';
  return ROUTE.exec(list.slice(0, MAX_ROUTE_LENGTH))?.[2] ?? '';
}

/** `Cart(total=1)` writes the field, where the type makes its constructor of its fields. */
function keywords(accessPath: string, view: NodeView, sink: FactSink): void {
  for (const { start, end } of elementsOf(view.start + 1, view.end - 1, sink)) {
    const name = /^([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)/u.exec(sink.source.slice(start, Math.min(end, start + 100)))?.[1];
    if (name !== undefined) sink.reference(start, start + name.length, 'write', `new ${accessPath}().${name}`);
  }
}

function bases(view: NodeView, sink: FactSink): void {
  const { source } = sink;
  for (const part of elementsOf(view.start + 1, view.end - 1, sink)) {
    const text = source.slice(part.start, part.end);
    const base = /^[\p{L}_][\p{L}\p{N}_.]*/u.exec(text)?.[0] ?? '';
    const after = text.slice(base.length).trimStart();
    if (base === '' || !(after === '' || after.startsWith('['))) continue;
    const at = part.start + base.lastIndexOf('.') + 1;
    sink.reference(at, part.start + base.length, 'extends', base);
    if (after !== '') types(part.start + base.length, part.end, sink);
  }
}

/** `for x in xs`, in loops and comprehensions. */
function loop({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const head = /^(?:async\s+)?for\b/.exec(source.slice(start, start + 20));
  const from = start + (head?.[0].length ?? 0);
  const target = source.slice(from, Math.min(end, from + MAX_LIST_LENGTH));
  const within = /\bin\b/.exec(target);
  if (head === null || within === null) return;
  const last = from + within.index;
  const stop = findOutside(source, last + 2, end, ':', rules.lexical);
  const name = target.slice(0, within.index).trim();
  const values = heldValue(last + 2, stop, sink);
  if (NAME.test(name)) sink.variable(from, name, '', values === '' ? '' : `${values}[]`);
  else enumerated(from, last, source.slice(last + 2, stop), stop, sink);
}

/** `for i, x in enumerate(xs)`: the second name is an element. Of all other pairs nothing is known. */
function enumerated(from: number, to: number, text: string, end: number, sink: FactSink): void {
  const names = sink.source.slice(from, to).split(',');
  const head = /^\s*enumerate\(/.exec(text);
  const second = names[1]?.trim() ?? '';
  if (head === null || names.length !== 2 || !NAME.test(second)) {
    shadows(from, to, sink);
    return;
  }
  const values = sink.accessPath(end - text.length + head[0].length, end - text.length + text.lastIndexOf(')'));
  sink.variable(from, second, '', values === '' ? '' : `${values}[]`);
  shadows(from, from + names[0].length, sink);
}

/** `with value as name`, `except Type as name`. */
function asPattern({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /\sas\s+([\p{L}_][\p{L}\p{N}_]*)$/u.exec(text);
  if (match === null) return;
  const isError = /\bexcept\*?\s+$/.test(sink.source.slice(Math.max(0, start - 12), start));
  const value = sink.accessPath(start, start + match.index);
  const type = isError && DOTTED.test(value) ? value : '';
  if (!isError) expectedError(text.slice(0, match.index), match[1], end, sink);
  sink.local(end - match[1].length, match[1], type, isError ? '' : value);
  if (type !== '') types(start, start + match.index, sink);
}

const RAISES = /^(?:(?:pytest\.)?(raises)|self\.assertRaises(?:Regex)?)\(\s*([\p{L}_][\p{L}\p{N}_.]*)\s*[,)]/u;

/** Behind `with pytest.raises(Missing) as caught:`, `caught.value` is a `Missing`, as `caught.exception` is behind `assertRaises`. */
function expectedError(text: string, name: string, from: number, sink: FactSink): void {
  const match = RAISES.exec(text);
  if (match === null || sink.rules.ignoredCalls?.has(match[2]) === true) return;
  const error = `${name}.${match[1] === undefined ? 'exception' : 'value'}`;
  const body = sink.source.slice(from, from + MAX_BODY_LENGTH);
  const next = /\n[ \t]*(?:async[ \t]+)?(?:def|class)\b/.exec(body);
  const limit = next === null ? body.length : next.index;
  for (let at = body.indexOf(error); at !== -1 && at < limit; at = body.indexOf(error, at + 1)) {
    const end = at + error.length;
    if (/[\w.]/.test(body[at - 1] ?? '') || /\w/.test(body[end] ?? '')) continue;
    sink.remember(from + end, from + at, `new ${match[2]}()`);
  }
}

function decorator({ start, end, text }: NodeView, sink: FactSink): void {
  const written = text.slice(1).trim();
  const property = /^([\p{L}_][\p{L}\p{N}_]*)\.(?:setter|getter|deleter)$/u.exec(written);
  if (property !== null) {
    const at = start + text.indexOf(property[1]);
    sink.reference(at, at + property[1].length, 'decorator', `this.${property[1]}`);
  } else if (DOTTED.test(written))
    sink.reference(end - written.length + written.lastIndexOf('.') + 1, end, 'decorator', written);
  else if (!written.includes('(')) sink.reference(start, end, 'decorator', sink.accessPath(start + 1, end));
}

export const python: RelationRules = {
  lexical: LEXICAL,
  brackets: ['argument_list'],
  names: MENTIONS,
  nodes: {
    argument_list: calls({ special }),
    import_statement: importStatement,
    import_from_statement: importFrom,
    future_import_statement: importFrom,
    assignment,
    named_expression: assignment,
    for_statement: loop,
    for_in_clause: loop,
    as_pattern: asPattern,
    global_statement: outerName,
    nonlocal_statement: outerName,
    if_statement: condition,
    elif_clause: condition,
    assert_statement: assertion,
    lambda_parameters: lambda,
    decorator,
    list: ({ start, end }, sink) => handedOn(start + 1, end - 1, HANDED_ON, sink),
    pair: ({ start, end, text }, sink) => {
      const colon = findOutside(sink.source, start, end, ':', LEXICAL);
      if (text.length < MAX_LIST_LENGTH) handedOn(colon + 1, end, HANDED_ON, sink);
    },
  },
  definition,
  ignoredTypes: new Set(
    (
      'None str int float bool bytes bytearray complex object type list dict set frozenset tuple Any Optional Union Callable ' +
      'Iterable Iterator Sequence Mapping MutableMapping List Dict Set FrozenSet Tuple Type Literal ClassVar Final Annotated ' +
      'Awaitable Coroutine AsyncIterator AsyncIterable AsyncGenerator Generator Self Never NoReturn Exception True False'
    ).split(' '),
  ),
  ignoredCalls: new Set(
    (
      'abs all any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod ' +
      'enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass ' +
      'iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set ' +
      'setattr slice sorted staticmethod str sum tuple type vars zip super Exception ValueError TypeError KeyError RuntimeError ' +
      'NotImplementedError AttributeError IndexError AssertionError OSError ImportError StopIteration'
    ).split(' '),
  ),
};
