/** Kinds of knowledge beside notes and tags: tasks, summaries, evidence of tests; the check of an entry of any kind, and its author. */
import { createHash, randomBytes } from 'node:crypto';
import { SocraticodeError } from '../base/errors.js';
import type { ConfigEntry } from '../git/repository.js';
import { bytesOf, type CborValue, corrupt } from '../record/cbor.js';
import type { DecodeFault } from '../record/format.js';
import {
  APPROVALS,
  type Claim,
  countField,
  decodeEntry,
  type Entry,
  type EntryKind,
  inTime,
  type Lines,
  MAX_SIGNATURE,
  MAX_TEXT,
  NOTES,
  oidBytes,
  oidField,
  optional,
  packed,
  type Revealed,
  signedDigest,
  TAGS,
  textField,
  wordField,
} from './entry.js';
import { EVIDENCE_KIND, SUMMARIES_KIND, TASKS_KIND } from './kinds.js';

export const TASK_STATUSES = ['todo', 'in-progress', 'blocked', 'done', 'dropped'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const MAX_TITLE = 200;
const MAX_LINK = 1_024;
/** Links of one operation. */
const MAX_LINKS = 20;
const NONCE_BYTES = 8;
const MAX_CLOCK = 0xffff_ffff;
/**
 * Largest step of a clock. An operation with a clock further ahead of all others does not count: a forged one would otherwise come after
 * all later ones for ever.
 */
const MAX_JUMP = 1_000;

const LINK_KINDS = ['branch', 'commit', 'plan'] as const;

/** A branch by name, a commit by id, or the path of a planning document. */
export interface TaskLink {
  kind: (typeof LINK_KINDS)[number];
  to: string;
}

/** Fields that an operation changes. The first operation of a task has a title. */
export interface TaskChange {
  title?: string;
  description?: string;
  status?: TaskStatus;
  /** Text added to the notes of the task. */
  note?: string;
  links?: readonly TaskLink[];
  unlinks?: readonly TaskLink[];
}

export interface TaskOperation extends TaskChange {
  clock: number;
  /** Random, so that two clones that do the same at once both have done it. */
  nonce: string;
}

export const TASKS: EntryKind<TaskOperation> = {
  name: TASKS_KIND,
  fields: ['clock', 'nonce', 'title', 'description', 'status', 'note', 'links', 'unlinks'],
  write({ clock, nonce, title, description, status, note, links, unlinks }): { readonly [field: string]: CborValue } {
    return {
      ...{ clock, nonce: Buffer.from(nonce, 'hex') },
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
      ...(note !== undefined && { note }),
      ...(links !== undefined && { links: links.map(writeLink) }),
      ...(unlinks !== undefined && { unlinks: unlinks.map(writeLink) }),
    };
  },
  read({ clock, nonce, title, description, status, note, links, unlinks }) {
    const random = bytesOf(nonce, 'the nonce');
    if (random.length !== NONCE_BYTES) corrupt('the nonce has another length');
    const change = {
      title: optional(title, (value) => textField(value, MAX_TITLE, 'the title')),
      description: optional(description, (value) => textField(value, MAX_TEXT, 'the description', 0)),
      status: optional(status, (value) => wordField(value, TASK_STATUSES, 'the status')),
      note: optional(note, (value) => textField(value, MAX_TEXT, 'the note')),
      links: optional(links, readLinks),
      unlinks: optional(unlinks, readLinks),
    };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return { clock: countField(clock, MAX_CLOCK, 'the clock'), nonce: Buffer.from(random).toString('hex'), ...given };
  },
  reveals({ links = [], unlinks = [] }) {
    const all = [...links, ...unlinks];
    const of = (kind: TaskLink['kind']) => all.flatMap((link) => (link.kind === kind ? [link.to] : []));
    return { objects: of('commit'), branches: of('branch') };
  },
};

function writeLink({ kind, to }: TaskLink): CborValue {
  return [kind, kind === 'commit' ? oidBytes(to) : to];
}

function readLinks(value: unknown): TaskLink[] {
  if (!Array.isArray(value) || value.length > MAX_LINKS) corrupt('the links are no list, or too many');
  return value.map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) corrupt('a link is no pair');
    const kind = wordField(pair[0], LINK_KINDS, 'a link');
    return { kind, to: kind === 'commit' ? oidField(pair[1], 'a commit') : textField(pair[1], MAX_LINK, 'a link') };
  });
}

