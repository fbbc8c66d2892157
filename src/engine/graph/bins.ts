/** Files that manifests name as commands: `bin` of package.json, `[project.scripts]` of pyproject.toml. */
import { posix } from 'node:path';
import type { ObjectReader } from '../../git/objects.js';
import type { Graph } from '../../graph/graph.js';

export interface Bin {
  name: string;
  path: string;
}

/** Manifests looked into: a monorepo has some hundred packages. */
const MAX_MANIFESTS = 200;
const MAX_MANIFEST_BYTES = 256 * 1024;
/** A hostile manifest could name any number. */
const MAX_BINS = 500;

export async function readBins(graph: Graph, objects: ObjectReader): Promise<Bin[]> {
  const manifests = graph.tables.files.filter(({ path }) => /(?:^|\/)(?:package\.json|pyproject\.toml)$/.test(path));
  const found: Bin[] = [];
  for (const { path, oid } of manifests.slice(0, MAX_MANIFESTS)) {
    const info = await objects.info(oid);
    const object = info !== null && info.size <= MAX_MANIFEST_BYTES ? await objects.read(oid) : null;
    if (object === null) continue;
    const text = object.content.toString('utf8');
    found.push(...(path.endsWith('.json') ? packageBins(graph, path, text) : projectScripts(graph, path, text)));
  }
  return found.slice(0, MAX_BINS);
}

function packageBins(graph: Graph, manifest: string, text: string): Bin[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const { bin, name } = (value ?? {}) as { bin?: unknown; name?: unknown };
  const own = typeof name === 'string' ? name.replace(/^.*\//, '') : manifest;
  const entries = typeof bin === 'string' ? [[own, bin]] : isRecord(bin) ? Object.entries(bin) : [];
  return entries.flatMap(([command, target]) => {
    if (typeof target !== 'string') return [];
    const path = sourceOf(graph, posix.join(posix.dirname(manifest), target));
    return path === null ? [] : [{ name: String(command), path }];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is built to `dist/cli.js` is written in `src/cli.ts`. */
const BUILD_FOLDER = /(?:^|\/)(?:dist|build|lib|out|bin)\//;
const SOURCE_FOLDERS = ['src/', 'source/', ''];
const SOURCE_ENDINGS = ['.ts', '.mts', '.tsx', '.js', '.mjs'];

function sourceOf(graph: Graph, path: string): string | null {
  if (graph.findFile(path) >= 0) return path;
  const stem = path.replace(/\.[cm]?js$/, '');
  for (const folder of SOURCE_FOLDERS) {
    const moved = stem.replace(BUILD_FOLDER, (match) => `${match.startsWith('/') ? '/' : ''}${folder}`);
    const ending = SOURCE_ENDINGS.find((each) => graph.findFile(moved + each) >= 0);
    if (ending !== undefined) return moved + ending;
  }
  return null;
}

/** `name = "package.module:function"` under `[project.scripts]` or `[tool.poetry.scripts]`. */
function projectScripts(graph: Graph, manifest: string, text: string): Bin[] {
  const found: Bin[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    if (/^\s*\[/.test(line)) inside = /^\s*\[(?:project|tool\.poetry)\.scripts\]/.test(line);
    const match = inside ? /^\s*"?([\w.-]{1,100})"?\s*=\s*"([\w.]{1,200})(?::[\w.]{1,200})?"/.exec(line) : null;
    if (match === null) continue;
    const [, name, module] = match;
    const stem = module.replaceAll('.', '/');
    const folder = posix.dirname(manifest);
    const paths = ['', 'src'].flatMap((root) =>
      [`${stem}.py`, `${stem}/__init__.py`].map((path) => posix.join(folder, root, path)),
    );
    const path = paths.find((each) => graph.findFile(each) >= 0);
    if (path !== undefined) found.push({ name, path });
  }
  return found;
}
