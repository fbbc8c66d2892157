/** Disk space: the local state by kind, git's own objects, files left by killed processes; and the log. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { standingAt, TEMP_PREFIX } from '../../../base/atomic.js';
import { STATE_FOLDER } from '../../../base/local-key.js';
import { logPath, readLog } from '../../../base/log-file.js';
import { localStateDirectory } from '../../../git/repository.js';
import type { Session } from '../../../session/session.js';
import { bytesOf, count, type Finding, fine } from '../check.js';

/** By how files begin (data); the first that fits. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^lexical-/, 'words'],
  [/^vectors-.*\.hnsw$/, 'vector graphs'],
  [/^vectors-/, 'vectors'],
  [/^(?:graph|memory|work)-/, 'code graphs'],
  [/^view-/, 'views'],
  [/^past-/, 'past commits'],
  [/^(?:log\.jsonl|hook\.stderr)/, 'log'],
];
const MAX_DEPTH = 6;
/** Listing more would take longer than anybody waits. */
const MAX_FILES = 100_000;
/** Writers may still be at it. */
const FRESH_MS = 10 * 60_000;

interface Tally {
  bytes: Map<string, number>;
  leftovers: { path: string; bytes: number }[];
  files: number;
}

export function checkState(session: Session): Finding[] {
  const state = localStateDirectory(session.repository);
  const tally: Tally = { bytes: new Map(), leftovers: [], files: 0 };
  visit(tally, state, basename(session.shards.directory), 0);
  const total = [...tally.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const kinds = [...tally.bytes].sort((a, b) => b[1] - a[1]);
  const detail =
    total === 0
      ? 'nothing'
      : `${bytesOf(total)}: ${kinds.map(([kind, bytes]) => `${kind} ${bytesOf(bytes)}`).join(', ')}`;
  const left = [...tally.leftovers, ...debrisOfGit(session)];
  return [
    { ...fine(detail), name: 'local state', facts: Object.fromEntries(kinds) },
    { ...leftovers(left), name: 'leftovers', facts: { files: left.length } },
  ];
}

function leftovers(left: Tally['leftovers']): Finding {
  if (left.length === 0) return fine('none');
  const names = left.slice(0, 3).map(({ path }) => basename(path));
  const more = left.length > names.length ? ', …' : '';
  const size = bytesOf(left.reduce((sum, { bytes }) => sum + bytes, 0));
  return fine(
    `${count(left.length, 'file')}, ${size}, of runs that were killed: later ones remove them (${names.join(', ')}${more})`,
  );
}

function visit(tally: Tally, directory: string, own: string, depth: number, folder: string | null = null): void {
  if (depth > MAX_DEPTH || !standingAt(directory)?.isDirectory()) return;
  for (const name of readdirSync(directory)) {
    if (++tally.files > MAX_FILES) return;
    const path = join(directory, name);
    const stat = standingAt(path);
    if (stat?.isDirectory()) visit(tally, path, own, depth + 1, kindOfFolder(name, own) ?? folder);
    else if (stat !== undefined) {
      const kind = folder ?? KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
      tally.bytes.set(kind, (tally.bytes.get(kind) ?? 0) + stat.size);
      const isOld = Math.abs(Date.now() - stat.mtimeMs) > FRESH_MS;
      if (isOld && (name.startsWith(TEMP_PREFIX) || name.endsWith('.bad')))
        tally.leftovers.push({ path, bytes: stat.size });
    }
  }
}

function kindOfFolder(name: string, own: string): string | null {
  if (name.startsWith('overlay-')) return name.includes('-context-') ? 'outside artifacts' : 'uncommitted files';
  if (name === 'aside') return 'set aside by fsck';
  return STATE_FOLDER.test(name) && name !== own ? 'of other versions or users' : null;
}

/** Directories in which killed processes of git leave files: imports beside HEAD, packs among the objects. */
function debrisOfGit({ repository }: Session): Tally['leftovers'] {
  const places: [string, RegExp][] = [
    [repository.gitDir, /^fast_import_crash_\d+$/],
    [repository.commonDir, /^fast_import_crash_\d+$/],
    [join(repository.commonDir, 'objects', 'pack'), /^(?:\.tmp-|tmp_)/],
  ];
  const found = new Map<string, number>();
  for (const [directory, pattern] of places) {
    if (!standingAt(directory)?.isDirectory()) continue;
    for (const name of readdirSync(directory).filter((each) => pattern.test(each))) {
      const path = join(directory, name);
      const stat = standingAt(path);
      if (stat?.isFile() && Math.abs(Date.now() - stat.mtimeMs) > FRESH_MS) found.set(path, stat.size);
    }
  }
  return [...found].map(([path, bytes]) => ({ path, bytes }));
}

/** As `git count-objects` counts: kibibytes. */
export async function checkObjects({ repository }: Session): Promise<Finding> {
  const text = await repository.git.text(['count-objects', '-v']);
  const value = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  const [loose, size, packs, packed] = ['count', 'size', 'packs', 'size-pack'].map(value);
  const detail = `${count(packs, 'pack')} of ${bytesOf(packed * 1024)}, ${count(loose, 'loose object')} of ${bytesOf(size * 1024)}`;
  return { ...fine(detail), facts: { packs, packedBytes: packed * 1024, loose, looseBytes: size * 1024 } };
}

export function checkLog(session: Session): Finding {
  const state = localStateDirectory(session.repository);
  const lines = readLog(state, Number.MAX_SAFE_INTEGER);
  if (lines.length === 0) return fine('empty');
  const errors = lines.filter(({ level }) => level === 'error');
  const last = errors.at(-1);
  const facts = { path: logPath(state), lines: lines.length, errors: errors.length };
  if (last === undefined) return { ...fine(`${count(lines.length, 'line')}, no errors (${logPath(state)})`), facts };
  const code = typeof last.data.code === 'string' ? `${last.data.code} ` : '';
  const text = `the last of ${count(errors.length, 'error')}, ${last.time}, ${last.command}: ${code}${last.message}`;
  return { ...fine(`${text} (${logPath(state)})`), facts };
}
