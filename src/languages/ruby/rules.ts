/**
 * Rules of Ruby: definitions, relations and imports. Imports are files next to the file, and below the directories that Ruby, Rails and
 * gems search. A bare name is a call, unless the method around it gives it a value.
 */
import { type ParsingRules, wordSet } from '../language.js';
import { RAILS_NAMES, RUBY_NAMES } from '../library-names.js';
import { headText } from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import {
  baseName,
  commonDepth,
  directoryOf,
  external,
  type ImportResolver,
  type ImportRules,
  join,
  type Project,
  type Resolution,
  type Specified,
  UNRESOLVED,
  under,
} from '../roles/project.js';
import {
  type AccessPath,
  elementsOf,
  type FactSink,
  handedElements,
  type LexicalConventions,
  MAX_LIST_LENGTH,
  type NameRules,
  type NodeView,
  type RelationRules,
} from '../roles/relations.js';
import { literalAt } from '../roles/scan.js';
import { rubyOfErb, rubyOfHaml, viewNamed } from '../web/views.js';
import {
  ASSOCIATES,
  associated,
  MAX_BEGINNING,
  MIXINS,
  methodsByName,
  methodsOfLoop,
  namesOfSymbol,
  RENDERS,
  rendered,
} from './named-methods.js';
import { railsRoutes, rootFields } from './routes.js';
import {
  blockParameters,
  definedBlock,
  definition,
  described,
  letNames,
  namelessClass,
  settle,
  shadow,
  stateOf,
  superclass,
  symbolBlock,
  tableEntry,
  yielded,
} from './scopes.js';

const NAMES: NameRules = {
  opaque: 'comment string_content heredoc_content heredoc_beginning heredoc_end simple_symbol hash_key_symbol'.split(
    ' ',
  ),
  code: ['interpolation'],
  keywords: wordSet(
    `BEGIN END __FILE__ __LINE__ __method__ alias and attr_accessor attr_reader attr_writer begin block_given? break case class def
     defined? do else elsif end ensure false for if in lambda loop module module_function next nil not or p private proc protected public
     puts raise redo rescue retry return self super then true undef unless until when while yield`,
  ),
  unimported: true,
  labels: ':',
};

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

/** States the file that `require 'x'` and `autoload :Cart, 'x'` load; false for other calls. */
function loaded(
  { accessPath, start, nameStart }: AccessPath,
  from: number,
  to: number,
  end: number,
  sink: FactSink,
): boolean {
  const { source } = sink;
  const specifier = INCLUDES.get(accessPath);
  if (specifier !== undefined) {
    const literal = literalAt(source, from, to, LEXICAL);
    if (literal !== '') sink.import(start, end, specifier, literal);
    stateOf(sink).calls.delete(nameStart);
    return true;
  }
  if (accessPath !== 'autoload') return false;
  const path = /,\s*["']([^"'#\n]+)["']\s*$/.exec(headText(source, from, to, 300))?.[1];
  if (path !== undefined) sink.import(start, end, 'include-system', path);
  return true;
}

/** `f(…)`, `f …`, `X.new(…)`, `include M`, `require 'x'`. */
function argumentList(view: NodeView, sink: FactSink): void {
  const { start, end } = view;
  const { source } = sink;
  const callee = calleeBefore(start, sink);
  const { accessPath } = callee;
  if (accessPath === '?' || accessPath === '') {
    sink.remember(end, callee.start, '?');
    return;
  }
  const isBare = source[start] !== '(';
  const [from, to] = isBare ? [start, end] : [start + 1, end - 1];
  const list = end - start > MAX_LIST_LENGTH ? { count: -1, literal: '' } : sink.arguments(from - 1, to + 1);
  if (loaded(callee, from, to, end, sink)) return;
  if (MIXINS.has(accessPath)) {
    mixin(from, to, callee.nameStart, sink);
    return;
  }
  if (DEFINES.test(accessPath)) definedBlock(view, callee.start, sink);
  if (LET.test(accessPath)) letNames(view, from, to, sink);
  else if (DESCRIBE.test(accessPath)) described(source.slice(from, to), from - 1, sink);
  const elements = to - from < 2 ? [] : elementsOf(from, to, sink);
  handedElements(elements, HANDED_ON, sink);
  if (RENDERS.test(accessPath)) rendered(accessPath, elements, sink);
  if (ASSOCIATES.has(accessPath)) associated(elements, callee.nameStart, accessPath, sink);
  methodsByName({ from, to, elements, callee, count: list.count, end }, sink);
  call(callee.nameStart, callee.start, end, accessPath, list.count, list.literal, sink);
  if (accessPath === 'Class.new') namelessClass(view, callee.start, sink);
}