/** A change of a task, in the order of the log. */
export type TaskEvent = Claim & { id: string; change: TaskChange };

export interface Task {
  /** Id of the operation that created the task. */
  id: string;
  title: string;
  description: string;
  status: TaskStatus;
  links: TaskLink[];
  created: Claim;
  updated: Claim;
  events: TaskEvent[];
  clock: number;
}

/** Returns the operations that count, in their total order. */
function inOrder(operations: Iterable<Entry<TaskOperation>>): Entry<TaskOperation>[] {
  const sorted = [...operations].sort((a, b) => a.body.clock - b.body.clock || (a.id < b.id ? -1 : 1));
  const cut = sorted.findIndex(({ body }, i) => body.clock > (sorted[i - 1]?.body.clock ?? 0) + MAX_JUMP);
  return cut < 0 ? sorted : sorted.slice(0, cut);
}

/** Builds a task from its log; null if the operation that created it is missing. */
export function taskOf(id: string, operations: Iterable<Entry<TaskOperation>>): Task | null {
  const ordered = inOrder(operations);
  const first = ordered.find((operation) => operation.id === id);
  if (first?.body.title === undefined) return null;
  const links = new Map<string, TaskLink>();
  const task: Task = {
    ...{ id, title: first.body.title, description: '', status: 'todo', links: [], events: [], clock: 0 },
    ...{ created: claimOf(first), updated: claimOf(first) },
  };
  for (const operation of ordered) {
    const { clock, nonce: _, ...change } = operation.body;
    task.title = change.title ?? task.title;
    task.description = change.description ?? task.description;
    task.status = change.status ?? task.status;
    for (const link of change.links ?? []) links.set(`${link.kind} ${link.to}`, link);
    for (const link of change.unlinks ?? []) links.delete(`${link.kind} ${link.to}`);
    task.events.push({ ...claimOf(operation), id: operation.id, change });
    task.updated = claimOf(operation);
    task.clock = clock;
  }
  return { ...task, links: [...links.values()] };
}

const claimOf = ({ author, time }: Claim): Claim => ({ author, time });

/** Makes the next operation on a task, or the first one of a new task. */
export function operationAfter(task: Task | null, change: TaskChange): TaskOperation {
  return { clock: (task?.clock ?? 0) + 1, nonce: randomBytes(NONCE_BYTES).toString('hex'), ...change };
}

export const SUMMARY_KINDS = ['symbol', 'file', 'folder', 'repository'] as const;
export type SummaryKind = (typeof SUMMARY_KINDS)[number];

/** Version of the prompt and of what models are shown: part of the profile in the name of the ref. */
export const PROMPT_VERSION = 1;

export const MAX_SUMMARY = 1_000;
const MAX_MODEL = 200;
const MAX_OBJECTS = 8;
const KEY_BYTES = 16;

export interface SummaryBody {
  kind: SummaryKind;
  /** First 16 bytes of the SHA-256 of what the model was shown, in hex. */
  key: string;
  model: string;
  text: string;
  /** Blobs and trees that were shown: readers of the summary must be allowed to see them. */
  objects: readonly string[];
}

