/**
 * Rules of Elixir: definitions, relations and imports. Everything is a call, also definitions and directives, told apart by the first word.
 * Modules have names of their own, wherever their files are.
 */
import { addTo } from '../../base/lists.js';
import { type ParsingRules, wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import {
  external,
  type ImportResolver,
  type ImportRules,
  type Project,
  type Resolution,
  type Specified,
} from '../roles/project.js';
import type { ImportedName, ReferenceKind } from '../roles/relation-facts.js';
import {
  type FactSink,
  type LexicalConventions,
  type NodeView,
  perFile,
  type ReferenceExtra,
  type RelationRules,
} from '../roles/relations.js';
import { findOutside, lastPart } from '../roles/scan.js';

const LEXICAL: LexicalConventions = {
  lines: true,
  joins: ['.'],
  nameExtra: '?!',
  quotes: '"\'',
  lineComments: ['#'],
  root: (name) => (name === '__MODULE__' ? 'this' : name),
};

const DEFINING = /\b(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defn|defnp)\s+$/;
const DEFINING_MODULE = /\bdef(?:module|protocol|impl)[\s(]*$/;
const DIRECTIVES: ReadonlySet<string> = new Set(['alias', 'import', 'use', 'require']);
/** Heads of definitions and blocks: like keywords, they call nothing. */
const FORMS = wordSet(
  `def defp defmacro defmacrop defguard defguardp defdelegate defn defnp defmodule defprotocol defimpl defstruct defexception
   defoverridable if unless case cond with for fn quote unquote unquote_splicing receive try raise reraise throw super when and or not in`,
);
/** Attributes that hold no code. */
const TYPES_ONLY = /^@(?:spec|type|typep|opaque|callback|macrocallback|doc|moduledoc|typedoc|dialyzer|impl)\b/;
/** An attribute whose value is read. */
const ATTRIBUTE = /^@[a-z_]\w*[?!]?$/;
const MODULE = /^[A-Z][\w.]*$/;
const MAX_HEAD_LENGTH = 600;
const MAX_LIST_LENGTH = 4_000;

/** Facts that wait for the end of the file, since an attribute is visited after its content. */
interface FileState {
  /** Names of attributes that hold values, and those that a function has as well. */
  constants: Set<string>;
  functions: Set<string>;
  /** Full names of modules by their short ones, and where those are given. */
  aliases: Map<string, { name: string; at: number }>;
  /** Offsets at which the last module that was asked for begins, and the next one. */
  modules: { last: number; next: number };
  skipped: { start: number; end: number }[];
  uses: { at: number; end: number; kind: ReferenceKind; accessPath: string; extra: ReferenceExtra }[];
}

const stateOf = perFile(
  (): FileState => ({
    constants: new Set(),
    functions: new Set(),
    aliases: new Map(),
    modules: { last: -1, next: -1 },
    skipped: [],
    uses: [],
  }),
);

function use(
  at: number,
  end: number,
  kind: ReferenceKind,
  accessPath: string,
  sink: FactSink,
  extra: ReferenceExtra = {},
): void {
  stateOf(sink).uses.push({ at, end, kind, accessPath, extra });
}

/** States the uses, without those in attributes that only describe. */
function settle(sink: FactSink): void {
  const { skipped, uses, constants, functions } = stateOf(sink);
  uses.sort((a, b) => a.at - b.at);
  skipped.sort((a, b) => a.start - b.start);
  let next = 0;
  for (const { at, end, kind, accessPath, extra } of uses) {
    while (next < skipped.length && skipped[next].end <= at) next++;
    if (next < skipped.length && skipped[next].start <= at) continue;
    // A function of that name would be taken for the attribute.
    if (kind === 'read' && (!constants.has(accessPath) || functions.has(accessPath))) continue;
    sink.reference(at, end, kind, accessPath, extra);
  }
}

/** The left side of an arrow looks like arguments, but calls nothing. */
function isPattern(accessPath: string, before: string): boolean {
  return accessPath === 'fn' || accessPath === 'do' || before.includes('\n');
}

/** `f(x)`, `Mod.f x`, `def f(x)`, `alias A.B`. */
function argumentList({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  // `f.(x)` calls what a variable holds.
  if (source[start - 1] === '.') {
    sink.remember(end, start, '?');
    return;
  }
  const callee = sink.accessPathBefore(start);
  const { accessPath } = callee;
  if (source[start] !== '(' && isPattern(accessPath, source.slice(callee.nameStart, start))) {
    head(start, end, sink);
    return;
  }
  const isUnknown = accessPath === '' || accessPath === '?';
  sink.remember(end, callee.start, isUnknown ? '?' : `${accessPath}()`);
  if (isUnknown || /[:@%&]/.test(source[callee.start - 1] ?? '')) return;
  if (DIRECTIVES.has(accessPath)) {
    directive(accessPath, callee.start, end, text, sink);
    return;
  }
  if (DEFINING.test(source.slice(Math.max(0, callee.start - 20), callee.start))) {
    head(start, end, sink);
    return;
  }
  if (accessPath === 'defdelegate') delegate(start, text, sink);
  if (FORMS.has(accessPath)) return;
  const args = countOf(start, end, sink) + pipedInto(callee.start, source);
  const isLiteralCall = sink.rules.literalCalls?.has(accessPath) === true;
  const literal = isLiteralCall ? (/^\(?\s*"([^"\\\n]{1,100})"/.exec(text)?.[1] ?? '') : '';
  use(callee.nameStart, end, 'call', accessPath, sink, { args: Math.max(-1, args), literal });
}

/** Counts arguments: keywords at the end are one, a block is another. -1 or much less if they cannot be counted. */
function countOf(start: number, end: number, sink: FactSink): number {
  const { source } = sink;
  const isBare = source[start] !== '(';
  if (
    end - start > MAX_LIST_LENGTH ||
    /(?:^|[(,\s])\w+[?!]?:\s|^\s*do\b|\bfn\b/.test(source.slice(start, end) + source.slice(end, end + 4))
  )
    return -9;
  return isBare ? sink.arguments(start - 1, end + 1).count : sink.arguments(start, end).count;
}

function pipedInto(start: number, source: string): number {
  return /\|>\s*$/.test(source.slice(Math.max(0, start - 80), start)) ? 1 : 0;
}

/** `alias A.B`, `alias A.{B, C}`, `alias A.B, as: C`, `import A.B, only: …`. The path may begin with an earlier alias. */
function directive(word: string, at: number, end: number, text: string, sink: FactSink): void {
  const match = /^\(?\s*([A-Z_][\w.]*?)\.?(?:\{([^}]*)\})?\s*(?:,\s*([\s\S]*))?\)?$/.exec(
    text.slice(0, MAX_LIST_LENGTH).trim(),
  );
  // These names are those of the imports. Options of `use` can hand on other modules.
  const options = word === 'use' ? text.indexOf(',') : -1;
  stateOf(sink).skipped.push({ start: at, end: options < 0 ? end : end - text.length + options });
  if (match === null) return;
  const [, path, group, given = ''] = match;
  const base = path
    .replace(/^__MODULE__/, () => moduleAt(at, sink))
    .replace(/^[A-Z]\w*/, (short) => aliased(short, at, sink));
  const as = /\bas:\s*([A-Z][\w.]*)/.exec(given)?.[1];
  const targets = group === undefined ? [base] : group.split(',').map((name) => `${base}.${name.trim()}`);
  for (const target of targets) {
    if (!MODULE.test(target) || target.endsWith('.')) continue;
    const last = lastPart(target);
    if (word === 'alias') stateOf(sink).aliases.set(as ?? last, { name: target, at });
    sink.import(at, end, 'import', target, namesFor(word, target, as ?? last));
  }
}

/** The full name of a module of which an alias before, in the same module, gives a short one. */
function aliased(short: string, at: number, sink: FactSink): string {
  const alias = stateOf(sink).aliases.get(short);
  return alias === undefined || lastModule(at, sink) > alias.at ? short : alias.name;
}

/** Offset at which the last module before a place begins. Places are asked for in their order, so that each module is looked for once. */
function lastModule(at: number, sink: FactSink): number {
  const modules = stateOf(sink).modules;
  while (modules.next < at) {
    modules.last = modules.next;
    const next = sink.source.indexOf('defmodule ', modules.next + 1);
    modules.next = next < 0 ? Number.POSITIVE_INFINITY : next;
  }
  return modules.last;
}

function namesFor(word: string, target: string, alias: string): ImportedName[] {
  if (word === 'import') return [{ name: '*', alias: '' }];
  // `use` and `require` give no short name; the full one is known anyway.
  return word === 'alias' || alias !== lastPart(target) ? [{ name: target, alias }] : [];
}

/** The module around a line, as far as the text before it shows. */
function moduleAt(at: number, { source }: FactSink): string {
  const from = source.lastIndexOf('defmodule ', at);
  return from === -1
    ? '__MODULE__'
    : (/^defmodule\s+([A-Z][\w.]*)/.exec(source.slice(from, from + MAX_HEAD_LENGTH))?.[1] ?? '__MODULE__');
}

/** Parameters of a definition: their names hide functions, and `%Cart{} = cart` states a type. */
function head(start: number, end: number, sink: FactSink): void {
  const text = headText(sink.source, start, end, MAX_HEAD_LENGTH);
  for (const match of text.matchAll(
    /%([A-Z_][\w.]*)\{[^{}]*\}\s*=\s*([a-z_]\w*)|\b([a-z_]\w*)\s*=\s*%([A-Z_][\w.]*)\{/g,
  )) {
    const type = (match[1] ?? match[4]).replace('__MODULE__', 'Self');
    sink.local(start + match.index, match[2] ?? match[3], type, '');
  }
  for (const match of text.matchAll(/(?<![\w.:@%"])[a-z_]\w*(?![\w?!]|\s*[.(:]|\s*=\s*%)/g)) {
    if (!/\}\s*=\s*$/.test(text.slice(0, match.index))) sink.local(start + match.index, match[0], '', '');
  }
}

/** `defdelegate open(key), to: Cart, as: :restore` */
function delegate(start: number, text: string, sink: FactSink): void {
  const match = /^\(?\s*([a-z_]\w*[?!]?)[\s\S]*?\bto:\s*([A-Z_][\w.]*)/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match === null) return;
  const name = /\bas:\s*:([a-z_]\w*[?!]?)/.exec(text.slice(0, MAX_HEAD_LENGTH))?.[1] ?? match[1];
  const at = start + match[0].length - match[2].length;
  use(at, start + text.length, 'call', `${match[2].replace('__MODULE__', 'this')}.${name}`, sink);
}

/** `%Cart{…}` makes a cart, or states that a value is one. */
function struct({ start, end, text }: NodeView, sink: FactSink): void {
  if (!/^(?:[A-Z][\w.]*|__MODULE__)$/.test(text)) return;
  const { source } = sink;
  const accessPath = text === '__MODULE__' ? 'this' : text;
  const close = sink.closing(end, Math.min(source.length, end + MAX_LIST_LENGTH));
  const after = source.slice(close, close + 60);
  const lineStart = source.lastIndexOf('\n', start) + 1;
  const line = source.slice(Math.max(lineStart, start - MAX_HEAD_LENGTH), start);
  const isPattern =
    /^\s*(?:=(?![=~>])|<-|->|when\b)/.test(after) || /\b(?:def|defp|defmacro|fn)\b(?![\s\S]*(?:\bdo\b|->))/.test(line);
  use(start + text.lastIndexOf('.') + 1, close, isPattern ? 'type' : 'new', accessPath, sink);
  const bound = isPattern ? /^\s*=\s*([a-z_]\w*)\b/.exec(after)?.[1] : undefined;
  if (bound !== undefined) sink.local(start, bound, accessPath === 'this' ? 'Self' : text, '');
}

/** `x = value` */
function operator({ start, end }: NodeView, sink: FactSink): void {
  const match = /^([a-z_]\w*)\s*(?:=(?![=~>])|<-)\s*/.exec(headText(sink.source, start, end, 100));
  if (match !== null) sink.local(start, match[1], '', sink.accessPath(start + match[0].length, end));
}

/** A module that is given to a call or kept in data: `plug Shop.Router`, `{Shop.Cart, []}`. */
function module({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  if (source[end] === '.' || source[end] === '{' || /[%.&:]/.test(source[start - 1] ?? '')) return;
  if (DEFINING_MODULE.test(source.slice(Math.max(0, start - 20), start))) return;
  use(start + text.lastIndexOf('.') + 1, end, 'type', text, sink);
}

function attribute({ start, end, text }: NodeView, sink: FactSink): void {
  if (TYPES_ONLY.test(text)) return void stateOf(sink).skipped.push({ start, end });
  if (ATTRIBUTE.test(text)) return void use(start + 1, end, 'read', text.slice(1), sink);
  const match = /^@behaviour\s+([A-Z][\w.]*)/.exec(text);
  if (match === null || /\bquote\b[^\n]*\bdo\s*$/.test(sink.source.slice(Math.max(0, start - 200), start).trimEnd()))
    return;
  const at = start + match[0].length;
  sink.reference(at - match[1].length + match[1].lastIndexOf('.') + 1, at, 'implements', match[1], {
    of: moduleAt(start, sink),
  });
}

/** Calls without brackets: `|> f`, `|> Mod.f`, `&Mod.f/1`. */
function text(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(
    /\|>\s*((?:[A-Z]\w*\.)*[a-z_]\w*[?!]?)(?![\w.(?!])(?=\s*(?:$|\||[)\],}]|#|do\b))/gm,
  )) {
    if (FORMS.has(match[1])) continue;
    const end = match.index + match[0].length;
    use(end - match[1].length + match[1].lastIndexOf('.') + 1, end, 'call', match[1], sink, { args: 1 });
  }
  for (const match of source.matchAll(/&((?:(?:[A-Z]\w*|__MODULE__)\.)*[a-z_]\w*[?!]?)\/\d/g)) {
    const end = match.index + 1 + match[1].length;
    const written = match[1].replace('__MODULE__', 'this');
    use(end - match[1].length + match[1].lastIndexOf('.') + 1, end, 'value', written, sink);
  }
  settle(sink);
}

/** `defimpl Protocol, for: Type` */
function implementation(draftStart: number, nameStart: number, name: string, sink: FactSink): void {
  if (!/\bdefimpl[\s(]*$/.test(sink.source.slice(draftStart, nameStart))) return;
  sink.reference(nameStart + name.lastIndexOf('.') + 1, nameStart + name.length, 'implements', name);
}

/** States the result of a function by its last line. */
function lastLine(signatureEnd: number, end: number, nameStart: number, sink: FactSink): void {
  const { source, rules } = sink;
  if (end - signatureEnd > MAX_LIST_LENGTH) return;
  const body = source.slice(signatureEnd, end);
  const short = /,\s*do:\s*/.exec(headText(source, nameStart, end, MAX_HEAD_LENGTH));
  if (short !== null) {
    const from = nameStart + short.index + short[0].length;
    sink.result(nameStart, '', sink.accessPath(from, findOutside(source, from, end, '\n', rules.lexical)));
    return;
  }
  const trimmed = body.replace(/\s*\bend\s*$/, '');
  const line = trimmed.slice(trimmed.lastIndexOf('\n') + 1);
  if (/^\s*(?:\||end\b|[)\]}])/.test(line)) return;
  const at = signatureEnd + trimmed.length - line.length;
  sink.result(nameStart, '', sink.accessPath(at, at + line.length));
}

const elixirRelations: RelationRules = {
  lexical: LEXICAL,
  nodes: {
    unary_operator: attribute,
    arguments: argumentList,
    struct,
    alias: module,
    binary_operator: operator,
  },
  definition: ({ kind, start, name, nameStart, signatureEnd, end }, sink) => {
    if (kind === 'constant') stateOf(sink).constants.add(name);
    if (kind === 'function' || kind === 'macro') stateOf(sink).functions.add(name);
    if (kind === 'impl') implementation(start, nameStart, name, sink);
    if (kind === 'function') lastLine(signatureEnd, end, nameStart, sink);
  },
  text,
  ignoredCalls: wordSet(
    `abs apply assert assert_raise assert_receive assert_received binding byte_size ceil div elem exit floor get_in hd
     inspect is_atom is_binary is_bitstring is_boolean is_exception is_float is_function is_integer is_list is_map
     is_map_key is_nil is_number is_pid is_struct is_tuple length make_ref map_size match? max min node put_elem
     put_in refute rem round self send sigil_r sigil_w spawn tap then tl to_charlist to_string trunc tuple_size
     update_in pop_in use import alias require function_exported? macro_exported? dbg test describe setup`,
  ),
  literalCalls: wordSet(
    'get post put patch delete head options scope pipe_through live resources forward test describe',
  ),
};

const elixirDefinitions: DefinitionRules = {
  definitions: [
    {
      node: 'call',
      kind: 'function',
      nameText:
        /(?:defmodule|defprotocol|defimpl|defstruct|defexception|defp?|defmacrop?|defguardp?|defdelegate|defn)\b\s*(?:\(\s*)?((?:(?<!\bdef(?:struct|exception)\s*\(?\s*)(?:[A-Z][\w.]*|[\p{L}_][\p{L}\p{N}_]*[?!]?))?)/uy,
      head: [
        [/\bdefmodule[\s(]*$/, 'module'],
        [/\bdefprotocol[\s(]*$/, 'interface'],
        [/\bdefimpl[\s(]*$/, 'impl'],
        [/\bdef(?:macrop?|guardp?)[\s(]*$/, 'macro'],
      ],
      tail: [[/^def(?:struct|exception)\b/, 'struct']],
      unnamed: '__struct__',
      body: '>do_block',
      exported: { notHead: /\bdef(?:macro|guard)?p[\s(]*$/ },
      where: {
        has: {
          field: 'target',
          regex:
            '^(defmodule|defprotocol|defimpl|defstruct|defexception|def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defn)$',
        },
      },
    },
    {
      // Module attributes that aren't documentation or directives are constants; types are types.
      node: 'unary_operator',
      kind: 'constant',
      nameText:
        /@(?:(?:type|typep|opaque|callback|macrocallback)\s+)?((?!(?:moduledoc|doc|typedoc|spec|impl|behaviour|deprecated|dialyzer|derive|enforce_keys|before_compile|after_compile|external_resource|compile|on_load|on_definition|tag|moduletag|describetag|optional_callbacks|since)\b)[a-z_]\w*[?!]?)(?=\s+[^\s|+\-*/=<>,)\]}])/y,
      by: { path: '>call/>identifier', kinds: {} },
      head: [
        [/@(?:type|typep|opaque)\s+$/, 'type'],
        [/@(?:macro)?callback\s+$/, 'method'],
      ],
      outer: true,
      exported: { head: /^@(?:type|opaque|callback|macrocallback)\b/ },
      where: { has: { kind: 'call' } },
    },
  ],
  attached: {
    kinds: ['unary_operator'],
    ends: /\S/,
    text: /^@(?:doc|spec|impl|typedoc|deprecated|since|dialyzer)\b/,
  },
  importText: /^(?:use|alias|import|require|@moduledoc|@behaviour)\b/,
  comments: ['comment'],
  docs: { line: /^#/, attached: /^@(?:type)?doc\s+(?:~[sS])?(?:"""|")/ },
  exported: {},
  merge: 'clauses',
};

/** Modules are symbols: the file that defines one of that name. */
export const ELIXIR: ImportRules = {
  readsNames: true,
  create: (project) => new Elixir(project),
};

class Elixir implements ImportResolver {
  private definers: Map<string, number[]> | null = null;

  constructor(private readonly project: Project) {}

  resolve(file: number, { specifier }: Specified): Resolution {
    const name = specifier.startsWith('Elixir.') ? specifier.slice('Elixir.'.length) : specifier;
    const found = this.modules().get(name);
    if (found === undefined) return external(name.split('.', 1)[0]);
    return this.project.toFiles(this.project.nearest(this.project.path(file), found), 'path');
  }

  private modules(): Map<string, number[]> {
    if (this.definers !== null) return this.definers;
    this.definers = new Map();
    for (const file of this.project.filesOfLanguages(['elixir'])) {
      for (const name of new Set(this.project.input.topLevelNames(file))) addTo(this.definers, name, file);
    }
    return this.definers;
  }
}

export const elixir: ParsingRules = { definitions: elixirDefinitions, relations: elixirRelations };
