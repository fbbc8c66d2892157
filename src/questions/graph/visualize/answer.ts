/** Answers `graph visualize`: draws the graph, or a part of it, as text of a format, and writes it to the requested place. */
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { makeDirectory, plainFileAt, refuseLinks, writeFileAtomic, writeOutput } from '../../../base/atomic.js';
import { cacheKey } from '../../../base/cache.js';
import { isSocraticodeError, SocraticodeError } from '../../../base/errors.js';
import { addTo } from '../../../base/lists.js';
import { log } from '../../../base/log.js';
import { groupDigits, safeJson, visibleLine, visibleText } from '../../../base/printable.js';
import { removeStaleTemporaries } from '../../../base/processes.js';
import { editorAddress, forgeOf, placeAddress } from '../../../git/forge.js';
import { localStateDirectory } from '../../../git/repository.js';
import { isSecondary } from '../../../graph/picture/drawing.js';
import type { PictureView, Place } from '../../../graph/picture/folders.js';
import {
  dot,
  html,
  mermaid,
  type Overview,
  overviewOf,
  type Part,
  type PictureScope,
  type Plan,
  partOf,
  payloadOf,
  planOf,
  planOfOverview,
} from '../../../graph/picture/picture.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { commandText } from '../../../params/param.js';
import { pathFilter } from '../../../search/filter.js';
import type { Session } from '../../../session/session.js';
import type { Asker } from '../../asker.js';
import { PICTURE_NODES } from '../graph-question.js';
import type { GraphCandidates } from '../output.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
import type { GraphPicture, GraphVisualizeReport, VisualizeValues } from './question.js';

/** Formats by the extension of the output's name. */
const FORMATS: Readonly<Record<string, PictureFormat>> = {
  '.html': 'html',
  '.htm': 'html',
  '.mmd': 'mermaid',
  '.mermaid': 'mermaid',
  '.dot': 'dot',
  '.gv': 'dot',
  '.json': 'json',
};

type Visualized = GraphVisualizeReport | GraphPicture | GraphCandidates;

/** Throws BAD_ARGUMENT for an unknown focus or path, and for a page that would go to a terminal. */
export function answerVisualize(at: Asker, values: VisualizeValues): Promise<Visualized> {
  return at.server === undefined ? forPeople(at, values) : forAgents(at, values);
}

async function forPeople(at: Asker, values: VisualizeValues): Promise<Visualized> {
  const { output } = values;
  const { json: isJson = false, io } = at.command ?? {};
  const toFile = output !== undefined && output !== '-';
  const format = values.format ?? FORMATS[extname(output ?? '').toLowerCase()] ?? (isJson ? 'json' : 'mermaid');
  if (format === 'html' && !toFile && !isJson && io?.stdout.isTTY) {
    throw new SocraticodeError('BAD_ARGUMENT', 'a page is nothing for a terminal', {
      hint: commandText('graph visualize', { format: 'html', output: 'graph.html' }),
    });
  }
  const drawn = await draw(at, {
    ...values,
    format,
    ...(toFile && { into: dirname(resolve(at.directory ?? '.', output)) }),
    limit: values.limit ?? PICTURE_NODES[format],
    candidates: values.limit,
  });
  if ('candidates' in drawn) return drawn;
  const { report, picture, document } = drawn;
  if (!toFile) return document ?? { ...report, output: null, picture };
  writeOutput(resolve(at.directory ?? '.', output), picture);
  return { ...report, output };
}

/** Maximum number of nodes of Mermaid text in a reply, whose tokens count. */
const MERMAID_NODES = 40;

async function forAgents(at: Asker, values: VisualizeValues): Promise<Visualized> {
  const { mode, focus, depth, view, path, ref, limit } = values;
  const isPage = mode === 'interactive';
  const nodes = limit ?? (isPage ? PICTURE_NODES.html : MERMAID_NODES);
  const drawn = await draw(at, { ...values, format: isPage ? 'html' : 'mermaid', limit: nodes, candidates: nodes });
  if ('candidates' in drawn) return drawn;
  const { report, picture } = drawn;
  if (!isPage) return { ...report, output: null, picture };
  return { ...report, output: keepPage(at.session, picture, { focus, depth, view, path, ref, limit }) };
}

type PictureFormat = GraphVisualizeReport['format'];

interface PictureRequest
  extends Pick<VisualizeValues, 'ref' | 'committed' | 'path' | 'focus' | 'depth' | 'view' | 'tests'> {
  format: PictureFormat;
  /** Maximum number of drawn nodes. */
  limit: number;
  /** Absolute path of the directory for a page. */
  into?: string;
}

interface Drawn {
  report: Omit<GraphVisualizeReport, 'output' | 'picture'>;
  picture: string;
  /** The picture if the format is JSON. */
  document: GraphPicture | null;
}

