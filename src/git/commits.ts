/**
 * Commits: a parser of commit objects, and lists of commits with their parents, times, and changed files. Git's own formatting is not
 * used, since settings of the repository change it. Nothing is fetched: in a partial clone renames are those of equal content, for which
 * git reads no blob. Also signatures of digests, which are signed commits of the empty tree.
 */
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { signs } from '../base/printable.js';
import { unquote } from './blame.js';
import { EMPTY_TREES, nulFields, presentOid, RAW_FLAGS } from './diff.js';
import { decodePath, isFileMode, type ObjectReader } from './objects.js';
import { childEnd, type Git, gitFailure, NOTHING_THERE, writeInput } from './process.js';
import { type ConfigEntry, isOfRepository } from './repository.js';

export interface CommitInfo {
  commit: string;
  parents: string[];
  /** Author date, ISO 8601 in the author's time zone; null if it is invalid. */
  date: string | null;
  author: string;
  /** Address as the commit has it; '' for none. */
  email: string;
  /** Author's time in seconds since 1970; null if it is invalid. */
  authored: number | null;
  /** First line of the message. */
  subject: string;
  /** Message below its first line; at most 16 KiB of it. */
  body: string;
}

/** Limit on the characters of a subject or name, since a hostile commit can have any number. */
const MAX_TEXT = 500;
/** Longer messages are generated, or hostile. */
const MAX_MESSAGE_BYTES = 16 << 10;
const MAX_COMMIT_BYTES = 1 << 20;

/** Reads a commit; null if it cannot be read or has more than 1 MiB. */
export async function readCommit(objects: ObjectReader, oid: string): Promise<CommitInfo | null> {
  const info = await objects.info(oid);
  if (info?.type !== 'commit' || info.size > MAX_COMMIT_BYTES) return null;
  const object = await objects.read(oid);
  return object === null ? null : parseCommit(oid, object.content);
}

export function parseCommit(oid: string, content: Buffer): CommitInfo {
  const end = content.indexOf('\n\n');
  const header = content.toString('latin1', 0, end < 0 ? content.length : end).split('\n');
  const headerOf = (key: string) => header.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
  const decode = decoderOf(headerOf('encoding'));
  const author = parseAuthor(headerOf('author') ?? '');
  const message = (end < 0 ? '' : decode(content.subarray(end + 2, end + 2 + MAX_MESSAGE_BYTES))).trimStart();
  const [firstLine] = message.split('\n');
  return {
    commit: oid,
    parents: header.filter((line) => line.startsWith('parent ')).map((line) => line.slice('parent '.length)),
    date: isoDate(author.seconds, author.zone),
    author: cut(decode(Buffer.from(author.name, 'latin1'))),
    email: cut(decode(Buffer.from(author.email, 'latin1'))),
    authored: author.seconds === undefined ? null : Number(author.seconds),
    subject: cut(firstLine),
    body: message.slice(firstLine.length).trim(),
  };
}

/** Parses `A U Thor <mail> 1700000000 +0000`. One regular expression for all of it would take quadratic time on a line of blanks. */
function parseAuthor(line: string): { name: string; email: string; seconds?: string; zone?: string } {
  const open = line.indexOf('<');
  const close = line.indexOf('>', open);
  if (open === -1 || close === -1) return { name: '', email: '' };
  const [, seconds, zone] = /^\s*(-?\d+) ?([+-]\d{4})?/.exec(line.slice(close + 1)) ?? [];
  return { name: line.slice(0, open), email: line.slice(open + 1, close), seconds, zone };
}

function cut(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > MAX_TEXT ? `${trimmed.slice(0, MAX_TEXT)}${signs.cut}` : trimmed;
}

/** Returns a decoder for the encoding that the commit names if it is known; else for UTF-8. */
function decoderOf(encoding: string | undefined): (bytes: Uint8Array) => string {
  try {
    const decoder = new TextDecoder(encoding);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => Buffer.from(bytes).toString('utf8');
  }
}

const MINUTE_MS = 60_000;
/** The time zone farthest from UTC. */
const MAX_ZONE_MINUTES = 14 * 60;

