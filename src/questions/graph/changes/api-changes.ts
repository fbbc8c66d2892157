/**
 * Finds exported symbols that a change adds, removes, moves or declares differently, with their declarations; and what else others may
 * notice: routes, schemas and configuration. `accessesOf` tells for answers about uses which of them read or write through an accessor.
 */
import { addTo, groupBy } from '../../../base/lists.js';
import { type GraphVersions, inheritsFrom } from '../../../graph/compare/correspondence.js';
import type { Graph } from '../../../graph/graph.js';
import { byPlace, classOf, isProduction, isTestCode, isTestData, placeOf } from '../../../graph/query/node-place.js';
import { shownDifference, shownSignature, signatureText } from '../../../graph/query/signatures.js';
import { isFunction, isPlain, isType, outgoing, ownerOf } from '../../../graph/query/uses.js';
import { findRoutes } from '../../../graph/routes.js';
import { conventionsOf, semanticsOf } from '../../../languages/registry.js';
import { openFacts } from '../../../session/blob-facts.js';
import type { PreparedGraph } from '../../../session/graph/graphs.js';
import type { Session } from '../../../session/session.js';
import type { ApiChange } from '../diff/question.js';
import { spelled } from './changed-symbols.js';
import type { FurtherChange } from './output.js';

/** Declarations of an exported symbol; several if it is overloaded. */
type Declarations = readonly number[];

interface Pairs {
  gone: readonly Declarations[];
  came: readonly Declarations[];
  /** Symbols of both graphs, in files that differ. */
  retained: readonly { old: Declarations; now: Declarations }[];
  /** Symbols in another file than before. */
  moved: readonly { old: Declarations; now: Declarations }[];
}

const ORDER: readonly ApiChange['change'][] = ['removed', 'changed', 'moved', 'added'];

/**
 * Changes of exported symbols. Those that can break users come first: removed symbols, then changed, moved and added
 * ones, each by place.
 */
export async function apiChanges(
  session: Session,
  versions: GraphVersions,
  prepared: { before: PreparedGraph; after: PreparedGraph; signal?: AbortSignal },
): Promise<ApiChange[]> {
  const { before, after } = versions;
  const { gone, came, retained, moved } = pairsOf(versions);
  const { signal } = prepared;
  const both = [...retained, ...moved];
  const oldNodes = [...gone, ...both.map(({ old }) => old)].flat();
  const newNodes = [...came, ...both.map(({ now }) => now)].flat();
  const oldTexts = await readSignatures(session, prepared.before, { nodes: oldNodes, signal });
  const newTexts = await readSignatures(session, prepared.after, { nodes: newNodes, signal });
  const isOpen = (graph: Graph, texts: ReadonlyMap<number, string>) => (nodes: Declarations) =>
    !isInner(graph, nodes[0], textOf(nodes, texts));
  const [wasOpen, isOpenNow] = [isOpen(before, oldTexts), isOpen(after, newTexts)];
  const [lost, found] = withoutSame(versions, { gone, came }, { oldTexts, newTexts });
  const list = [
    ...listed(before, lost.filter(wasOpen), (nodes) => ({ change: 'removed', signature: shownText(nodes, oldTexts) })),
    ...listed(after, found.filter(isOpenNow), (nodes) => ({ change: 'added', signature: shownText(nodes, newTexts) })),
    ...both.flatMap((pair, i) => {
      if (!wasOpen(pair.old) && !isOpenNow(pair.now)) return [];
      if (i < retained.length) return declaredAnew(versions, pair, { oldTexts, newTexts });
      const { old, now } = pair;
      const [was, is] = [textOf(old, oldTexts), textOf(now, newTexts)];
      const differs = was !== null && is !== null && bare(before, old[0], was) !== bare(after, now[0], is);
      const signatures = differs ? withDifference(is, was) : { signature: is && shownSignature(is) };
      return [{ change: 'moved' as const, ...placeOf(after, now[0]), from: before.path(old[0]), ...signatures }];
    }),
  ];
  return list.sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change) || byPlace(a, b));
}

