/** Looks names up in the text of a snapshot: strings, templates and configuration use code without an edge. */
import type { Graph } from '../../../../graph/graph.js';
import { overloadsOf } from '../../../../graph/query/overloads.js';
import type { Excuse } from '../../../../graph/query/unused.js';
import type { PreparedGraph } from '../../../../session/graph/prepare.js';
import { excuseOfDeclaration } from './declared.js';
import type { NameIndex } from './files-with-names.js';
import { type NamePlace, plainName, unexplainedPlaces } from './places.js';

/** A name that stands in more files than this is a common word: it is not looked up. */
const MAX_FILES = 60;
/** Files read for one answer. */
const MAX_READ = 5_000;

export class TextUses {
  private readonly places = new Map<string, NamePlace[]>();
  private readonly common = new Set<string>();
  private readonly declared = new Map<number, Excuse | null>();
  private readonly texts = new Map<number, string>();
  private readonly graph: Graph;

  constructor(
    private readonly prepared: PreparedGraph,
    private readonly index: NameIndex,
  ) {
    this.graph = prepared.graph;
  }

  /** Reads the files that hold the names of `nodes`, unless they were read before. */
  async read(nodes: readonly number[]): Promise<void> {
    const { graph } = this;
    const names = new Set(nodes.map((node) => plainName(graph.name(node))));
    for (const name of names) if (this.places.has(name) || this.common.has(name)) names.delete(name);
    const wanted = new Map<number, Set<string>>();
    for (const name of names) {
      const paths = this.index(name);
      const files = [...(paths ?? [])].map((path) => graph.findFile(path)).filter((file) => file >= 0);
      if (paths === null || files.length > MAX_FILES || wanted.size > MAX_READ) {
        this.common.add(name);
        continue;
      }
      this.places.set(name, []);
      for (const file of files) wanted.set(file, (wanted.get(file) ?? new Set()).add(name));
    }
    await this.readTexts([...wanted.keys(), ...nodes.map((node) => graph.fileOf(node))]);
    for (const [file, own] of wanted) {
      const text = this.texts.get(file) ?? '';
      for (const place of unexplainedPlaces(graph, file, { text, names: own }))
        this.places.get(place.name)?.push(place);
    }
    for (const node of nodes) {
      if (this.declared.has(node)) continue;
      this.declared.set(node, this.declaredExcuse(node));
    }
    this.texts.clear();
  }

  /** Why a definition may be used all the same; null for none. `isDead`: lines of code that is unused itself. */
  excuseOf(node: number, isDead: (file: number, line: number) => boolean): Excuse | null {
    const { graph } = this;
    const declared = this.declared.get(node) ?? null;
    if (declared !== null) return declared;
    const name = plainName(graph.name(node));
    if (this.common.has(name))
      return {
        verdict: 'mentioned',
        reason: `${name} is a common word, which was not looked up in the text of all files`,
      };
    const own = overloadsOf(graph, node);
    const place = this.places.get(name)?.find(({ file, line, isImport }) => {
      const isOwn = own.some((each) => graph.fileOf(each) === file && contains(graph, each, line));
      return !isOwn && !isDead(file, line) && !(isImport && this.isUsedIn(file, node));
    });
    if (place === undefined) return null;
    const where = `${graph.tables.files[place.file].path}:${place.line}`;
    return { verdict: 'mentioned', reason: `its name stands in ${where}${place.isText ? ', in quotes' : ''}` };
  }

  private declaredExcuse(node: number): Excuse | null {
    const { graph } = this;
    const lines = (this.texts.get(graph.fileOf(node)) ?? '').split('\n', graph.endLine(node));
    const container = graph.container(node);
    const isTopLevel = graph.isFile(container);
    const first = isTopLevel ? '' : (lines[graph.startLine(container) - 1] ?? '');
    const name = plainName(graph.name(node));
    return excuseOfDeclaration(lines.slice(graph.startLine(node) - 1), name, { isTopLevel, container: first });
  }

  /** Then the import is for that use, and says nothing more. */
  private isUsedIn(file: number, node: number): boolean {
    const { graph } = this;
    return [...graph.incoming(node)].some((edge) => graph.fileOf(graph.source(edge)) === file);
  }

  private async readTexts(files: readonly number[]): Promise<void> {
    const { objects, graph } = this.prepared;
    const wanted = [...new Set(files)];
    const read = await Promise.all(wanted.map((file) => objects.read(graph.tables.files[file].oid)));
    for (const [i, object] of read.entries())
      if (object?.type === 'blob') this.texts.set(wanted[i], object.content.toString('utf8'));
  }
}

export function contains(graph: Graph, node: number, line: number): boolean {
  return line >= graph.startLine(node) && line <= graph.endLine(node);
}