const DEFINES = /^(?:[\w.]+\.)?define_(?:singleton_)?method$/;

// Tests: names that are given to values, and the class that a group of tests is about.

const LET = /^(?:let|let!|subject|subject!)$/;
const DESCRIBE = /^(?:RSpec\.)?x?(?:describe|context)$/;

/** The value of a block of one expression; '' for others. */
function blockValue(from: number, end: number, sink: FactSink): string {
  if (end - from > MAX_LIST_LENGTH) return '';
  const text = sink.source.slice(from, end);
  const head = /^\s*(?:\{|do\b)\s*/.exec(text)?.[0].length ?? text.length;
  const body = text.slice(head, text.endsWith('}') ? -1 : -3).trimEnd();
  return body === '' || /[\n;]/.test(body) ? '' : followable(from + head, from + head + body.length, sink);
}

/** The callee before arguments without brackets, which was taken for a call without arguments. */
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
  stateOf(sink).calls.delete(nameStart);
  for (const { start, end } of elementsOf(from, to, sink)) {
    const text = sink.source.slice(start, end);
    if (!/^(?:::)?(?:[A-Z]\w*::)*[A-Z]\w*$/.test(text)) continue;
    stateOf(sink).mixins.push({
      at: end - text.slice(text.lastIndexOf(':') + 1).length,
      end,
      accessPath: text.replace(/^::/, '').replace(/::/g, '.'),
    });
  }
}

/** Methods of Rails that give some of the records of a class. */
const RELATIONS = wordSet(
  `all where order includes joins left_joins limit offset distinct reorder preload eager_load references unscoped not
   or merge none with_deleted lock readonly group having rewhere`,
);
const CONSTANT = /^(?:[A-Z]\w*\.)*[A-Z]\w*$/;
/** Name of a table in the schema of Rails: `t.string "title"` states a column. */
const TABLE = 't';
/** Arguments of `scope :cheap, -> { … }`: behind the name stands a query, and no option. */
const QUERY_BEHIND_NAME = /^[\s(]*:?["']?[\w?!=]+["']?\s*,(?!\s*:?\w+(?::(?!:)|\s*=>))/.source;

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
    const { supers } = stateOf(sink);
    const last = supers[supers.length - 1];
    if (last?.at === at) last.args = args;
    sink.remember(end, start, '?');
    return;
  }
  const dot = accessPath.lastIndexOf('.');
  const name = accessPath.slice(dot + 1);
  const receiver = dot === -1 ? '' : accessPath.slice(0, dot);
  const recorded = sink.rules.literalCalls?.has(name) || (receiver === TABLE && name !== 'index') ? literal : '';
  if (name !== 'new') {
    // Some of the records of a class are still of it.
    const goesOn = RELATIONS.has(name) && CONSTANT.test(receiver);
    sink.remember(end, start, goesOn ? receiver : `${accessPath}()`);
    stateOf(sink).calls.set(at, { end, accessPath, args, literal: recorded });
    return;
  }
  const made = receiver === '' || receiver === 'this' || receiver === 'this.class' ? 'this' : receiver;
  if (!/^(?:this|(?:[\w.]+\.)?[A-Z]\w*)$/.test(made)) {
    sink.remember(end, start, `${accessPath}()`);
    stateOf(sink).calls.set(at, { end, accessPath, args, literal: recorded });
    return;
  }
  sink.remember(end, start, made === 'this' ? 'this()' : `new ${made}()`);
  stateOf(sink).calls.delete(at);
  sink.reference(at, end, 'new', made, { args });
}

/** The value of a call with a block, on which `Cart.open { … }.total` calls something: that of the call. */
function throughBlock({ start, end }: NodeView, sink: FactSink): void {
  const { accessPath, start: from } = sink.accessPathBefore(start);
  if (accessPath !== '' && accessPath !== '?') sink.remember(end, from, accessPath);
}

