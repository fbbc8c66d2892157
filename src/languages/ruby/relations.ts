/** Ruby: a name without anything before it is a call, unless the method around it gives it a value. */
import { elementsOf, handedOn } from '../roles/escaping-values.js';
import type { AccessPath, FactSink, LexicalConventions, NodeView, RelationRules } from '../roles/relations.js';
import { literalAt } from '../roles/scan.js';
import { blockParameters, symbolBlock, yielded } from './blocks.js';
import { NAMES } from './names.js';
import { definition, localsOf, settle, shadow } from './scopes.js';

const LEXICAL: LexicalConventions = {
  lines: true,
  joins: ['&.', '::', '.'],
  leading: '::',
  nameExtra: '@?!',
  quotes: '"\'`',
  lineComments: ['#'],
  spread: /^\*|^&/,
  root: (name) =>
    name === 'self' ? 'this' : name.startsWith('@') ? `this.${name.replace(/^@+/, '')}` : name.replace(/^!+/, ''),
};

const HANDED_ON = /^(?:\w+:\s*)?((?:[A-Z]\w*::)*[A-Z]\w*)$/;
const INCLUDES: ReadonlyMap<string, 'include' | 'include-system'> = new Map([
  ['require', 'include-system'],
  ['require_relative', 'include'],
  ['load', 'include'],
]);
const MIXINS: ReadonlySet<string> = new Set(['include', 'extend', 'prepend']);
/** An argument list longer than this is a table. */
const MAX_LIST_LENGTH = 4_000;

/** `f(…)`, `f …`, `X.new(…)`, `include M`, `require 'x'`. */
function argumentList({ start, end }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const callee = calleeBefore(start, sink);
  const { accessPath } = callee;
  if (accessPath === '?' || accessPath === '') {
    sink.remember(end, callee.start, '?');
    return;
  }
  const isBare = source[start] !== '(';
  const from = isBare ? start : start + 1;
  const to = isBare ? end : end - 1;
  const list = end - start > MAX_LIST_LENGTH ? { count: -1, literal: '' } : sink.arguments(from - 1, to + 1);
  const specifier = INCLUDES.get(accessPath);
  if (specifier !== undefined) {
    const literal = literalAt(source, from, to, LEXICAL);
    if (literal !== '') sink.import(callee.start, end, specifier, literal);
    localsOf(sink).calls.delete(callee.nameStart);
    return;
  }
  if (accessPath === 'autoload') {
    const path = /,\s*["']([^"'#\n]+)["']\s*$/.exec(source.slice(from, Math.min(to, from + 300)))?.[1];
    if (path !== undefined) sink.import(callee.start, end, 'include-system', path);
    return;
  }
  if (MIXINS.has(accessPath)) {
    mixin(from, to, callee.nameStart, sink);
    return;
  }
  handedOn(from, to, HANDED_ON, sink);
  call(callee.nameStart, callee.start, end, accessPath, list.count, list.literal, sink);
}

/** The name before arguments without brackets was taken for a call without arguments. */
function calleeBefore(start: number, sink: FactSink): AccessPath {
  const { source } = sink;
  const found = sink.accessPathBefore(start);
  if (source[start] === '(' || !found.accessPath.endsWith('()')) return found;
  let end = start;
  while (end > 0 && (source[end - 1] === ' ' || source[end - 1] === '\t')) end--;
  const name = /[A-Za-z_]\w*[?!]?$/.exec(source.slice(Math.max(0, end - 200), end))?.[0];
  if (name === undefined || found.accessPath.startsWith('new ')) return { ...found, accessPath: '?' };
  return { ...found, accessPath: found.accessPath.slice(0, -2), nameStart: end - name.length };
}

