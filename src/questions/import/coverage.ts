/**
 * `import` of a coverage report: keeps which tests ran which lines, by the blobs at HEAD. Reports are untrusted, so each is read in one
 * pass, entities of XML are not followed, and line numbers are bounded.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../../base/errors.js';
import { addTo, groupBy } from '../../base/lists.js';
import { log } from '../../base/log.js';
import { claimNow, joined, MAX_LABEL, packEvidence, type RanLines, type RunningTest } from '../../knowledge/codecs.js';
import type { Lines } from '../../knowledge/entry.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import type { Asker } from '../asker.js';
import { readEvidence } from '../graph/evidence.js';
import type { CoverageImportReport } from './question.js';

/** Largest report that is read. */
const MAX_REPORT = 256 << 20;
/** Most pairs of a test and a file in one report. */
const MAX_PAIRS = 200_000;

export interface CoverageRequest {
  path: string;
  label: string;
  /** Test file of a report that names no tests. */
  test?: string;
}

/** Throws BAD_ARGUMENT for another kind of file or without a work tree, LOCKED, GIT_FAILED and DISK. */
export async function importCoverage(at: Asker, request: CoverageRequest): Promise<CoverageImportReport> {
  const { session, signal } = at;
  const file = checkedReport(at, request);
  const report = readReport(readFileSync(file, 'utf8'));
  const tree = await RunTree.at(at, report);
  const test = request.test === undefined ? null : tree.testAt(request.test);
  const runs = await runsOf(report, tree, { test, session, signal });
  const { commit, counts } = tree;
  const { label } = request;
  const { added, known } = await withWriterLock(session, () => keep(session, runs, { label, commit }), { signal });
  if (added > 0) log.event('import', `import: ${added} runs of files by tests`, { added, known });
  const tests = new Set(runs.flatMap(({ test: by }) => (by === null ? [] : [by.path]))).size;
  return { schemaVersion: 1, file, format: report.format, label, commit, tests, added, known, ...counts };
}

/** The path of a report that may be read. Throws BAD_ARGUMENT for what is no file, for one that is too large, and for a bad label. */
export function checkedReport({ directory }: Asker, { path, label }: Pick<CoverageRequest, 'path' | 'label'>): string {
  const file = resolve(directory ?? '.', path);
  const info = statSync(file, { throwIfNoEntry: false });
  if (info?.isFile() !== true) throw new SocraticodeError('BAD_ARGUMENT', `not a file: ${file}`);
  if (info.size > MAX_REPORT) throw new SocraticodeError('BAD_ARGUMENT', `the report is larger than 256 MiB`);
  if (label === '' || label.length > MAX_LABEL || /\p{Cc}/u.test(label))
    throw new SocraticodeError('BAD_ARGUMENT', `a label is a text of 1 to ${MAX_LABEL} characters`);
  return file;
}

interface Reading {
  /** Test of lines that name none. */
  test: RunningTest | null;
  session: Session;
  signal: AbortSignal;
}

async function runsOf(report: CoverageReport, tree: RunTree, { test, session, signal }: Reading): Promise<RanLines[]> {
  const runs = new Map<string, RanLines & { lines: RanLines['lines'][number][] }>();
  const seen = new Map<string, string | null>();
  for (const run of report.runs) {
    signal.throwIfAborted();
    const blob = seen.has(run.path) ? (seen.get(run.path) ?? null) : await tree.blobOf(run, session);
    seen.set(run.path, blob);
    if (blob === null) continue;
    const by = run.test === null ? test : tree.testNamed(run.test);
    if (by === undefined) continue;
    const key = `${blob} ${by?.path}`;
    const known = runs.get(key) ?? { blob, test: by, lines: [] };
    if (runs.size === MAX_PAIRS && !runs.has(key))
      throw new SocraticodeError('BAD_ARGUMENT', 'the coverage report has too many tests and files');
    runs.set(key, known);
    const lines = run.offsets === undefined ? run.lines : linesAt(await tree.textOf(blob, session), run.offsets);
    for (const range of lines) known.lines.push(range);
  }
  const ran: RanLines[] = [];
  for (const { blob, test: by, lines } of runs.values())
    if (lines.length > 0) ran.push({ blob, test: by, lines: joined(lines) });
  return ran;
}

async function keep(session: Session, runs: readonly RanLines[], run: { label: string; commit: string }) {
  const { evidence, store, entries } = await readEvidence(session);
  const fresh = runs.filter((ran) => !evidence.has(run.label, ran));
  const claims = packEvidence(run, fresh).map((body) => ({ ...claimNow(session, { isAgent: false }), body }));
  await store.addAll(claims, true, entries);
  return { added: fresh.length, known: runs.length - fresh.length };
}

