/** Routes of Laravel: chains of calls on `Route`, with groups around them. */
import { type BracketEnds, bracketEnds, isOpaqueAt } from '../roles/masks.js';
import { NO_HANDLER } from '../roles/relation-facts.js';
import type { FactSink } from '../roles/relations.js';
import { splitList } from '../roles/scan.js';

const VERBS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'any', 'match']);
/** Calls that declare routes which no controller answers, and their method. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['view', 'GET'],
  ['redirect', 'ANY'],
  ['permanentRedirect', 'ANY'],
  ['livewire', 'GET'],
  ['inertia', 'GET'],
]);
/** Actions of resources: methods, path behind the collection, whether it is about one thing. */
const ACTIONS: readonly [action: string, methods: readonly string[], path: string, isMember: boolean][] = [
  ['index', ['GET'], '', false],
  ['create', ['GET'], '/create', false],
  ['store', ['POST'], '', false],
  ['show', ['GET'], '', true],
  ['edit', ['GET'], '/edit', true],
  ['update', ['PUT', 'PATCH'], '', true],
  ['destroy', ['DELETE'], '', true],
];
const API: ReadonlySet<string> = new Set(['index', 'store', 'show', 'update', 'destroy']);
const SINGLE: ReadonlySet<string> = new Set(['show', 'edit', 'update']);
const RESOURCES: ReadonlySet<string> = new Set([
  ...['resource', 'resources', 'apiResource', 'apiResources', 'singleton', 'apiSingleton'],
]);
const MAX_CHAINS = 20_000;
const MAX_LINKS = 30;
const MAX_PATH = 180;
const CHAIN =
  /(?<![\w$>:\\])(?:\\?(?:Illuminate\\Support\\Facades\\)?Route::|\$(?:this->)?(?:router|app|group|route|api|r)->)(?=\w)/g;