function mixin(from: number, to: number, nameStart: number, sink: FactSink): void {
  localsOf(sink).calls.delete(nameStart);
  for (const { start, end } of elementsOf(from, to, sink)) {
    const text = sink.source.slice(start, end);
    if (!/^(?:::)?(?:[A-Z]\w*::)*[A-Z]\w*$/.test(text)) continue;
    localsOf(sink).mixins.push({
      at: end - text.slice(text.lastIndexOf(':') + 1).length,
      end,
      accessPath: text.replace(/^::/, '').replace(/::/g, '.'),
    });
  }
}

/** A call with its arguments. `X.new` makes an X; `new` and `self.class.new` make an instance of the enclosing type. */
function call(
  at: number,
  start: number,
  end: number,
  accessPath: string,
  args: number,
  literal: string,
  sink: FactSink,
): void {
  if (accessPath === 'super') {
    const { supers } = localsOf(sink);
    const last = supers[supers.length - 1];
    if (last?.at === at) last.args = args;
    sink.remember(end, start, '?');
    return;
  }
  const dot = accessPath.lastIndexOf('.');
  const name = accessPath.slice(dot + 1);
  const receiver = dot === -1 ? '' : accessPath.slice(0, dot);
  const kept = sink.rules.literalCalls?.has(name) ? literal : '';
  if (name !== 'new') {
    sink.remember(end, start, `${accessPath}()`);
    localsOf(sink).calls.set(at, { end, accessPath, args, literal: kept });
    return;
  }
  const made = receiver === '' || receiver === 'this' || receiver === 'this.class' ? 'this' : receiver;
  if (!/^(?:this|(?:[\w.]+\.)?[A-Z]\w*)$/.test(made)) {
    localsOf(sink).calls.set(at, { end, accessPath, args, literal: kept });
    return;
  }
  sink.remember(end, start, made === 'this' ? 'this()' : `new ${made}()`);
  localsOf(sink).calls.delete(at);
  sink.reference(at, end, 'new', made, { args });
}

/** A name: of a call without arguments, of a local, of a definition. What it is shows when all locals are known. */
function identifier({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const before = source[start - 1];
  if (before === '.' || (before === ':' && source[start - 2] === ':')) {
    if (/\bdef\s+[\w:]+\.$/.test(source.slice(Math.max(0, start - 60), start))) return;
    // A list of arguments follows, and says more.
    if (source[end] === '(') return;
    const found = sink.accessPathBefore(end);
    if (found.accessPath !== '?' && found.accessPath !== '')
      call(start, found.start, end, found.accessPath, 0, '', sink);
    return;
  }
  if (source[end] === '(' || /\bdef\s+$/.test(source.slice(Math.max(0, start - 8), start))) return;
  if (text === 'new') call(start, start, end, text, 0, '', sink);
  else localsOf(sink).names.push({ at: start, end, name: text });
}

/** `x = value`, `@x ||= value`, `a, b = …`. */
function assignment({ start, end }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const constant = /^([A-Z]\w*)\s*=\s*/.exec(source.slice(start, Math.min(end, start + 100)));
  if (constant !== null) {
    const value = end - start > MAX_LIST_LENGTH ? '' : followable(start + constant[0].length, end, sink);
    if (value !== '') sink.variable(start, constant[1], '', value);
    return;
  }
  const held = /^@(\w+)\[[^\]\n]*\]\s*(?:\|\|)?=\s*((?:[A-Z]\w*::)*[A-Z]\w*)\.new\b/.exec(
    source.slice(start, Math.min(end, start + 300)),
  );
  if (held !== null) sink.field(start, held[1], `[${held[2]}]`, '');
  const match = /^(@{0,2}[a-z_]\w*|[a-z_*][\w\s,*@()]*?)\s*(?:\|\|)?=\s*/.exec(
    source.slice(start, Math.min(end, start + 300)),
  );
  if (match === null) return;
  const left = match[1];
  if (left.includes(',')) {
    for (const name of left.matchAll(/(?<![@\w])[a-z_]\w*/g)) shadow(start + name.index, name[0], '', sink);
    return;
  }
  const from = start + match[0].length;
  const value = end - from > MAX_LIST_LENGTH ? '' : followable(from, end, sink);
  if (left.startsWith('@')) {
    sink.reference(start, start + left.length, 'write', `this.${left.replace(/^@+/, '')}`);
    if (value !== '' && !/^[a-z_]\w*$/.test(value)) sink.field(start, left.replace(/^@+/, ''), '', value);
  } else shadow(start, left.replace('*', '').trim(), value, sink);
}

