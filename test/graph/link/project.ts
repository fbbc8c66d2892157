/** Projects in memory: text by path in, linked graphs out, through the real extraction. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { detectLanguage, extract, loadAllRules } from '../../../src/extract/extract.js';
import { Graph } from '../../../src/graph/graph.js';
import { linkSnapshot, missingFacts } from '../../../src/graph/link/link-snapshot.js';
import { findRoutes } from '../../../src/graph/routes.js';
import { factsKey, type LinkedSnapshot, type LinkInput, type SourceFile } from '../../../src/graph/tables.js';
import { LANGUAGE_IDS, relationsOf } from '../../../src/languages/registry.js';
import { loadImports } from '../../../src/languages/resolver.js';
import type { LinkFacts } from '../../../src/record/link-facts.js';
import { isManifest } from '../../../src/session/graph/sources.js';

await Promise.all([loadAllRules(), loadImports(LANGUAGE_IDS)]);

export type Project = Readonly<Record<string, string>>;

export const FIXTURES = fileURLToPath(new URL('../../../../fixtures/', import.meta.url));

/** The files of a project in fixtures/graph or fixtures/truth. */
export function readProject(folder: string): Project {
  const project: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    if (/(?:expected|truth)\.json$/.test(name) || !statSync(path).isFile()) continue;
    project[name.replaceAll('\\', '/')] = readFileSync(path, 'utf8');
  }
  return project;
}

const known = new Map<string, LinkFacts>();

function factsOf(text: string, language: string, key: string): LinkFacts {
  let facts = known.get(key);
  if (facts === undefined) {
    const extraction = extract(Buffer.from(text), language);
    facts = 'facts' in extraction ? extraction.facts : undefined;
    if (facts === undefined) throw new Error(`no facts of ${key}`);
    known.set(key, facts);
  }
  return facts;
}

/** Link input for a project; only the facts that `previous` lacks are in it, in the form that `written` gives them. */
export function inputOf(
  project: Project,
  previous: LinkedSnapshot | null = null,
  written: (facts: LinkFacts) => LinkFacts | Uint8Array = (facts) => facts,
): LinkInput {
  const files: SourceFile[] = [];
  const others = new Set<string>();
  const manifests = new Map<string, string>();
  for (const path of Object.keys(project).sort()) {
    const text = project[path];
    const language = detectLanguage(path, Buffer.from(text));
    if (isManifest(path)) manifests.set(path, text);
    if (language === null) others.add(path);
    else {
      const oid = createHash('sha1').update(text).digest('hex');
      files.push({ path, oid, language, state: relationsOf(language) === false ? 'none' : 'linked' });
    }
  }
  const facts = new Map<string, LinkFacts | Uint8Array>();
  for (const file of missingFacts(files, previous)) {
    facts.set(factsKey(file), written(factsOf(project[file.path], file.language, factsKey(file))));
  }
  return { files, facts, others, manifests };
}

export function link(project: Project, previous: LinkedSnapshot | null = null): LinkedSnapshot {
  return linkSnapshot(inputOf(project, previous), previous);
}

export function graphOf(project: Project): Graph {
  return new Graph(link(project).tables);
}

/** `cart.ts:Cart.total`, or `cart.ts` for what stands outside of any symbol. */
export function nodeText(graph: Graph, node: number): string {
  return graph.isFile(node) ? graph.name(node) : `${graph.path(node)}:${graph.qualifiedName(node)}`;
}

/** Every edge as `from kind to (tier)`; where it leads nowhere, `?name`. */
export function edgeLines(graph: Graph): string[] {
  const lines: string[] = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const edge = graph.edge(i);
    const to = edge.to < 0 ? `?${edge.name}` : nodeText(graph, edge.to);
    lines.push(`${nodeText(graph, edge.from)} ${edge.kind} ${to} (${edge.tier})`);
  }
  return lines;
}

/** Calls and instances made, of one project: `from -> to (tier)`. */
export function calls(project: Project): string[] {
  const graph = graphOf(project);
  const lines: string[] = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const edge = graph.edge(i);
    if (edge.kind !== 'call' && edge.kind !== 'new') continue;
    const to =
      edge.to < 0 ? `?${edge.receiver === '' ? '' : `${edge.receiver}.`}${edge.name}` : nodeText(graph, edge.to);
    lines.push(`${nodeText(graph, edge.from)} -> ${to} (${edge.tier})`);
  }
  return lines;
}

/** Uses of members of types in a file, as `line Type.member`, sorted. */
export function memberUses(graph: Graph, path: string): string[] {
  const found: string[] = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const { to, startLine, from } = graph.edge(i);
    const name = to < 0 ? '' : graph.qualifiedName(to);
    if (graph.path(from) === path && /^[A-Z]\w*\.\w/.test(name)) found.push(`${startLine} ${name}`);
  }
  return found.sort();
}

/** Routes with their places, as `GET /carts src/app.ts:3`. */
export const routesOf = (project: Project): string[] =>
  findRoutes(graphOf(project)).map(({ method, route, path, line }) => `${method} ${route} ${path}:${line}`);

/** Routes with what answers them, `-` for nothing that is known. */
export const answersOf = (project: Project): string[] =>
  findRoutes(graphOf(project)).map(
    ({ method, route, handler }) => `${method} ${route} ${handler?.symbol ?? handler?.path ?? '-'}`,
  );

/** Requests of a project, as `from -> handler`; `?` for one that no route answers. */
export function requestsOf(project: Project): string[] {
  const graph = graphOf(project);
  return Array.from({ length: graph.edgeCount }, (_, i) => graph.edge(i))
    .filter(({ kind }) => kind === 'request')
    .map(({ from, to }) => `${nodeText(graph, from)} -> ${to < 0 ? '?' : nodeText(graph, to)}`);
}

/** Edges from or to what the pattern matches, without parents, imports and reads. */
export const uses = (project: Project, pattern: RegExp): string[] =>
  edgeLines(graphOf(project)).filter((line) => pattern.test(line) && !/ (?:extends|implements|read) /.test(line));
