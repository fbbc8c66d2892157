/**
 * Approvals of changed code, by its content. An approval is of the content of a symbol and of its name, so it holds after a rebase, a
 * squash and a cherry-pick, and in another branch. Every byte of a change is in one part: a symbol without its members, the text outside of
 * all symbols, a file that cannot be told apart, its mode, or something removed.
 */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import { createProgress } from '../../base/progress.js';
import { qualifiedName } from '../../extract/collect-drafts.js';
import { emptyTree, signDigest, signerOf, signsCommits } from '../../git/commits.js';
import { diffTrees, type TreeChange } from '../../git/diff.js';
import type { EntryType } from '../../git/objects.js';
import { cut } from '../../graph/query/node-place.js';
import { FileDigest } from '../../history/symbol-diff.js';
import { isFile } from '../../history/trace.js';
import { claimNow } from '../../knowledge/codecs.js';
import {
  APPROVALS,
  type ApprovalBody,
  type ApprovedCode,
  type ApprovedKind,
  approvalDigest,
  type Claim,
  EntryStore,
  inTime,
  packApproved,
  type SeenHashes,
} from '../../knowledge/entry.js';
import { ONE_SET } from '../../knowledge/kinds.js';
import { commandText } from '../../params/param.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import type { Session } from '../../session/session.js';
import { mergeBase, parseRange, type Range } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import { approvedItem } from '../graph/changes/text.js';
import type { Pen } from '../pen.js';
import { itemLine, rows, total } from '../view.js';
import type { Approvals, ReviewOkDocument, ReviewOkValues } from './question.js';

/** A part of a change. */
interface Part extends ApprovedCode {
  /** 0 where the part has no line in the newer side. */
  line: number;
  kind: string;
  /** Is the text so short that the same text elsewhere is no sign of a move? */
  isSmall: boolean;
}

/** A part of one version, with its place among the others. */
interface VersionPart extends Part {
  index: number;
  container: number;
  /** Hash of the symbol with its members. */
  whole: string;
}

/** Bytes other than blanks of a text that is recognised under another name or in another file. */
const MIN_TELLING = 32;
/** A change with more files is compared as whole files. */
const MAX_FILES = 20_000;

const sha = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex');

/** A text without the name that it defines. Names of other things stay. */
function hashesOf(text: string, name: string): SeenHashes {
  const own = Buffer.from(name).toString('latin1');
  const plain = text.replaceAll('\r\n', '\n');
  const nameless = own === '' ? plain : plain.replace(/[\w$\x80-\xff]+/g, (word) => (word === own ? '\x01' : word));
  const lines = plain.split('\n').map((line) => line.trim());
  return { exact: sha(plain), nameless: sha(nameless), loose: sha(lines.filter((line) => line !== '').join('\n')) };
}

const isSmall = (text: string): boolean => text.replace(/\s+/g, '').length < MIN_TELLING;

interface Version {
  path: string;
  oid: string;
  type: EntryType;
}

function wholePart({ path, oid }: Version, what: ApprovedKind, text: string): VersionPart {
  const place = { path, symbol: '', blob: oid, line: 1, kind: what, index: -1, container: -2, whole: '' };
  return { what, ...place, ...hashesOf(text, ''), isSmall: isSmall(text) };
}

function partsOf(version: Version, digest: FileDigest, symbols: Parameters<typeof qualifiedName>[0]): VersionPart[] {
  const outside = digest.ownText(-1);
  const parts = outside.replaceAll('\0', '').trim() === '' ? [] : [wholePart(version, 'outside', outside)];
  for (let index = 0; index < digest.size; index++) {
    const { name, kind, startLine, container, exported } = digest.at(index);
    const text = `${exported ? 'exported ' : ''}${kind} ${digest.ownText(index)}`;
    parts.push({
      ...{ what: 'symbol', path: version.path, symbol: qualifiedName(symbols, index), blob: version.oid, kind },
      ...{ line: startLine, index, container, whole: digest.text(index), isSmall: isSmall(text) },
      ...hashesOf(text, name),
    });
  }
  return parts;
}

