/** Progress of a run as a terminal shows it, and phases of a question that `-v` times. */
import { groupDigits } from './printable.js';

export interface Progress {
  /** `note` follows the counts, e.g. "8,120 chunks". */
  update(done: number, total: number, note?: string): void;
  finish(): void;
}

export const silentProgress: Progress = { update() {}, finish() {} };

const REDRAW_MS = 100;
const DEFAULT_COLUMNS = 80;

/** `unit` names the things counted. */
export function createProgress(label: string, unit = 'files', stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return silentProgress;
  const started = performance.now();
  let drawn = 0;
  return {
    update(done, total, note) {
      const now = performance.now();
      if (now - drawn < REDRAW_MS && done < total) return;
      drawn = now;
      // A terminal that does not tell its width says 0.
      const columns = stream.columns || DEFAULT_COLUMNS;
      const line = meterLine(label, done, total, now - started, { note, unit, columns });
      stream.write(`\r\x1b[K${line}`);
    },
    finish() {
      if (drawn > 0) stream.write('\r\x1b[K');
    },
  };
}

interface MeterParts {
  note?: string;
  unit?: string;
  /** Width of the terminal. */
  columns?: number;
}

/**
 * `indexing  41% 1,204/2,930 files, 8,120 chunks, 930/s, 2 s left`. Parts that do not fit are left out from the end: a line that
 * the terminal wraps cannot be drawn over, and floods the screen.
 */
export function meterLine(
  label: string,
  done: number,
  total: number,
  elapsedMs: number,
  { note, unit = 'files', columns = Number.POSITIVE_INFINITY }: MeterParts = {},
): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const rate = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0;
  const counts = `${groupDigits(done)}/${groupDigits(total)} ${unit}`;
  const parts = [`${label} ${String(percent).padStart(3)}% ${counts}`];
  if (note) parts.push(note);
  parts.push(`${Math.round(rate)}/s`);
  if (rate > 0) parts.push(`${Math.ceil((total - done) / rate)} s left`);
  let line = parts[0].slice(0, columns - 1);
  for (const part of parts.slice(1)) {
    const longer = `${line}, ${part}`;
    if (longer.length >= columns) break;
    line = longer;
  }
  return line;
}

/** Phases in about the order in which they begin, with what each does: the table in `docs/cli.md`. */
export const PHASES = {
  start: 'Node starts and loads the command line',
  load: 'the code of the question is loaded',
  open: 'git starts, and the repository and its configuration are read',
  snapshot: 'the ref is resolved, and the settings of its tree are read',
  changes: 'git compares the work tree with HEAD',
  index: 'missing files are parsed and indexed',
  files: 'the files of the snapshot are listed',
  corpus: 'the index of the snapshot is opened',
  overlay: 'uncommitted files are read and added',
  words: 'chunks are scored by the words of the query',
  vectors: 'the query becomes a vector, and the vectors are opened',
  rank: 'chunks are ranked',
  lines: 'files are searched for the pattern',
  graph: 'the code graph is read, or linked',
  tags: 'tags are read, or derived from the graph',
  text: 'lines and symbols of the results are read',
  answer: 'everything else of the answer',
  write: 'the answer is written',
} as const;

export type Phase = keyof typeof PHASES;

/** Begin and end in milliseconds of one clock; the end is null while the phase lasts. */
interface Span {
  phase: Phase;
  from: number;
  to: number | null;
}

let spans: Span[] | null = null;

/** Measures from now on; the time until now is the phase `start`. */
export function startPhases(): void {
  spans = [{ phase: 'start', from: 0, to: performance.now() }];
}

/** Runs `work` as a phase. A phase may begin inside another one, or while another one waits. */
export function phase<T>(name: Phase, work: () => T): T {
  if (spans === null) return work();
  const span: Span = { phase: name, from: performance.now(), to: null };
  const end = () => {
    span.to = performance.now();
  };
  spans.push(span);
  let isPending = false;
  try {
    const result = work();
    isPending = result instanceof Promise;
    if (result instanceof Promise) result.then(end, end);
    return result;
  } finally {
    if (!isPending) end();
  }
}

/** Ends measuring; null where nothing was measured. */
export function takePhases(): { times: Map<Phase, number>; total: number } | null {
  if (spans === null) return null;
  const total = performance.now();
  const times = partition(spans, total);
  spans = null;
  return { times, total };
}

/**
 * Divides the time until `end`: each instant belongs to the phase that began last among those under way, so that phases that
 * run at once are not counted twice and their sum is at most `end`.
 */
export function partition(all: readonly Span[], end: number): Map<Phase, number> {
  // The last one to begin comes first; of two that began at once, the inner one.
  const ordered = [...all].sort((one, other) => one.from - other.from).reverse();
  const edges = [...new Set(ordered.flatMap(({ from, to }) => [from, to ?? end]))]
    .filter((at) => at <= end)
    .sort((one, other) => one - other);
  const times = new Map<Phase, number>();
  for (let i = 0; i + 1 < edges.length; i++) {
    const [from, to] = [edges[i], edges[i + 1]];
    const owner = ordered.find((span) => span.from <= from && (span.to ?? end) >= to);
    if (owner !== undefined) times.set(owner.phase, (times.get(owner.phase) ?? 0) + to - from);
  }
  return times;
}

/** The table on stderr: a line for each phase that took place, in milliseconds, then the rest and the whole. */
export function phasesText({ times, total }: { times: ReadonlyMap<Phase, number>; total: number }): string {
  const rows = (Object.keys(PHASES) as Phase[]).flatMap((name) => {
    const time = times.get(name);
    return time === undefined ? [] : [[name, time] as const];
  });
  const rest = total - rows.reduce((sum, [, time]) => sum + time, 0);
  const lines = [...rows, ['other', rest] as const, ['total', total] as const].map(
    ([name, time]) => `  ${name.padEnd(9)}${time.toFixed(1).padStart(9)} ms\n`,
  );
  return `git-socraticode: where the time went\n${lines.join('')}`;
}
