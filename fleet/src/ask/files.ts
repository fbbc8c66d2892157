/** The repositories of a fleet, and one file of a published ref. */
import {
  type FleetFileDocument,
  type FleetFileQuery,
  type FleetReposDocument,
  type FleetReposQuery,
  firstFrom,
  SocraticodeError,
} from '../internal.js';
import { keptOf, keyOf } from '../keys.js';
import type { ViewFacts } from '../view.js';
import { type Reader, scopeOf, viewAt } from './scope.js';
import { dateOf, type FleetStore } from './store.js';

/** Refs that are listed for one repository. */
const SHOWN_REFS = 20;

export function pathsOf({ paths, pathStart }: ViewFacts, file: number): string[] {
  return paths.slice(pathStart[file], pathStart[file + 1]);
}

const branchesFirst = (a: string, b: string) => Number(keptOf(a) !== null) - Number(keptOf(b) !== null);

/** Throws BAD_ARGUMENT and FLEET_STORE. */
export async function listRepositories(
  { views }: FleetStore,
  { repo, limit = 100 }: FleetReposQuery,
  reader: Reader,
): Promise<FleetReposDocument> {
  const set = await views.fresh();
  const scope = scopeOf(set, reader, { repo });
  const results = scope.views.slice(0, limit).map((view) => {
    const refs = (set.repositories.get(view.repo) ?? []).map(({ ref }) => ref).sort(branchesFirst);
    const { repo, ref, commit, covered, total, facts } = view;
    const shown = refs.slice(0, SHOWN_REFS);
    return {
      ...{ repo, ref, commit, publishedAt: dateOf(view), coverage: { covered, total } },
      ...{ files: facts.paths.length, refs: shown, refsLeftOut: refs.length - shown.length },
    };
  });
  return { schemaVersion: 1, results, resultsLeftOut: scope.views.length - results.length, damaged: scope.damaged };
}

/**
 * Throws UNKNOWN_REF, and BAD_ARGUMENT for a path that the ref does not have, and for a repository that does not exist or that
 * the reader may not see: both give one message.
 */
export async function readFleetFile(
  store: FleetStore,
  request: FleetFileQuery,
  reader: Reader,
): Promise<FleetFileDocument> {
  const set = await store.views.fresh();
  const known = set.repositories.get(request.repo) ?? [];
  const views = reader.mayRead(request.repo) ? known : [];
  if (views.length === 0)
    throw new SocraticodeError('BAD_ARGUMENT', 'the fleet has no such repository that you may read', {
      hint: 'codebase_fleet_repos lists the repositories that you may read.',
    });
  const view = viewAt(views, request.ref);
  if (view === null) throw new SocraticodeError('UNKNOWN_REF', 'the repository has not published this ref');
  const file = fileOf(view.facts, request.path);
  const { repo, ref, commit, covered, total, facts } = view;
  const key = keyOf(facts.keys, file);
  const about = {
    ...{ schemaVersion: 1 as const, repo, ref, commit, publishedAt: dateOf(view), coverage: { covered, total } },
    ...{ path: request.path, language: facts.languages[facts.language[file]] },
  };
  if (request.outline) return { ...about, ...(await outlineOf(store, key)) };
  const text = await store.units.text(key);
  if (text === null)
    throw new SocraticodeError('BAD_ARGUMENT', 'this fleet keeps no texts', { hint: 'Ask for the outline.' });
  const lines = text.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const startLine = Math.min(request.from ?? 1, Math.max(1, lines.length));
  const endLine = Math.max(startLine, Math.min(request.to ?? lines.length, lines.length));
  return { ...about, lines: lines.length, startLine, endLine, content: lines.slice(startLine - 1, endLine).join('\n') };
}

/** Number of the file with a path. Throws BAD_ARGUMENT. */
function fileOf({ paths, pathStart, length }: ViewFacts, path: string): number {
  const at = paths.indexOf(path.replace(/^\.?\//, ''));
  if (at < 0)
    throw new SocraticodeError('BAD_ARGUMENT', 'the ref has no such file, or none that is indexed', {
      hint: 'Paths begin at the top of the repository, as results of a search name them.',
    });
  return firstFrom(length, (file) => pathStart[file] <= at) - 1;
}

/** Definitions of the chunks, in the order of their lines. */
async function outlineOf({ units }: FleetStore, key: string): Promise<Pick<FleetFileDocument, 'symbols'>> {
  const lexical = (await units.open([key])).get(key)?.lexical;
  const symbols = Array.from({ length: lexical?.meta.documents ?? 0 }, (_, document) => ({
    symbol: lexical?.documentSymbol(document) ?? null,
    kind: lexical?.documentKind(document) ?? '',
    startLine: lexical?.columns.startLine[document] ?? 1,
    endLine: lexical?.columns.endLine[document] ?? 1,
  }));
  return { symbols: symbols.flatMap(({ symbol, ...rest }) => (symbol === null ? [] : { symbol, ...rest })) };
}