/** Reads the parts of versions by path. Files that are no text, or too large, are one part each. */
async function readParts(
  source: BlobFactsSource,
  versions: readonly Version[],
): Promise<Map<string, readonly VersionPart[]>> {
  const found = new Map<string, readonly VersionPart[]>();
  const files = versions.filter(({ type }) => isFile(type));
  await source.prefetch(
    files.slice(0, MAX_FILES),
    createProgress('reading both sides', 'versions'),
    (at, facts, bytes) => {
      const version = at as Version;
      if (facts === null || bytes === null) return;
      const isWhole = source.degraded.has(version.oid);
      const parts = isWhole
        ? [wholePart(version, 'file', bytes.toString('latin1'))]
        : partsOf(version, new FileDigest(bytes, facts), facts.symbols);
      found.set(version.path, parts);
    },
  );
  for (const version of versions) {
    const { path, oid, type } = version;
    if (!found.has(path)) found.set(path, [wholePart(version, 'file', `${isFile(type) ? 'blob' : type} ${oid}`)]);
  }
  return found;
}

const sideOf = (path: string, oid: string | null, type: EntryType | null): Version[] =>
  oid === null || type === null ? [] : [{ path, oid, type }];

/** A change: its parts, and those of its older side, which count as seen. */
interface Change {
  parts: Part[];
  older: readonly Part[];
  /** Is the place of code that was seen gone from the newer side? */
  isGone: (code: ApprovedCode) => Promise<boolean>;
}

async function readChange(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  { from, to }: Compared,
): Promise<Change> {
  const changes = await diffTrees(session.repository.git, from.tree, to.tree, { signal });
  const { languages, maxFileBytes } = (await session.configOfOrigin(await session.origin(to.commit))).config;
  const source = new BlobFactsSource(session, { languages, maxFileBytes, signal });
  try {
    const before = await readParts(
      source,
      changes.flatMap(({ path, oldOid, oldType }) => sideOf(path, oldOid, oldType)),
    );
    const after = await readParts(
      source,
      changes.flatMap(({ path, newOid, newType }) => sideOf(path, newOid, newType)),
    );
    const older = [...before.values()].flat();
    const parts = changes.flatMap((change) => freshParts(change, before.get(change.path), after.get(change.path)));
    parts.push(...removedParts(before, after, parts));
    const names = new Map([...after].map(([path, all]) => [path, new Set(all.map(nameOf))]));
    return { parts, older, isGone: await goneFrom(session, to.tree, names, source) };
  } finally {
    await source.close();
  }
}

const nameOf = ({ what, symbol }: ApprovedCode): string => `${what} ${symbol}`;

/** Parts of the newer version that the older one lacks, with a changed mode. */
function freshParts(
  change: TreeChange,
  before: readonly VersionPart[] = [],
  after: readonly VersionPart[] = [],
): Part[] {
  const known = new Map<string, number>();
  const keyOf = (part: VersionPart) => `${nameOf(part)} ${part.exact}`;
  for (const part of before) known.set(keyOf(part), (known.get(keyOf(part)) ?? 0) + 1);
  const fresh: Part[] = after.filter((part) => {
    const left = known.get(keyOf(part)) ?? 0;
    known.set(keyOf(part), left - 1);
    return left <= 0;
  });
  const { path, oldType, newType, newOid } = change;
  const isNewMode = newType === 'executable' || (newType === 'file' && oldType === 'executable');
  if (newOid !== null && newType !== null && newType !== oldType && isNewMode)
    fresh.push(wholePart({ path, oid: newOid, type: newType }, 'mode', newType));
  return fresh;
}

/** Parts of the older side that are nowhere in the newer one, under no name; of a symbol with members itself alone. */
function removedParts(
  before: ReadonlyMap<string, readonly VersionPart[]>,
  after: ReadonlyMap<string, readonly VersionPart[]>,
  fresh: readonly Part[],
): Part[] {
  const telling = fresh.filter((part) => !part.isSmall);
  const moved = new Set(telling.flatMap(({ exact, nameless }) => [exact, nameless]));
  const removed: Part[] = [];
  for (const [path, parts] of before) {
    const names = new Set((after.get(path) ?? []).map(nameOf));
    const isLost = (part: VersionPart) =>
      !names.has(nameOf(part)) && !moved.has(part.exact) && !moved.has(part.nameless);
    const lost = new Set(parts.filter(isLost).map(({ index }) => index));
    for (const part of parts) {
      if (!lost.has(part.index) || (part.container >= 0 && lost.has(part.container))) continue;
      const hash = part.whole === '' ? part.exact : sha(part.whole);
      removed.push({ ...part, what: 'removed', line: 0, exact: hash, nameless: hash, loose: hash });
    }
  }
  return removed;
}

