/**
 * Secret key of this user on this machine, with which the local state of repositories is sealed (HMAC). A `.git`
 * directory can come in an archive, and anybody can compute a checksum; only state sealed with this key is believed. The
 * key is kept outside every repository and never leaves this machine. Losing it costs only the time to rebuild the state.
 */
import { createHash, createHmac, type Hmac, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { plainFileAt, readPlainFile, standingAt, TEMP_PREFIX, textAt, writeFileAtomic } from './atomic.js';
import { log } from './log.js';
import { removeStaleTemporaries } from './processes.js';

interface LocalKey {
  /** 8 hex digits that identify the key without revealing it. */
  readonly id: string;
  /** HMAC-SHA-256 that starts with the name of the sealed file, so that one file cannot replace another. */
  hmac(name: string): Hmac;
}

/** Source of the key: a file; `boot`, facts of this machine until it restarts; `process`, a random number of this process. */
type LocalKeyKind = 'file' | 'boot' | 'process';

interface LocalKeyDescription {
  kind: LocalKeyKind;
  id: string;
  /** Path of the key file, existing or not; null without a home directory. */
  path: string | null;
  /** The reason why the file is not used; null if it is. */
  problem: string | null;
}

interface KnownKey extends LocalKeyDescription {
  secret: Buffer;
}

const KEY_BYTES = 32;
const FOLDER = 'git-socraticode';
const FILE = 'key';
/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;
/** Random for each start of the machine, so that no other machine can know it; containers share that of their host. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const MACHINE_ID = '/etc/machine-id';
/** Variable that passes a key without a file to child processes and threads. */
const HANDED_DOWN = 'GIT_SOCRATICODE_PROCESS_KEY';
const HANDED_FORM = /^(boot|process):([0-9a-f]{64})$/;

let known: KnownKey | null = null;

/** The key of this process, created on first use. */
export function localKey(): LocalKey {
  const { secret, id } = knownKey();
  return { id, hmac: (name) => macWith(secret, name) };
}

/** Facts about the key for `doctor`. */
export function describeLocalKey(): LocalKeyDescription {
  const { kind, id, path, problem } = knownKey();
  return { kind, id, path, problem };
}

/**
 * Name of the folder of local state for a profile and key. Users with different keys (a container and its host, say) have
 * different folders, so that none discards the state that another has built.
 */
export function stateFolder(profile: string): string {
  return `${profile}-${localKey().id}`;
}

/** Folders of local state: the profile and the id of the key, which old folders lack. */
export const STATE_FOLDER = /^([0-9a-f]{12})(?:-([0-9a-f]{8}))?$/;

function knownKey(): KnownKey {
  known ??= findLocalKey(process.env);
  return known;
}

/** Reads or creates the key, without the cache of the functions above. Exported for tests. */
export function findLocalKey(env: NodeJS.ProcessEnv): KnownKey {
  const path = keyPath(env);
  const [, kind, hex] = HANDED_FORM.exec(env[HANDED_DOWN] ?? '') ?? [];
  let problem = 'handed down by the process that started this one';
  if (kind !== undefined) return describe(Buffer.from(hex, 'hex'), kind as LocalKeyKind, path, problem);
  try {
    if (path === null) throw new Error('there is no home directory');
    return describe(readKey(path) ?? makeKey(path), 'file', path, null);
  } catch (error) {
    problem = (error as Error).message;
  }
  const fallback = bootSecret();
  const other = describe(fallback ?? randomBytes(KEY_BYTES), fallback === null ? 'process' : 'boot', path, problem);
  env[HANDED_DOWN] = `${other.kind}:${other.secret.toString('hex')}`;
  const until = other.kind === 'boot' ? 'this machine is started again' : 'this process ends';
  log.print('info', `no key file can be used (${problem}): what is built here is trusted until ${until}`);
  return other;
}

// Repositories that this user indexed, by their paths: one a line in a file beside the key, the newest last. Whoever may write it adds names
// to a list and nothing else: no repository is opened for standing there.

const REPOSITORIES = 'repositories';
const MAX_REPOSITORIES = 200;
/** Longer files are not ours. */
const MAX_LIST_BYTES = 1 << 20;

/** Never throws: the list is a convenience. */
export function rememberRepository(path: string): void {
  const { kind, path: key } = knownKey();
  if (kind !== 'file' || key === null || path.includes('\n')) return;
  const before = knownRepositories();
  if (before.includes(path)) return;
  try {
    const lines = [...before, path].slice(-MAX_REPOSITORIES);
    writeFileAtomic(join(dirname(key), REPOSITORIES), `${lines.join('\n')}\n`, 0o600);
  } catch {
    // Read-only, or full.
  }
}

/** Paths of work trees and bare repositories, which may be gone by now. */
export function knownRepositories(): string[] {
  const { path: key } = knownKey();
  try {
    const bytes = key === null ? null : readPlainFile(join(dirname(key), REPOSITORIES), MAX_LIST_BYTES);
    return (bytes?.toString('utf8') ?? '').split('\n').filter(isAbsolute).slice(-MAX_REPOSITORIES);
  } catch {
    return [];
  }
}

function describe(secret: Buffer, kind: LocalKeyKind, path: string | null, problem: string | null): KnownKey {
  return { secret, kind, path, problem, id: macWith(secret, 'id').digest('hex').slice(0, 8) };
}

function macWith(secret: Buffer, name: string): Hmac {
  return createHmac('sha256', secret).update(`${name}\0`);
}

function keyPath({ LOCALAPPDATA, XDG_STATE_HOME }: NodeJS.ProcessEnv): string | null {
  const named = process.platform === 'win32' ? LOCALAPPDATA : XDG_STATE_HOME;
  if (named !== undefined && isAbsolute(named)) return join(named, FOLDER, FILE);
  const home = homeOrNull();
  return home === null ? null : join(home, ...(process.platform === 'win32' ? [] : ['.local', 'state']), FOLDER, FILE);
}

/** Home directory from the environment or the user database; null if it does not exist. */
function homeOrNull(): string | null {
  try {
    const home = homedir();
    return isAbsolute(home) && standingAt(home) !== undefined ? home : null;
  } catch {
    return null;
  }
}

/** Null if there is no file. Throws unless it is a key that belongs to this user and only this user can read. */
function readKey(path: string): Buffer | null {
  if (standingAt(path) === undefined) return null;
  const stat = plainFileAt(path);
  if (stat === null) throw new Error(`${path} is not a regular file`);
  if (process.getuid !== undefined) {
    if (stat.uid !== process.getuid()) throw new Error(`${path} belongs to another user`);
    if ((stat.mode & OTHERS) !== 0) throw new Error(`${path} is open to other users`);
  }
  const bytes = readPlainFile(path, KEY_BYTES);
  if (bytes?.length !== KEY_BYTES) throw new Error(`${path} is not ${KEY_BYTES} bytes long`);
  return bytes;
}

/** Creates the key file, or reads the one that another process has just created. Throws if it cannot be written. */
function makeKey(path: string): Buffer {
  const directory = dirname(path);
  refuseForeign(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  removeStaleTemporaries(directory);
  const temporary = join(directory, `${TEMP_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    const fd = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(fd, randomBytes(KEY_BYTES));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    publish(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  const bytes = readKey(path);
  if (bytes === null) throw new Error(`${path} was removed`);
  return bytes;
}

/** Gives the file its final name unless a key has it by now: a link fails where a rename would replace. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // File system without hard links: if two first runs race, the state of one is rebuilt.
    if (standingAt(path) === undefined) renameSync(temporary, path);
  }
}

/** Throws if the directory is another user's: under `sudo`, root would leave a file that its owner cannot read. */
function refuseForeign(directory: string): void {
  let above = directory;
  while (standingAt(above) === undefined && dirname(above) !== above) above = dirname(above);
  const stat = standingAt(above);
  if (process.getuid !== undefined && stat !== undefined && !stat.isSymbolicLink() && stat.uid !== process.getuid())
    throw new Error(`${above} belongs to another user`);
}

/**
 * Key without a file, from the boot id; null without one. The machine id alone would not do: those of public container
 * images are known.
 */
function bootSecret(): Buffer | null {
  const boot = textAt(BOOT_ID);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(boot) || /^[0-]*$/.test(boot)) return null;
  const facts = JSON.stringify(['git-socraticode local key', boot, textAt(MACHINE_ID), process.getuid?.() ?? null]);
  return createHash('sha256').update(facts).digest();
}