function isoDate(seconds: string | undefined, zone = '+0000'): string | null {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  const isZone = minutes <= MAX_ZONE_MINUTES;
  const east = zone[0] === '-' ? -minutes : minutes;
  const shift = isZone ? east : 0;
  const date = new Date(Number(seconds) * 1000 + shift * MINUTE_MS);
  if (seconds === undefined || Number.isNaN(date.getTime())) return null;
  const suffix = shift === 0 ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return date.toISOString().replace('.000Z', suffix);
}

export interface ListedCommit {
  commit: string;
  parents: string[];
  /** Committer's time in seconds since 1970. */
  time: number;
}

/** Lists at most `maxCommits` commits, newest first. Throws GIT_FAILED. */
export async function listCommits(
  git: Git,
  { tip, maxCommits, signal }: { tip: string; maxCommits: number; signal?: AbortSignal },
): Promise<ListedCommit[]> {
  const args = ['rev-list', '--parents', '--timestamp', `--max-count=${maxCommits}`, '--end-of-options', tip, '--'];
  const { stdout } = await git.run(args, { signal });
  const found: ListedCommit[] = [];
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at);
    // A line is decoded by itself: caches know commits for long, and a part of one text would keep all of it.
    const [time, commit, ...parents] = stdout.toString('latin1', at, end < 0 ? stdout.length : end).split(' ');
    found.push({ commit, parents, time: Number(time) });
    at = end < 0 ? stdout.length : end + 1;
  }
  return found;
}

/** Files that a commit changed against its first parent. */
export interface CommitFiles {
  commit: string;
  /** Paths after the commit; for a removed file its path before. */
  paths: string[];
  renames: [from: string, to: string][];
  /** Blobs before and after, in the order of `paths`; null if the file does not exist there. */
  blobs: { before: string | null; after: string | null }[];
}

/** Git compares each added file with each removed one. Beyond this number only equal contents count as renames. */
const MAX_RENAME_CANDIDATES = 200;

/**
 * Visits those of `commits` that have at most one parent and change files. Returns false if git stopped because an object is missing
 * here: commits that were not visited are then unknown. Throws CANCELLED, and for a full disk or memory.
 */
export async function diffCommits(
  git: Git,
  commits: readonly string[],
  { partial, signal }: { partial: boolean; signal?: AbortSignal },
  visit: (files: CommitFiles) => void,
): Promise<boolean> {
  const renames = partial ? ['-M100%'] : ['-M', `-l${MAX_RENAME_CANDIDATES}`];
  const args = ['diff-tree', '--stdin', '-r', '--root', ...RAW_FLAGS, ...renames, '--'];
  const child = git.spawn(args, { signal });
  const ended = childEnd(child);
  // Awaited below; until then a rejection must not count as unhandled.
  ended.catch(() => {});
  const feeding = feed(commits, child.stdin);
  try {
    const last = await readCommits(child.stdout, visit);
    await feeding;
    const { code, stderr } = await ended;
    if (code !== 0) {
      const failure = gitFailure(args, code, stderr);
      if (isSocraticodeError(failure, 'UNREADABLE_OBJECT') || isSocraticodeError(failure, 'GIT_FAILED')) return false;
      throw failure;
    }
    if (last !== null) visit(last);
    return true;
  } catch (error) {
    child.kill('SIGKILL');
    await Promise.allSettled([ended, feeding]);
    throw signal?.aborted ? new SocraticodeError('CANCELLED', 'cancelled', { cause: error }) : error;
  }
}

const COMMITS_AT_ONCE = 500;

async function feed(commits: readonly string[], to: NodeJS.WritableStream & { writable: boolean }): Promise<void> {
  for (let i = 0; i < commits.length; i += COMMITS_AT_ONCE) {
    const lines = `${commits.slice(i, i + COMMITS_AT_ONCE).join('\n')}\n`;
    if (!(await writeInput(to, lines))) break;
  }
  to.end();
}

const COLON = 0x3a;

/** Visits all commits but the last, in the middle of which git may have stopped, and returns that one. */
async function readCommits(
  stream: AsyncIterable<Buffer>,
  visit: (files: CommitFiles) => void,
): Promise<CommitFiles | null> {
  let current: CommitFiles | null = null;
  /** Change whose paths follow. `from`: the path before a rename. */
  let change: ReturnType<typeof changeOf> | null = null;
  let from: string | null = null;
  for await (const field of nulFields(stream)) {
    if (change !== null && current !== null) {
      const path = decodePath(field);
      if (change.letter === 'R' && from === null) from = path;
      else {
        if (from !== null) current.renames.push([from, path]);
        current.paths.push(path);
        current.blobs.push({ before: change.before, after: change.after });
        [change, from] = [null, null];
      }
    } else if (field[0] === COLON) change = changeOf(field);
    else {
      if (current !== null) visit(current);
      current = { commit: field.toString('latin1'), paths: [], renames: [], blobs: [] };
    }
  }
  return current;
}