/** Looks up places in the newer side, whose changed files are known already. */
async function goneFrom(
  session: Session,
  tree: string,
  names: Map<string, ReadonlySet<string>>,
  source: BlobFactsSource,
): Promise<Change['isGone']> {
  const oids = new Map((await session.objects.list(tree)).map(({ path, oid, type }) => [path, { oid, type }]));
  return async (code) => {
    const entry = oids.get(code.path);
    if (entry === undefined) return true;
    if (code.what !== 'symbol') return false;
    const known = names.get(code.path);
    if (known !== undefined) return !known.has(nameOf(code));
    const facts = isFile(entry.type) ? await source.facts({ path: code.path, oid: entry.oid }) : null;
    const symbols = facts?.symbols ?? [];
    names.set(code.path, new Set(symbols.map((_, index) => `symbol ${qualifiedName(symbols, index)}`)));
    return facts !== null && !symbols.some((_, index) => qualifiedName(symbols, index) === code.symbol);
  };
}

// Reviewers and the code that they have seen.

interface Reviewer {
  name: string;
  email: string;
  by: 'person' | 'agent';
  /** Did git find the signature of a trusted key? `name` is then the signer's. */
  isSigned: boolean;
}

interface Seen extends ApprovedCode {
  /** Null for the older side of the change. */
  reviewer: string | null;
}

type Stored = Claim & { id: string; body: ApprovalBody };

const reviewerKey = ({ name, email, isSigned }: Reviewer): string => `${isSigned} ${(email || name).toLowerCase()}`;

function approvalStore({ repository, objects }: Session): EntryStore<ApprovalBody> {
  return new EntryStore({ repository, objects }, APPROVALS, ONE_SET);
}

interface Believed {
  by?: string;
  signed?: boolean;
}

/** Author of an approval, or its signer; null for one that does not count. Agents count if they are named. */
async function reviewerOf(
  { repository, gitConfig }: Session,
  stored: Stored,
  { by, signed }: Believed,
): Promise<Reviewer | null> {
  const { name, email, by: kind, agent = '' } = stored.author;
  let reviewer: Reviewer = { name, email, by: kind, isSigned: false };
  if (signed) {
    const signing = { git: repository.git, gitConfig };
    const { signature } = stored.body;
    const signer = signature === '' ? null : await signerOf(signing, signature, approvalDigest(stored));
    if (signer === null) return null;
    reviewer = { name: signer, email: '', by: kind, isSigned: true };
  }
  // A signature proves its signer, and not which program wrote it.
  const says = `${reviewer.name} <${reviewer.email}>${signed ? '' : ` ${agent}`}`.toLowerCase();
  if (by === undefined) return kind === 'agent' ? null : reviewer;
  return says.includes(by.toLowerCase()) ? reviewer : null;
}

/** Approvals that count, after those that were taken back. */
async function readSeen(session: Session, all: readonly Stored[], believed: Believed) {
  const seen = new Map<string, Seen>();
  const reviewers = new Map<string, Reviewer>();
  for (const stored of [...all].sort(inTime)) {
    const reviewer = await reviewerOf(session, stored, believed);
    if (reviewer === null) continue;
    const by = reviewerKey(reviewer);
    reviewers.set(by, reviewer);
    for (const code of stored.body.code) {
      const key = JSON.stringify([by, code.what, code.symbol, code.path, code.exact]);
      if (stored.body.isOff) seen.delete(key);
      else seen.set(key, { ...code, reviewer: by });
    }
  }
  return { seen: [...seen.values()], reviewers };
}

