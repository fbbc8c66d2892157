/** Places where names stand in the text of files, but for those that the graph explains. */
import { eachIdentifier } from '../../../../extract/terms.js';
import type { Graph } from '../../../../graph/graph.js';
import { classOf } from '../../../../graph/query/place.js';
import { isSurelyOutside } from '../../../../graph/query/unused.js';
import type { EdgeKind } from '../../../../graph/types.js';

/** One name in the text of a file. */
export interface NamePlace {
  name: string;
  file: number;
  line: number;
  /** In quotes. */
  isText: boolean;
  /** In an import: the file may use it, or import it in vain. */
  isImport: boolean;
}

/** Text before a name in a comment that takes the whole line, or its end. */
const COMMENT = /(?:^|\s)(?:\/\/|#\s)|^\s*(?:\/\*|\*\s|<!--|--\s)/;
/** Pages are documents that call functions. */
const PAGE = /\.x?html?$/i;
const QUOTED = /["'`][^"'`]*$/;

/** Places of `names` in a file that no resolved use, definition or import of another file explains. */
export function unexplainedPlaces(
  graph: Graph,
  file: number,
  { text, names }: { text: string; names: ReadonlySet<string> },
): NamePlace[] {
  // Prose names things, and uses none.
  if (classOf(graph, file) === 'document' && !PAGE.test(graph.tables.files[file].path)) return [];
  const found: NamePlace[] = [];
  const lines = lineFinder(text);
  let known: ReturnType<typeof knownLines> | null = null;
  eachIdentifier(text, (identifier, at) => {
    if (!names.has(identifier)) return;
    const { line, start } = lines(at);
    known ??= knownLines(graph, file, names);
    const before = text.slice(start, at);
    if (known.explained.has(`${line} ${identifier}`) || known.reexports.has(line) || COMMENT.test(before)) return;
    const isImport = known.imports.has(line);
    found.push({ name: identifier, file, line, isImport, isText: !isImport && QUOTED.test(before) });
  });
  return found;
}

/** Line, 1-based, and its first offset; offsets must be asked for in ascending order. */
function lineFinder(text: string): (at: number) => { line: number; start: number } {
  let line = 1;
  let start = 0;
  return (at) => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < at; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    return { line, start };
  };
}

/** Lines between the beginning of a definition and its name: decorators and modifiers. */
const HEAD_LINES = 8;

interface KnownLines {
  /** `LINE NAME` of uses that lead somewhere, or surely out of the repository, and of definitions. */
  explained: Set<string>;
  imports: Set<number>;
  reexports: Set<number>;
}

function knownLines(graph: Graph, file: number, names: ReadonlySet<string>): KnownLines {
  const { nodeBase, edgeBase, edgeLine, edgeSpan, edgeName, strings } = graph.tables;
  const known: KnownLines = { explained: new Set(), imports: new Set(), reexports: new Set() };
  const add = (first: number, last: number, name: string) => {
    for (let line = first; line <= last; line++) known.explained.add(`${line} ${name}`);
  };
  for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
    const name = plainName(graph.name(node));
    const first = graph.startLine(node);
    if (names.has(name)) add(first, Math.min(graph.endLine(node), first + HEAD_LINES), name);
  }
  for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
    const [first, last] = [edgeLine[edge], edgeLine[edge] + edgeSpan[edge]];
    if (graph.isFileEdge(edge)) {
      const lines = REEXPORTS.has(graph.edgeKind(edge)) ? known.reexports : known.imports;
      for (let line = first; line <= last; line++) lines.add(line);
      continue;
    }
    const name = plainName(strings[edgeName[edge]]);
    if (names.has(name) && isExplained(graph, edge, file)) add(first, last, name);
  }
  return known;
}

/** Does a use surely mean what it leads to? Of two definitions of one name in a file, a name alone may mean either. */
function isExplained(graph: Graph, edge: number, file: number): boolean {
  const target = graph.target(edge);
  if (target < 0) return isSurelyOutside(graph, edge);
  const { edgeReceiver, strings } = graph.tables;
  if (strings[edgeReceiver[edge]] !== '' || graph.fileOf(target) !== file) return true;
  return !graph.namesakes(target).some((other) => other !== target && graph.fileOf(other) === file);
}

/** Exporting a definition again is no use of it: whether it is exported is known. */
const REEXPORTS: ReadonlySet<EdgeKind> = new Set(['reexport', 'type-reexport']);

/** A name as a run of letters in the text: without the sign of a private member, or of a predicate. */
export const plainName = (name: string): string => name.replace(/^#|[?!]$/g, '');