/** Throws BAD_ARGUMENT for an unknown focus, and for paths without files. */
export async function draw(
  at: Asker,
  request: PictureRequest & { candidates?: number },
): Promise<Drawn | GraphCandidates> {
  const { format, focus: target, limit, depth, path } = request;
  const prepared = await prepareGraph(at, request);
  const { graph, header, prefix } = prepared;
  const scope: PictureScope = { accepts: path === undefined ? undefined : pathFilter({ path }), depth };
  const { accepts } = scope;
  if (accepts !== undefined && !graph.tables.files.some((file) => accepts(file.path)))
    throw new SocraticodeError('BAD_ARGUMENT', `no file of this snapshot matches ${path?.join(', ')}`);
  // A page opens with the folders anyway, and shows their files from there.
  const wanted = request.view === 'folders' && format === 'html' ? 'files' : request.view;
  if (wanted === 'folders') return drawFolders(prepared, scope, request);
  let view: PictureView = wanted ?? 'files';
  if (target !== undefined) {
    const found = resolveTarget(graph, target, { prefix });
    if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit: request.candidates });
    scope.focus = found.nodes;
    view = wanted ?? (found.isFile ? 'files' : 'symbols');
  }
  const part = partOf(graph, view, scope);
  const plan = planOf(part, { limit, linkedOnly: format !== 'json' });
  const document = format === 'json' ? describe(plan, header) : null;
  const picture = async (): Promise<string> => {
    if (document !== null) return `${safeJson(document)}\n`;
    if (format === 'html') return page(at.session, prepared, { ...request, view, scope, part });
    return format === 'mermaid' ? mermaid(plan) : dot(plan);
  };
  const text = await picture();
  const { nodes, edges } = part.drawing;
  // A page opens and closes its folders itself.
  const drawn = format === 'html' ? { nodes: nodes.length, edges: edges.length } : countsOf(plan);
  const counts = { ...drawn, total: nodes.length };
  const report = { format, view, bytes: Buffer.byteLength(text), ...counts, unlinked: plan.unlinked };
  return { report: { ...header, ...report }, picture: text, document };
}

const countsOf = ({ marks, edges }: Plan) => ({ nodes: marks.length, edges: edges.length });

/** Draws the folders of the files in scope. A focus has no effect: the surroundings of a symbol are no folders. */
function drawFolders({ graph, header }: GraphAndHeader, scope: PictureScope, request: PictureRequest): Drawn {
  const { format, tests = false } = request;
  const limit = Math.min(request.limit, PICTURE_NODES.folders);
  const { drawing } = partOf(graph, 'files', { accepts: scope.accepts });
  const overview = overviewOf(drawing, limit, tests ? () => false : isSecondary);
  const plan = planOfOverview(overview);
  const document = format === 'json' ? describeFolders(overview, header) : null;
  const text = document === null ? (format === 'dot' ? dot(plan) : mermaid(plan)) : `${safeJson(document)}\n`;
  const counts = { nodes: overview.nodes.length, edges: overview.edges.length, total: drawing.nodes.length };
  const report = {
    format,
    view: 'folders' as const,
    bytes: Buffer.byteLength(text),
    ...counts,
    unlinked: overview.aside + overview.data,
  };
  return { report: { ...header, ...report }, picture: text, document };
}

function describeFolders({ nodes, edges, aside, data }: Overview, header: GraphAndHeader['header']): GraphPicture {
  return {
    ...header,
    view: 'folders',
    nodes: nodes.map(({ path, label, files }, i) => ({ id: `n${i}`, label, path, kind: 'folder', members: files })),
    edges: edges.map(({ from, to, kinds, count, inCycle }) => {
      return { from: `n${from}`, to: `n${to}`, kinds: [...kinds], count, inCycle, lines: [] };
    }),
    folders: [],
    leftOut: { unlinked: data, aside },
  };
}

interface PageContext extends PictureRequest {
  view: PictureView;
  scope: PictureScope;
  /** Part of the graph shown by `view`. */
  part: Part;
}

/** A page that shows files and symbols. */
async function page(
  session: Session,
  { graph, header }: GraphAndHeader,
  { view, limit, scope, part, ...asked }: PageContext,
): Promise<string> {
  const { workTree, gitDir } = session.repository;
  const other = (wanted: PictureView) => (wanted === view ? part : partOf(graph, wanted, scope));
  const { ref, commit } = header;
  const narrowed = [...(asked.focus === undefined ? [] : [`around ${asked.focus}`]), ...(asked.path ?? [])];
  return html(
    payloadOf(
      { files: other('files'), symbols: other('symbols') },
      {
        repository: basename(workTree ?? gitDir).replace(/\.git$/, ''),
        ref: header.overlay > 0 ? `${ref} + uncommitted` : ref,
        commit: commit?.slice(0, 10) ?? '',
        scope: narrowed.join(' '),
        ...{ view, limit, places: [...forgePlaces(session, commit), ...(await editorPlaces(session, asked.into))] },
      },
    ),
  );
}

/** The forge of the remote `origin`, if its address names one. */
function forgePlaces({ gitConfig }: Session, commit: string | null): Place[] {
  const remote = gitConfig.filter(({ key }) => key === 'remote.origin.url').at(-1)?.value;
  const forge = remote === undefined ? null : forgeOf(remote);
  if (forge === null || commit === null) return [];
  return [{ title: `View on ${new URL(forge.base).host}`, address: placeAddress(forge, commit) }];
}