/** A name: a call without arguments, a local, or a definition. Decided when all locals are known. */
function identifier({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const before = source[start - 1];
  if (before === '.' || (before === ':' && source[start - 2] === ':')) {
    if (/\bdef\s+[\w:]+\.$/.test(source.slice(Math.max(0, start - 60), start))) return;
    // The list of arguments behind it says more.
    if (source[end] === '(') return;
    const found = sink.accessPathBefore(end);
    if (found.accessPath !== '?' && found.accessPath !== '')
      call(start, found.start, end, found.accessPath, 0, '', sink);
    return;
  }
  if (source[end] === '(' || /\bdef\s+$/.test(source.slice(Math.max(0, start - 8), start))) return;
  const { described } = stateOf(sink);
  if (text === 'described_class' && described !== '') sink.remember(end, start, described);
  else if (text === 'new') call(start, start, end, text, 0, '', sink);
  else stateOf(sink).names.push({ at: start, end, name: text });
}

/** `x = value`, `@x ||= value`, `a, b = …`. */
function assignment({ start, end }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const constant = /^([A-Z]\w*)\s*=\s*/.exec(headText(source, start, end, 100));
  if (constant !== null) {
    const value = end - start > MAX_LIST_LENGTH ? '' : followable(start + constant[0].length, end, sink);
    if (value !== '') sink.variable(start, constant[1], '', value);
    return;
  }
  const held = /^@(\w+)\[[^\]\n]*\]\s*(?:\|\|)?=\s*((?:[A-Z]\w*::)*[A-Z]\w*)\.new\b/.exec(
    headText(source, start, end, 300),
  );
  if (held !== null) sink.field(start, held[1], `[${held[2]}]`, '');
  const match = /^(@{0,2}[a-z_]\w*|[a-z_*][\w\s,*@()]*?)\s*(?:\|\|)?=\s*/.exec(headText(source, start, end, 300));
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
    if (value === '' || /^[a-z_]\w*$/.test(value)) return;
    const name = left.replace(/^@+/, '');
    sink.field(start, name, '', value);
    stateOf(sink).fields.push({ at: start, name, value });
  } else shadow(start, left.replace('*', '').trim(), value, sink);
}