/** The files at HEAD that the tests ran: names of a report lead to their blobs. */
export class RunTree {
  readonly counts = { files: 0, missing: 0, different: 0, unnamed: 0 };
  private readonly names = new Map<string, RunningTest | null | undefined>();
  private byName: ReadonlyMap<string, string> | null = null;
  private byFolder: ReadonlyMap<string, readonly string[]> | null = null;
  private modules: [module: string, folder: string][] = [];

  private constructor(
    readonly commit: string,
    private readonly oids: ReadonlyMap<string, string>,
    private readonly changed: ReadonlySet<string>,
    /** Folders that paths may start from, as paths on this machine. */
    private readonly roots: readonly string[],
    /** The top folder, without symbolic links and as git names it. */
    private readonly tops: readonly string[],
  ) {}

  static async at(
    { session, directory }: Asker,
    { sources, format }: { sources: readonly string[]; format: string },
  ): Promise<RunTree> {
    const { workTree } = session.repository;
    if (workTree === null || session.readChanges === null)
      throw new SocraticodeError(
        'BAD_ARGUMENT',
        'coverage is about the files that are checked out, and there is no work tree',
      );
    const scope = await session.files('HEAD');
    const changes = await session.readChanges();
    if (scope.commit === null || changes.commit !== scope.commit)
      throw new SocraticodeError('BAD_ARGUMENT', 'HEAD moved while the report was read');
    const oids = new Map(scope.catalog.files.map(({ path, oid }) => [path, oid]));
    const top = realpathSync(workTree);
    const here = resolve(directory ?? '.');
    const roots = [...sources.map((source) => resolve(top, source)), here, top];
    const tree = new RunTree(scope.commit, oids, new Set(changes.list.map(({ path }) => path)), roots, [top, workTree]);
    if (/^go-/.test(format)) await tree.readModules(session);
    return tree;
  }

  /** Blob of a file of the report; null for one outside of the repository, or whose text differs. Counts each. */
  async blobOf({ path, lines, isTail }: ReportedRun, session: Session): Promise<string | null> {
    this.counts.files++;
    const found = isTail ? this.endingIn(path) : this.pathOf(this.inModule(path));
    const oid = found === null ? undefined : this.oids.get(found);
    if (found === null || oid === undefined) {
      this.counts.missing++;
      return null;
    }
    const last = lines.reduce((most, { end }) => Math.max(most, end), 0);
    if (this.changed.has(found) || last > (await this.textOf(oid, session)).split('\n').length) {
      this.counts.different++;
      return null;
    }
    return oid;
  }

  paths(): Iterable<string> {
    return this.oids.keys();
  }