const LINK = /(?:->)?\s*(\w+)\s*(?=\()/y;
/** A file with such chains that declare. */
const DECLARES =
  /(?:\bRoute::|\$(?:router|app|group|route|api|r)->)(?:get|post|put|patch|delete|any|match|group|prefix|resources?|apiResources?|middleware|controller|name|domain|as|view|redirect|singleton|withoutMiddleware|namespace)\s*\(/;

interface Link {
  name: string;
  /** Arguments as text ranges. */
  parts: { start: number; end: number }[];
  close: number;
}

/** A group that encloses routes up to an offset. */
interface Group {
  end: number;
  path: string;
  controller: string;
  namespace: string;
  /** Beginning of the names of routes. */
  name: string;
}

/** States the routes of a file. */
export function laravelRoutes(sink: FactSink): void {
  const { source } = sink;
  if (DECLARES.test(source)) new Reader(sink).run();
}

class Reader {
  private readonly brackets: BracketEnds;
  private readonly groups: Group[] = [];

  constructor(private readonly sink: FactSink) {
    this.brackets = bracketEnds(sink.source, sink.rules.lexical);
  }

  run(): void {
    let count = 0;
    for (const match of this.sink.source.matchAll(CHAIN)) {
      if (++count > MAX_CHAINS) return;
      if (isOpaqueAt(this.brackets, match.index)) continue;
      this.chain(match.index, match.index + match[0].length);
    }
  }

  private chain(start: number, from: number): void {
    const { source, rules } = this.sink;
    const links: Link[] = [];
    for (let at = from; links.length < MAX_LINKS; ) {
      LINK.lastIndex = at;
      const match = LINK.exec(source);
      if (match === null || (links.length > 0 && !match[0].startsWith('->'))) break;
      const open = at + match[0].length;
      const close = this.brackets.ends.get(open);
      if (close === undefined) return;
      const isGroup = match[1] === 'group' || match[1] === 'scopeBindings';
      // The body of a group can be a whole file.
      const parts = splitList(source, open + 1, isGroup ? Math.min(close, open + 500) : close, ',', rules.lexical);
      links.push({ name: match[1], parts, close });
      at = close + 1;
      const next = /\s*(?=->)/y;
      next.lastIndex = at;
      at += next.exec(source)?.[0].length ?? 0;
    }
    if (links.length > 0) this.declare(start, links);
  }

  private declare(start: number, links: readonly Link[]): void {
    const around = this.groupAround(start);
    const own = { ...around };
    for (const link of links.filter(({ name }) => name === 'name' || name === 'as'))
      own.name += stringOf(this.text(link, 0)) ?? '';
    const isNamed = own.name !== around.name;
    for (const link of links) {
      const first = this.text(link, 0);
      if (link.name === 'prefix') own.path = joined(own.path, stringOf(first) ?? '');
      else if (link.name === 'controller') own.controller = classOf(first) ?? own.controller;
      else if (link.name === 'namespace') own.namespace = stringOf(first) ?? own.namespace;
      else if (link.name === 'group') this.group(start, link, own);
      else if (VERBS.has(link.name)) this.verb(start, link, own, isNamed);
      else if (PLAIN.has(link.name)) this.plain(start, link, own);
      else if (RESOURCES.has(link.name)) this.resource(start, link, links, own);
    }
  }

  private groupAround(start: number): Group {
    while (this.groups.length > 0 && this.groups[this.groups.length - 1].end < start) this.groups.pop();
    return this.groups[this.groups.length - 1] ?? { end: 0, path: '', controller: '', namespace: '', name: '' };
  }

  private plain(start: number, link: Link, own: Group): void {
    const path = joined(own.path, stringOf(this.text(link, 0)) ?? '');
    this.state(start, link.close, PLAIN.get(link.name) ?? 'GET', path, NO_HANDLER);
  }

  private text({ parts }: Link, index: number): string {
    const part = parts[index];
    return part === undefined ? '' : this.sink.source.slice(part.start, part.end);
  }

  private group(start: number, link: Link, own: Group): void {
    const first = this.text(link, 0);
    const prefix = /['"]prefix['"]\s*=>\s*(['"][^'"\n]*['"])/.exec(
      first.startsWith('[') || first.startsWith('array') ? first : '',
    )?.[1];
    const path = joined(own.path, stringOf(prefix ?? '') ?? (link.parts.length > 1 ? (stringOf(first) ?? '') : ''));
    const name = /['"]as['"]\s*=>\s*['"]([\w.-]+)['"]/.exec(first)?.[1] ?? '';
    const namespace = /['"]namespace['"]\s*=>\s*['"]([\w\\]+)['"]/.exec(first)?.[1];
    const file = /['"]([\w./-]+\.php)['"]\)?$/.exec(this.text(link, link.parts.length - 1))?.[1];
    if (file !== undefined)
      this.state(start, link.close, 'USE', `${path || '/'} ${file.replace(/^[./]+/, '')}`, NO_HANDLER);
    else
      this.groups.push({ ...own, end: link.close, path, namespace: namespace ?? own.namespace, name: own.name + name });
  }

  private verb(start: number, link: Link, own: Group, isNamed: boolean): void {
    const isMatch = link.name === 'match';
    const path = stringOf(this.text(link, isMatch ? 1 : 0));
    if (path === null || link.parts.length < (isMatch ? 3 : 2)) return;
    const methods = isMatch ? [...this.text(link, 0).matchAll(/['"](\w+)['"]/g)].map(([, name]) => name) : [link.name];
    const handler = this.handler(this.text(link, isMatch ? 2 : 1), own);
    for (const method of methods) this.state(start, link.close, method.toUpperCase(), joined(own.path, path), handler);
    if (isNamed) this.state(start, link.close, 'NAME', own.name, handler);
  }

  private resource(start: number, link: Link, links: readonly Link[], own: Group): void {
    const chosen = (name: string): Set<string> | null => {
      const found = links.find((each) => each.name === name);
      const options = new RegExp(`['"]${name}['"]\\s*=>\\s*(\\[[^\\]]*\\]|['"]\\w+['"])`).exec(this.text(link, 2));
      const text = found === undefined ? options?.[1] : found.parts.map((_, i) => this.text(found, i)).join(',');
      return text === undefined ? null : new Set([...text.matchAll(/['"](\w+)['"]/g)].map(([, action]) => action));
    };
    const [only, except] = [chosen('only'), chosen('except')];
    const isSingle = /ingleton$/.test(link.name);
    for (const [written, controller] of this.resourcesOf(link)) {
      const collection = joined(own.path, nestedPath(written));
      const member = isSingle ? collection : `${collection}/{${singular(written.split(/[./]/).pop() ?? '')}}`;
      for (const [action, methods, path, isMember] of ACTIONS) {
        if (link.name.startsWith('api') && !API.has(action)) continue;
        if ((isSingle && !SINGLE.has(action)) || (only !== null && !only.has(action)) || except?.has(action)) continue;
        const handler = controller === null ? NO_HANDLER : `${inNamespace(controller, own)}.${action}`;
        for (const method of methods)
          this.state(start, link.close, method, (isMember ? member : collection) + path, handler);
        this.state(start, link.close, 'NAME', `${own.name}${written.replaceAll('/', '.')}.${action}`, handler);
      }
    }
  }

  /** Names and controllers: of one resource, or of a list of them. */
  private resourcesOf(link: Link): [name: string, controller: string | null][] {
    const first = this.text(link, 0);
    const name = stringOf(first);
    if (name !== null) return [[name, classOf(this.text(link, 1))]];
    return [...first.matchAll(/['"]([\w./-]+)['"]\s*=>\s*([\w\\]+::class|['"][\w\\]+['"])/g)].map((match) => [
      match[1],
      classOf(match[2]),
    ]);
  }

  /** Access path of what answers: `[Carts::class, 'show']`, `'Carts@show'`, `Carts::class`, or a method of the group's controller. */
  private handler(written: string, own: Group): string {
    const uses = /['"]uses['"]\s*=>\s*(['"][\w\\@]+['"]|\[[^\]]*\]|[\w\\]+::class)/.exec(written)?.[1] ?? written;
    const pair = /^(?:\[|array\()\s*([\w\\]+::class|['"][\w\\]+['"])\s*,\s*['"](\w+)['"]\s*,?\s*[\])]$/.exec(uses);
    if (pair !== null) return `${nameOf(classOf(pair[1]) ?? '')}.${pair[2]}`;
    const invoked = /^([\w\\]+)::class$/.exec(uses);
    if (invoked !== null) return `${nameOf(invoked[1])}.__invoke`;
    const text = stringOf(uses);
    const at = /^([\w\\]+)(?:@|::|:)(\w+)$/.exec(text ?? '');
    if (at !== null) return `${inNamespace(at[1], own)}.${at[2]}`;
    return text !== null && /^\w+$/.test(text) && own.controller !== ''
      ? `${nameOf(own.controller)}.${text}`
      : NO_HANDLER;
  }

  private state(at: number, end: number, method: string, path: string, handler: string): void {
    if (path.length > MAX_PATH) return;
    this.sink.reference(at, end, 'route', handler, {
      literal: `${method} ${path.startsWith('/') ? path : `/${path}`}`,
    });
  }
}

function stringOf(text: string): string | null {
  return /^(['"])([^'"$\n]*)\1$/.exec(text)?.[2] ?? null;
}

/** Name of a class as written: `Carts::class`, `'Carts'`. */
function classOf(text: string): string | null {
  return /^([\w\\]+)::class$/.exec(text)?.[1] ?? /^['"]([\w\\]+)['"]$/.exec(text)?.[1] ?? null;
}

const nameOf = (name: string): string => name.replace(/^\\/, '').replaceAll('\\', '.');

/** A name in a string is below the namespace of the group. */
function inNamespace(name: string, { namespace }: Group): string {
  return nameOf(namespace === '' || name.startsWith('\\') ? name : `${namespace}\\${name}`);
}

function joined(prefix: string, path: string): string {
  const own = path.replace(/^\/+|\/+$/g, '');
  return own === '' ? prefix : `${prefix}/${own}`;
}

/** `carts.items` is `carts/{cart}/items`. */
function nestedPath(written: string): string {
  const parts = written.split('.');
  return parts.map((part, i) => (i === parts.length - 1 ? part : `${part}/{${singular(part)}}`)).join('/');
}

function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/([^su])s$/, '$1')
    .replaceAll('-', '_');
}