export const SUMMARIES: EntryKind<SummaryBody> = {
  name: SUMMARIES_KIND,
  fields: ['kind', 'key', 'model', 'text', 'objects'],
  write: ({ kind, key, model, text, objects }) => ({
    ...{ kind, key: Buffer.from(key, 'hex'), model, text, objects: objects.map(oidBytes) },
  }),
  read({ kind, key, model, text, objects }) {
    const hash = bytesOf(key, 'the key');
    if (hash.length !== KEY_BYTES) corrupt('the key is no hash');
    if (!Array.isArray(objects) || objects.length > MAX_OBJECTS) corrupt('the objects are no list, or too many');
    return {
      kind: wordField(kind, SUMMARY_KINDS, 'the kind'),
      key: Buffer.from(hash).toString('hex'),
      model: textField(model, MAX_MODEL, 'the model'),
      text: textField(text, MAX_SUMMARY, 'the text'),
      objects: objects.map((oid) => oidField(oid, 'an object')),
    };
  },
  reveals: ({ objects }) => ({ objects: [...objects], branches: [] }),
};

export function summaryKey(kind: SummaryKind, shown: string): string {
  return createHash('sha256')
    .update(`${kind}\0${shown}`)
    .digest('hex')
    .slice(0, 2 * KEY_BYTES);
}

export type Summary = Claim & SummaryBody;

/** Returns summaries by key. If two clones requested the same, the earlier answer counts in both. */
export function summariesOf(entries: Iterable<Entry<SummaryBody>>): Map<string, Summary> {
  const found = new Map<string, Summary>();
  for (const { author, time, body } of [...entries].sort(inTime))
    if (!found.has(body.key)) found.set(body.key, { author, time, ...body });
  return found;
}

export const MAX_LABEL = 40;
const MAX_PATH = 1_024;
/** Tests and blobs of one entry; a longer report makes several entries. */
const MAX_IN_ENTRY = 60;
const MAX_OUTCOMES = 400;
/** UTF-16 code units of all paths of an entry. */
const MAX_OUTCOME_PATHS = 30_000;
const MAX_RANGES = 16_000;

/** Path and blob of a test file. */
export interface RunningTest {
  path: string;
  blob: string;
}

/** Lines of one blob that one test ran, in order and apart from each other. `test`: null where a report names none. */
export interface RanLines {
  blob: string;
  test: RunningTest | null;
  lines: readonly Lines[];
}

/** Lines that tests ran, or how tests ended. */
export type EvidenceBody = RanBody | OutcomesBody;

export interface RanBody {
  /** Name of the run, such as `ci`. */
  label: string;
  /** Commit that was checked out. */
  commit: string;
  tests: readonly RunningTest[];
  /** `by`: index of the test; that of no test is the number of tests. */
  ran: readonly { blob: string; by: number; lines: readonly Lines[] }[];
}

/** How the run of a test file ended, with everything that it reached as it was. */
export interface Outcome {
  path: string;
  /** Hash of what it reached, in hex. */
  key: string;
  isPassed: boolean;
}

export interface OutcomesBody {
  label: string;
  commit: string;
  outcomes: readonly Outcome[];
  /** Runs of tests that were known to pass as they are, and passed again. */
  again: number;
  /** A commit whose message is the digest of this entry, as `git commit-tree -S` signed it; '' for none. */
  signature: string;
}

const REACH_BYTES = 16;
const MAX_AGAIN = 0xffff_ffff;