  /** Files right in the folder of a package of Go. */
  inFolder(name: string): readonly string[] {
    const top = this.tops[0];
    const folder = relative(top, this.inModule(`${name}/`))
      .split(sep)
      .join('/');
    this.byFolder ??= groupBy(this.oids.keys(), (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    return this.byFolder.get(folder) ?? [];
  }

  async textOf(oid: string, { objects }: Session): Promise<string> {
    return (await objects.read(oid))?.content.toString('utf8') ?? '';
  }

  /** Path of a file from the top of the repository; null outside of it. */
  private pathOf(written: string): string | null {
    const path = written.startsWith('file://') ? fromUrl(written) : written.replaceAll('\\', '/');
    for (const root of this.roots)
      for (const top of this.tops) {
        const at = relative(top, resolve(root, path)).split(sep).join('/');
        if (!at.startsWith('../') && this.oids.has(at)) return at;
      }
    return null;
  }

  /** The one file whose path ends so. */
  private endingIn(tail: string): string | null {
    const found = this.nameIndex().get(`/${tail.slice(tail.lastIndexOf('/') + 1)}`);
    const paths = (found ?? '').split('\0').filter((path) => path === tail || path.endsWith(`/${tail}`));
    return paths.length === 1 ? paths[0] : null;
  }

  /** Throws BAD_ARGUMENT for a path of no file at HEAD. */
  testAt(path: string): RunningTest {
    const found = this.pathOf(path);
    const test = found === null ? null : this.sameTest(found);
    if (test !== null) return test;
    throw new SocraticodeError('BAD_ARGUMENT', `not a file at HEAD, or changed since: ${path}`);
  }

  /**
   * The test file that a name of a report means: `tests/test_cart.py::test_total`, `tests.test_cart.test_total`, or the name of a file
   * with other characters as `_`. Null for a name of no file. Undefined if the file has changed: then nothing is known of it.
   */
  testNamed(name: string): RunningTest | null | undefined {
    if (this.names.has(name)) return this.names.get(name);
    const path = this.pathNamed(name);
    const test = path === null ? null : (this.sameTest(path) ?? undefined);
    if (path === null) this.counts.unnamed++;
    if (test === undefined) this.counts.different++;
    this.names.set(name, test);
    return test;
  }

  private sameTest(path: string): RunningTest | null {
    const blob = this.oids.get(path);
    return blob === undefined || this.changed.has(path) ? null : { path, blob };
  }

  /** Path of the file that a name of a test means; null for none. */
  pathNamed(name: string): string | null {
    const written = name.split('|', 1)[0].split('::', 1)[0];
    const path = this.pathOf(written);
    if (path !== null) return path;
    const words = written.slice(0, MAX_NAME).split('.');
    for (let length = words.length; length > 0; length--) {
      const module = this.endingIn(`${words.slice(0, length).join('/')}.py`);
      if (module !== null) return module;
    }
    const same = this.nameIndex().get(nameKey(written)) ?? '';
    return same === '' || same.includes('\0') ? null : same;
  }

  /** Paths by their last name (after a `/`) and by the keys of their names; several are joined by a zero. */
  private nameIndex(): ReadonlyMap<string, string> {
    if (this.byName !== null) return this.byName;
    const index = new Map<string, string[]>();
    for (const path of this.oids.keys()) {
      const file = path.slice(path.lastIndexOf('/') + 1);
      const keys = [path, path.replace(/\.[^./]*$/, ''), file, file.replace(/\.[^.]*$/, '')].map(nameKey);
      for (const key of new Set([`/${file}`, ...keys])) addTo(index, key, path);
    }
    this.byName = new Map([...index].map(([key, paths]) => [key, paths.slice(0, MAX_SAME).join('\0')]));
    return this.byName;
  }

  private async readModules(session: Session): Promise<void> {
    const files = [...this.oids]
      .filter(([path]) => path === 'go.mod' || path.endsWith('/go.mod'))
      .slice(0, MAX_MODULES);
    for (const [path, oid] of files) {
      const name = /^module[ \t]+"?([^\s"]+)/m.exec(await this.textOf(oid, session))?.[1];
      if (name !== undefined) this.modules.push([`${name}/`, path.slice(0, -'go.mod'.length)]);
    }
    this.modules.sort(([a], [b]) => b.length - a.length);
  }

  /** Go writes the path of the module in place of its folder. */
  private inModule(path: string): string {
    const found = this.modules.find(([module]) => path.startsWith(module));
    return found === undefined ? path : resolve(this.tops[0], found[1] + path.slice(found[0].length));
  }
}

/** Characters of a test's name that are looked up. */
const MAX_NAME = 500;
/** Files of one name that are looked at. */
const MAX_SAME = 1_000;
const MAX_MODULES = 200;

const nameKey = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '_');

function fromUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return '';
  }
}

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
/** Folders that a report may name: each path is looked for in all of them. */
const MAX_SOURCES = 100;

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

export function* linesOf(text: string): Generator<string> {
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

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

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
        addTo(byTest, context, line);
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

/** End of a comment, or of text that no parser reads, such as what a test printed; `at` itself for a tag, -1 for one that nothing closes. */
function verbatimEnd(text: string, at: number): number {
  const mark = text.startsWith('<![CDATA[', at) ? ']]>' : text.startsWith('<!--', at) ? '-->' : null;
  if (mark === null) return at;
  const end = text.indexOf(mark, at);
  return end < 0 ? -1 : end + mark.length;
}

/** Longest tag that is read. */
const MAX_TAG = 4_096;
const TAG = /^[a-z]+/;
const ATTRIBUTE = /\s([a-z]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text: string): string => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]);

export function* tagsOf(
  text: string,
): Generator<{ name: string; attributes: ReadonlyMap<string, string>; end: number }> {
  let end = -1;
  for (let at = text.indexOf('<'), next = at; at >= 0; at = next) {
    const closed = verbatimEnd(text, at);
    if (closed < 0) return;
    next = text.indexOf('<', Math.max(at + 1, closed));
    if (closed > at) continue;
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
    if (name === 'source' && sources.length < MAX_SOURCES)
      sources.push(plain(text.slice(end + 1, Math.max(end + 1, text.indexOf('<', end)))).trim());
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
