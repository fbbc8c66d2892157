/**
 * Reads coverage reports: which lines of which file ran, and in which test where the report tells. Reports are untrusted, so each
 * is read in one pass, entities of XML are not followed, and line numbers are bounded.
 */
import { SocraticodeError } from '../../base/errors.js';
import type { Lines } from '../../knowledge/entry.js';

/** Lines of a file that ran. */
export interface ReportedRun {
  /** As written. */
  path: string;
  /** The test as written; null if the report names none. */
  test: string | null;
  lines: Lines[];
  /** Ranges of UTF-16 offsets, with how often they ran, in place of lines. */
  offsets?: readonly Offsets[];
  /** Only the end of the path is known, as in `com/shop/Cart.java`. */
  isTail?: true;
}

interface Offsets {
  start: number;
  end: number;
  count: number;
}

export interface CoverageReport {
  format: 'lcov' | 'coverage.py' | 'cobertura' | 'jacoco' | 'go-cover' | 'v8';
  /** Folders that paths may start from. */
  sources: string[];
  runs: Iterable<ReportedRun>;
}

const MAX_LINE = 1_000_000;

/** Throws BAD_ARGUMENT for a file of no known format. */
export function readReport(text: string): CoverageReport {
  const start = text.slice(0, 4_096).trimStart();
  if (start.startsWith('mode:')) return { format: 'go-cover', sources: [], runs: goRuns(text) };
  if (start.startsWith('{')) return readJson(text);
  if (start.startsWith('<')) return readXml(text);
  if (/^(?:TN|SF):/m.test(start)) return { format: 'lcov', sources: [], runs: lcovRuns(text) };
  return refuse('it is none of lcov, coverage.py JSON, Cobertura, JaCoCo, a Go profile or V8 coverage');
}

function refuse(why: string): never {
  throw new SocraticodeError('BAD_ARGUMENT', `the coverage report cannot be read: ${why}`);
}

/** One line as a range, or null for a number that is none. */
function lineAt(value: unknown): Lines | null {
  const line = typeof value === 'string' ? Number(value) : value;
  if (typeof line !== 'number' || !Number.isInteger(line) || line < 1 || line > MAX_LINE) return null;
  return { start: line, end: line };
}

const known = (lines: readonly (Lines | null)[]): Lines[] => lines.filter((line) => line !== null);

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    yield text.slice(at, text[end - 1] === '\r' ? end - 1 : end);
    at = end + 1;
  }
}

function* lcovRuns(text: string): Generator<ReportedRun> {
  let test: string | null = null;
  let run: ReportedRun | null = null;
  for (const line of linesOf(text)) {
    if (line.startsWith('TN:')) test = line.slice(3).trim() || null;
    else if (line.startsWith('SF:')) run = { path: line.slice(3).trim(), test, lines: [] };
    else if (line.startsWith('DA:') && run !== null) {
      const [number, count] = line.slice(3).split(',', 2);
      const at = Number(count) > 0 ? lineAt(number) : null;
      if (at !== null) run.lines.push(at);
    } else if (line === 'end_of_record' && run !== null) {
      yield run;
      run = null;
    }
  }
}

const GO_BLOCK = /^(\d{1,7})\.\d{1,7},(\d{1,7})\.\d{1,7} \d{1,9} (\d{1,19})$/;

function* goRuns(text: string): Generator<ReportedRun> {
  const runs = new Map<string, ReportedRun>();
  for (const line of linesOf(text)) {
    const colon = line.lastIndexOf(':');
    const [, first, last, count] = GO_BLOCK.exec(line.slice(colon + 1)) ?? [];
    const [from, to] = [lineAt(first), lineAt(last)];
    if (!(Number(count) > 0) || from === null || to === null || to.end < from.start) continue;
    const path = line.slice(0, colon);
    const run = runs.get(path) ?? { path, test: null, lines: [] };
    runs.set(path, run);
    run.lines.push({ start: from.start, end: to.end });
  }
  yield* runs.values();
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function readJson(text: string): CoverageReport {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return refuse('it is no valid JSON');
  }
  if (isObject(report) && isObject(report.files))
    return { format: 'coverage.py', sources: [], runs: pythonRuns(report.files) };
  if (isObject(report) && Array.isArray(report.result))
    return { format: 'v8', sources: [], runs: v8Runs(report.result) };
  return refuse('its JSON is neither of coverage.py nor of V8');
}

