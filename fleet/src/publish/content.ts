/** Content of a publication: the files of an indexed snapshot with their keys, and the statistics of their terms. */
import { type Corpus, documentsOf, type LiveSet, PATH_CLASSES, pathTerms, unionEntries } from '../internal.js';
import { unitKey } from '../keys.js';
import type { ViewFile, ViewStats } from '../view.js';

/** A file of the snapshot, by its number in the live set. */
export interface ContentFile extends ViewFile {
  file: number;
  oid: string;
}

/** Files in the order of their first paths. `family`: its id. */
export function contentOf({ live, classes, centrality }: Corpus, family: string): ContentFile[] {
  const files = Array.from({ length: live.files.length }, (_, file): ContentFile => {
    const oid = live.files.oid(file);
    const language = live.files.language(file);
    return {
      ...{ file, oid, language, key: unitKey(family, oid, language), paths: live.files.paths(file) },
      ...{ pathClass: PATH_CLASSES[classes[file]], centrality: centrality[file] },
    };
  });
  return files.sort((a, b) => (a.paths[0] < b.paths[0] ? -1 : 1));
}

/**
 * Counts the chunks that have each term, as BM25F counts them. A term of one chunk alone is left out: it is counted when that
 * chunk is a candidate.
 */
export function statsOf({ live, averages, pathPostings }: Corpus): ViewStats {
  const df = new Map<string, number>();
  const stamp = new Int32Array(live.fileOf.length).fill(-1);
  let round = 0;
  let found = 0;
  const add = (document: number) => {
    if (stamp[document] === round) return;
    stamp[document] = round;
    found++;
  };
  const addPaths = (term: string) => {
    for (const [file] of pathPostings.of(term)) {
      const { first, end } = documentsOf(live, file);
      for (let document = first; document < end; document++) add(document);
    }
  };
  const finish = (term: string) => {
    if (found > 1) df.set(term, found);
    found = 0;
    round++;
  };
  const ofPaths = pathTermsOf(live);
  for (const { entry, indexes } of unionEntries(live.shards.map((shard) => shard.terms))) {
    for (const [i, index] of indexes.entries()) {
      if (index < 0) continue;
      live.shards[i].eachPosting(index, (local) => {
        if (live.fileOf[live.bases[i] + local] >= 0) add(live.bases[i] + local);
      });
    }
    if (ofPaths.delete(entry)) addPaths(entry);
    finish(entry);
  }
  for (const term of ofPaths) {
    addPaths(term);
    finish(term);
  }
  return { count: live.count, averages, df };
}

function pathTermsOf({ files }: LiveSet): Set<string> {
  const folders = new Map();
  const found = new Set<string>();
  for (let file = 0; file < files.length; file++) {
    const { stem, directories } = pathTerms(files.path(file), folders);
    for (const term of [...stem, ...directories]) found.add(term);
  }
  return found;
}
