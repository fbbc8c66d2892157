/** Rules of Python: definitions and relations. */
import { type ParsingRules, wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { DefinitionRules, NodeRule } from '../roles/definitions.js';
import { type Blank, blanked } from '../roles/masks.js';
import {
  type Call,
  calls,
  elementOf,
  elementsOf,
  type FactSink,
  handedOn,
  keyedMembers,
  MAX_LIST_LENGTH,
  type NameRules,
  type NodeView,
  type RelationRules,
  statedRoute,
} from '../roles/relations.js';
import { takenFromRegistries, takenFromTables } from '../roles/remote.js';
import { heldPaths, pathExpression } from '../roles/routes.js';
import { closingOf, findOutside, lastPart, skipSpace } from '../roles/scan.js';
import {
  assignment,
  attributeByName,
  definition,
  elements,
  HANDED_ON,
  heldValue,
  LEXICAL,
  lambda,
  MAX_BODY_LENGTH,
  MODULE_IMPORTS,
  NAME,
  outerName,
  shadows,
  statedPath,
  types,
} from './declarations.js';

function importStatement({ start, end, text }: NodeView, sink: FactSink): void {
  for (const part of text.replace(/^import\s/, '').split(',')) {
    const match = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
    if (match === null) continue;
    const [, specifier, alias] = match;
    sink.import(start, end, kindAt(start, sink), specifier, [{ name: '*', alias: alias ?? specifier }]);
  }
}

function importFrom({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^from\s+([\w.]+|\.[.\s]*[\w.]*)\s*import\b/.exec(text);
  if (match === null) return;
  const list = text
    .slice(match[0].length)
    .replace(/#[^\n]*/g, '')
    .replace(/[()\\]/g, '');
  const names = [];
  for (const part of list.split(',')) {
    const named = /^\s*([\w*]+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
    if (named !== null) names.push({ name: named[1], alias: named[1] === '*' ? '' : (named[2] ?? named[1]) });
  }
  sink.import(start, end, kindAt(start, sink), match[1].replace(/\s+/g, ''), names);
}

/** Kind of an import: indented imports under `if TYPE_CHECKING:` are for types only. */
function kindAt(start: number, { source }: FactSink): 'import' | 'type' {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  if (lineStart === start) return 'import';
  const before = source.slice(Math.max(0, lineStart - 3_000), lineStart).split('\n');
  const indent = start - lineStart;
  for (let i = before.length - 2; i >= 0; i--) {
    const line = before[i];
    const indentHere = line.length - line.trimStart().length;
    if (line.trim() === '' || indentHere >= indent) continue;
    return /^\s*if\s+(?:\w+\.)?TYPE_CHECKING\s*:/.test(line) ? 'type' : 'import';
  }
  return 'import';
}

// Types that conditions narrow: `if isinstance(cart, Basket):`, `assert isinstance(cart, Basket)`

const INSTANCE =
  /\bisinstance\(\s*([\p{L}_][\p{L}\p{N}_]*)\s*,\s*(\([\p{L}\p{N}_., \n]{1,400}\)|[\p{L}\p{N}_.|](?:[\p{L}\p{N}_.| ]{0,148}[\p{L}\p{N}_.|])?)\s*\)/gu;
/** A block whose last statement leaves it: the code behind is reached only where its condition is false. */
const LEAVES = /(?:^|\n)[ \t]*(?:return|raise|continue|break)\b[^\n]*(?:\n[ \t]*[)\]}][^\n]*)?\s*$/;
/** Longest condition, and longest block that is searched for its end. */
const MAX_CONDITION_LENGTH = 500;
const MAX_BLOCK_LENGTH = 20_000;

export function condition({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const colon = findOutside(source, start, Math.min(end, start + MAX_CONDITION_LENGTH), ':', rules.lexical);
  const text = source.slice(start, colon).replace(/^\w+\s*/, '');
  if (!text.includes('isinstance(') || /\bor\b/.test(text)) return;
  const indent = indentOf(source, start);
  const block = blockEnd(source, colon, indent);
  if (!/\bnot\b/.test(text)) narrow(text, start, block, sink);
  else if (
    /^not\s+isinstance\([^()]*(?:\([^()]*\))?[^()]*\)$/.test(text) &&
    LEAVES.test(source.slice(colon + 1, block))
  )
    narrow(text, block + 1, blockEnd(source, block, indent - 1), sink);
}

function assertion({ start, text }: NodeView, sink: FactSink): void {
  if (!/^assert\s+isinstance\(/.test(text) || /\b(?:or|not)\b/.test(text)) return;
  narrow(
    text.slice(0, MAX_CONDITION_LENGTH),
    start,
    blockEnd(sink.source, start, indentOf(sink.source, start) - 1),
    sink,
  );
}

function narrow(text: string, start: number, end: number, sink: FactSink): void {
  for (const [, name, types] of text.matchAll(INSTANCE)) {
    // Types of the language itself have no known members.
    const known = types.split(/[(),|\s]+/).filter((type) => type !== '' && sink.rules.ignoredTypes?.has(type) !== true);
    if (known.length > 0) sink.narrowed(start, end, name, known.join(' | '));
  }
}

function indentOf(source: string, at: number): number {
  const line = source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
  return line.length - line.trimStart().length;
}

/** Offset of the first line behind `from` that is indented by no more than `indent`. */
function blockEnd(source: string, from: number, indent: number): number {
  const limit = Math.min(source.length, from + MAX_BLOCK_LENGTH);
  for (let at = source.indexOf('\n', from); at !== -1 && at < limit; at = source.indexOf('\n', at + 1)) {
    const line = /[^ \t]/g;
    line.lastIndex = at + 1;
    const first = line.exec(source)?.index ?? source.length;
    if (source[first] !== '\n' && source[first] !== '\r' && source[first] !== '#' && first - at - 1 <= indent)
      return at;
  }
  return limit;
}

const MENTIONS: NameRules = {
  opaque: ['comment', 'string_content'],
  code: ['interpolation'],
  keywords: wordSet(
    `False None True and as assert async await break case class cls continue def del elif else except finally for from
     global if import in is lambda match nonlocal not or pass raise return self try while with yield`,
  ),
  labels: '=',
};

/** Text before the list of a decorated or inheriting class. */
const CLASS_HEAD = /\bclass\s+$/;
const DOTTED = /^[\p{L}_][\p{L}\p{N}_.]*$/u;
/** Calls that declare routes, with their first string. Patterns are raw strings, and included modules can be in a tuple. */
const ROUTES = wordSet('path re_path url include add_url_rule add_api_route websocket include_router mount');
const ROUTE = /^\(\s*(?:\(\s*)?[rub]?(["'])([^"'\n]{1,150})\1/i;
const MAX_ROUTE_LENGTH = 200;
/** Calls of FastAPI and Flask with a named argument for the path above the routes of a router. */
const PREFIXED: ReadonlySet<string> = new Set(['APIRouter', 'Blueprint', 'include_router', 'register_blueprint']);
/** Subclasses of a router are called like one: `UserAPIRouter(prefix="/users")`. */
const isPrefixed = (name: string): boolean => PREFIXED.has(name) || /[a-z]Router$|APIRouter$/.test(name);
const NO_PATH = /^\(\s*(["'])\1\s*[,)]/;
const PREFIX = /[(,]\s*(?:url_)?prefix\s*=\s*[rub]?(["'])([^"'\n]{1,150})\1\s*[,)]/i;
/** A prefix that is a name, or put together with one. */
const HELD_PREFIX =
  /[(,]\s*(?:url_)?prefix\s*=\s*([\w.]{1,100}(?:\s*\+\s*["'][^"'\n]{0,100}["'])?|f["'][^"'\n]{1,100}["'])\s*[,)]/;
const MAX_PREFIXED_LENGTH = 2_000;

/** Calls, and the bases of classes, which are argument lists too. */
function special(call: Call, sink: FactSink): boolean {
  const { callee, name, receiver, list, start, end, view } = call;
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
  statedByArguments(call, sink);
  if (source[start - 1] === '@') {
    stateDecorator(call, sink);
    return true;
  }
  if (name === 'register' && /router$/i.test(receiver)) viewSet(view, sink);
  if (ROUTES.has(name) || isPrefixed(name)) {
    const literal = routeOf(name, headText(source, view.start, view.end, MAX_PREFIXED_LENGTH));
    sink.reference(callee.nameStart, end, 'call', callee.accessPath, { args: list.count, literal });
    return true;
  }
  return name === 'TypeVar' && list.count > 0;
}

/** States the facts that arguments of calls tell beside the calls themselves. */
function statedByArguments({ callee, name, receiver, start, end, view }: Call, sink: FactSink): void {
  if (name === 'getattr' && receiver === '') attributeByName(view, sink);
  const model = modelOf(name, receiver, headText(sink.source, start, view.end, MAX_QUERY));
  if (model !== '') sink.remember(end, start, `new ${model}()`);
  if (PATH_CALLS.has(name) || MODULE_CALLS.has(name) || (name === 'run' && receiver === 'uvicorn'))
    pathInCall(name, view, sink);
  if (name === 'usefixtures' || name === 'getfixturevalue') namedFixtures(view, sink);
  // A task of Celery runs later.
  if (TASK_CALLS.has(name) && receiver !== '' && /^[\w.]+$/.test(receiver))
    sink.reference(callee.nameStart - 1 - lastPart(receiver).length, end, 'call', receiver);
  if (/^_*\p{Lu}/u.test(name)) keywords(callee.accessPath, view, sink);
}

function stateDecorator({ callee, name, list, end, view }: Call, sink: FactSink): void {
  const written = headText(sink.source, view.start, view.end, MAX_LIST_LENGTH);
  // An empty path is that of the router itself.
  const path = list.literal || (NO_PATH.test(written.slice(0, 10)) ? '/' : '');
  const literal = taskName(name, view, sink.source) || statedRoute(path, written);
  sink.reference(callee.nameStart, end, 'decorator', callee.accessPath, { args: list.count, literal });
}

/** The name that a task of Celery is given: `@shared_task(name="mail.send")`. */
function taskName(name: string, { start, end }: NodeView, source: string): string {
  if (name !== 'task' && name !== 'shared_task') return '';
  return /\bname\s*=\s*(["'])([\w.:-]{1,100})\1/.exec(headText(source, start, end, MAX_LIST_LENGTH))?.[2] ?? '';
}

/** Queries of Django and SQLAlchemy that give one object. */
const GIVES_ONE = wordSet(
  `get first last earliest latest create aget afirst alast acreate get_or_404 first_or_404 one one_or_none scalar
   scalar_one scalar_one_or_none as_manager`,
);
const MAX_QUERY = 300;
/** A query that begins at a class: `Order.objects.filter().exclude()`, `Order.query.all()`. */
const QUERY =
  /^((?:[a-z_]\w*\.)?[A-Z]\w*)\.(?:objects|query)(?:\.(?!(?:values|values_list|aggregate|dates|datetimes|in_bulk)\b)\w+\(\))*$/;
const SELECTED = /\b(?:query|select)\(\s*([A-Z]\w*)\s*\)/;
const SESSION = /(?:^|[._])session(?:\(\))?$/i;

/** The class of the object that a typed query gives; '' for other calls. `Orders.as_manager()` is a manager with the methods of `Orders`. */
function modelOf(name: string, receiver: string, written: string): string {
  if (!GIVES_ONE.has(name) || receiver === '') return '';
  if (name === 'as_manager') return /^[A-Z]\w*$/.test(receiver) ? receiver : '';
  if (name === 'get' && SESSION.test(receiver)) return /\.get\(\s*([A-Z]\w*)\s*,/.exec(written)?.[1] ?? '';
  if (/\b(?:query|execute|scalars|select)\(\)/.test(receiver)) return SELECTED.exec(written)?.[1] ?? '';
  return QUERY.exec(receiver)?.[1] ?? '';
}

/** Functions that take a module by its path, and those that take a member of one. */
const MODULE_CALLS: ReadonlySet<string> = new Set(['import_module', 'include', '__import__']);
const PATH_CALLS = wordSet(
  `import_string import_from_string import_object load_object locate resolve_name patch setattr delattr send_task signature`,
);
const TASK_CALLS: ReadonlySet<string> = new Set(['delay', 'apply_async', 'delay_on_commit', 'apply_async_on_commit']);

function pathInCall(name: string, view: NodeView, sink: FactSink): void {
  const [first] = elementsOf(view.start + 1, view.end - 1, sink);
  if (first === undefined) return;
  if (!MODULE_CALLS.has(name)) {
    statedPath(first.start, first.end, sink, true);
    return;
  }
  const module = MODULE.exec(headText(sink.source, first.start, first.end, MAX_ROUTE_LENGTH))?.[2];
  if (module !== undefined) sink.import(first.start, first.end, 'dynamic', module);
}

/** Keys of settings whose values are paths of functions. */
const PATH_KEYS = /^["'](?:task|view|func|function|callable|callback|handler|factory|\(\))["']\s*:/;

/** `@pytest.mark.usefixtures("cart")`, `request.getfixturevalue("cart")` */
function namedFixtures(view: NodeView, sink: FactSink): void {
  for (const { start, end } of elementsOf(view.start + 1, view.end - 1, sink)) {
    const name = /^(["'])([A-Za-z_]\w*)\1$/.exec(headText(sink.source, start, end, MAX_ROUTE_LENGTH))?.[2];
    if (name !== undefined) sink.reference(start + 1, end - 1, 'read', `fixture#.${name}`);
  }
}

/** An included module can be in a tuple. */
const MODULE = /^\(?\s*(["'])(\.*[A-Za-z_][\w.]*)\1/;

/** `router.register('carts', CartViewSet)` of Django REST framework. */
const VIEW_SET = /^\(\s*(?:prefix\s*=\s*)?[rub]?(["'])([^"'\n]{0,150})\1\s*,\s*(?:viewset\s*=\s*)?([A-Za-z_][\w.]*)/i;

function viewSet({ start, end }: NodeView, sink: FactSink): void {
  const match = VIEW_SET.exec(headText(sink.source, start, end, MAX_ROUTE_LENGTH));
  if (match === null) return;
  const path = `/${match[2].replace(/^\/|\/$/g, '')}`;
  for (const literal of [`ANY ${path}`, `ANY ${path === '/' ? '' : path}/{pk}`])
    sink.reference(start, end, 'route', match[3], { literal });
}

function routeOf(name: string, list: string): string {
  if (isPrefixed(name)) return PREFIX.exec(list)?.[2] ?? pathExpression(HELD_PREFIX.exec(list)?.[1] ?? '');
  const path = ROUTE.exec(list.slice(0, MAX_ROUTE_LENGTH))?.[2] ?? '';
  return name.startsWith('add_') && path !== '' ? statedRoute(path, list) : path;
}

/** `Cart(total=1)` writes the field, if the type makes its constructor from its fields. */
function keywords(accessPath: string, view: NodeView, sink: FactSink): void {
  const parts = elementsOf(view.start + 1, view.end - 1, sink);
  keyedMembers(parts, /^([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)/u, 'write', `new ${accessPath}()`, sink);
}

function bases(view: NodeView, sink: FactSink): void {
  const { source } = sink;
  for (const part of elementsOf(view.start + 1, view.end - 1, sink)) {
    const text = source.slice(part.start, part.end);
    const made = /^metaclass\s*=\s*([\p{L}_][\p{L}\p{N}_.]*)$/u.exec(text);
    // A class statement calls the metaclass.
    if (made !== null)
      sink.reference(part.end - made[1].length + made[1].lastIndexOf('.') + 1, part.end, 'call', made[1]);
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
  const target = headText(source, from, end, MAX_LIST_LENGTH);
  const within = /\bin\b/.exec(target);
  if (head === null || within === null) return;
  const last = from + within.index;
  const stop = findOutside(source, last + 2, end, ':', rules.lexical);
  const name = target.slice(0, within.index).trim();
  const values = heldValue(last + 2, stop, sink);
  const model = QUERY.exec(values)?.[1];
  const element = model === undefined ? `${values}[]` : `new ${model}()`;
  if (NAME.test(name)) sink.variable(from, name, '', values === '' ? '' : element);
  else enumerated(from, last, source.slice(last + 2, stop), stop, sink);
}

/** `for i, x in enumerate(xs)`: the second name is an element. Other pairs are unknown. */
function enumerated(from: number, to: number, text: string, end: number, sink: FactSink): void {
  const names = sink.source.slice(from, to).split(',');
  const head = /^\s*enumerate\(/.exec(text);
  const second = names[1]?.trim() ?? '';
  if (head === null || names.length !== 2 || !NAME.test(second)) {
    shadows(from, to, sink);
    return;
  }
  const values = sink.accessPath(end - text.length + head[0].length, end - text.length + text.lastIndexOf(')'));
  sink.variable(from, second, '', elementOf(values));
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

/** Behind `with pytest.raises(Missing) as caught:`, `caught.value` is a `Missing`; behind `assertRaises` it is `caught.exception`. */
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

const pythonRelations: RelationRules = {
  lexical: LEXICAL,
  brackets: ['argument_list'],
  names: MENTIONS,
  importText: MODULE_IMPORTS,
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
    list: ({ start, end }, sink) => elements(start + 1, end - 1, sink),
    pair: ({ start, end, text }, sink) => {
      const colon = findOutside(sink.source, start, end, ':', LEXICAL);
      if (text.length > MAX_LIST_LENGTH) return;
      elements(colon + 1, end, sink);
      if (PATH_KEYS.test(text)) statedPath(skipSpace(sink.source, colon + 1, end, LEXICAL), end, sink, true);
    },
  },
  definition,
  text: (sink) => {
    heldPaths(sink);
    takenFromRegistries(sink);
    takenFromTables(sink);
  },
  literalCalls: new Set(['on', 'once', 'add_listener', 'emit']),
  ignoredTypes: wordSet(
    `None str int float bool bytes bytearray complex object type list dict set frozenset tuple Any Optional Union Callable Iterable
     Iterator Sequence Mapping MutableMapping List Dict Set FrozenSet Tuple Type Literal ClassVar Final Annotated Awaitable Coroutine
     AsyncIterator AsyncIterable AsyncGenerator Generator Self Never NoReturn Exception True False`,
  ),
  ignoredCalls: wordSet(
    `abs all any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval
     exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map
     max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum
     tuple type vars zip super Exception ValueError TypeError KeyError RuntimeError NotImplementedError AttributeError IndexError
     AssertionError OSError ImportError StopIteration`,
  ),
};

/** Statements whose blocks define names at top level or in a class. */
const BLOCKS = ['class_definition', 'if_statement', 'elif_clause', 'else_clause', 'try_statement', 'except_clause'].map(
  (kind) => ({ kind }),
);

/** A statement at top level or in a class. */
const OUTER_STATEMENT = {
  kind: 'expression_statement',
  inside: { any: [{ kind: 'module' }, { kind: 'block', inside: { any: BLOCKS } }] },
};
/** In `a = b = c = 1` each assignment is the value of the one before. */
const CHAINED = [1, 2, 3].reduce<NodeRule[]>(
  (chain) => [...chain, { kind: 'assignment', inside: chain[chain.length - 1] }],
  [OUTER_STATEMENT],
);

/** `lazy import shop` of Python 3.15. */
const LAZY = /^([ \t]*)lazy(?=[ \t]+(?:import|from)[ \t])/gm;

/** `class Box[T = int]:`, `type Pair[T = int] = …` of Python 3.13 */
const PARAMETRIC = /^[ \t]*(?:async[ \t]+)?(?:class|def|type)[ \t]+\w+[ \t]*\[/gm;
/** Longest list of such parameters. UTF-16 units. */
const MAX_PARAMETERS = 1_000;

/** The text without syntax that is newer than the grammar: `lazy` before imports, and defaults of type parameters. */
function repairedPython(text: string): string {
  const blank: Blank[] = [];
  for (const { index, 0: head } of text.matchAll(PARAMETRIC)) {
    const open = index + head.length - 1;
    const end = closingOf(text, open, Math.min(text.length, open + MAX_PARAMETERS), LEXICAL) - 1;
    if (text[end] !== ']') continue;
    for (let at = open + 1; at < end; ) {
      const comma = findOutside(text, at, end, ',', LEXICAL);
      const last = comma === -1 ? end : comma;
      const value = findOutside(text, at, last, '=', LEXICAL);
      if (value !== -1) blank.push([value, last, '']);
      at = last + 1;
    }
  }
  return blanked(text, blank).replace(LAZY, '$1    ');
}

const pythonDefinitions: DefinitionRules = {
  repaired: repairedPython,
  definitions: [
    { node: 'class_definition', kind: 'class' },
    { node: 'function_definition', kind: 'function', member: 'method' },
    {
      node: 'assignment',
      kind: 'variable',
      member: 'field',
      name: 'left',
      named: /^[\p{L}_][\p{L}\p{N}_]*$/u,
      outer: 'members',
      holdsNone: true,
      where: { inside: { any: CHAINED } },
    },
    { node: 'type_alias_statement', kind: 'type', name: 'left', renamed: /(\w+)\s*\[/y, body: 'right', outer: true },
  ],
  constants: /^_{0,2}[A-Z][A-Z0-9_]*$/,
  wrappers: { decorated_definition: {} },
  imports: ['import_statement', 'import_from_statement', 'future_import_statement'],
  importText: /^(?:if (?:typing\.)?TYPE_CHECKING:|try:\s*\n\s+(?:import|from) )/,
  comments: ['comment'],
  docs: { line: /^#/, docstring: true },
  exported: { name: /^(?!_)|^__\w+__$/ },
  outerNames: /^[ \t]*(?:global|nonlocal)[ \t]+(\w[\w, \t]*)$/gm,
  constructors: /^__init__$/,
  // Bounded, since each name of a long line is tried with the text before and behind it.
  assigned: new RegExp(
    String.raw`(?<![\p{L}\p{N}_.])(?:self|cls)\.([\p{L}_][\p{L}\p{N}_]*)(?![\p{L}\p{N}_])(?:` +
      [
        // `self.total = 0`, but not `f'{self.total=}'`.
        String.raw`(?=[ \t]*=(?![=}]))`,
        // `self.total: int`, with or without a value.
        String.raw`(?<=^[ \t]*(?:self|cls)\.[^\s.[(]+)[ \t]*:[ \t]*[^=:\n]{1,150}(?==(?!=)|$)`,
        // `self.total, self.count = 0, 1`
        String.raw`(?<=^[ \t]{0,100}\(?[\p{L}\p{N}_.,* \t]{0,300})(?=(?:,[ \t]*\*?[\p{L}\p{N}_.]+){1,30}[ \t]*\)?[ \t]*=(?!=))`,
        // `with open(path) as self.file:`
        String.raw`(?<=\bas[ \t]{1,20}\S{1,200})(?=[:,)])`,
      ].join('|') +
      ')',
    'gmu',
  ),
};

export const python: ParsingRules = { definitions: pythonDefinitions, relations: pythonRelations };