/** Lines that a commit changed in one file. */
export interface FileLines {
  /** Path after the commit; null for a removed file. `from`: path before it; null for a new one. */
  path: string | null;
  from: string | null;
  /** For each changed place, first to last: first line after the commit (of a removal, the line above), lines removed, lines added. */
  hunks: number[];
}

export interface CommitLines {
  commit: string;
  files: FileLines[];
}

/** Bytes of differences that are read, newest commits first: five thousand commits of a large project have half of it. */
const MAX_DIFF_BYTES = 256 << 20;
const LINE_FLAGS = ['-p', '-U0', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/', '--no-color'];

/**
 * Visits the commits that change lines of text, in the given order; those beyond `MAX_DIFF_BYTES` are left out. All of them have one
 * parent at most. Throws GIT_FAILED, UNREADABLE_OBJECT if a version is missing here, and CANCELLED.
 */
export async function diffLines(
  git: Git,
  commits: readonly string[],
  signal: AbortSignal | undefined,
  visit: (lines: CommitLines) => void,
): Promise<void> {
  const flags = [...LINE_FLAGS, '--no-ext-diff', '--no-textconv', '-M', `-l${MAX_RENAME_CANDIDATES}`];
  const args = ['diff-tree', '--stdin', '-r', '--root', ...flags, '--'];
  const child = git.spawn(args, { signal, config: [['core.quotePath', 'false']] });
  const ended = childEnd(child);
  const feeding = feed(commits, child.stdin);
  const parser = new LineParser(visit);
  let bytes = 0;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_DIFF_BYTES) return;
      parser.add(chunk);
    }
    await feeding;
    const { code, stderr } = await ended;
    if (code !== 0) throw gitFailure(args, code, stderr);
    parser.end();
  } catch (error) {
    throw signal?.aborted ? new SocraticodeError('CANCELLED', 'cancelled', { cause: error }) : error;
  } finally {
    child.kill('SIGKILL');
    await Promise.allSettled([ended, feeding]);
  }
}

const NEWLINE = 0x0a;
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Characters of a line that are looked at: a path is no longer, and a line of code is skipped. */
const MAX_HEAD = 4_096;

/** Reads differences without the text of their lines, which are skipped by number: they may look like anything. */
class LineParser {
  private rest: Buffer = Buffer.alloc(0);
  private skipped = 0;
  private current: CommitLines | null = null;
  private file: FileLines | null = null;

  constructor(private readonly visit: (lines: CommitLines) => void) {}

  add(chunk: Buffer): void {
    const data = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let at = 0;
    for (let end = data.indexOf(NEWLINE); end !== -1; end = data.indexOf(NEWLINE, at)) {
      if (this.skipped > 0) this.skipped--;
      else this.line(data.toString('latin1', at, Math.min(end, at + MAX_HEAD)));
      at = end + 1;
    }
    // Only the head of a line is looked at. Joined whole, a line of 100 MB would be copied once for each of its pieces.
    this.rest = data.subarray(at, at + MAX_HEAD);
  }

  /** Visits the last commit. */
  end(): void {
    if (this.current !== null) this.visit(this.current);
    this.current = null;
  }

  private line(text: string): void {
    if (/^[0-9a-f]{40,64}$/.test(text)) {
      this.end();
      this.current = { commit: text, files: [] };
    } else if (text.startsWith('diff --git ')) {
      this.file = { path: null, from: null, hunks: [] };
      this.current?.files.push(this.file);
    } else if (this.file !== null) this.ofFile(text, this.file);
  }

