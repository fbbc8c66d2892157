/**
 * Rules of Dart: definitions, relations and imports, which are paths, or `package:` URIs of packages of the repository. In the grammar,
 * signatures and bodies are siblings.
 */
import { type ParsingRules, wordSet } from '../language.js';
import {
  aliases,
  byKind,
  casts,
  declarationsIn,
  decorators,
  HANDED_ON,
  headText,
  localNames,
  MAX_HEAD_LENGTH,
  nameFrom,
  ofEnumeration,
  parents,
  skipModifiers,
  typeEnd,
  typeParameters,
  valueAfter,
} from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import {
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
  yamlWord,
} from '../roles/project.js';
import {
  calls,
  type DefinitionView,
  elementOf,
  type FactSink,
  type LexicalConventions,
  type NameRules,
  type NodeRule,
  type RelationRules,
  typeNames,
} from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';

const NAMES: NameRules = {
  opaque: ['comment', 'documentation_comment', 'string_literal'],
  code: ['template_substitution'],
  keywords: wordSet(
    `Function List Map Object Set String abstract as assert async await base bool break case catch class const continue covariant default
     deferred do double dynamic else enum export extends extension external factory false final finally for get hide if implements import
     in int interface is late library mixin new null num of on operator part required rethrow return sealed set show static super switch
     sync this throw true try type typedef var void when while with yield`,
  ),
  unimported: true,
  labels: ':',
  interpolation: '$',
};

const LEXICAL: LexicalConventions = {
  joins: ['?.', '!.', '.'],
  nameExtra: '$',
  postfix: '!',
  prefixes: ['await', 'const'],
  newWord: 'new',
  typeArguments: '<>',
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

const MODIFIER =
  /@[\w.]+|(?:late|final|const|static|external|covariant|required|abstract|base|sealed|interface|mixin|augment)\b/y;

/** `import 'x' as y show A, B;`, `export 'x' show A;` */
const importRule: NodeRule = ({ start, end, text }, sink) => {
  const match = /^(?:@[^\n]*\n\s*)*(import|export)\s+(?:augment\s+)?['"]([^'"\n]+)['"]([^;]*)/.exec(
    text.slice(0, 2 * MAX_HEAD_LENGTH),
  );
  if (match === null) return;
  const alias = /\bas\s+(\w+)/.exec(match[3])?.[1] ?? '';
  const shown = /\bshow\s+([\w\s,]+?)(?:\bhide\b|$)/.exec(match[3])?.[1].split(',') ?? [];
  const names = shown.map((name) => ({ name: name.trim(), alias: name.trim() }));
  const kind = match[1] === 'export' ? 'reexport' : 'import';
  sink.import(start, end, kind, match[2], alias === '' && names.length > 0 ? names : [{ name: '*', alias }]);
};

const partRule: NodeRule = ({ start, end, text }, sink) => {
  const match = /^(part\s+of|part|library)\s+['"]?([^'"\n;]+)['"]?/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null) sink.import(start, end, match[1] === 'part' ? 'include' : 'declare', match[2].trim());
};

const callRule = calls({
  special: ({ name, receiver, callee, list, end, start }, sink) => {
    const { source } = sink;
    if ((receiver === '' && name === 'this') || source[start - 1] === '@') return true;
    const at = callee.nameStart;
    if (!source.startsWith('..', at - 2) || source[at - 3] === '.') return false;
    // `cart..add(a)..add(b)` calls each method on `cart`, which is the value of the whole.
    const dots = source[at - 3] === '?' ? at - 3 : at - 2;
    const target = sink.accessPathBefore(dots);
    const followed = target.accessPath !== '' && target.accessPath !== '?';
    const value = followed
      ? target.isNew && !target.accessPath.startsWith('new ')
        ? `new ${target.accessPath}`
        : target.accessPath
      : '?';
    sink.remember(end, target.start, value);
    sink.reference(at, end, 'call', `${value}.${name}`, { args: list.count });
    return true;
  },
});

