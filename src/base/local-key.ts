/**
 * The key of this user on this machine. What a repository's local state says is believed only with a seal made with it:
 * a checksum fits whoever made it, and `.git` can come in an archive. The key lies outside every repository and never
 * leaves this machine; without it there is no harm but the time of building the state again.
 */
import { createHash, createHmac, type Hmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { plainFileAt, readPlainFile, removeStaleTemporaries, standingAt, TEMP_PREFIX } from './atomic.js';
import { log } from './log.js';

export interface LocalKey {
  /** 8 hex digits that name the key without telling it. */
  readonly id: string;
  /** An HMAC-SHA-256 that was given the name of what is sealed, so that one file cannot stand for another. */
  hmac(name: string): Hmac;
}

/** What seals are made with. `boot`: facts of this machine until it is started again. `process`: a number drawn by this process. */
export type LocalKeyKind = 'file' | 'boot' | 'process';

export interface LocalKeyDescription {
  kind: LocalKeyKind;
  id: string;
  /** Where the file is, or would be; null where there is no home directory. */
  path: string | null;
  /** Why it is not used; null if it is. */
  problem: string | null;
}

interface Found extends LocalKeyDescription {
  secret: Buffer;
}

const KEY_BYTES = 32;
const FOLDER = 'git-socraticode';
const FILE = 'key';
/** Who may do anything with it but its owner. */
const OTHERS = 0o077;
/** Random for each start of the machine, and unknown to whoever made an archive; a container has that of its host. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const MACHINE_ID = '/etc/machine-id';
/** Hands a key that is no file down to the processes and threads that are started from here. */
const HANDED_DOWN = 'GIT_SOCRATICODE_PROCESS_KEY';
const HANDED_FORM = /^(boot|process):([0-9a-f]{64})$/;

let known: Found | null = null;

/** The key of this process; made on the first need of all. */
export function localKey(): LocalKey {
  const { secret, id } = found();
  return { id, hmac: (name) => macWith(secret, name) };
}

/** For `doctor`. */
export function describeLocalKey(): LocalKeyDescription {
  const { kind, id, path, problem } = found();
  return { kind, id, path, problem };
}

/**
 * Name of the folder of local state for a profile: whose key is another one (another user, a container and its host) has
 * another folder, so that nobody throws away what the other built.
 */
export function stateFolder(profile: string): string {
  return `${profile}-${localKey().id}`;
}

/** Folders of local state: the profile, and the id of the key; before there were keys there was none. */
export const STATE_FOLDER = /^([0-9a-f]{12})(?:-([0-9a-f]{8}))?$/;

function found(): Found {
  known ??= findLocalKey(process.env);
  return known;
}

/** Exported for tests: everything above asks once. */
export function findLocalKey(env: NodeJS.ProcessEnv): Found {
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
  log.tell('info', `no key file can be used (${problem}): what is built here is trusted until ${until}`);
  return other;
}

function describe(secret: Buffer, kind: LocalKeyKind, path: string | null, problem: string | null): Found {
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

/** Of the environment, else of the user database; a directory that is missing is not made. */
function homeOrNull(): string | null {
  try {
    const home = homedir();
    return isAbsolute(home) && standingAt(home) !== undefined ? home : null;
  } catch {
    return null;
  }
}

/** Null if there is none. Throws if what stands there is no key of this user, and for this user alone. */
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

/** Makes the key, unless another process is faster: then it is theirs. Throws where it cannot be kept. */
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

/** Under its name, unless there is one by now: a link fails where a rename would replace. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // A file system without hard links. Two first runs at once: the first one's state is built a second time.
    if (standingAt(path) === undefined) renameSync(temporary, path);
  }
}

/** Root in somebody's home directory (`sudo`) leaves no file there that its owner could not read. */
function refuseForeign(directory: string): void {
  let above = directory;
  while (standingAt(above) === undefined && dirname(above) !== above) above = dirname(above);
  const stat = standingAt(above);
  if (process.getuid !== undefined && stat !== undefined && !stat.isSymbolicLink() && stat.uid !== process.getuid())
    throw new Error(`${above} belongs to another user`);
}

/**
 * A key that needs no file. The id of the machine alone would not do: those of public container images are known. Null
 * where the system tells nothing that is.
 */
function bootSecret(): Buffer | null {
  const boot = textAt(BOOT_ID);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(boot) || /^[0-]*$/.test(boot)) return null;
  const facts = JSON.stringify(['git-socraticode local key', boot, textAt(MACHINE_ID), process.getuid?.() ?? null]);
  return createHash('sha256').update(facts).digest();
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