function followable(from: number, end: number, sink: FactSink): string {
  const accessPath = sink.accessPath(from, end);
  return /^(?:nil|true|false|\d.*)$/.test(accessPath) ? '' : accessPath;
}

/** Parameters of methods and lambdas: `x, y = Z.new, *r, k: 1, &b`. */
function parameters({ start, end }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const isBare = source[start] !== '(';
  for (const part of elementsOf(isBare ? start : start + 1, isBare ? end : end - 1, sink)) {
    const match = /^(?:\*\*|\*|&)?([a-z_]\w*)\s*([=:]?)\s*/.exec(source.slice(part.start, part.end));
    if (match === null) continue;
    const value = match[2] === '' ? '' : followable(part.start + match[0].length, part.end, sink);
    shadow(part.start, match[1], value, sink);
  }
}

function superclass({ end, text }: NodeView, sink: FactSink): void {
  const match = /^<\s*(?:::)?((?:[A-Z]\w*::)*)([A-Z]\w*)/.exec(text);
  if (match !== null)
    sink.reference(
      end - text.length + match[0].length - match[2].length,
      end,
      'extends',
      match[1].replace(/::/g, '.') + match[2],
    );
}

/** `rescue A, B => error` */
function rescue({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^rescue\s+([\w:,\s]+?)?\s*(?:=>\s*([a-z_]\w*))?\s*(?:\n|then\b|;|$)/.exec(text.slice(0, 300));
  if (match === null) return;
  if (match[2] !== undefined) shadow(start, match[2], '', sink);
  for (const type of (match[1] ?? '').matchAll(/((?:[A-Z]\w*::)*)([A-Z]\w*)/g)) {
    const at = start + text.indexOf(match[1]) + type.index + type[1].length;
    sink.reference(at, Math.min(end, at + type[2].length), 'type', type[1].replace(/::/g, '.') + type[2]);
  }
}

export const ruby: RelationRules = {
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    argument_list: argumentList,
    identifier,
    assignment,
    operator_assignment: assignment,
    method_parameters: parameters,
    lambda_parameters: parameters,
    block_parameters: blockParameters,
    block_argument: symbolBlock,
    yield: yielded,
    superclass,
    rescue,
    super: ({ start, end }, sink) => {
      localsOf(sink).supers.push({ at: start, end, args: -1 });
    },
  },
  definition,
  text: settle,
  ignoredTypes: new Set(
    'StandardError Exception ArgumentError RuntimeError TypeError NameError NoMethodError LoadError KeyError IOError NotImplementedError IndexError'.split(
      ' ',
    ),
  ),
  ignoredCalls: new Set(
    (
      'abort alias_method at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given? caller catch define_method ' +
      'eval exit extend fail format freeze gem gets include instance_variable_get instance_variable_set is_a? kind_of? lambda load ' +
      'loop method_missing module_function nil? object_id p pp prepend print printf private private_class_method private_constant proc ' +
      'protected public public_send puts raise rand refine require require_relative respond_to? send sleep sprintf srand super system ' +
      'tap throw undef_method using warn yield class dup clone hash inspect to_s instance_eval class_eval instance_exec Array Integer ' +
      'Float String Hash __method__ __dir__'
    ).split(' '),
  ),
  literalCalls: new Set(
    'get post put patch delete head options match route resources resource namespace scope root describe context it task test before after'.split(
      ' ',
    ),
  ),
};