function followable(from: number, end: number, sink: FactSink): string {
  const asserted = ASSERTED.exec(headText(sink.source, from, end, MAX_BEGINNING))?.[1];
  if (asserted !== undefined) return raised([asserted.replaceAll('::', '.')]);
  const made = stateOf(sink).nameless.find((block) => block.end === end);
  const accessPath = made?.parent ?? sink.accessPath(from, end);
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

/** `rescue A, B => error` */
function rescue({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^rescue\s+(?:([\w:,](?:[\w:,\s]*?[\w:,])??)\s*)?(?:=>\s*([a-z_]\w*)\s*)?(?:\n|then\b|;|$)/.exec(
    text.slice(0, 300),
  );
  if (match === null) return;
  const types: string[] = [];
  for (const type of (match[1] ?? '').matchAll(/((?:[A-Z]\w*::)*)([A-Z]\w*)/g)) {
    const at = start + text.indexOf(match[1]) + type.index + type[1].length;
    types.push(type[1].replace(/::/g, '.') + type[2]);
    sink.reference(at, Math.min(end, at + type[2].length), 'type', types[types.length - 1]);
  }
  if (match[2] !== undefined) shadow(start, match[2], raised(types), sink);
}

/** Value of an error by the classes that are rescued; '' among those of Ruby, which errors of the repository inherit from. */
const raised = (types: readonly string[]): string =>
  types.some((type) => OF_RUBY.has(type)) ? '' : types.map((type) => `new ${type}()`).join(' | ');

const OF_RUBY = wordSet(
  `StandardError Exception ArgumentError RuntimeError TypeError NameError NoMethodError LoadError KeyError IOError
   NotImplementedError IndexError`,
);

/** `error = assert_raises(Shop::Closed) { … }` */
const ASSERTED = /^assert_raises?[ (]\s*(?:::)?((?:[A-Z]\w*::)*[A-Z]\w*)\s*(?:\)|\{|do\b)/;

const rubyRelations: RelationRules = {
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
    block: throughBlock,
    do_block: throughBlock,
    block_argument: symbolBlock,
    yield: yielded,
    superclass,
    pair: tableEntry,
    rescue,
    alias: ({ end, text }, sink) => {
      const old = /^alias\s+\S+\s+:?([A-Za-z_]\w*[?!]?)$/.exec(text)?.[1];
      if (old !== undefined) sink.reference(end - old.length, end, 'call', old);
    },
    super: ({ start, end }, sink) => {
      stateOf(sink).supers.push({ at: start, end, args: -1 });
    },
  },
  definition,
  bareClients: /\b(?:IntegrationTest|RSpec|Rack::Test)\b|^[ \t]*describe\b/m,
  text: (sink) => {
    for (const { at, end, from, names } of stateOf(sink).lets)
      for (const name of names) shadow(at, name, blockValue(from, end, sink), sink);
    settle(sink);
    railsRoutes(sink);
    rootFields(sink);
  },
  ignoredTypes: OF_RUBY,
  ignoredCalls: wordSet(
    `abort alias_method at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given? caller catch define_method eval
     exit extend fail format freeze gem gets include instance_variable_get instance_variable_set is_a? kind_of? lambda load loop
     method_missing module_function nil? object_id p pp prepend print printf private private_class_method private_constant proc protected
     public public_send puts raise rand refine require require_relative respond_to? send sleep sprintf srand super system tap throw
     undef_method using warn yield class dup clone hash inspect to_s instance_eval class_eval instance_exec Array Integer Float String Hash
     __method__ __dir__`,
  ),
  literalCalls: wordSet(
    `get post put patch delete head options match route resources resource namespace scope root describe context it task test before after`,
  ),
};

const rubyDefinitions: DefinitionRules = {
  definitions: [
    { node: 'module', kind: 'module', body: 'body' },
    { node: 'class', kind: 'class', body: 'body' },
    { node: 'method', kind: 'function', member: 'method', body: 'body' },
    { node: 'singleton_method', kind: 'function', member: 'method', body: 'body' },
    {
      // `Line = Struct.new(:account)` is a short form of a class.
      node: 'assignment',
      kind: 'constant',
      tail: [[/^\s*=\s*(?:::)?(?:Struct|Data|Class|Module)\s*\.\s*(?:new|define)\b/, 'class']],
      name: 'left',
      body: 'right/block',
      outer: true,
      named: /^[A-Z]\w*$/,
      where: { has: { field: 'left', kind: 'constant' } },
    },
    {
      // `define_method(:name)`, `alias_method :name, :old`, Rails' scopes; `Cart.include Totals`, which is a part of the type.
      node: 'call',
      kind: 'method',
      tail: [[/^\s*\.\s*(?:include|prepend|extend|send)\b/, 'impl']],
      generated: methodsOfLoop,
      nameText:
        /(?:(?:define_method|alias_method|scope)[\s(]+:?["']?(?=[\w?!=])|(?:::)?(?=(?:[A-Z]\w*::)*[A-Z]\w*\s*\.\s*(?:(?:include|prepend|extend)\b|send[ (]+:(?:include|prepend|extend)\b)))([\w?!=:]+)/y,
      outer: true,
      where: {
        any: [
          {
            has: { field: 'method', regex: '^(define_method|alias_method)$' },
            not: { has: { field: 'receiver', regex: '.' } },
          },
          {
            // A scope of routes has no query behind its name: `scope :admin do`, `scope :admin, module: "admin" do`.
            all: [
              { has: { field: 'method', regex: '^scope$' } },
              { has: { field: 'arguments', regex: QUERY_BEHIND_NAME } },
            ],
            not: { has: { field: 'receiver', regex: '.' } },
          },
          {
            all: [
              { has: { field: 'method', regex: '^(include|prepend|extend|send)$' } },
              { has: { field: 'receiver', regex: '^(::)?[A-Z]' } },
            ],
          },
        ],
      },
    },
    {
      // `alias name old`
      node: 'alias',
      kind: 'function',
      member: 'method',
      nameText: /alias\s+:?([A-Za-z_]\w*[?!]?)/y,
    },
    {
      // `attr_reader :name, :code`, fields of `Struct.new(:name, :code)`, `delegate :total, to: :cart`, events and states of machines.
      node: 'simple_symbol',
      kind: 'property',
      generated: namesOfSymbol,
      nameText: /:([A-Za-z_]\w*[?!]?)/y,
      lead: /\battr_(?:reader|writer|accessor)[ (]+$/,
      outer: true,
      where: {
        inside: {
          kind: 'argument_list',
          inside: {
            kind: 'call',
            any: [
              {
                has: { field: 'method', regex: '^attr_(reader|writer|accessor)$' },
                not: { has: { field: 'receiver', regex: '.' } },
              },
              { has: { field: 'receiver', regex: '^(::)?(Struct|Data)$' } },
              {
                all: [
                  { has: { field: 'method', regex: '^delegate$' } },
                  { has: { field: 'arguments', regex: '\\bto(:|\\s*=>)' } },
                ],
              },
              {
                has: { field: 'method', regex: '^(event|state)$' },
                not: { has: { field: 'receiver', regex: '.' } },
              },
              {
                all: [
                  { has: { field: 'method', regex: '^def_delegators$' } },
                  { has: { field: 'arguments', regex: '^[\\s(]*:@' } },
                ],
              },
            ],
          },
        },
      },
    },
  ],
  importText: /^(?:require|require_relative|load|autoload|gem|source)\b/,
  comments: ['comment'],
  docs: { line: /^#(?!!)/, block: ['=begin', '=end'] },
  exported: {},
  constructors: /^initialize$/,
  moduleMethods: true,
  visibility: { hide: /^\s*(?:private|protected)\s*(?:#.*)?$/, show: /^\s*public\s*(?:#.*)?$/ },
};

/** Path from the repository root; directories of `app/` and of gems are added. */
const LOAD_PATH = ['lib', 'app', 'spec', 'test', '', 'tests', 'features'];

/** Most files of one name that are looked at. */
const MAX_CANDIDATES = 500;

export const RUBY: ImportRules = {
  readsNames: false,
  libraryNames: RUBY_NAMES,
  framework: {
    path: /(?:^|\/)(?:app\/(?:models|controllers|helpers)\/|config\/application\.rb$)/,
    names: RAILS_NAMES,
    spaces: /^(?:Active|Action)[A-Z]/,
    schema: /(?:^|\/)db\/(?:[\w-]{1,40}_)?schema\.rb$/,
    table: TABLE,
    locals: /(?:\.jbuilder json\.\w+[?!]?|\/_(\w+)\.[^/ ]* \.\1)$/,
    parts: /(?:Controller|Mailer|Mailbox|Channel|Helper)$/,
    callers: /^(?:helpers?|h|view|viewcontext|template|controller|mailer)$/,
  },
  create: (project) => new Ruby(project),
};

class Ruby implements ImportResolver {
  private roots: Set<string> | null = null;

  constructor(private readonly project: Project) {}

  resolve(file: number, { kind, specifier }: Specified): Resolution {
    if (specifier[0] === '|') return viewNamed(this.project, file, specifier);
    const directory = this.project.directory(file);
    if (kind === 'include' || specifier.startsWith('./') || specifier.startsWith('../')) {
      return this.at(directory, specifier) ?? (kind === 'include' ? this.at('', specifier) : null) ?? UNRESOLVED;
    }
    const found = this.loaded(directory, specifier);
    return found ?? external(specifier.split('/', 1)[0]);
  }

  /** The file of a loaded name. Several gems of a repository can have it: the nearest gem's counts, else the first on the path. */
  private loaded(directory: string, specifier: string): Resolution | null {
    const path = join('', specifier.endsWith('.rb') ? specifier : `${specifier}.rb`);
    if (path === null || path === '') return null;
    let best: string | null = null;
    let depth = -1;
    for (const file of this.project.named(baseName(path)).slice(0, MAX_CANDIDATES)) {
      const candidate = this.project.path(file);
      const root = candidate === path ? '' : candidate.slice(0, -path.length - 1);
      if (under(root, path) !== candidate || !this.loadPath().has(root)) continue;
      const common = commonDepth(`${directory}/`, `${root}/`);
      if (common > depth) [best, depth] = [candidate, common];
    }
    return best === null ? null : this.project.at(best);
  }

  private at(directory: string, specifier: string): Resolution | null {
    const path = join(directory, specifier);
    if (path === null || path === '') return null;
    return this.project.at(`${path}.rb`) ?? this.project.at(path);
  }

  private loadPath(): Set<string> {
    if (this.roots !== null) return this.roots;
    const found = new Set(LOAD_PATH);
    for (const file of this.project.filesOfLanguages(['ruby'])) {
      const directory = this.project.directory(file);
      const names = directory.split('/');
      // `app/models`, and the `lib` of gems within the repository.
      const app = names.indexOf('app');
      if (app >= 0 && app + 1 < names.length) found.add(names.slice(0, app + 2).join('/'));
      const lib = names.indexOf('lib');
      if (lib > 0) found.add(names.slice(0, lib + 1).join('/'));
      if (this.project.path(file).endsWith('.gemspec')) found.add(under(directoryOf(this.project.path(file)), 'lib'));
    }
    this.roots = found;
    return this.roots;
  }
}

export const ruby: ParsingRules = { definitions: rubyDefinitions, relations: rubyRelations };

/** Views with code of Ruby define nothing. */
const view = (parsed: (text: string) => string): ParsingRules => ({
  definitions: { ...rubyDefinitions, definitions: [], parsed },
  relations: { ...rubyRelations, names: { ...NAMES, masked: parsed } },
});

export const erb: ParsingRules = view(rubyOfErb);

export const haml: ParsingRules = view(rubyOfHaml);
