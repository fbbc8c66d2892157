/**
 * Formats that YAML and JSON carry: Kubernetes, Compose, workflows, OpenAPI. A document is recognised by its keys. Its parts are definitions
 * (`services.web`, `ConfigMap.app`, `GET /pets`), and a text that names one of them is a reference. Names are addresses, as in Terraform.
 */
import { words } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { StatedName, SymbolKind } from '../roles/definitions.js';
import { type ImportedName, keyName } from '../roles/relation-facts.js';
import type { FactSink, FormatFacts, StatedDefinition, SyntaxNode } from '../roles/relations.js';
import { CLASS, files, helmFacts, INFRASTRUCTURE, isAt, isSetting, placeOf, places } from './infrastructure.js';

// Data: what each format holds. A place is a path of keys: `*` stands for any key, `[]` for an item of a list, `**` for any beginning, and
// `{}` at the end for the key itself in place of its value.

export interface Format {
  /** Text that each file of the format has. */
  mark: RegExp;
  /** Is a document of the format? */
  fits(top: Mapping): boolean;
  /** In the name `*` stands for the first key that a `*` of the place matches, `=` for the value, and `{key}` for the value of that key. */
  definitions?: readonly (readonly [place: string, kind: SymbolKind, name: string])[];
  /** Its documents are lists: `top` is the first item. */
  isList?: true;
  /** In the name `*` stands for group 1 of `part`, or the whole value without one. Of names between `|` the one counts that the document defines. */
  references?: readonly (readonly [place: string, name: string, part?: RegExp])[];
  /**
   * Paths of files: group 1 of `part`, which begins with `/` if it leads from the top of the repository; it stands for `*` in `path`. One
   * that begins with `|` is looked for in the folders around, and may be missing.
   */
  imports?: readonly (readonly [place: string, part: RegExp, path?: string])[];
  /** Names in texts with that mark: group 1 is the word before a name, group 2 the name. `named` gives what they mean. */
  expressions?: { mark: string; pattern: RegExp; named(prefix: string, name: string): string };
  /** Names behind tags of YAML: `!Ref cart`. Of a list the first item counts. Groups of `part` as in `references`. */
  tags?: Readonly<Record<string, readonly [name: string, part?: RegExp]>>;
  /** Names of a file that an import brings are known in this one. */
  includes?: true;
  /** An alias of YAML means the definition that holds the anchor. */
  hasAnchors?: true;
  /** States what no place shows. */
  more?(top: Mapping, refer: (at: Scalar, name: string, file?: string) => void): void;
  /** Name of a document that is a definition as a whole; '' for none. */
  whole?(top: Mapping): string;
  /** Mappings with a `kind` and a `name` refer to such an object. */
  hasKinds?: true;
  /** `$ref` refers to what a pointer leads to. */
  hasPointers?: true;
}

const FILE = /^(?!(?:[a-z][\w+.-]*:|git@|github\.com\/))([^\s{}$]+)$/;
const LOCAL = /^\.(\/[^@\s]+)$/;
const VOLUME = /^([A-Za-z\d][\w.-]+)(?::|$)/;
const EACH = 'services/*/';
const COMPOSE_KEYS = /^(?:version|name|services|volumes|networks|configs|secrets|include|models|x-.*)$/;
const SERVICE_KEYS =
  /^(?:image|build|extends|container_name|ports|environment|env_file|volumes|depends_on|command|entrypoint|deploy|profiles|networks|restart|healthcheck)$/;