/** `: items = items` writes the field, even if a parameter has its name. */
const initializerRule: NodeRule = ({ start, end }, sink) => {
  const match = /^(?:this\s*\.\s*)?(\w+)\s*=(?!=)/.exec(headText(sink.source, start, end));
  if (match !== null) sink.reference(start + match[0].lastIndexOf(match[1]), end, 'write', `this.${match[1]}`);
};

const annotationRule = decorators({
  form: /^@([\w.]+)/,
  own: /^(?:override|deprecated|immutable|protected|visibleForTesting)$/,
});

interface Named {
  type: string;
  name: string;
  at: number;
}

/** `final Cart cart`, `var cart`, `Cart? cart`, `final cart`, `cart`. */
function named(sink: FactSink, from: number, to: number): Named | null {
  const { source } = sink;
  const limit = Math.min(to, from + MAX_HEAD_LENGTH);
  const start = skipModifiers(sink, from, limit, MODIFIER);
  const end = typeEnd(sink, start, limit);
  const at = skipSpace(source, end, limit, LEXICAL);
  const name = at < limit ? nameFrom(source, at) : '';
  const first = source.slice(start, end);
  if (name !== '' && name !== 'in' && name !== 'Function')
    return { type: first === 'var' || first === 'dynamic' ? '' : first, name, at };
  return /^\w+$/.test(first) ? { type: '', name: first, at: start } : null;
}

const localRule: NodeRule = ({ start, end }, sink) => {
  const found = named(sink, start, end);
  if (found === null) return;
  const last = sink.source[end - 1] === ';' ? end - 1 : end;
  sink.local(found.at, found.name, found.type, valueAfter(sink, found.at + found.name.length, last));
};

/** `(final item in items)`. */
const forRule: NodeRule = (view, sink) => {
  const { source } = sink;
  const bracketed = source[view.start] === '(';
  const start = view.start + (bracketed ? 1 : 0);
  const end = view.end - (bracketed ? 1 : 0);
  const word = /\sin\s/.exec(headText(source, start, end, 300));
  const found = word === null ? null : named(sink, start, start + word.index);
  if (word === null || found === null) return;
  const list = sink.accessPath(start + word.index + word[0].length, end);
  sink.local(found.at, found.name, found.type, found.type === '' ? elementOf(list) : '');
};

const parametersRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  for (const part of declarationsIn(sink, start, end)) {
    const group = source[part.start] === '{' || source[part.start] === '[';
    const inner = group ? declarationsIn(sink, part.start, part.end) : [part];
    for (const { start: from, end: to } of inner) addParameter(sink, from, to);
  }
};

function addParameter(sink: FactSink, from: number, to: number): void {
  const text = headText(sink.source, from, to);
  // Parameters `this.x` and `super.x` are known by their fields.
  if (/^(?:(?:required|final|covariant)\s+)*(?:[\w<>?]+\s+)?(?:this|super)\s*\./.test(text)) return;
  if (/\bFunction\b/.test(text)) {
    const name = /(\w+)\s*(?:=[^=]*)?$/.exec(text);
    if (name !== null) sink.local(from + name.index, name[1], '', '');
    return;
  }
  const found = named(sink, from, to);
  if (found !== null) sink.local(found.at, found.name, found.type, '');
}