export const EVIDENCE: EntryKind<EvidenceBody> = {
  name: EVIDENCE_KIND,
  fields: ['label', 'commit', 'tests', 'ran', 'outcomes', 'again', 'signature'],
  write: (body): { readonly [field: string]: CborValue } => ({
    ...{ label: body.label, commit: oidBytes(body.commit) },
    ...('outcomes' in body ? writeOutcomes(body) : writeRan(body)),
  }),
  read({ label, commit, tests, ran, outcomes, again, signature }) {
    const run = { label: textField(label, MAX_LABEL, 'the label'), commit: oidField(commit, 'the commit') };
    if (outcomes === undefined) {
      if (again !== undefined || signature !== undefined) corrupt('lines that ran have fields of outcomes');
      return { ...run, ...readRan(tests, ran) };
    }
    if (tests !== undefined || ran !== undefined) corrupt('an entry tells both outcomes and lines');
    return {
      ...run,
      outcomes: readOutcomes(outcomes),
      again: countField(again, MAX_AGAIN, 'the runs'),
      signature: optional(signature, (text) => textField(text, MAX_SIGNATURE, 'the signature')) ?? '',
    };
  },
  reveals: (body) => ({
    objects:
      'outcomes' in body
        ? [body.commit]
        : [...new Set([body.commit, ...body.tests.map(({ blob }) => blob), ...body.ran.map(({ blob }) => blob)])],
    branches: [],
  }),
};

/** As three columns, since limits on the items of an entry are low: paths by line, keys, and a byte for each outcome. */
function writeOutcomes({ outcomes, again, signature }: OutcomesBody): { readonly [field: string]: CborValue } {
  return {
    outcomes: [
      outcomes.map(({ path }) => path).join('\n'),
      Buffer.from(outcomes.map(({ key }) => key).join(''), 'hex'),
      Buffer.from(outcomes.map(({ isPassed }) => (isPassed ? 1 : 0))),
    ],
    again,
    ...(signature !== '' && { signature }),
  };
}

function readOutcomes(value: unknown): Outcome[] {
  if (!Array.isArray(value) || value.length !== 3) corrupt('the outcomes are no columns');
  const [texts, keys, passed] = value;
  const text = textField(texts, MAX_OUTCOME_PATHS, 'the paths', 0);
  const paths = text === '' ? [] : text.split('\n');
  const [hashes, ends] = [bytesOf(keys, 'the keys'), bytesOf(passed, 'the outcomes')];
  if (paths.length > MAX_OUTCOMES || hashes.length !== paths.length * REACH_BYTES || ends.length !== paths.length)
    corrupt('the columns of outcomes differ in length');
  const hex = Buffer.from(hashes).toString('hex');
  return paths.map((path, i) => ({
    path: textField(path, MAX_PATH, 'a path'),
    key: hex.slice(2 * REACH_BYTES * i, 2 * REACH_BYTES * (i + 1)),
    isPassed: countField(ends[i], 1, 'an outcome') === 1,
  }));
}

const writeRan = ({ tests, ran }: RanBody): { readonly [field: string]: CborValue } => ({
  tests: tests.map(({ path, blob }) => [path, oidBytes(blob)]),
  ran: ran.map(({ blob, by, lines }) => [oidBytes(blob), by, writeRanges(lines)]),
});

function readRan(tests: unknown, ran: unknown): Pick<RanBody, 'tests' | 'ran'> {
  const known = listOf(tests, 2, 'the tests').map(([path, blob]) => ({
    path: textField(path, MAX_PATH, 'a path'),
    blob: oidField(blob, 'a test'),
  }));
  return {
    tests: known,
    ran: listOf(ran, 3, 'the runs').map(([blob, by, lines]) => {
      if (typeof by !== 'number' || !Number.isInteger(by) || by < 0 || by > known.length)
        corrupt('there is no such test');
      return { blob: oidField(blob, 'a blob'), by, lines: readRanges(textField(lines, MAX_RANGES, 'the lines')) };
    }),
  };
}

function listOf(value: unknown, length: number, what: string): unknown[][] {
  if (!Array.isArray(value) || value.length > MAX_IN_ENTRY) corrupt(`${what} are no list, or too many`);
  for (const item of value) if (!Array.isArray(item) || item.length !== length) corrupt(`${what} have another form`);
  return value;
}

/** Ranges as text, such as `3-9,12`. */
const writeRanges = (lines: readonly Lines[]): string =>
  lines.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)).join(',');

const RANGE = /^([1-9]\d{0,6})(?:-([1-9]\d{0,6}))?$/;