  private ofFile(text: string, file: FileLines): void {
    const hunk = HUNK.exec(text);
    if (hunk !== null) {
      const [removed, added] = [Number(hunk[1] ?? 1), Number(hunk[3] ?? 1)];
      file.hunks.push(Number(hunk[2]), removed, added);
      this.skipped = removed + added;
    } else if (text.startsWith('--- ')) file.from = pathOf(text.slice(4), 'a/');
    else if (text.startsWith('+++ ')) file.path = pathOf(text.slice(4), 'b/');
    else if (text.startsWith('rename from ')) file.from = pathOf(text.slice(12), '');
    else if (text.startsWith('rename to ')) file.path = pathOf(text.slice(10), '');
  }
}

/** Path of a line of a difference; git writes a tab behind one with blanks. */
function pathOf(text: string, prefix: string): string | null {
  if (text === '/dev/null') return null;
  const path = unquote(text.replace(/\t$/, ''));
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Parses `:100644 100644 OLD NEW R095`. Only files have a blob. */
function changeOf(head: Buffer): { letter: string; before: string | null; after: string | null } {
  const [oldMode, newMode, before, after, status = 'M'] = head.toString('latin1', 1).split(' ');
  const blobOf = (mode: string, oid: string) => (isFileMode(mode) ? presentOid(oid) : null);
  return { letter: status[0], before: blobOf(oldMode, before), after: blobOf(newMode, after) };
}

// Signatures: git signs a commit of the empty tree whose message is a digest, so that keys, agents and formats are those of the user's commits.

/** Programs and lists of keys that git would take from a repository's configuration, which can come in an archive; defaults of git. */
const SIGNING = {
  'gpg.program': 'gpg',
  'gpg.openpgp.program': 'gpg',
  'gpg.x509.program': 'gpgsm',
  'gpg.ssh.program': 'ssh-keygen',
  'gpg.ssh.defaultkeycommand': '',
  'gpg.ssh.allowedsignersfile': '',
  'gpg.ssh.revocationfile': '',
};

/** Settings by which the user's own configuration alone decides what runs, and whose keys are known. */
function ownSigning(config: readonly ConfigEntry[]): [string, string][] {
  const own = (key: string) => config.filter((entry) => entry.key === key && !isOfRepository(entry)).at(-1)?.value;
  const program = own('gpg.program');
  return Object.entries(SIGNING).flatMap(([key, usual]): [string, string][] => {
    const inherited = key === 'gpg.openpgp.program' ? program : undefined;
    const isSet = config.some((entry) => entry.key === key);
    return isSet || inherited !== undefined ? [[key, own(key) ?? inherited ?? usual]] : [];
  });
}

interface Signing {
  git: Git;
  gitConfig: readonly ConfigEntry[];
}

/** Does the user sign commits? */
export function signsCommits(config: readonly ConfigEntry[]): boolean {
  return /^(?:true|yes|on|1)$/i.test(config.filter(({ key }) => key === 'commit.gpgsign').at(-1)?.value ?? '');
}

/** Signs a digest, and returns the commit as text. Throws GIT_FAILED if git cannot sign. */
export async function signDigest({ git, gitConfig }: Signing, digest: string, tree: string): Promise<string> {
  const config = ownSigning(gitConfig);
  const { stdout } = await git.run(['commit-tree', '-S', '-m', digest, tree], { config });
  return (await git.run(['cat-file', 'commit', stdout.toString('latin1').trim()])).stdout.toString('utf8');
}

export const emptyTree = (format: keyof typeof EMPTY_TREES): string => EMPTY_TREES[format];

/** Signer of a digest, as git names them, if git calls the signature good and knows the key as trusted; else null. */
export async function signerOf({ git, gitConfig }: Signing, signature: string, digest: string): Promise<string | null> {
  const isOurs = /^tree [0-9a-f]{40,64}\nauthor [^\n]*\ncommitter [^\n]*\n(?:encoding [^\n]*\n)?gpgsig/.test(signature);
  if (!isOurs || !signature.endsWith(`\n\n${digest}\n`)) return null;
  const written = await git.run(['hash-object', '-t', 'commit', '-w', '--stdin'], {
    input: signature,
    allow: NOTHING_THERE,
  });
  if (written.code !== 0) return null;
  const args = ['log', '-1', '--no-walk', '--format=%G?%x00%GS', written.stdout.toString('latin1').trim()];
  const { stdout } = await git.run(args, { config: ownSigning(gitConfig), allow: NOTHING_THERE });
  const [status, signer = ''] = stdout.toString('utf8').trimEnd().split('\0');
  return status === 'G' && signer !== '' ? cut(signer) : null;
}