interface Texts {
  oldTexts: ReadonlyMap<number, string>;
  newTexts: ReadonlyMap<number, string>;
}

const withDifference = (is: string, was: string): Pick<ApiChange, 'signature' | 'was'> => {
  const [signature, former] = shownDifference(is, was);
  return { signature, was: former };
};

/** Declarations of a symbol that differ; of overloads those alone that came, went or were declared otherwise. */
function declaredAnew(
  { before, after }: GraphVersions,
  { old, now }: { old: Declarations; now: Declarations },
  { oldTexts, newTexts }: Texts,
): ApiChange[] {
  const described = (graph: Graph, nodes: Declarations, texts: ReadonlyMap<number, string>) =>
    nodes.flatMap((node) => {
      const text = texts.get(node);
      return text === undefined ? [] : [{ node, text, plain: bare(graph, node, text) }];
    });
  const [were, are] = [described(before, old, oldTexts), described(after, now, newTexts)];
  if (were.length < old.length || are.length < now.length) return [];
  const lacking = (some: typeof were, others: typeof were) =>
    some.filter(({ plain }) => others.every((other) => other.plain !== plain));
  const [gone, came] = [lacking(were, are), lacking(are, were)];
  return Array.from({ length: Math.max(gone.length, came.length) }, (_, i): ApiChange => {
    const [was, is] = [gone[i], came[i]];
    if (is === undefined)
      return { change: 'removed', ...placeOf(before, was.node), signature: shownSignature(was.text) };
    const place = placeOf(after, is.node);
    if (was === undefined) return { change: 'added', ...place, signature: shownSignature(is.text) };
    return { change: 'changed', ...place, ...withDifference(is.text, was.text) };
  });
}

/**
 * Leaves out what is declared in its file as it was, though its qualified name is another one: a member that stands outside of its class is
 * one of the class only as long as the name of the class means one class alone.
 */
function withoutSame(
  { before, after, pathAfter }: GraphVersions,
  { gone, came }: Pick<Pairs, 'gone' | 'came'>,
  { oldTexts, newTexts }: Texts,
): readonly [gone: Pairs['gone'], came: Pairs['came']] {
  const keyOf = (graph: Graph, nodes: Declarations, text: string | null) => {
    const path = graph === before ? pathAfter(graph.fileOf(nodes[0])) : graph.path(nodes[0]);
    return text === null ? null : `${path}\n${graph.name(nodes[0])}\n${bare(graph, nodes[0], text)}`;
  };
  const were = new Set(gone.map((nodes) => keyOf(before, nodes, textOf(nodes, oldTexts))));
  const are = new Set(came.map((nodes) => keyOf(after, nodes, textOf(nodes, newTexts))));
  const isBoth = (key: string | null) => key !== null && were.has(key) && are.has(key);
  return [
    gone.filter((nodes) => !isBoth(keyOf(before, nodes, textOf(nodes, oldTexts)))),
    came.filter((nodes) => !isBoth(keyOf(after, nodes, textOf(nodes, newTexts)))),
  ];
}

/**
 * Pairs the exported symbols before and after a change: by path, name and kind; then what is left as types that are another kind of type, as
 * symbols that moved, and as members that a parent has instead. Each step leaves to the next one only what it did not pair.
 */
