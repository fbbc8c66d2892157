/** Reads the setting files of a repository from the work tree or from a tree. */
import { join } from 'node:path';
import { plainFileAt, readPlainFile } from '../base/atomic.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';
import { log } from '../base/log.js';
import { ARTIFACTS_FILE, type Artifact, MAX_ARTIFACTS_READ, parseArtifacts } from '../config/context-artifacts.js';
import type { ObjectReader } from '../git/objects.js';
import { findTopEntry } from '../git/snapshot.js';

export interface SettingFile {
  text: string;
  origin: string;
}

interface SettingPlace {
  /** File name at the top of a tree. */
  name: string;
  /** Larger files are rejected rather than silently ignored. */
  maxBytes: number;
}

export const CONFIG_FILE: SettingPlace = { name: '.socraticode.json', maxBytes: 64 * 1024 };
export const IGNORE_FILE: SettingPlace = { name: '.socraticodeignore', maxBytes: 256 * 1024 };

/** Places to read settings from: a work tree, preferred to a tree; null for a missing one. */
export interface SettingSource {
  workTree: string | null;
  tree: string | null;
  objects: ObjectReader;
}

/** Reads regular files only: a symlink could point at any file of the user. Throws BAD_CONFIG for a file that is too large. */
export async function readSetting(source: SettingSource, place: SettingPlace): Promise<SettingFile | null> {
  const { workTree, tree } = source;
  if (workTree !== null) return inWorkTree(join(workTree, place.name), place);
  return tree === null ? null : inTree(source.objects, tree, place);
}

function inWorkTree(path: string, { name, maxBytes }: SettingPlace): SettingFile | null {
  let bytes: Buffer | null;
  try {
    bytes = readPlainFile(path, maxBytes);
    if (bytes === null && (plainFileAt(path)?.size ?? 0) > maxBytes) throw tooLarge(name, maxBytes);
  } catch (error) {
    if (isSocraticodeError(error)) throw error;
    return null;
  }
  return bytes === null ? null : { text: bytes.toString('utf8'), origin: name };
}

async function inTree(
  objects: ObjectReader,
  tree: string,
  { name, maxBytes }: SettingPlace,
): Promise<SettingFile | null> {
  const entry = await findTopEntry(objects, tree, name);
  // A symlink's blob is a path, not settings.
  if (entry === null || entry.type === 'symlink') return null;
  const info = await objects.info(entry.oid);
  if (info?.type !== 'blob') return null;
  const origin = `${tree.slice(0, 12)}:${name}`;
  if (info.size > maxBytes) throw tooLarge(origin, maxBytes);
  const object = await objects.read(info.oid);
  return object === null ? null : { text: object.content.toString('utf8'), origin };
}

function tooLarge(origin: string, maxBytes: number): SocraticodeError {
  return new SocraticodeError('BAD_CONFIG', `${origin} is larger than ${maxBytes / 1024} KiB`, {
    hint: 'Make it smaller: a pattern for a folder does what one for each file in it does.',
  });
}

const ARTIFACTS_PLACE: SettingPlace = { name: ARTIFACTS_FILE, maxBytes: MAX_ARTIFACTS_READ };

interface ArtifactsRead {
  artifacts?: readonly Artifact[];
  artifactsFault?: string;
  /** Different for different files; undefined without a file. */
  artifactsKey?: string;
}

/** Warns once about an invalid file; only questions about artifacts fail for it. */
export async function readArtifacts(source: SettingSource): Promise<ArtifactsRead> {
  let artifactsKey: string | undefined;
  try {
    const file = await readSetting(source, ARTIFACTS_PLACE);
    if (file === null) return {};
    artifactsKey = file.text;
    return { artifacts: parseArtifacts(file), artifactsKey };
  } catch (error) {
    if (!isSocraticodeError(error, 'BAD_CONFIG')) throw error;
    log.tellOnce('warn', `${visibleLine(error.message)}; context artifacts are left out`);
    return { artifactsFault: error.message, artifactsKey: artifactsKey ?? error.message };
  }
}
