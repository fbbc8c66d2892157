/** Repositories whose vectors come from the stand-in for embedding servers, and what `index` left of them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { silentProgress } from '../../../src/base/progress.js';
import type { IndexReport } from '../../../src/indexer/report.js';
import { type IndexOptions, indexRef } from '../../../src/session/indexing/index-operation.js';
import { inProcess } from '../in-process/search.js';
import { EmbeddingServer, type ServerSettings } from '../servers/embedding-server.js';
import { createRepo, type Files, type TestRepo } from './repo.js';

export type Flags = Record<string, unknown>;

export async function startServer(t: TestContext, settings: ServerSettings = {}): Promise<EmbeddingServer> {
  const server = await new EmbeddingServer({ dimensions: 768, ...settings }).listen();
  t.after(() => server.close().catch(() => {}));
  return server;
}

/** An address at which nobody listens. (Port 9 would do, but fetch refuses it without trying.) */
export async function deadAddress(): Promise<string> {
  const server = await new EmbeddingServer().listen();
  const { url } = server;
  await server.close();
  return url;
}

/** Settings for an Ollama server, as a user's own configuration. */
export function ollamaAt(url: string, more: Flags = {}): Flags {
  return { 'embedder.name': 'ollama', 'embedder.endpoint': url, ...more };
}

export const index = (repo: TestRepo, flags: Flags = {}, options: IndexOptions = {}): Promise<IndexReport> =>
  inProcess(repo, ({ session }) => indexRef(session, { progress: silentProgress, ...options }), flags);

export function committed(files: Files): TestRepo {
  const repo = createRepo();
  repo.commit(files);
  return repo;
}

/** Vectors of the last run, without names. */
export function numbers({ vectors }: IndexReport) {
  const { covered, total, embedded, reused, loaded } = vectors;
  return { covered, total, embedded, reused, loaded };
}

export function vectorRefs(repo: TestRepo): string[] {
  return Object.keys(repo.notesRefs()).filter((ref) => ref.includes('/vectors/'));
}

/** Tree of a notes ref: equal trees are equal records. */
export const treeOf = (repo: TestRepo, ref = vectorRefs(repo)[0]): string => repo.git('rev-parse', `${ref}^{tree}`);

/** Blob to note of the one vectors ref. */
export function vectorNotes(repo: TestRepo, ref = vectorRefs(repo)[0]): Map<string, string> {
  const lines = repo.git('notes', `--ref=${ref}`, 'list').split('\n');
  return new Map(lines.filter(Boolean).map((line) => line.split(' ').reverse() as [string, string]));
}

/** Files of the shard directory whose name fits. */
export function shardFiles(repo: TestRepo, pattern: RegExp): string[] {
  return (readdirSync(repo.state, { recursive: true }) as string[])
    .filter((name) => pattern.test(name))
    .map((name) => join(repo.state, name))
    .sort();
}