function pairsOf(versions: GraphVersions): Pairs {
  const { before, after, pathAfter } = versions;
  const same = unchangedFiles(versions);
  const then = apiOf(versions, before, (file) => (same.has(file) ? null : pathAfter(file)));
  const unchanged = new Set(same.values());
  const now = apiOf(versions, after, (file) => (unchanged.has(file) ? null : after.tables.files[file].path));
  const lacking = (some: typeof now, others: typeof now, [graph, other]: readonly [Graph, Graph]) =>
    [...some].flatMap(([key, nodes]) => (others.has(key) || isOpenedElsewhere(graph, other, nodes) ? [] : [nodes]));
  const gone = new Set(lacking(then, now, [before, after]));
  const came = new Set(lacking(now, then, [after, before]));
  const retained: { old: Declarations; now: Declarations }[] = [...now].flatMap(([key, nodes]) => {
    const old = then.get(key);
    return old === undefined ? [] : [{ old, now: nodes }];
  });
  // An interface that was a class is the same type, declared otherwise.
  const typeIn = (graph: Graph, [node]: Declarations) => {
    const path = graph === before ? pathAfter(graph.fileOf(node)) : graph.path(node);
    return isType(graph, node) ? `${path}\n${graph.qualifiedName(node)}` : null;
  };
  retained.push(...joined(versions, { gone, came }, typeIn));
  const nameIn = (graph: Graph, [node]: Declarations) => `${spelled(graph.qualifiedName(node))}\n${graph.kind(node)}`;
  const moved = joined(versions, { gone, came }, nameIn);
  for (const old of gone) {
    const above = inheritedNow(versions, old[0]);
    if (above >= 0 && gone.delete(old)) moved.push({ old, now: [above] });
  }
  return { gone: [...gone], came: [...came], retained, moved };
}

/** Takes out what is gone and came by the same key; of several that came by one key, the others came from elsewhere. */
function joined(
  { before, after }: GraphVersions,
  { gone, came }: { gone: Set<Declarations>; came: Set<Declarations> },
  keyIn: (graph: Graph, nodes: Declarations) => string | null,
): { old: Declarations; now: Declarations }[] {
  const left = new Map([...gone].map((nodes) => [keyIn(before, nodes), nodes]));
  left.delete(null);
  const found: { old: Declarations; now: Declarations }[] = [];
  for (const now of came) {
    const key = keyIn(after, now);
    const old = left.get(key);
    if (old === undefined) continue;
    left.delete(key);
    gone.delete(old);
    came.delete(now);
    found.push({ old, now });
  }
  return found;
}

/** Member of a parent that a type has in place of a member of its own since the change; -1 for none. */
function inheritedNow({ before, after, pathAfter }: GraphVersions, member: number): number {
  const owner = ownerOf(before, member);
  if (owner < 0 || before.kind(member) === 'constructor') return -1;
  const file = after.findFile(pathAfter(before.fileOf(owner)));
  const name = before.qualifiedName(owner);
  const type = after
    .nodesNamed(before.name(owner))
    .find((node) => after.fileOf(node) === file && after.qualifiedName(node) === name);
  if (type === undefined) return -1;
  const isAbove = (node: number) => ownerOf(after, node) >= 0 && inheritsFrom(after, type, ownerOf(after, node));
  return after.nodesNamed(before.name(member)).find(isAbove) ?? -1;
}

/**
 * Has another file of the other version the same? A type or module that is opened there, too, has only members that come or go; and a stub
 * says what the code beside it is.
 */
function isOpenedElsewhere(graph: Graph, other: Graph, [node]: Declarations): boolean {
  const kind = graph.kind(node);
  const file = graph.fileOf(node);
  const { reopens } = semanticsOf(graph.tables.files[file].language);
  if (kind === 'file') return false;
  const isOpen = kind === 'module' || kind === 'namespace' || reopens.has(kind);
  if (!isOpen && classOf(graph, file) !== 'declaration') return false;
  const name = graph.qualifiedName(node);
  return other
    .nodesNamed(graph.name(node))
    .some((each) => other.kind(each) === kind && other.qualifiedName(each) === name);
}

/** Files before the change by their number after it, if path and content are the same. They are most of a repository. */
function unchangedFiles({ before, after, pathAfter }: GraphVersions): Map<number, number> {
  const found = new Map<number, number>();
  for (const [file, { oid }] of before.tables.files.entries()) {
    const now = after.findFile(pathAfter(file));
    if (now >= 0 && after.tables.files[now].oid === oid) found.set(file, now);
  }
  return found;
}

