/** Makes the map of a repository, or of a part of it, within a budget of tokens. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { safeJson } from '../../../../base/hygiene.js';
import { remember } from '../../../../base/remember.js';
import { estimateTokens } from '../../../../base/tokens.js';
import type { Graph } from '../../../../graph/graph.js';
import { centralityOf } from '../../../../graph/query/central.js';
import type { Session } from '../../../../session/session.js';
import type { GraphAndHeader } from '../../snapshot-graph.js';
import { declareEntries } from './declarations.js';
import { MapFiller } from './fill.js';
import { entriesOf, filesOnMap, foldersAside, foldersOf, type MapFolder } from './folders.js';
import type { GraphMapResponse } from './output.js';

interface MapOptions {
  /** Names of the parts that are asked for, and a test for their paths; default: everything. */
  scope?: { names: string[]; accepts: (path: string) => boolean };
  /** Tokens. */
  budget: number;
  /** Declarations, not names alone; default true. */
  signatures?: boolean;
  signal?: AbortSignal;
}

/** A line about the snapshot, before the text. */
const AROUND = 30;
/** Tokens of a file with its first definition, roughly: no more files are read than can be shown. */
const TOKENS_PER_FILE = 30;
const MAX_FILES = 400;
/** Files of each folder that are considered, even where other folders have more central ones. */
const FILES_OF_FOLDER = 3;
const ATTEMPTS = 5;
const SLACK = 8;
/** Folders listed next to the map: those of tests and examples. */
const MAX_ASIDE = 6;

/** The last maps of each graph: the first view of the web page asks for the same one again and again. */
const made = new WeakMap<Graph, Map<string, GraphMapResponse>>();
const MADE_KEPT = 4;

export async function mapOf(
  session: Session,
  prepared: GraphAndHeader,
  options: MapOptions,
): Promise<GraphMapResponse> {
  const { graph, header } = prepared;
  const { scope, signatures, budget } = options;
  const key = JSON.stringify([header, scope?.names, signatures, budget, prepared.prefix]);
  const maps = made.get(graph) ?? new Map<string, GraphMapResponse>();
  made.set(graph, maps);
  const map = maps.get(key) ?? (await makeMap(session, prepared, options));
  remember(maps, key, map, MADE_KEPT);
  return map;
}

async function makeMap(
  session: Session,
  prepared: GraphAndHeader,
  { scope, signatures = true, budget, signal }: MapOptions,
): Promise<GraphMapResponse> {
  const { graph, header } = prepared;
  const shown = filesOnMap(graph, scope?.accepts);
  // Remembered for what follows: of a graph just linked, it takes as long as all of that.
  centralityOf(graph);
  await othersFirst(signal);
  const folders = foldersOf(graph, shown);
  await othersFirst(signal);
  const entries = candidates(folders, budget).flatMap((file) => entriesOf(graph, file));
  const declared = await declareEntries(session, prepared, { entries, signatures, signal });
  const others = foldersAside(graph, new Set(shown), scope?.accepts).slice(0, MAX_ASIDE);
  const aside = others.map(([path, files]) => ({ path, files }));
  const head = { ...header, scope: scope?.names ?? [], budget, tokens: budget, folderCount: folders.length, aside };
  await othersFirst(signal);
  return withinBudget(new MapFiller({ graph, folders, declared }), head, signal);
}

/** Lets other questions, and a cancellation, in between. Throws the signal's reason. */
async function othersFirst(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** Files that may be shown: the most central ones, and some of each folder. */
function candidates(folders: readonly MapFolder[], budget: number): number[] {
  const most = Math.min(MAX_FILES, Math.ceil(budget / TOKENS_PER_FILE));
  const few = folders.flatMap(({ files }) => files.slice(0, FILES_OF_FOLDER)).slice(0, most);
  const found = new Set(few);
  // Round by round, as many of each folder as its share of the whole.
  const total = folders.reduce((sum, { value }) => sum + value, 0) || 1;
  for (const { files, value } of folders)
    for (const file of files.slice(0, Math.ceil((value / total) * most))) found.add(file);
  return [...found];
}

type Head = Omit<GraphMapResponse, 'folders'>;

async function withinBudget(filler: MapFiller, head: Head, signal?: AbortSignal): Promise<GraphMapResponse> {
  const budget = head.budget - AROUND;
  let room = Math.max(0, budget - tokensOf({ ...head, folders: [] }));
  for (let attempt = 1; ; attempt++) {
    const folders = attempt > ATTEMPTS ? [] : filler.fill(room);
    const document = { ...head, folders };
    const tokens = tokensOf(document);
    if (tokens <= budget || attempt > ATTEMPTS) return { ...document, tokens };
    room = Math.max(0, room - (tokens - budget) - SLACK);
    await othersFirst(signal);
  }
}

function tokensOf(document: GraphMapResponse): number {
  return estimateTokens(safeJson(document));
}