type How = 'same' | 'moved' | 'renamed' | 'reindented';

/** Code that was seen, found again by its content. */
class SeenCode {
  private readonly by: Record<keyof SeenHashes, Map<string, Seen[]>>;
  /** Names and texts of the newer side. */
  private readonly present: ReadonlySet<string>;
  /** The part that a text became under a new name: a second one is a copy. */
  private readonly renamed = new Map<string, Part>();

  constructor(
    all: readonly Seen[],
    private readonly change: Change,
  ) {
    this.present = new Set(change.parts.map(namedText));
    const group = (hash: keyof SeenHashes) => {
      const groups = new Map<string, Seen[]>();
      for (const one of all) groups.set(one[hash], [...(groups.get(one[hash])?.slice(-MAX_ALIKE) ?? []), one]);
      return groups;
    };
    this.by = { exact: group('exact'), nameless: group('nameless'), loose: group('loose') };
  }

  /** Finds the reviewers who have seen a part, and how its text is recognised. Null in the map stands for the older side. */
  async find(part: Part, { reindented }: { reindented: boolean }): Promise<Map<string | null, How>> {
    const found = new Map<string | null, How>();
    const add = ({ reviewer }: Seen, how: How) => {
      if (!found.has(reviewer)) found.set(reviewer, how);
    };
    for (const one of this.alike(part, 'exact').filter((each) => isNamed(each, part)))
      if (one.path === part.path) add(one, 'same');
      else if (!part.isSmall || (await this.change.isGone(one))) add(one, 'moved');
    for (const one of mayMove(part) ? this.alike(part, 'nameless') : [])
      if (!isNamed(one, part) && (await this.isRenamed(one, part))) add(one, 'renamed');
    if (reindented) for (const one of this.reindented(part)) add(one, 'reindented');
    return found;
  }

  private reindented(part: Part): Seen[] {
    const mayBe = (one: Seen) => isNamed(one, part) && (one.path === part.path || !part.isSmall);
    return part.what === 'removed' ? [] : this.alike(part, 'loose').filter(mayBe);
  }

  private alike(part: Part, hash: keyof SeenHashes): Seen[] {
    return (this.by[hash].get(part[hash]) ?? []).filter(({ what }) => what === part.what);
  }

  /** Is the code that was seen gone under its name, and is this part the first that has its text? */
  private async isRenamed(one: Seen, part: Part): Promise<boolean> {
    const key = namedText(one);
    if (this.present.has(key) || !(await this.change.isGone(one))) return false;
    const first = this.renamed.get(key) ?? part;
    this.renamed.set(key, first);
    return first === part;
  }
}

const isNamed = (one: Seen, part: Part): boolean =>
  one.symbol === part.symbol && (part.what === 'symbol' || one.path === part.path);

const mayMove = ({ isSmall, what }: Part): boolean => !isSmall && ['symbol', 'outside', 'file'].includes(what);

/** One text under one name. */
const namedText = ({ what, symbol, path, exact }: ApprovedCode): string =>
  JSON.stringify([what, what === 'symbol' ? symbol : path, exact]);

/** Approvals of one text that are looked at: a hostile set can have any number. */
const MAX_ALIKE = 200;

// The answer for `review`.

interface Side {
  ref: string;
  commit: string;
  tree: string;
}

export interface Compared {
  from: Side;
  to: Side;
}

/** Names that a default branch may have, in the order in which they are tried. */
const MAIN = ['refs/remotes/origin/HEAD', 'main', 'master', 'origin/main', 'origin/master'];

/** The range of this branch since it left the main one. Throws BAD_ARGUMENT if there is none. */
export async function rangeOfBranch({ objects }: Session): Promise<Range> {
  const head = (await objects.resolve('HEAD')).commit;
  for (const name of MAIN) {
    const found = await objects.info(`${name}^{commit}`);
    if (found !== null && found.oid !== head)
      return { from: name.replace('refs/remotes/', ''), to: 'HEAD', symmetric: true };
  }
  throw new SocraticodeError('BAD_ARGUMENT', 'nothing tells what this branch began at', {
    hint: 'Name a range such as main...feature.',
  });
}

