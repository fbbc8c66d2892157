/**
 * Files of the past commits that were asked about last, one each, so that a new process which asks again answers as from a
 * cached view. A file holds the view of the commit, the shards of the files that no published shard has, and their vectors.
 * Few are kept, and their bytes are bounded by those of the published shards.
 */
import { basename, join } from 'node:path';
import { readPlainFile, writeStateFile } from '../../base/atomic.js';
import { sealFile, unsealFile } from '../../base/sealed.js';
import { packSections, Sections } from '../../base/sections.js';
import { decodeView, encodeView } from '../../search/corpus.js';
import { LexicalShard } from '../../shard/lexical.js';
import type { Manifest } from '../../shard/manifest.js';
import { VectorShard } from '../../shard/vector-shard.js';
import { type KnownVectors, knownVectors, rememberVectors } from '../vectors/vectors.js';
import { arrange, compact, type LocalShards, removeOldest, touch, type View } from './view-cache.js';

const PAST_NAME = /^past-([0-9a-f]{24})\.bin$/;
const PAST_MAGIC = 'GSCPAST1';
const KEPT = 4;

interface PastMeta {
  /** Names of the shards that the view refers to, in its own numbering. */
  shards: string[];
  state: string | null;
  own: OwnShard[];
}

/** A shard of the file itself, with the profile of its vectors; null without vectors. */
interface OwnShard {
  name: string;
  vectors: { profile: string; dimensions: number; isWhole: boolean } | null;
}

/** Most bytes of these files: one and a half times those of the published shards with their vectors, which take about as much. */
function mostBytes({ shards }: Manifest): number {
  return 3 * shards.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Reads the view of a past commit; null without a usable file. The published shards that it names must be open. */
export function readPast<T>(
  directory: string,
  key: string,
  local: LocalShards & { manifest: Manifest },
): View<T> | null {
  const path = join(directory, `past-${key}.bin`);
  try {
    const sections = open(directory, key, mostBytes(local.manifest));
    const { shards: names, state, own: listed } = sections.meta;
    if (state !== null && state !== local.localState) return null;
    const own = listed.map((each, i) => ownShard(sections, each, i));
    const shards = arrange([...local.shards, ...own], names);
    if (shards === null) return null;
    touch(path);
    return { ...decodeView<T>(sections.bytes('view'), shards, path), localState: state, own };
  } catch {
    return null;
  }
}

/** Throws if the file is missing, damaged, or not written here by this user. */
function open(directory: string, key: string, maxBytes: number): Sections<PastMeta> {
  const path = join(directory, `past-${key}.bin`);
  const file = readPlainFile(path, maxBytes);
  if (file === null) throw new Error('no file');
  return new Sections(unsealFile(sealedName(directory, key), file).content as Buffer, PAST_MAGIC, path);
}

function ownShard(sections: Sections<PastMeta>, { name, vectors }: OwnShard, i: number): LexicalShard {
  const shard = new LexicalShard(sections.bytes(`words${i}`), name);
  if (vectors === null) return shard;
  const { buffer, byteOffset, byteLength } = sections.u8(`rows${i}`);
  const columns = {
    dimensions: vectors.dimensions,
    rows: new Int8Array(buffer, byteOffset, byteLength),
    squares: sections.u32(`squares${i}`),
    present: vectors.isWhole ? null : sections.u8(`present${i}`),
  };
  rememberVectors(shard, { profile: vectors.profile, vectors: new VectorShard(columns) });
  return shard;
}

/**
 * Writes the view of a past commit with the shards that are in no file of their own, whose bytes `inMemory` holds. Never
 * throws.
 */
export function writePast<T>(
  { directory, manifest }: { directory: string; manifest: Manifest },
  key: string,
  { corpus, extra, localState }: View<T>,
  inMemory: WeakMap<LexicalShard, Buffer>,
): void {
  const { names, files } = compact(corpus.live);
  const sections: Record<string, Uint8Array | Uint32Array> = {
    view: encodeView({ ...corpus, live: { ...corpus.live, files } }, extra),
  };
  const own = corpus.live.shards.filter((shard) => inMemory.has(shard) && names.includes(shard.name));
  const listed = own.map((shard, i): OwnShard => {
    sections[`words${i}`] = inMemory.get(shard) as Buffer;
    return { name: shard.name, vectors: addVectors(sections, i, knownVectors(shard)) };
  });
  const most = mostBytes(manifest);
  try {
    const meta: PastMeta = { shards: names, state: localState, own: listed };
    const file = sealFile(sealedName(directory, key), packSections(PAST_MAGIC, meta, sections), null);
    if (file.length > most) return;
    writeStateFile(join(directory, `past-${key}.bin`), file);
    removeOldest(directory, PAST_NAME, { files: KEPT, bytes: most });
  } catch {
    // The repository may be read-only: the next process takes longer.
  }
}

function addVectors(
  sections: Record<string, Uint8Array | Uint32Array>,
  i: number,
  known: KnownVectors | undefined,
): OwnShard['vectors'] {
  if (known === undefined) return null;
  const { rows, squares, present, dimensions } = known.vectors;
  sections[`rows${i}`] = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  sections[`squares${i}`] = squares;
  if (present !== null) sections[`present${i}`] = present;
  return { profile: known.profile, dimensions, isWhole: present === null };
}

/** Returns whether the file is a whole one with this user's seal; null for names of other files. */
export function isWholePast(directory: string, name: string): boolean | null {
  const key = PAST_NAME.exec(name)?.[1];
  if (key === undefined) return null;
  try {
    open(directory, key, Number.MAX_SAFE_INTEGER);
    return true;
  } catch {
    return false;
  }
}

function sealedName(directory: string, key: string): string {
  return `${basename(directory)}/past-${key}`;
}