function readRanges(text: string): Lines[] {
  let last = 0;
  return text.split(',').map((range) => {
    const [, first, end = first] = RANGE.exec(range) ?? corrupt('the lines are no ranges');
    const lines = { start: Number(first), end: Number(end) };
    if (lines.start <= last || lines.end < lines.start) corrupt('the lines are in no order');
    last = lines.end;
    return lines;
  });
}

/** Joins ranges that may be in any order and overlap. */
export function joined(all: readonly Lines[]): Lines[] {
  const ranges: Lines[] = [];
  for (const { start, end } of [...all].sort((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end + 1) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

/** Bytes of lists in one entry: with its author it stays below `MAX_ENTRY_BYTES`. */
const MAX_BYTES = 40_000;

/** Bodies that hold all these lines, as few as may be. */
export function packEvidence(run: { label: string; commit: string }, all: readonly RanLines[]): RanBody[] {
  const bodies: RanBody[] = [];
  let bytes = 0;
  let tests: RunningTest[] = [];
  let ran: (Omit<RanBody['ran'][number], 'by'> & { test: RunningTest | null })[] = [];
  const flush = () => {
    if (ran.length > 0) {
      const by = ({ test }: (typeof ran)[number]) => (test === null ? tests.length : indexOf(tests, test));
      bodies.push({ ...run, tests, ran: ran.map((each) => ({ blob: each.blob, by: by(each), lines: each.lines })) });
    }
    [bytes, tests, ran] = [0, [], []];
  };
  for (const { blob, test, lines } of all.flatMap(inParts)) {
    const size = writeRanges(lines).length + 40 + 4 * (test?.path.length ?? 0);
    if (bytes + size > MAX_BYTES || ran.length === MAX_IN_ENTRY || tests.length === MAX_IN_ENTRY) flush();
    if (test !== null && indexOf(tests, test) < 0) tests.push(test);
    ran.push({ blob, test, lines });
    bytes += size;
  }
  flush();
  return bodies;
}

function inParts(ran: RanLines): RanLines[] {
  if (writeRanges(ran.lines).length <= MAX_RANGES) return [ran];
  const half = ran.lines.length >> 1;
  return [ran.lines.slice(0, half), ran.lines.slice(half)].flatMap((lines) => inParts({ ...ran, lines }));
}

const indexOf = (tests: readonly RunningTest[], { path, blob }: RunningTest): number =>
  tests.findIndex((test) => test.path === path && test.blob === blob);

/** Groups outcomes into as many entries as it takes. Paths that an entry cannot hold are left out. */
export function packOutcomes(all: readonly Outcome[]): Outcome[][] {
  const fitting = all.filter(({ path }) => path.length <= MAX_PATH && !path.includes('\n'));
  // The limits are of UTF-16 units and of UTF-8 bytes.
  return packed(fitting, ({ path }) => Buffer.byteLength(path) + 1, MAX_OUTCOMES, MAX_OUTCOME_PATHS);
}

/** Text that the signature of outcomes is about: everything but the signature. */
export const outcomesDigest = (claim: Claim & { body: OutcomesBody }): string =>
  signedDigest(EVIDENCE, { ...claim, body: { ...claim.body, signature: '' } });

// Outcomes are kept by month, and the newest months are read: what is older is too old to be believed, and can be deleted as a whole.

/** Months whose outcomes are believed, this one included. */
export const MONTHS_BELIEVED = 3;
const SET_OF_MONTH = 'outcomes-';

/** Names of the sets of outcomes that are believed at a time, the newest first. */
export function outcomeSets(time: number): string[] {
  const now = new Date(time * 1_000);
  return Array.from({ length: MONTHS_BELIEVED }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    return SET_OF_MONTH + month.toISOString().slice(0, 'YYYY-MM'.length);
  });
}

/** A test that ran lines, and the run in which it did. */
export interface Ran {
  test: RunningTest | null;
  label: string;
  commit: string;
}

/** All evidence of a set, by the blob that was run. */
export class Evidence {
  private readonly byBlob = new Map<string, (Ran & { lines: readonly Lines[] })[]>();
  private readonly keys = new Set<string>();

  constructor(entries: Iterable<Entry<EvidenceBody>>) {
    // The newest run of a test is named.
    for (const { body } of [...entries].sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1))) {
      if ('outcomes' in body) continue;
      for (const { blob, by, lines } of body.ran) {
        const { label, commit } = body;
        const test = body.tests[by] ?? null;
        this.keys.add(keyOf(label, { blob, test, lines }));
        const known = this.byBlob.get(blob) ?? [];
        if (known.length === 0) this.byBlob.set(blob, known);
        known.push({ test, label, commit, lines });
      }
    }
  }

  /** True if a run with this label told the very same before. */
  has(label: string, ran: RanLines): boolean {
    return this.keys.has(keyOf(label, ran));
  }

  /** Tests that ran one of the lines, the newest runs first. */
  ranAt(blob: string, { start, end }: Lines): Ran[] {
    return (this.byBlob.get(blob) ?? []).filter(({ lines }) =>
      lines.some((range) => range.start <= end && range.end >= start),
    );
  }
}