/** Exported symbols outside of tests by their path after the change, qualified name and kind. Files with null are left out. */
function apiOf(
  { accepts }: GraphVersions,
  graph: Graph,
  pathOf: (file: number) => string | null,
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const { nodeBase } = graph.tables;
  for (let file = 0; file < graph.fileCount; file++) {
    const path = pathOf(file);
    if (path === null || !accepts(path) || !isProduction(graph, file) || isBuildFile(path)) continue;
    for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
      if (!graph.isExported(node) || isPlain(graph, node) || graph.kind(node) === 'impl') continue;
      if (isTestCode(graph, node) || isInHidden(graph, node)) continue;
      addTo(found, `${path}\n${graph.qualifiedName(node)}\n${graph.kind(node)}`, node);
    }
  }
  return found;
}

/** Does the file say how something is built or set? Its targets and tasks are no symbols that code uses. */
const isBuildFile = (path: string): boolean => CONFIGURATION.test(path) && !path.endsWith('.tf');

/** Is it a member of a type that is not exported? */
function isInHidden(graph: Graph, node: number): boolean {
  for (let at = ownerOf(graph, node); at >= 0; at = ownerOf(graph, at))
    if (isType(graph, at) && graph.kind(at) !== 'impl' && !graph.isExported(at)) return true;
  return false;
}

/** Does the declaration, or that of a type around, say that only the own package may use it? */
function isInner(graph: Graph, node: number, signature: string | null): boolean {
  const { innerDeclaration } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  return innerDeclaration !== undefined && signature !== null && innerDeclaration.test(signature);
}

/** Lists symbols; those inside of others that came or went with them are only counted. */
function listed(
  graph: Graph,
  all: readonly Declarations[],
  describe: (nodes: Declarations) => Pick<ApiChange, 'change' | 'signature'>,
): ApiChange[] {
  const members = new Map<number, number>(all.flat().map((node) => [node, 0]));
  const outer = all.filter(([node]) => {
    const container = graph.container(node);
    const count = members.get(container);
    if (count === undefined) return true;
    members.set(container, count + 1);
    return false;
  });
  return outer.map((nodes) => {
    const inside = members.get(nodes[0]) ?? 0;
    return { ...placeOf(graph, nodes[0]), ...describe(nodes), ...(inside > 0 && { members: inside }) };
  });
}

/** Text of all overloads. */
function textOf(nodes: Declarations, texts: ReadonlyMap<number, string>): string | null {
  const parts = nodes.flatMap((node) => texts.get(node) ?? []);
  return parts.length === 0 ? null : parts.join('; ');
}

/** Text of all overloads, cut to be shown. */
function shownText(nodes: Declarations, texts: ReadonlyMap<number, string>): string | null {
  const text = textOf(nodes, texts);
  return text === null ? null : shownSignature(text);
}

/** Is it one by its kind, or by the name of its type? */
const isConstructor = (graph: Graph, node: number): boolean =>
  graph.kind(node) === 'constructor' || /(?:^|\.|::)(\w{1,200})(?:\.|::)\1$/.test(graph.qualifiedName(node));

/** Attributes and annotations that say something to compilers, checkers and tracers alone. */
const INERT =
  /#\[(?:inline|must_use|cold|track_caller|allow|warn|deny|expect|doc|cfg_attr|rustfmt|clippy|tracing|instrument)\b[^[\]]*\]|@(?:override|Suppress\w*)\b(?:\([^()]*\))?/g;

/**
 * Declaration without what changes nothing for users: space, commas before brackets, the first bar of a union, attributes for tools; and
 * with one spelling for what the language spells in two ways.
 */