/** Both sides of a range as commits. Uncommitted changes do not count. Throws UNKNOWN_REF and BAD_ARGUMENT. */
export async function comparedCommits(session: Session, range: Range): Promise<Compared> {
  const { from, to = 'HEAD', symmetric } = range;
  const sideOf = async (ref: string, name: string): Promise<Side> => {
    const { commit, tree } = await session.objects.resolve(name);
    if (commit !== null) return { ref, commit, tree };
    throw new SocraticodeError('BAD_ARGUMENT', `${ref} is no commit, and approvals are about commits`);
  };
  const base = symmetric ? await mergeBase(session, from, to) : from;
  return { from: await sideOf(from, base), to: await sideOf(to, to) };
}

export interface UnseenOptions extends Believed {
  minReviewers?: number;
  reindented?: boolean;
  limit: number;
}

/** Parts of a change that fewer reviewers than asked for have seen as they are. */
export async function unseenCode(
  at: Pick<Asker, 'session' | 'signal'>,
  compared: Compared,
  { minReviewers = 1, reindented = false, limit, ...believed }: UnseenOptions,
): Promise<Approvals> {
  const change = await readChange(at, compared);
  const stored = await approvalStore(at.session).read();
  const { seen, reviewers } = await readSeen(
    at.session,
    stored.entries.map(({ entry }) => entry),
    believed,
  );
  const code = new SeenCode([...seen, ...change.older.map((part) => ({ ...part, reviewer: null }))], change);
  const how = { same: 0, moved: 0, renamed: 0, reindented: 0 };
  const counted = new Map<string, number>();
  const unseen: Approvals['unseen']['list'] = [];
  for (const part of change.parts) {
    const found = await code.find(part, { reindented });
    const people = [...found.keys()].filter((by) => by !== null);
    for (const by of people) counted.set(by, (counted.get(by) ?? 0) + 1);
    if (found.has(null) || people.length >= minReviewers) how[found.get(null) ?? (found.get(people[0]) as How)]++;
    else unseen.push(placeOf(part, people.length));
  }
  const named = [...reviewers].map(([key, { isSigned, ...one }]) => ({
    ...one,
    signed: isSigned,
    parts: counted.get(key) ?? 0,
  }));
  return {
    ...{ parts: change.parts.length, seen: change.parts.length - unseen.length, how, minReviewers },
    unseen: cut(unseen, limit),
    reviewers: named.filter(({ parts }) => parts > 0).sort((a, b) => b.parts - a.parts),
    unreadable: stored.unreadable,
  };
}

function placeOf({ path, symbol, what, kind, line }: Part, reviewers: number): Approvals['unseen']['list'][number] {
  return { path, symbol: symbol === '' ? null : symbol, what, kind, line: line === 0 ? null : line, reviewers };
}

// `review ok`.

/** Approves parts of a change. Throws BAD_ARGUMENT for a name that no changed part has, BAD_CONFIG without an author. */
export async function answerReviewOk(at: Asker, values: ReviewOkValues): Promise<ReviewOkDocument> {
  const { session } = at;
  const { names = [], all = false, share = false, withdraw = false } = values;
  if (all === names.length > 0)
    throw new SocraticodeError('BAD_ARGUMENT', all ? 'names and all exclude each other' : 'nothing is named', {
      hint: `${commandText('review ok', { all: true })} approves everything that changed; ${commandText('review', { unseen: true })} lists it.`,
    });
  const range = values.range === undefined ? await rangeOfBranch(session) : parseRange(values.range);
  const compared = await comparedCommits(session, range);
  const change = await readChange(at, compared);
  const wanted = all ? change.parts : partsNamed(change.parts, names);
  const now = claimNow(session, { isAgent: at.server !== undefined || values.agent !== undefined, ...values });
  const store = approvalStore(session);
  const { entries } = await store.read();
  const byAuthor = entries.filter(({ entry }) => sameAuthor(entry, now));
  // Later than what it takes back, even within the same second.
  const claim = { ...now, time: Math.max(now.time, ...byAuthor.map(({ entry }) => entry.time + 1)) };
  // To share an approval, an earlier one counts only if it was shared: others do not see the rest.
  const own = byAuthor.filter(({ isShared }) => isShared || !share);
  const seen = seenBy(own.map(({ entry }) => entry));
  const isSeen = (part: Part) => seen.has(keyOfCode(part));
  const fresh = wanted.filter((part) => isSeen(part) === withdraw);
  const said = { isOff: withdraw, commit: compared.to.commit, isSigned: signsCommits(session.gitConfig) };
  const bodies = await Promise.all(packApproved(fresh).map((code) => bodyOf(session, claim, { code, ...said })));
  const known = entries.filter((entry) => entry.isShared === share).length;
  await store.addAll(
    bodies.map((body) => ({ ...claim, body })),
    share,
    known,
  );
  const { from, to } = compared;
  return {
    ...{ schemaVersion: 1, from: { ref: from.ref, commit: from.commit }, to: { ref: to.ref, commit: to.commit } },
    author: claim.author,
    withdrawn: withdraw,
    shared: share,
    signed: said.isSigned,
    already: wanted.length - fresh.length,
    parts: cut(
      fresh.map((part) => placeOf(part, 1)),
      values.limit,
    ),
  };
}

