/** Finds kept summaries of shown code: the files are read again, and what a model would be shown of them has the same hash. */
import { log } from '../../../base/log.js';
import { qualifiedName } from '../../../extract/symbols.js';
import { cut } from '../../../graph/query/place.js';
import { type Summary, summaryKey } from '../../../knowledge/summary.js';
import { BlobFactsSource } from '../../../session/blob-facts.js';
import { AnchoredFiles } from '../../../session/knowledge/anchored-files.js';
import type { Session } from '../../../session/session.js';
import { workTreeUse } from '../../../session/snapshot/target.js';
import { ownModel, readSummaries } from '../../../session/summaries/kept.js';
import type { Asker } from '../../asker.js';
import { isoTime } from '../../note/notes.js';
import { dateText } from '../../writing/format.js';
import { fileShown, symbolShown } from '../make/shown.js';
import type { SummarizedPlace, ToldSummaries } from './told.js';

/** Summaries that an answer lists, and files that are looked at for them. */
const LISTED = 3;
const MAX_FILES = 8;

export async function findSummaries(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  snapshot: { ref?: string; committed?: boolean },
  places: readonly SummarizedPlace[],
): Promise<ToldSummaries | null> {
  try {
    const includesWork = workTreeUse(snapshot) === 'included';
    const origin = await session.origin(snapshot.ref, { unborn: includesWork });
    const { languages, maxFileBytes, summarizer } = (await session.configOfOrigin(origin)).config;
    const byKey = await summariesOf(session, ownModel(summarizer));
    if (byKey.size === 0) return null;
    const files = new AnchoredFiles(session, origin, includesWork);
    const paths = [...new Set(places.map(({ path }) => path))].slice(0, MAX_FILES);
    const source = new BlobFactsSource(session, { languages, maxFileBytes, count: paths.length, signal });
    const found: ToldSummaries['list'] = [];
    try {
      for (const path of paths) {
        signal.throwIfAborted();
        const symbols = places.flatMap((place) => (place.path === path ? [place.symbol ?? null] : []));
        found.push(...(await told({ path, symbols, byKey }, files, source)));
      }
    } finally {
      await source.close();
    }
    return found.length === 0 ? null : cut(found, LISTED);
  } catch (error) {
    signal.throwIfAborted();
    log.debug(`summaries are not told: ${(error as Error).message}`);
    return null;
  }
}

/** Summaries of the model of the settings; where it has written none, those of the model that wrote last. */
async function summariesOf(session: Session, model: string | null): Promise<ReadonlyMap<string, Summary>> {
  const own = model === null ? null : (await readSummaries(session, model)).byKey;
  return own !== null && own.size > 0 ? own : (await readSummaries(session, null)).byKey;
}

interface Wanted {
  path: string;
  /** Qualified names; null for the file. */
  symbols: readonly (string | null)[];
  byKey: ReadonlyMap<string, Summary>;
}

/** A definition's own summary says more than that of its file, which stands in where there is none. */
async function told(
  { path, symbols, byKey }: Wanted,
  files: AnchoredFiles,
  source: BlobFactsSource,
): Promise<ToldSummaries['list']> {
  const file = await files.read(path);
  // Facts of uncommitted bytes are not at hand: nothing is told of them.
  const facts = file === null ? null : await source.facts(file);
  if (file === null || facts === null) return [];
  const read = { facts, bytes: file.bytes };
  const language = source.languageOf(path) ?? '';
  const names = new Set(symbols.filter((symbol) => symbol !== null));
  const own = facts.symbols.flatMap((_, index) => {
    const name = qualifiedName(facts.symbols, index);
    if (!names.has(name)) return [];
    const summary = byKey.get(summaryKey('symbol', symbolShown(language, index, read)));
    return summary === undefined ? [] : [entry(`${path} ${name}`, summary)];
  });
  if (own.length > 0 && !symbols.includes(null)) return own;
  const summary = byKey.get(summaryKey('file', fileShown(language, read)));
  return [...own, ...(summary === undefined ? [] : [entry(path, summary)])];
}

const entry = (place: string, { text, model, time }: Summary) => ({
  ...{ place, by: `the model ${model}, ${dateText(isoTime(time))}`, text },
});