function bare(graph: Graph, node: number, signature: string): string {
  const plain = signature.replace(INERT, '');
  const whole = plain.replace(/\s+|,(?=\s*[)\]}>])|;(?=\s*})/g, '').replace(/(?<=[:=(<])\|/g, '');
  // A constructor gives values to its parent and fields in its body: `Cart(int a) : Base(a), sum(0)`.
  const text = isConstructor(graph, node) ? whole.replace(/\)(?:noexcept)?:(?!:).*$/s, ')') : whole;
  const { synonyms = [] } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  return synonyms.reduce((all, [one, other]) => all.replaceAll(one, other), text);
}

// Answers from the facts and texts of files, which the graph does not hold. An accessor (`get total()`, `@property`) is a function that
// runs when it is read or written, so the graph has its uses as `value`, like those of a function that is handed on.

/** Maximum length of declarations that are compared. */
const MAX_COMPARED = 2_000;

/** Signatures by node. Nodes whose file cannot be read have none. */
async function readSignatures(
  session: Session,
  prepared: PreparedGraph,
  { nodes, signal }: { nodes: readonly number[]; signal?: AbortSignal },
): Promise<ReadonlyMap<number, string>> {
  const { graph } = prepared;
  const texts = new Map<number, string>();
  if (nodes.length === 0) return texts;
  const byPath = groupBy(nodes, (node) => graph.path(node));
  const versions = [...byPath.keys()].map((path) => graph.tables.files[graph.findFile(path)]);
  const source = await openFacts(session, prepared, { count: versions.length, signal });
  try {
    await source.prefetch(versions, undefined, ({ path }, facts, bytes) => {
      if (facts === null || bytes === null) return;
      const first = graph.fileNode(graph.findFile(path)) + 1;
      for (const node of byPath.get(path) ?? []) {
        const symbol = facts.symbols[node - first];
        if (symbol !== undefined) texts.set(node, signatureText(bytes, symbol, MAX_COMPARED));
      }
    });
  } finally {
    await source.close();
  }
  return texts;
}

/** Maximum number of files whose facts are read; uses in others keep their kind in the graph. */
const MAX_FILES = 500;

/**
 * Tells by edge whether a use of an accessor reads or writes it. Nothing is read if none of `nodes` is an accessor; other uses, and those
 * beyond `MAX_FILES`, have no entry.
 */
export async function accessesOf(
  session: Session,
  prepared: PreparedGraph,
  { nodes, signal }: { nodes: readonly number[]; signal?: AbortSignal },
): Promise<ReadonlyMap<number, 'read' | 'write'>> {
  const { graph } = prepared;
  const found = new Map<number, 'read' | 'write'>();
  const held = nodes.flatMap((node) => (isFunction(graph, node) ? handedOn(graph, node) : []));
  if (held.length === 0 || !(await areAccessors(session, prepared, { nodes, signal }))) return found;
  const byPath = new Map<string, number[]>();
  for (const edge of held) {
    const path = graph.path(graph.source(edge));
    const others = byPath.get(path);
    if (others !== undefined) others.push(edge);
    else if (byPath.size < MAX_FILES) byPath.set(path, [edge]);
  }
  const versions = [...byPath.keys()].map((path) => graph.tables.files[graph.findFile(path)]);
  const source = await openFacts(session, prepared, { count: versions.length, relations: true, signal });
  try {
    await source.prefetch(versions, undefined, ({ path }, facts) => {
      for (const edge of byPath.get(path) ?? []) {
        const { name, startLine } = graph.edge(edge);
        const { strings, edgeReceiver } = graph.tables;
        const receiver = strings[edgeReceiver[edge]];
        const kinds = new Set(
          facts?.relations.references
            .filter((use) => use.startLine === startLine && use.name === name && use.receiver === receiver)
            .map(({ kind }) => kind),
        );
        if (kinds.has('write')) found.set(edge, 'write');
        else if (kinds.has('read')) found.set(edge, 'read');
      }
    });
  } finally {
    await source.close();
  }
  return found;
}

/** Edges of uses of a function that do not call it. */
const handedOn = (graph: Graph, node: number): number[] =>
  [...graph.incoming(node)].filter((edge) => graph.edgeKind(edge) === 'value');