/** The user's editor, for a page within the work tree: it finds the files without a name of a directory. */
async function editorPlaces(session: Session, into: string | undefined): Promise<Place[]> {
  const { workTree } = session.repository;
  if (into === undefined || workTree === null || !existsSync(into)) return [];
  const up = relative(realpathSync(into), workTree);
  const { config } = await session.configOf(null, true);
  const address = editorAddress(config.web.editor);
  if (address === null || !/^(?:\.\.(?:[\\/]|$))*$/.test(up)) return [];
  return [{ title: 'Open in editor', address, up: up === '' ? './' : `${up.replaceAll('\\', '/')}/` }];
}

/** The picture as a document: nodes, edges, and their folders. */
function describe(
  { drawing, folders, marks, edges, unlinked }: Plan & { unlinked: number },
  header: GraphAndHeader['header'],
): GraphPicture {
  const byFolder = new Map<string, string[]>();
  const nodes = marks.map((mark, i): GraphPicture['nodes'][number] => {
    const id = `n${i}`;
    const outer =
      mark.folder === undefined ? drawing.nodes[mark.node].folder : folders[folders[mark.folder].parent]?.path;
    addTo(byFolder, outer ?? '', id);
    if (mark.folder === undefined) {
      const { label, path, kind, language, startLine, endLine } = drawing.nodes[mark.node];
      return { id, label, path, kind, language, startLine, endLine };
    }
    const { path, total } = folders[mark.folder];
    return { id, label: path.slice(path.lastIndexOf('/') + 1), path, kind: 'folder', members: total };
  });
  return {
    ...header,
    view: drawing.view,
    nodes,
    edges: edges.map(({ from, to, kinds, count, inCycle, edges: joined }) => {
      const single = marks[from].folder === undefined && marks[to].folder === undefined;
      const lines = single ? [...drawing.edges[joined[0]].lines] : [];
      return { from: `n${from}`, to: `n${to}`, kinds: [...kinds], count, inCycle, lines };
    }),
    folders: [...byFolder].map(([path, list]) => ({ path, nodes: list })),
    leftOut: { unlinked },
  };
}

/** The picture as programs read it on the command line; agents also get its size. */
export function visualizeText(
  document: GraphVisualizeReport | GraphPicture,
  { isCommand, values: { open } }: { isCommand: boolean; values: VisualizeValues },
): string {
  if ('leftOut' in document) return `${safeJson(document)}\n`;
  const { picture } = document;
  if (isCommand) return picture ?? writtenText(document);
  const text =
    picture === undefined ? writtenText(document) : `${visibleText(picture).trimEnd()}\n\n${drawnText(document)}\n`;
  return open ? `${text}nothing was opened: a server starts no browser\n` : text;
}

function writtenText(report: GraphVisualizeReport): string {
  const { output, bytes, format } = report;
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return [
    `wrote ${visibleLine(output ?? '')} (${size}): ${drawnText(report)}`,
    ...(format === 'html' ? ['  one file that needs no network: open it in a browser'] : []),
    '',
  ].join('\n');
}

function drawnText({ view, nodes, edges, total, unlinked, format }: GraphVisualizeReport): string {
  const all = `${groupDigits(total)} ${view === 'symbols' ? 'symbols' : 'files'}`;
  const links = `${groupDigits(edges)} links`;
  const what = view === 'folders' ? 'tests, examples and generated ones' : 'without links';
  const isPage = format === 'html';
  const left = unlinked > 0 ? `; ${groupDigits(unlinked)} ${what} are left out${isPage ? ' at first' : ''}` : '';
  return isPage ? `${all} and ${links}${left}` : `${all} as ${groupDigits(nodes)} nodes and ${links}${left}`;
}

const NAME = /^graph-[0-9a-f]{24}\.html$/;
const MAX_CACHED_PAGES = 8;

/**
 * Writes a page and returns its absolute path, which is the same for the same question. If the git directory is not
 * writable, the page goes to a new directory among the temporary files of the system. Throws DISK.
 */
function keepPage(session: Session, page: string, question: unknown): string {
  const name = `graph-${cacheKey(question)}.html`;
  const state = localStateDirectory(session.repository);
  const directory = join(state, 'pages');
  try {
    refuseLinks([state]);
    makeDirectory(directory);
    writeFileAtomic(join(directory, name), page);
    prune(directory);
    return join(directory, name);
  } catch (error) {
    if (!isSocraticodeError(error, 'DISK')) throw error;
    log.debug(`a page is written elsewhere: ${error.message}`);
    const path = join(mkdtempSync(join(tmpdir(), 'socraticode-')), name);
    writeFileAtomic(path, page);
    return path;
  }
}

function prune(directory: string): void {
  removeStaleTemporaries(directory);
  const pages = readdirSync(directory).flatMap((name) => {
    const stat = NAME.test(name) ? plainFileAt(join(directory, name)) : null;
    return stat === null ? [] : [{ name, at: stat.mtimeMs }];
  });
  pages.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  for (const { name } of pages.slice(MAX_CACHED_PAGES)) rmSync(join(directory, name), { force: true });
}
