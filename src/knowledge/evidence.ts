/**
 * Evidence: lines of blobs that tests ran, as coverage reports tell it. It counts only while the bytes of both stay: of the code
 * that was run, and of the test.
 */
import { type CborValue, corrupt } from '../record/cbor.js';
import { type Entry, type EntryKind, type Lines, oidBytes, oidField, textField } from './entry.js';
import { EVIDENCE_KIND } from './kinds.js';

export const MAX_LABEL = 40;
const MAX_PATH = 1_024;
/** Tests and blobs of one entry; a longer report makes several entries. */
export const MAX_IN_ENTRY = 60;
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

export interface EvidenceBody {
  /** Name of the run, such as `ci`. */
  label: string;
  /** Commit that was checked out. */
  commit: string;
  tests: readonly RunningTest[];
  /** `by`: index of the test; that of no test is the number of tests. */
  ran: readonly { blob: string; by: number; lines: readonly Lines[] }[];
}

export const EVIDENCE: EntryKind<EvidenceBody> = {
  name: EVIDENCE_KIND,
  fields: ['label', 'commit', 'tests', 'ran'],
  write: ({ label, commit, tests, ran }): { readonly [field: string]: CborValue } => ({
    ...{ label, commit: oidBytes(commit), tests: tests.map(({ path, blob }) => [path, oidBytes(blob)]) },
    ran: ran.map(({ blob, by, lines }) => [oidBytes(blob), by, writeRanges(lines)]),
  }),
  read({ label, commit, tests, ran }) {
    const known = listOf(tests, 2, 'the tests').map(([path, blob]) => ({
      path: textField(path, MAX_PATH, 'a path'),
      blob: oidField(blob, 'a test'),
    }));
    return {
      label: textField(label, MAX_LABEL, 'the label'),
      commit: oidField(commit, 'the commit'),
      tests: known,
      ran: listOf(ran, 3, 'the runs').map(([blob, by, lines]) => {
        if (typeof by !== 'number' || !Number.isInteger(by) || by < 0 || by > known.length)
          corrupt('there is no such test');
        return { blob: oidField(blob, 'a blob'), by, lines: readRanges(textField(lines, MAX_RANGES, 'the lines')) };
      }),
    };
  },
  reveals: ({ commit, tests, ran }) => ({
    objects: [...new Set([commit, ...tests.map(({ blob }) => blob), ...ran.map(({ blob }) => blob)])],
    branches: [],
  }),
};

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
export function packEvidence(run: { label: string; commit: string }, all: readonly RanLines[]): EvidenceBody[] {
  const bodies: EvidenceBody[] = [];
  let bytes = 0;
  let tests: RunningTest[] = [];
  let ran: (Omit<EvidenceBody['ran'][number], 'by'> & { test: RunningTest | null })[] = [];
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
    for (const { body } of [...entries].sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1)))
      for (const { blob, by, lines } of body.ran) {
        const { label, commit } = body;
        const test = body.tests[by] ?? null;
        this.keys.add(keyOf(label, { blob, test, lines }));
        const known = this.byBlob.get(blob) ?? [];
        if (known.length === 0) this.byBlob.set(blob, known);
        known.push({ test, label, commit, lines });
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