async function areAccessors(
  session: Session,
  prepared: PreparedGraph,
  { nodes, signal }: { nodes: readonly number[]; signal?: AbortSignal },
): Promise<boolean> {
  const { graph } = prepared;
  if (nodes.some((node) => isDecoratedGetter(graph, node))) return true;
  const texts = await readSignatures(session, prepared, { nodes, signal });
  return [...texts.values()].some((text) => /\b[gs]et\s+[#\w$[]/.test(text));
}

function isDecoratedGetter(graph: Graph, node: number): boolean {
  const { getters } = semanticsOf(graph.tables.files[graph.fileOf(node)].language);
  return [...outgoing(graph, node)].some(
    (edge) => graph.edgeKind(edge) === 'decorator' && getters.has(graph.edge(edge).name),
  );
}

const CONFIGURATION =
  /(?:^|\/)(?:Dockerfile[^/]*|Makefile|Gemfile|Rakefile|Procfile|go\.(?:mod|sum)|\.env[^/]*|[^/]*rc)$|\.(?:ya?ml|toml|ini|cfg|conf|properties|tf|gradle|kts|(?:cs|fs|vb)proj|props|targets|sbt|gemspec)$|(?:^|\/)(?:package|tsconfig[^/]*|composer|deno|\.?[\w-]*config)\.jsonc?$|(?:^|\/)(?:pom\.xml|setup\.py|[^/]+\.config\.[cm]?[jt]s)$/i;

/** Files that change how a program is built, configured or stored, by the kind of line that they get. */
const FURTHER: readonly [kind: FurtherChange['kind'], path: RegExp][] = [
  [
    'schema',
    /(?:^|\/)(?:migrations?|migrate|schemas?)\/[^/]+$|\.(?:sql|proto|graphqls?|gql|prisma|avsc|xsd)$|(?:^|\/)(?:openapi|swagger)[^/]*\.(?:ya?ml|json)$|(?:^|[./_-])schema\.json$/i,
  ],
  ['configuration', CONFIGURATION],
];

/** Routes that come, go or get another handler, and files of schemas and of configuration that differ. */
export function furtherChanges(before: Graph, after: Graph, paths: ReadonlySet<string>): FurtherChange[] {
  const found = changedRoutes(before, after);
  for (const path of [...paths].sort()) {
    const kind = FURTHER.find(([, pattern]) => pattern.test(path))?.[0];
    if (kind === undefined) continue;
    const [was, is] = [before.findFile(path) >= 0, after.findFile(path) >= 0];
    // Schemas and settings that tests feed to a program change nothing of it.
    const [graph, file] = is ? [after, after.findFile(path)] : [before, before.findFile(path)];
    if ((was || is) && classOf(graph, file) !== 'test' && !isTestData(path))
      found.push({ kind, change: !was ? 'added' : !is ? 'removed' : 'changed', name: path, path, line: 1 });
  }
  return found;
}

const routesIn = (graph: Graph) => findRoutes(graph).filter(({ path }) => isProduction(graph, graph.findFile(path)));

/** Routes by method and path: those of one side, and those whose handler has another name. */
function changedRoutes(before: Graph, after: Graph): FurtherChange[] {
  const [old, now] = [before, after].map(
    (graph) => new Map(routesIn(graph).map((route) => [`${route.method} ${route.route}`, route])),
  );
  const found: FurtherChange[] = [];
  const lineOf = (change: FurtherChange['change'], name: string, { path, line }: { path: string; line: number }) =>
    found.push({ kind: 'route', change, name, path, line });
  for (const [name, route] of old) if (!now.has(name)) lineOf('removed', name, route);
  for (const [name, route] of now) {
    const was = old.get(name);
    if (was === undefined) lineOf('added', name, route);
    else if (was.handler?.symbol !== route.handler?.symbol) lineOf('changed', name, route);
  }
  return found;
}