const COMPOSE: Format = {
  mark: /^[ \t]*["']?services["']?[ \t]*:|"services"/m,
  fits: (top) =>
    top.keys.every((key) => COMPOSE_KEYS.test(key)) &&
    top.at('services').some(({ value }) => pairsOf(value).some(({ key }) => SERVICE_KEYS.test(key))),
  definitions: ['services', 'volumes', 'networks', 'configs', 'secrets'].map((key) => [
    `${key}/*`,
    'object',
    `${key}.*`,
  ]),
  references: [
    ...places(EACH, 'depends_on/[] depends_on/{} extends extends/service', 'services.*'),
    ...places(EACH, 'links/[] volumes_from/[]', 'services.*', /^(?!container:)([\w.-]+)/),
    ...places(EACH, 'network_mode ipc pid', 'services.*', /^service:(.+)/),
    ...places(EACH, 'volumes/[] volumes/[]/source', 'volumes.*', VOLUME),
    ...places(EACH, 'networks/[] networks/{}', 'networks.*', /^(?!default$)(.+)/),
    ...places(EACH, 'configs/[] configs/[]/source', 'configs.*'),
    ...places(EACH, 'secrets/[] secrets/[]/source build/secrets/[]', 'secrets.*'),
  ],
  imports: [
    ...files('', 'include/[] include/[]/path include/[]/path/[] secrets/*/file configs/*/file', FILE),
    ...files(EACH, 'extends/file env_file env_file/[] env_file/[]/path build build/context', FILE),
  ],
};

const EXPRESSIONS: Pick<Format, 'expressions'> = {
  expressions: {
    mark: '${{',
    pattern: /\b((?:needs|inputs)\.)([A-Za-z_][\w-]*)/g,
    named: (prefix, name) => (prefix === 'needs.' ? `jobs.${name}` : prefix + name),
  },
};

const WORKFLOW: Format = {
  ...EXPRESSIONS,
  mark: /^[ \t]*["']?jobs["']?[ \t]*:/m,
  fits: (top) => top.has('jobs') && top.keys.some((key) => key === 'on' || key === 'true'),
  definitions: [
    ['jobs/*', 'function', 'jobs.*'],
    ['on/workflow_call/inputs/*', 'property', 'inputs.*'],
    ['on/workflow_dispatch/inputs/*', 'property', 'inputs.*'],
  ],
  references: places('jobs/*/', 'needs needs/[]', 'jobs.*'),
  imports: files('jobs/*/', 'uses steps/[]/uses', LOCAL),
};

const ACTION: Format = {
  ...EXPRESSIONS,
  mark: /^[ \t]*runs[ \t]*:/m,
  fits: (top) => top.at('runs').some(({ key }) => key === 'using'),
  definitions: [
    ['inputs/*', 'property', 'inputs.*'],
    ['outputs/*', 'property', 'outputs.*'],
  ],
  imports: files('', 'runs/steps/[]/uses', LOCAL),
};

const METHODS = words('get put post delete options head patch trace');
const COMPONENTS = words(
  'parameters responses requestBodies headers securitySchemes examples links callbacks messages',
);
const TYPES: Format['definitions'] = [
  ['definitions/*', 'type', 'definitions.*'],
  ['$defs/*', 'type', '$defs.*'],
];

const VERSIONS = words('openapi swagger asyncapi');

const OPENAPI: Format = {
  mark: /^[ \t]*["']?(?:openapi|swagger|asyncapi|components)["']?[ \t]*:|"(?:openapi|swagger|asyncapi|components)"/m,
  fits: (top) =>
    (VERSIONS.some((key) => top.has(key)) && top.keys.length > 1) ||
    // A part of an API that is written in several files.
    top.at('components').some(({ key }) => key === 'schemas' || COMPONENTS.includes(key)),
  definitions: [
    ...['paths', 'webhooks'].flatMap((key) =>
      METHODS.map((method) => [`${key}/*/${method}`, 'function', `${method.toUpperCase()} *`] as const),
    ),
    ...METHODS.map((method) => [`paths/*/${method}/operationId`, 'constant', '='] as const),
    ['components/schemas/*', 'type', 'schemas.*'],
    ...COMPONENTS.map((key) => [`components/${key}/*`, 'object', `${key}.*`] as const),
    ...words('parameters responses securityDefinitions channels').map(
      (key) => [`${key}/*`, 'object', `${key}.*`] as const,
    ),
    ...TYPES,
  ],
  references: places('**/', 'links/*/operationId', '*'),
  hasPointers: true,
};

const SCHEMA_KEYS = words('properties allOf oneOf anyOf definitions $defs items operationId responses content headers');

/** Schemas of JSON, and the parts of an API that is written in several files. */
const SCHEMA: Format = {
  mark: /\$ref["']?[ \t]*:|json-schema\.org|"\$defs"/,
  fits: (top) => !top.has('apiVersion') && !VERSIONS.some((key) => top.has(key)) && isSchema(top),
  definitions: [...TYPES, ...METHODS.map((method) => [method, 'function', method.toUpperCase()] as const)],
  whole: (top) => (isOneSchema(top) ? top.text('operationId') || top.text('title') || 'schema' : ''),
  hasPointers: true,
};

/** A file of several schemas, each under its name. */
const SCHEMAS: Format = {
  ...SCHEMA,
  fits: (top) =>
    top.pairs.every(({ value }) =>
      pairsOf(value).some(({ key }) => /^(?:type|properties|\w+Of|\$ref|in|content)$/.test(key)),
    ),
  definitions: [['*', 'type', '*']],
  whole: () => '',
};

const isOneSchema = (top: Mapping): boolean => SCHEMA_KEYS.some((key) => top.has(key));
const isSchema = (top: Mapping): boolean => isOneSchema(top) || METHODS.some((key) => top.has(key));

const FORMATS = [COMPOSE, WORKFLOW, ACTION, ...INFRASTRUCTURE, OPENAPI, SCHEMA, SCHEMAS];

// Mappings and values of both grammars

export interface Pair {
  key: string;
  keyStart: number;
  /** The text behind the key begins here. */
  from: number;
  node: SyntaxNode;
  value: SyntaxNode | null;
}

export interface Scalar {
  text: string;
  start: number;
  end: number;
}

/** Longest name or path. */
const MAX_LENGTH = 200;
const MAPPINGS = new Set(['block_mapping', 'flow_mapping', 'object']);
const LISTS = new Set(['block_sequence', 'flow_sequence', 'array']);
const PAIRS = new Set(['block_mapping_pair', 'flow_pair', 'pair']);
const ADDED = new Set(['anchor', 'tag', 'comment']);

export class Mapping {
  constructor(
    readonly node: SyntaxNode,
    readonly pairs: readonly Pair[],
    private readonly source: string,
  ) {}

  get keys(): readonly string[] {
    return this.pairs.map(({ key }) => key);
  }

  has(key: string): boolean {
    return this.pairs.some((pair) => pair.key === key);
  }

  get hasLists(): boolean {
    return this.pairs.some(({ value }) => LISTS.has(contentOf(value)?.kind ?? ''));
  }

  /** Pairs of the mapping under a key. */
  at(key: string): readonly Pair[] {
    return pairsOf(this.pairs.find((pair) => pair.key === key)?.value ?? null);
  }

  inside(pair: Pair): readonly Pair[] {
    return pairsOf(pair.value);
  }

  scalar(pair: Pair): Scalar | null {
    return scalarIn(pair, this.source);
  }

  /** Pairs of the mapping at a path of keys. */
  under(path: string): readonly Pair[] {
    let pairs = this.pairs;
    for (const key of path.split('/')) pairs = pairsOf(pairs.find((pair) => pair.key === key)?.value ?? null);
    return pairs;
  }

  /** The text at a path of keys; '' for none. */
  text(path: string): string {
    const [key, ...rest] = path.split('/');
    const pair = this.pairs.find((each) => each.key === key);
    if (pair === undefined) return '';
    if (rest.length === 0) return scalarIn(pair, this.source)?.text ?? '';
    const below = contentOf(pair.value);
    return below === null ? '' : new Mapping(below, pairsOf(below), this.source).text(rest.join('/'));
  }
}

/** The content of a node, without the nodes that YAML puts around values. */
function contentOf(node: SyntaxNode | null): SyntaxNode | null {
  if (node === null || !/^(?:block_node|flow_node|document|block_sequence_item)$/.test(node.kind)) return node;
  return contentOf(node.namedChildren.find(({ kind }) => !ADDED.has(kind)) ?? null);
}

/** Text of the tag or the anchor at a node; '' for none. */
function added(node: SyntaxNode | null, kind: 'tag' | 'anchor'): string {
  if (node === null || !/^(?:block_node|flow_node|block_sequence_item)$/.test(node.kind)) return '';
  const inner = node.namedChildren.find((child) => child.kind === kind);
  if (inner !== undefined) return inner.text;
  return node.kind === 'block_sequence_item' ? added(node.namedChildren[0] ?? null, kind) : '';
}

function pairsOf(node: SyntaxNode | null): Pair[] {
  const mapping = contentOf(node);
  if (mapping === null || !MAPPINGS.has(mapping.kind)) return [];
  return mapping.namedChildren.flatMap((child) => {
    const key = PAIRS.has(child.kind) ? child.field('key') : null;
    if (key === null) return [];
    const { text, start } = unquoted(key.text, key.start);
    return [{ key: text, keyStart: start, from: key.end, node: child, value: child.field('value') }];
  });
}

function unquoted(text: string, start: number): Scalar {
  const isQuoted = /^(["']).*\1$/s.test(text);
  const inside = isQuoted ? text.slice(1, -1) : text;
  const first = start + (isQuoted ? 1 : 0);
  return { text: inside, start: first, end: first + inside.length };
}

/** The text of a value, as a template of Helm writes it if it has one; null for mappings, lists and long texts. */
function scalarIn({ from, value }: Pick<Pair, 'from' | 'value'>, source: string): Scalar | null {
  const lineEnd = source.indexOf('\n', from);
  const line = headText(source, from, lineEnd === -1 ? source.length : lineEnd, MAX_LENGTH);
  const template = /^\s*:?\s*(\S.*?(?<!\$)\{\{.*|\{\{.*)$/.exec(line)?.[1];
  if (template !== undefined) {
    const start = from + line.indexOf(template);
    const written = unquoted(template.replace(/\s+#.*$/, '').trimEnd(), start);
    return { ...written, text: withoutBraces(written.text) };
  }
  const content = contentOf(value);
  if (content === null || MAPPINGS.has(content.kind) || LISTS.has(content.kind) || content.kind === 'alias')
    return null;
  if (content.end - content.start > MAX_LENGTH) return null;
  return unquoted(content.text, content.start);
}

/** `shop.name-db` for `{{ include "shop.name" . }}-db`: templates that are written alike give equal names. */
function withoutBraces(text: string): string {
  return text.replace(/\{\{-?([^{}]*)\}\}/g, (_, inside: string) => {
    const [first] = inside.replace(/-$/, '').split('|');
    const named = /^\s*(?:include|template)\s+"([^"]*)"/.exec(first);
    return named?.[1] ?? first.replace(/^[\s.$]+/, '').trim();
  });
}

// Reading a document: one walk over its mappings and lists

/** Most definitions of a file, and deepest nesting that is read. */
const MAX_DEFINITIONS = 10_000;
const MAX_DEPTH = 60;

class Reader {
  readonly definitions: StatedDefinition[] = [];
  private readonly references: { at: Scalar; name: string }[] = [];
  private readonly imports = new Map<string, { at: Scalar; names: Set<string> }>();
  private readonly anchors = new Map<string, string>();
  /** Names by which code asks a container for services, with the imports that have their classes. */
  readonly names: StatedName[] = [];
  private readonly services = new Map<string, ImportedName[]>();
  private format: Format = SCHEMA;
  private path: string[] = [];
  private defined = 0;

  constructor(private readonly source: string) {}

  get isEmpty(): boolean {
    return this.definitions.length + this.imports.size === 0;
  }

  /** Reads a document if it is of a format. */
  document(node: SyntaxNode, formats: readonly Format[]): void {
    const isList = LISTS.has(node.kind);
    const first = isList ? contentOf(node.namedChildren.find(({ kind }) => !ADDED.has(kind)) ?? null) : node;
    const top = new Mapping(node, pairsOf(first), this.source);
    const fits = (each: Format): boolean => (each.isList === true) === isList && each.fits(top);
    const format = top.pairs.length === 0 ? undefined : formats.find(fits);
    if (format === undefined) return;
    this.format = format;
    this.path = [];
    this.anchors.clear();
    this.defined = this.definitions.length;
    const from = this.references.length;
    format.more?.(top, (at, name, file) => (file === undefined ? this.refer(at, name) : this.referIn(file, at, name)));
    if (isList) {
      this.value(node);
      this.choose(from);
      return;
    }
    const whole = format.whole?.(top) ?? '';
    if (whole !== '') this.define(whole, 'object', node, top.pairs[0].keyStart);
    this.mapping(top, true);
    this.choose(from);
  }

  /** Of alternatives, `a|b`, the name counts that the document defines. Its own `a` counts before `|#a`, that of files that may be missing. */
  private choose(from: number): void {
    const own = new Set(this.definitions.slice(this.defined).map(({ name }) => name));
    const chosen = this.references.splice(from).flatMap(({ at, name }) => {
      if (name.startsWith('|#') && own.has(name.slice(2))) return [{ at, name: name.slice(2) }];
      if (!name.includes('|') || name.startsWith('|')) return [{ at, name }];
      const found = name.split('|').find((each) => own.has(each));
      return found === undefined ? [] : [{ at, name: found }];
    });
    this.references.push(...chosen);
  }

  state(sink: FactSink): void {
    for (const [specifier, { at, names }] of this.imports) {
      const aliases = Array.from(names, (name) => ({ name, alias: name === '*' ? '' : aliasOf(specifier, name) }));
      const services = this.services.get(specifier) ?? [];
      sink.import(at.start, at.end, 'import', specifier, [...aliases, ...services]);
      for (const { alias } of services) sink.alias(at.start, alias.replace('#', '|'), '', `new ${alias}()`);
    }
    for (const { at, name } of this.references) sink.reference(at.start, at.end, 'read', name);
  }

  private mapping(mapping: Mapping, isTop = false): void {
    const { path, format } = this;
    const kind = format.hasKinds && !isTop ? mapping.text('kind') : '';
    for (const pair of mapping.pairs) {
      path.push('{}');
      this.use({ text: pair.key, start: pair.keyStart, end: pair.keyStart + pair.key.length }, mapping);
      path[path.length - 1] = pair.key;
      this.defineAt(pair.node, pair);
      this.marks(pair.value);
      const scalar = scalarIn(pair, this.source);
      if (scalar === null) this.value(pair.value);
      else if (kind !== '' && pair.key === 'name') this.refer(scalar, `${kind}.${scalar.text}`);
      else this.use(scalar, mapping, pair.key);
      path.pop();
    }
  }

  private value(node: SyntaxNode | null): void {
    const content = contentOf(node);
    if (content === null || this.path.length > MAX_DEPTH) return;
    if (MAPPINGS.has(content.kind)) this.mapping(new Mapping(content, pairsOf(content), this.source));
    else if (LISTS.has(content.kind)) for (const item of content.namedChildren) this.item(item);
    else this.readExpressions(content);
  }

  private item(node: SyntaxNode): void {
    const content = contentOf(node);
    if (content === null || ADDED.has(content.kind)) return;
    this.path.push('[]');
    this.marks(node);
    const scalar = scalarIn({ from: content.end, value: content }, this.source);
    if (MAPPINGS.has(content.kind)) this.defineAt(content, null);
    if (scalar === null) this.value(content);
    else this.use(scalar, null);
    this.path.pop();
  }

  /** Reads tags, anchors and aliases of a value. */
  private marks(value: SyntaxNode | null): void {
    const { tags, hasAnchors } = this.format;
    if (tags !== undefined) this.tagged(value, tags);
    if (hasAnchors !== true || value === null) return;
    const anchor = added(value, 'anchor');
    if (anchor !== '') this.anchors.set(anchor.slice(1), this.path[0]);
    const alias = contentOf(value);
    const key = alias?.kind === 'alias' ? this.anchors.get(alias.text.slice(1)) : undefined;
    if (alias?.kind === 'alias' && key !== undefined && key !== this.path[0])
      this.refer({ text: key, start: alias.start, end: alias.end }, `jobs.${key}`);
  }

  private tagged(value: SyntaxNode | null, tags: NonNullable<Format['tags']>): void {
    const tag = added(value, 'tag');
    if (!Object.hasOwn(tags, tag)) return;
    const content = contentOf(value);
    const [name, part = /^(.+)$/] = tags[tag];
    const first = content !== null && LISTS.has(content.kind) ? contentOf(content.namedChildren[0] ?? null) : content;
    if (first === null || first.end - first.start > MAX_LENGTH || MAPPINGS.has(first.kind)) return;
    const scalar = unquoted(first.text, first.start);
    const found = part.exec(scalar.text)?.[1];
    if (found !== undefined)
      this.refer(
        scalar,
        name.replaceAll('*', () => found),
      );
  }

  private defineAt(node: SyntaxNode, pair: Pair | null): void {
    const rule = this.format.definitions?.find(([place]) => isAt(this.path, place));
    if (rule === undefined) return;
    const [place, kind, name] = rule;
    if (place === '*' && pair !== null && (isSetting(pair.key) || pairsOf(pair.value).length === 0)) return;
    const key = this.path[placeOf(place).segments.indexOf('*')] ?? '';
    const inside = new Mapping(node, pairsOf(node), this.source);
    const value = pair === null ? null : scalarIn(pair, this.source);
    let isNamed = true;
    const whole = name.replace(/\*|=|\{([\w/]+)\}/g, (mark, path?: string) => {
      const part = mark === '*' ? key : mark === '=' ? (value?.text ?? '') : inside.text(path ?? '');
      isNamed &&= part !== '';
      return part;
    });
    if (!isNamed) return;
    this.define(whole, kind, node, name === '=' && value !== null ? value.start : (pair?.keyStart ?? node.start));
  }

  private define(name: string, kind: SymbolKind, node: SyntaxNode, nameStart: number): void {
    if (this.definitions.length >= MAX_DEFINITIONS || name.length > MAX_LENGTH) return;
    this.definitions.push({ name, kind, start: node.start, end: node.end, nameStart });
  }

  /** States what a text at the present path refers to. */
  private use(scalar: Scalar, mapping: Mapping | null, key = ''): void {
    const { format, path } = this;
    if (format.hasPointers && key === '$ref') this.point(scalar);
    for (const [place, part, written = '*'] of format.imports ?? []) {
      const file = isAt(path, place) ? part.exec(scalar.text)?.[1] : undefined;
      if (file === undefined) continue;
      const name = written.replace('*', () => file);
      this.import(scalar, name);
    }
    for (const [place, name, part] of format.references ?? []) {
      if (!isAt(path, place)) continue;
      const found = part === undefined ? scalar.text : part.exec(scalar.text)?.[1];
      if (!found) continue;
      if (name === CLASS) this.useClass(found, scalar, key);
      else this.useName(name, found, scalar, mapping);
    }
    if (this.isExpression(scalar.text, key)) this.expressions(scalar);
  }

  private isExpression(text: string, key: string): boolean {
    const mark = this.format.expressions?.mark;
    return mark !== undefined && (key === 'if' || text.includes(mark));
  }

  private useClass(found: string, scalar: Scalar, key: string): void {
    const parts = found.split(/\\+/);
    const name = parts[parts.length - 1];
    const specifier = `\\${parts.join('\\')}`;
    // The key itself begins with the name of the definition.
    this.referIn(specifier, { ...scalar, start: scalar.start + 1 }, name);
    if (this.path.length === 3 && /^(?:class|alias)$/.test(key)) this.serve(name, specifier);
  }

  /** `name`: the form of the name of what is used, with `*` for the text. */
  private useName(name: string, found: string, scalar: Scalar, mapping: Mapping | null): void {
    const file = this.format === COMPOSE ? (mapping?.text('file') ?? '') : '';
    const whole = name.replaceAll('*', () => found);
    const [around, inside] = name[0] === '|' ? whole.split('#', 2) : [];
    if (around !== undefined) this.referIn(around, scalar, inside);
    else if (file === '') this.refer(scalar, whole);
    else this.referIn(file, scalar, whole);
  }

  /** A service under a key that is no class. The name of its import has a `#`, since all scopes mean it. */
  private serve(type: string, specifier: string): void {
    const [, key] = this.path;
    const service = this.definitions.at(-1);
    if (key.includes('\\') || service?.name !== `services.${key}`) return;
    const name = keyName(key);
    this.names.push({ name, at: service.nameStart });
    this.services.set(specifier, [
      ...(this.services.get(specifier) ?? []),
      { name: type, alias: name.replace('|', '#') },
    ]);
  }

  private readExpressions({ text, start, end }: SyntaxNode): void {
    const mark = this.format.expressions?.mark;
    if (mark !== undefined && text.includes(mark)) this.expressions({ text, start, end });
  }

  private expressions({ text, start }: Scalar): void {
    const { expressions } = this.format;
    for (const match of expressions === undefined ? [] : text.matchAll(expressions.pattern)) {
      const at = start + match.index;
      const scalar = { text: match[2], start: at, end: at + match[0].length };
      this.refer(scalar, expressions?.named(match[1], match[2]) ?? '');
    }
  }

  /** `#/components/schemas/Cart`, `./cart.yaml#/Cart`, `cart.json`. */
  private point(scalar: Scalar): void {
    const [file, pointer = ''] = scalar.text.split('#', 2);
    const name = nameAt(pointer);
    if (file === '') this.refer(scalar, name);
    else if (FILE.test(file)) this.referIn(file, scalar, name);
  }

  private refer(at: Scalar, name: string): void {
    if (name !== '' && at.text.length <= MAX_LENGTH) this.references.push({ at, name });
  }

  /** A use of a name of another file, which only that file can define. */
  private referIn(file: string, at: Scalar, name: string): void {
    const specifier = this.import(at, file);
    if (name === '') return;
    this.imports.get(specifier)?.names.add(name);
    this.refer(at, aliasOf(specifier, name));
  }

  private import(at: Scalar, file: string): string {
    const specifier = /^[./|\\]/.test(file) ? file : `./${file}`;
    const names = this.format.includes === true ? ['*'] : [];
    if (!this.imports.has(specifier)) this.imports.set(specifier, { at, names: new Set(names) });
    return specifier;
  }
}

/** Name by which a file means one of another file. Files that may be missing stand in for each other. */
const aliasOf = (specifier: string, name: string): string => `${specifier[0] === '|' ? '|' : specifier}#${name}`;

/** Name of the definition that a JSON pointer leads to, or into. */
function nameAt(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (steps[0] === 'components') steps.shift();
  if (steps[0] === 'paths') return steps.length < 3 ? '' : `${steps[2].toUpperCase()} ${steps[1]}`;
  return steps.slice(0, 2).join('.');
}

/** Definitions and references of the formats that a file is of; null for any other file. */
export function readFormats(root: SyntaxNode, source: string): FormatFacts | null {
  const formats = FORMATS.filter(({ mark }) => mark.test(source));
  const helm = helmFacts(source);
  if (formats.length === 0 && helm === null) return null;
  const reader = new Reader(source);
  const documents = root.kind === 'document' ? [root] : root.namedChildren.filter(({ kind }) => kind === 'document');
  for (const document of documents) {
    const content = contentOf(document);
    if (content !== null) reader.document(content, formats);
  }
  if (helm !== null)
    return {
      definitions: [...reader.definitions, ...helm.definitions],
      state: (sink) => {
        reader.state(sink);
        helm.state(sink);
      },
    };
  return reader.isEmpty ? null : reader;
}