/** `on FormatException catch (e)`. */
function text(sink: FactSink): void {
  for (const match of sink.source.matchAll(/\bon\s+([\w.]+)\s+catch\s*\(\s*(\w+)/g))
    sink.local(match.index + match[0].length - match[2].length, match[2], match[1], '');
}

const definition = byKind({
  'enum-member': ofEnumeration,
  'variable field constant': variableDefinition,
  'function method': functionDefinition,
  'class trait enum impl': typeDefinition,
  type: aliases(/^\s*=\s*([\w.]+(?:<[^\n]*>)?)\s*;?$/),
});

/** A variable: its type is before the name, in a node that the grammar makes its sibling. */
function variableDefinition({ container, name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const line = /[^\n;{}]*$/.exec(source.slice(Math.max(0, nameStart - 200), nameStart))?.[0] ?? '';
  const head = /^\s*(?:(?:late|final|const|static|external|covariant|abstract)\s+)*([\w.]+(?:<.*>)?\??)\s+$/.exec(line);
  const type = head === null || /^(?:var|dynamic|late|final|const|static)$/.test(head[1]) ? '' : head[1];
  const value = valueAfter(sink, nameEnd, source[end - 1] === ';' ? end - 1 : end);
  if (container === null) sink.local(nameStart, name, type, value);
  else sink.field(nameStart, name, type, value);
}

function functionDefinition({ container, start, name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const from = skipModifiers(sink, start, nameStart, MODIFIER);
  const to = typeEnd(sink, from, nameStart);
  const written = source.slice(from, to);
  const isGetter = /\bget\s+$/.test(source.slice(to, nameStart)) || written === 'get';
  const type = /^(?:void|get|set|dynamic|operator|)$/.test(written) ? '' : written;
  if (source[nameEnd] === '<') typeParameters(sink, nameEnd, end);
  const arrow = /^\s*(?:\([^()]*\)\s*)?=>/.exec(headText(source, nameEnd, end));
  const value =
    type === '' && arrow !== null
      ? sink.accessPath(nameEnd + arrow[0].length, source[end - 1] === ';' ? end - 1 : end)
      : '';
  sink.result(nameStart, type, value);
  if (isGetter && container !== null) sink.field(nameStart, name, type, value);
  if (container !== 'impl') return;
  // The methods of an extension are called on the type that it extends.
  const before = source.slice(Math.max(0, nameStart - MAX_EXTENSION_LENGTH), nameStart);
  const on = /^[\s\S]*\bextension\s+(?:\w+\s*)?(?:<[^{]*>\s*)?on\s+([\w.]+)/.exec(before);
  if (on !== null) sink.local(nameEnd, 'this', on[1], '');
}

const MAX_EXTENSION_LENGTH = 10_000;

/** `class A<T> extends B with M, N implements I`, `mixin M on A`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const limit = Math.min(signatureEnd, nameEnd + 2 * MAX_HEAD_LENGTH);
  const at = source[nameEnd] === '<' ? typeParameters(sink, nameEnd, limit, { ofType: true }) : nameEnd;
  if (kind === 'impl') return;
  for (const match of source
    .slice(at, limit)
    .matchAll(/\b(extends|with|implements|on|=)\b([^{]*?)(?=\b(?:extends|with|implements|on)\b|$)/g)) {
    const from = at + match.index + match[1].length;
    const relation = match[1] === 'extends' || match[1] === 'on' ? 'extends' : 'implements';
    for (const parent of parents(sink, from, at + match.index + match[0].length))
      sink.reference(parent.at, parent.end, relation, parent.accessPath);
  }
}

const dartRelations: RelationRules = {
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    import_or_export: importRule,
    part_directive: partRule,
    part_of_directive: partRule,
    library_name: partRule,
    arguments: callRule,
    type_identifier: typeNames('.'),
    field_initializer: initializerRule,
    annotation: annotationRule,
    local_variable_declaration: localRule,
    for_loop_parts: forRule,
    formal_parameter_list: parametersRule,
    catch_parameters: localNames(/\w+/g),
    type_cast_expression: casts(/\bas\s+([\w.]+)(?:<[^<>]*>)?\??$/),
  },
  brackets: ['arguments', 'formal_parameter_list'],
  definition,
  text,
  values: HANDED_ON,
  ignoredTypes: wordSet(
    `int double num bool String Object void dynamic Never Null List Map Set Iterable Future Stream Function Type Duration DateTime`,
  ),
  literalCalls: new Set(['test', 'group', 'testWidgets', 'get', 'post', 'put', 'delete']),
};

/** `library;`, and `abstract int total;` as a field, which the grammar does not know. */
const UNKNOWN =
  /^[ \t]*(?:(library)[ \t]*;|(abstract)(?=[ \t]+(?!(?:class|interface|base|final|mixin|sealed)\b)[\w.<>?, \t]{1,200};))/gm;

/** The dot of `colour: .red`, and the mark of `[?first]`. */
const SHORT = /(?<=(?:[=:,([{?]|\breturn|\bcase)[ \t]*)\.(?=[a-z_])|(?<=[[{,][ \t]*)\?(?=[\w(])/g;

function repairedDart(text: string): string {
  return text.replace(UNKNOWN, (found) => ' '.repeat(found.length)).replace(SHORT, ' ');
}

const FOLLOW = ['function_body'];
/** `: items = items, super(name)` and `: this(name)` see the constructor's parameters. */
const FOLLOW_CONSTRUCTOR = ['initializers', 'redirection', ...FOLLOW];

const dartDefinitions: DefinitionRules = {
  repaired: repairedDart,
  definitions: [
    { node: 'class_definition', kind: 'class' },
    { node: 'extension_type_declaration', kind: 'class' },
    { node: 'representation_declaration', kind: 'field', exported: {} },
    { node: 'mixin_declaration', kind: 'trait', name: '>identifier', body: '>class_body' },
    { node: 'extension_declaration', kind: 'impl' },
    { node: 'enum_declaration', kind: 'enum' },
    { node: 'enum_constant', kind: 'enum-member', exported: {} },
    {
      node: ['function_signature', 'getter_signature', 'setter_signature'],
      kind: 'function',
      member: 'method',
      follow: FOLLOW,
    },
    {
      node: ['constructor_signature', 'factory_constructor_signature', 'constant_constructor_signature'],
      kind: 'constructor',
      nameText: /(?:const\s+|factory\s+)*(?:\w+\.)?(\w+)/y,
      follow: FOLLOW_CONSTRUCTOR,
    },
    { node: 'operator_signature', kind: 'method', nameText: /[^(]*?(operator\s*[^\s(]+)/y, follow: FOLLOW },
    {
      node: 'type_alias',
      kind: 'type',
      nameText: /[^;]{0,400}?\btypedef\s+(?:[\w.$<>?,\s]{0,200}?\s)?([\w$]+)\s*(?:<[^=;()]{0,200}>\s*)?[=(]/y,
    },
    {
      node: 'initialized_identifier',
      kind: 'variable',
      member: 'field',
      name: '>identifier',
      outer: true,
    },
    { node: 'static_final_declaration', kind: 'constant', name: '>identifier', outer: true },
  ],
  wrappers: {
    method_signature: {},
    declaration: {},
    initialized_identifier_list: {},
    static_final_declaration_list: {},
  },
  attached: { kinds: ['annotation', 'final_builtin', 'const_builtin'], ends: /[\w)]/ },
  imports: ['import_or_export', 'library_name', 'part_directive', 'part_of_directive'],
  typed: true,
  comments: ['comment', 'documentation_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { name: /^(?!_)(?!\w+\._)/ },
};

const PACKAGE = /^package:([^/]+)\/(.*)$/s;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

export const DART: ImportRules = {
  readsNames: false,
  create: (project) => new Dart(project),
};

class Dart implements ImportResolver {
  private packages: Map<string, string> | null = null;

  constructor(private readonly project: Project) {}

  resolve(file: number, { specifier }: Specified): Resolution {
    const inPackage = PACKAGE.exec(specifier);
    if (inPackage !== null) {
      const directory = this.packageDirectories().get(inPackage[1]);
      if (directory === undefined) return external(inPackage[1]);
      return this.at(under(directory, 'lib'), inPackage[2]);
    }
    const scheme = SCHEME.exec(specifier);
    return scheme === null ? this.at(this.project.directory(file), specifier) : external(specifier.split('/', 1)[0]);
  }

  private at(directory: string, specifier: string): Resolution {
    const path = join(directory, specifier);
    return (path === null ? null : this.project.at(path)) ?? UNRESOLVED;
  }

  private packageDirectories(): Map<string, string> {
    if (this.packages !== null) return this.packages;
    this.packages = new Map();
    for (const path of this.project.manifestsNamed('pubspec.yaml')) {
      const name = yamlWord(this.project.manifest(path) ?? '', 'name');
      if (name !== '' && !this.packages.has(name)) this.packages.set(name, directoryOf(path));
    }
    return this.packages;
  }
}

export const dart: ParsingRules = { definitions: dartDefinitions, relations: dartRelations };
