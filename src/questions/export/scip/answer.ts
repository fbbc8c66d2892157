/** `export` of a SCIP index: definitions, references and relations of a snapshot, for readers of other makes. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeFileAtomic } from '../../../base/atomic.js';
import { packageVersion } from '../../../base/version.js';
import { languageOf } from '../../../languages/registry.js';
import type { LexicalConventions } from '../../../languages/roles/relations.js';
import { OWN_TOOL, SCIP_ROLES } from '../../../scip/types.js';
import { encodeDocument, encodeMetadata } from '../../../scip/write.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import { manifestsOf, readManifests } from '../../../session/graph/graph-files.js';
import type { Asker } from '../../asker.js';
import { type GraphAndHeader, prepareQuestion } from '../../graph/snapshot-graph.js';
import { DocumentMaker } from './document.js';
import { Monikers } from './monikers.js';
import type { ScipExportReport } from './output.js';
import { hasDocument } from './uses.js';

/** Writes the index of a ref to `path`. Throws UNKNOWN_REF, DISK and what indexing throws. */
export async function exportScip(
  at: Asker,
  { path, ref = 'HEAD' }: { path: string; ref?: string },
): Promise<ScipExportReport> {
  const { session, signal } = at;
  const prepared = await prepareQuestion(session, { ref, signal }, await at.graphs());
  const file = resolve(at.directory ?? '.', path);
  const { parts, ...counts } = await makeIndex(at, prepared);
  const bytes = Buffer.concat(parts);
  writeFileAtomic(file, bytes);
  const { commit, coverage } = prepared.header;
  return { schemaVersion: 1, ref: prepared.header.ref, commit, coverage, file, bytes: bytes.length, ...counts };
}

type Counts = Pick<
  ScipExportReport,
  'documents' | 'symbols' | 'definitions' | 'references' | 'relationships' | 'unplaced'
>;

async function makeIndex(at: Asker, prepared: GraphAndHeader): Promise<Counts & { parts: Uint8Array[] }> {
  const { session, signal } = at;
  const { graph, origin } = prepared;
  const { repository, objects } = session;
  const manifests = await readManifests(manifestsOf(await objects.list(origin.resolved.tree)), objects);
  const maker = new DocumentMaker(graph, new Monikers(graph, manifests));
  const tool = { name: OWN_TOOL, version: packageVersion(), arguments: [] };
  const projectRoot = pathToFileURL(repository.workTree ?? repository.gitDir).href;
  const parts = [encodeMetadata({ tool, projectRoot })];
  const counts = { documents: 0, symbols: 0, definitions: 0, references: 0, relationships: 0 };
  const files = [...graph.tables.files.entries()].filter(([, file]) => hasDocument(file));
  const lexical = await lexicalRules(new Set(files.map(([, { language }]) => language)));
  const source = await openFacts(session, prepared, { count: files.length, signal });
  try {
    const byPath = new Map(files.map(([file, { path }]) => [path, file]));
    const versions = files.map(([, { path, oid }]) => ({ path, oid }));
    await source.prefetch(versions, undefined, ({ path }, facts, bytes) => {
      const file = byPath.get(path);
      if (file === undefined || facts === null || bytes === null) return;
      const document = maker.make({ file, facts, bytes, lexical: lexical.get(graph.tables.files[file].language) });
      parts.push(encodeDocument(document));
      const definitions = document.occurrences.filter(({ roles }) => roles & SCIP_ROLES.definition).length;
      counts.documents++;
      counts.symbols += document.symbols.length;
      counts.definitions += definitions;
      counts.references += document.occurrences.length - definitions;
      counts.relationships += document.symbols.reduce((sum, { relationships }) => sum + relationships.length, 0);
    });
  } finally {
    await source.close();
  }
  return { parts, ...counts, unplaced: maker.unplaced };
}

/** Loads how strings and comments are written, by language. */
async function lexicalRules(languages: ReadonlySet<string>): Promise<Map<string, LexicalConventions>> {
  const found = new Map<string, LexicalConventions>();
  for (const id of languages) {
    const lexical = (await languageOf(id)?.rules?.())?.relations?.lexical;
    if (lexical !== undefined) found.set(id, lexical);
  }
  return found;
}