function* pythonRuns(files: Json): Generator<ReportedRun> {
  for (const [path, file] of Object.entries(files)) {
    if (!isObject(file)) continue;
    if (!isObject(file.contexts)) {
      yield { path, test: null, lines: known(listOf(file.executed_lines).map(lineAt)) };
      continue;
    }
    const byTest = new Map<string, Lines[]>();
    for (const [number, contexts] of Object.entries(file.contexts)) {
      const line = lineAt(number);
      for (const context of listOf(contexts)) {
        // Lines without a context ran while files were loaded, outside of any test.
        if (line === null || typeof context !== 'string' || context === '') continue;
        const lines = byTest.get(context) ?? [];
        byTest.set(context, lines);
        lines.push(line);
      }
    }
    for (const [test, lines] of byTest) yield { path, test, lines };
  }
}

function* v8Runs(result: readonly unknown[]): Generator<ReportedRun> {
  for (const script of result) {
    if (!isObject(script) || typeof script.url !== 'string' || !script.url.startsWith('file://')) continue;
    const ranges = listOf(script.functions).flatMap((each) => (isObject(each) ? listOf(each.ranges) : []));
    const offsets = ranges.flatMap((range): Offsets[] => {
      if (!isObject(range)) return [];
      const { startOffset: start, endOffset: end, count } = range;
      const isRange = typeof start === 'number' && typeof end === 'number' && typeof count === 'number' && start < end;
      return isRange ? [{ start, end, count }] : [];
    });
    yield { path: script.url, test: null, lines: [], offsets };
  }
}

/** Lines whose first character is in a range that ran: the innermost one around it counts. */
export function linesAt(text: string, offsets: readonly Offsets[]): Lines[] {
  const sorted = [...offsets].sort((a, b) => a.start - b.start || b.end - a.end);
  const around: Offsets[] = [];
  const ran: Lines[] = [];
  let next = 0;
  let offset = 0;
  let number = 0;
  for (const line of text.split('\n')) {
    number++;
    const at = offset + line.length - line.trimStart().length;
    for (; next < sorted.length && sorted[next].start <= at; next++) {
      while (around.length > 0 && (around.at(-1)?.end ?? 0) <= sorted[next].start) around.pop();
      around.push(sorted[next]);
    }
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= at) around.pop();
    if (line.trim() !== '' && (around.at(-1)?.count ?? 0) > 0) ran.push({ start: number, end: number });
    offset += line.length + 1;
  }
  return ran;
}

// XML: a pass over tags that reads the few attributes which matter. Nothing is expanded but the five entities of XML itself.

/** Longest tag that is read. */
const MAX_TAG = 4_096;
const TAG = /^[a-z]+/;
const ATTRIBUTE = /\s([a-z]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text: string): string => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]);

function* tagsOf(text: string): Generator<{ name: string; attributes: ReadonlyMap<string, string>; end: number }> {
  let end = -1;
  for (let at = text.indexOf('<'), next = at; at >= 0; at = next) {
    next = text.indexOf('<', at + 1);
    // Many tags that nothing closes share the end, so that it is searched once. A value of an attribute has no `<`.
    if (end < at) end = text.indexOf('>', at);
    if (end < 0) return;
    const tag = text.slice(at + 1, Math.min(end, at + MAX_TAG, next < 0 ? end : next));
    const [name] = TAG.exec(tag) ?? [];
    if (name === undefined) continue;
    yield { name, attributes: new Map([...tag.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, plain(value)])), end };
  }
}

function readXml(text: string): CoverageReport {
  if (text.includes('<!ENTITY')) return refuse('it declares entities');
  const sources: string[] = [];
  let format: 'cobertura' | 'jacoco' | null = null;
  for (const { name, end } of tagsOf(text)) {
    if (format === null)
      format = name === 'coverage' ? 'cobertura' : name === 'report' ? 'jacoco' : refuse('its XML is unknown');
    if (name === 'source') sources.push(plain(text.slice(end + 1, Math.max(end + 1, text.indexOf('<', end)))).trim());
    if (name === 'class' || name === 'sourcefile') break;
  }
  if (format === null) return refuse('its XML is unknown');
  return { format, sources, runs: xmlRuns(text) };
}

function* xmlRuns(text: string): Generator<ReportedRun> {
  let folder = '';
  let run: ReportedRun | null = null;
  for (const { name, attributes } of tagsOf(text)) {
    const of = (key: string) => attributes.get(key) ?? '';
    if (name === 'package') folder = of('name');
    else if (name === 'class' || name === 'sourcefile') {
      if (run !== null) yield run;
      const isTail = name === 'sourcefile';
      const path = isTail ? `${folder}/${of('name')}` : of('filename');
      run = path === '' ? null : { path, test: null, lines: [], ...(isTail && { isTail }) };
    } else if (name === 'line' && run !== null) {
      const line = Number(of('hits') || of('ci')) > 0 ? lineAt(of('number') || of('nr')) : null;
      if (line !== null) run.lines.push(line);
    }
  }
  if (run !== null) yield run;
}