const keyOf = (label: string, { blob, test, lines }: RanLines): string =>
  JSON.stringify([label, blob, test?.path, test?.blob, writeRanges(lines)]);

// biome-ignore lint/suspicious/noExplicitAny: body and kind belong together inside a kind only.
const CODECS: readonly EntryKind<any>[] = [NOTES, TASKS, TAGS, SUMMARIES, EVIDENCE, APPROVALS];

type EntryVerdict = { ok: true; revealed: Revealed } | { ok: false; reason: DecodeFault; detail: string };

/** Checks an entry of a kind by its name, and returns what it reveals about the repository. Never throws. */
export function inspectEntry(kind: string, bytes: Uint8Array, id: string): EntryVerdict {
  const known = CODECS.find(({ name }) => name === kind);
  if (known === undefined) return { ok: false, reason: 'not-a-record', detail: `${kind} is no kind of knowledge` };
  const decoded = decodeEntry(known, bytes, id);
  return decoded.ok ? { ok: true, revealed: known.reveals(decoded.record.body) } : decoded;
}

// Author of a new entry: the identity that git would put into a commit.

/** UTF-16 code units of an author's name. Longer ones are cut. */
const MAX_NAME = 200;

interface Writer {
  /** True if a program writes: an agent's server, or a command that names an agent. */
  isAgent: boolean;
  agent?: string;
}

/** Author and time of a new entry. Throws BAD_CONFIG if git knows no name. */
export function claimNow({ gitConfig }: { gitConfig: readonly ConfigEntry[] }, { isAgent, agent }: Writer): Claim {
  const configured = (key: string) => gitConfig.filter((entry) => entry.key === key).at(-1)?.value;
  const name = clean(process.env.GIT_AUTHOR_NAME ?? configured('user.name'));
  if (name === '')
    throw new SocraticodeError('BAD_CONFIG', 'git does not know who you are, and every entry names its author', {
      hint: 'git config --global user.name "Your Name" && git config --global user.email you@example.com',
    });
  const email = clean(process.env.GIT_AUTHOR_EMAIL ?? configured('user.email'));
  const program = clean(agent);
  return {
    author: { name, email, by: isAgent ? 'agent' : 'person', ...(program !== '' && { agent: program }) },
    time: Math.floor(Date.now() / 1_000),
  };
}

/** Removes whatever a terminal cannot show. */
function clean(text: string | undefined): string {
  const plain = (text ?? '').replace(/[\p{Cc}\p{Cf}\p{Surrogate}\u2028\u2029]/gu, ' ').trim();
  return plain.slice(0, MAX_NAME).replace(/\p{Surrogate}/gu, '');
}