const sameAuthor = ({ author }: Claim, other: Claim): boolean =>
  author.by === other.author.by && (author.email || author.name) === (other.author.email || other.author.name);

const keyOfCode = ({ what, symbol, path, exact }: ApprovedCode): string => JSON.stringify([what, symbol, path, exact]);

function seenBy(all: readonly Stored[]): Set<string> {
  const seen = new Set<string>();
  for (const { body } of [...all].sort(inTime))
    for (const code of body.code) body.isOff ? seen.delete(keyOfCode(code)) : seen.add(keyOfCode(code));
  return seen;
}

async function bodyOf(
  { repository, gitConfig }: Session,
  claim: Claim,
  { code, isOff, commit, isSigned }: { code: ApprovedCode[]; isOff: boolean; commit: string; isSigned: boolean },
): Promise<ApprovalBody> {
  const body: ApprovalBody = { commit, code, isOff, signature: '' };
  if (!isSigned) return body;
  const digest = approvalDigest({ ...claim, body });
  const signature = await signDigest({ git: repository.git, gitConfig }, digest, emptyTree(repository.objectFormat));
  return { ...body, signature };
}

/** Parts of symbols, files and directories by name. Throws BAD_ARGUMENT for a name that no part has. */
function partsNamed(parts: readonly Part[], names: readonly string[]): Part[] {
  const chosen = new Set<Part>();
  for (const name of names) {
    const found = parts.filter(({ path, symbol }) => {
      const [inFile, inner] = name.includes('#') ? name.split('#', 2) : ['', name];
      const isHere = inFile === '' || path === inFile;
      const isSymbol = symbol !== '' && (symbol === inner || symbol.endsWith(`.${inner}`));
      return (isHere && isSymbol) || path === name || path.startsWith(`${name.replace(/\/$/, '')}/`);
    });
    if (found.length === 0)
      throw new SocraticodeError('BAD_ARGUMENT', `no changed part is called ${name}`, {
        hint: `${commandText('review', { unseen: true })} lists those that nobody has approved.`,
      });
    for (const part of found) chosen.add(part);
  }
  return parts.filter((part) => chosen.has(part));
}

export function reviewOkText(document: ReviewOkDocument, { pen }: { pen: Pen }): string {
  const { parts, already, author, withdrawn, shared, signed } = document;
  const where = shared ? 'sent with the next push' : 'in this clone alone';
  const done = withdrawn ? 'taken back' : 'approved';
  const were = `; ${groupDigits(already)} ${already === 1 ? 'was' : 'were'}`;
  const before = already === 0 ? '' : `${were} ${withdrawn ? 'not approved' : 'approved before'}`;
  const lines = [
    `${formatCount(total(parts), 'part')} ${done} by ${author.name}${signed ? ', signed' : ''} (${where})${before}`,
    ...rows(parts, (part) => itemLine(approvedItem({ ...part, reviewers: 0 }), pen), pen),
  ];
  return `${lines.join('\n')}\n`;
}
