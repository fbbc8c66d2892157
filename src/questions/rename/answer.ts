/** Answers `rename`: reads every file with the name, judges each place, makes the patch, and writes the files if it is asked to. */
import { isUtf8 } from 'node:buffer';
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import { undivided } from '../../base/runtime.js';
import { bareName, type NamePlaces, occurrences, type PlaceOfName } from '../../extract/name-places.js';
import type { Graph } from '../../graph/graph.js';
import { classOf, cut, placeOf } from '../../graph/query/node-place.js';
import { resolveTarget } from '../../graph/query/target.js';
import { isFunction, isPlain } from '../../graph/query/uses.js';
import { conventionsOf, loadRules, rulesOf, sameFamily } from '../../languages/registry.js';
import { replaceFiles } from '../../overlay/worktree-file.js';
import { optionText } from '../../params/param.js';
import { startOfLine } from '../../search/grep/hits.js';
import { type Edit, editedRange, newFilePatch, patchOf } from '../../search/grep/rewrite.js';
import { graphsOf } from '../../session/graph/graphs.js';
import { NameIndex } from '../../session/graph/text-uses.js';
import { parsersOf } from '../../session/speculation.js';
import type { Asker } from '../asker.js';
import { formatCount, formatCounts } from '../format.js';
import { LISTED } from '../graph/graph-question.js';
import { definitionBlocks, linkedBlocks, renderFooter } from '../graph/graph-text.js';
import type { GraphCandidates } from '../graph/output.js';
import { ambiguous, type GraphAndHeader, parseErrorsAt, prepareGraph } from '../graph/snapshot-graph.js';
import type { Pen, Writing } from '../pen.js';
import { blockLines, more, at as placeText, total } from '../view.js';
import { branchConflicts, conflictsOf, parentsOutside } from './conflicts.js';
import { linesEdited, wholeLines } from './import-edits.js';
import { Judge, type Judged, type ReadFile } from './plan.js';
import type { Conflict, RenameDocument, RenameValues } from './question.js';
import { aloneOf, folderOf, type Renamed, renamedWith } from './symbols.js';

/** Files of one answer. A name in more is a common word. */
const MAX_FILES = 5_000;

export async function answerRename(at: Asker, values: RenameValues): Promise<RenameDocument | GraphCandidates> {
  checkValues(values);
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const { name: target, file, limit } = values;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, candidates: found.candidates, limit });
  await checkSymbol(graph, found.nodes, values);
  const family = renamedWith(graph, found.nodes);
  const renamed = values.delete ? aloneOf(graph, family, found.nodes) : family;
  const plan = await planOf(at, prepared, renamed, values);
  const { others, alternatives } = found;
  const listed = limit ?? LISTED.references;
  const answer: RenameDocument = {
    ...header,
    ...parseErrorsAt(graph, [...renamed.nodes]),
    ...{ target, others, alternatives },
    from: renamed.name,
    to: values.toFile === undefined ? (values.to ?? '') : renamed.name,
    ...(values.toFile !== undefined && { toFile: values.toFile }),
    definitions: [...renamed.nodes].map((node) => placeOf(graph, node)),
    edits: plan.changes.reduce((sum, { edits }) => sum + edits.length, 0),
    files: cut(plan.changes.map(fileDocument), limit ?? MAX_FILES),
    decide: cut(plan.decide, listed),
    mentions: cut(plan.mentions.sort(byKind), listed),
    namesakes: plan.namesakes,
    conflicts: plan.conflicts,
  };
  if (values.linked) {
    const { linkedUsesOf } = await import('../graph/sibling-uses.js');
    answer.linked = await linkedUsesOf(at, { prepared, nodes: found.nodes, depth: 1, limit: listed });
    const uses = total(answer.linked.uses);
    if (uses > 0)
      answer.conflicts.push({ is: 'linked', blocks: true, why: `${formatCount(uses, 'use')} in linked repositories` });
  }
  if (!values.write) return answer;
  return writePlan(at, {
    answer,
    prepared,
    changes: plan.changes,
    renamed,
    fresh: values.to ?? '',
    toFile: values.toFile,
  });
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*[?!=]?$/u;

function checkValues({ name, to, delete: isDeleted, write, ref, toFile }: RenameValues): void {
  const refuse = (why: string, hint?: string) => {
    throw new SocraticodeError('BAD_ARGUMENT', why, { hint });
  };
  if (toFile !== undefined && (to !== undefined || isDeleted))
    refuse('a symbol that goes to another file keeps its name', 'Rename it first, or afterwards.');
  if (toFile === undefined && (isDeleted ? to !== undefined : to === undefined))
    refuse(isDeleted ? 'a symbol that is deleted gets no new name' : `${name} needs a new name`);
  if (to !== undefined && !IDENTIFIER.test(to))
    refuse(`${to} is no name`, 'Give the new name alone, without the names of types or files around it.');
  if (write && ref !== undefined) refuse('only the files of the work tree can be written, not those of a ref');
}

async function checkSymbol(graph: Graph, nodes: readonly number[], { to, name }: RenameValues): Promise<void> {
  const [node] = nodes;
  if (graph.isFile(node)) throw new SocraticodeError('BAD_ARGUMENT', `${name} is a file, no symbol`);
  const own = bareName(graph.name(node));
  const { language } = graph.tables.files[graph.fileOf(node)];
  await loadRules(language);
  const keywords = rulesOf(language).relations?.names?.keywords;
  // An indexer of C# is called `this`.
  const isWord = keywords?.has(own) === true && conventionsOf(language).runtimeNames?.has(own) !== true;
  if (isPlain(graph, node) || !IDENTIFIER.test(own) || isWord)
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      `${graph.name(node)} is a ${graph.kind(node)}, which has no name that code uses`,
    );
  if (graph.kind(node) === 'constructor' && own !== bareName(graph.name(graph.container(node))))
    throw new SocraticodeError('BAD_ARGUMENT', `the language gives constructors the name ${own}`, {
      hint: `To rename the type: ${graph.qualifiedName(graph.container(node))}`,
    });
  if (own === to) throw new SocraticodeError('BAD_ARGUMENT', `${name} has that name already`);
  if (to !== undefined && keywords?.has(to))
    throw new SocraticodeError('BAD_ARGUMENT', `${to} is a word of the language`);
}

/** A file that the plan changes: `text` is how it stands, and `to` its new path if it gets one. */
export interface Change {
  path: string;
  to?: string;
  text: string;
  edits: Edit[];
  isNew?: boolean;
}

type Mention = RenameDocument['mentions']['list'][number];

interface Plan extends Pick<RenameDocument, 'namesakes' | 'conflicts'> {
  changes: Change[];
  decide: RenameDocument['decide']['list'];
  mentions: Mention[];
}

async function planOf(at: Asker, prepared: GraphAndHeader, renamed: Renamed, values: RenameValues): Promise<Plan> {
  if (values.toFile !== undefined) return movePlan(at, prepared, renamed, values);
  const { graph } = prepared;
  const { to = '' } = values;
  const { files, unread } = await readFiles(at, prepared, renamed, to);
  const judge = new Judge(graph, renamed, to);
  judge.learn(files);
  const plan: Plan = { changes: [], decide: [], mentions: [], namesakes: 0, conflicts: [] };
  const sure: SurePlace[] = [];
  for (const read of files) {
    const reading = { graph, read, lines: read.text.split('\n'), renamed, judge };
    if (values.delete) deleteIn(plan, reading);
    else sure.push(...renameIn(plan, reading, values));
  }
  plan.decide.push(...examplesOf(graph, renamed, to));
  plan.conflicts.push(...unread.map((why): Conflict => ({ is: 'unread', blocks: false, why })));
  const parents = await parentsOutside(graph, renamed, async (file) => {
    const read = files.find((each) => each.file === file);
    return read?.text ?? (await prepared.objects.read(graph.tables.files[file].oid))?.content.toString('utf8') ?? '';
  });
  plan.conflicts.push(...conflictsOf(graph, { renamed, fresh: to, sure, files, parents }));
  moveFiles(graph, renamed, to, plan);
  if (!values.noBranches) {
    plan.conflicts.push(...(await branchConflicts(at, prepared, plan.changes, renamed.name)));
  }
  return plan;
}

/** Functions that show the use of the symbol, and have its name in theirs, as a checker of their language demands. */
function examplesOf(graph: Graph, { nodes }: Renamed, fresh: string): Plan['decide'] {
  const found = new Map<number, Plan['decide'][number]>();
  for (const node of nodes) {
    const { exampleName } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
    if (exampleName === undefined || fresh === '') continue;
    const own = `${exampleName}${graph.qualifiedName(node).replaceAll('.', '_')}`;
    const names = [...graph.names()].filter((name) => name === own || name.startsWith(`${own}_`));
    for (const each of names.flatMap((name) => graph.nodesNamed(name)).filter((one) => isFunction(graph, one))) {
      const [path, text] = [graph.path(each), graph.name(each)];
      if (folderOf(path) !== folderOf(graph.path(node))) continue;
      const why = `its name says that it shows the use of ${graph.qualifiedName(node)}`;
      found.set(each, { path, line: graph.startLine(each), column: 1, text, is: 'open', why });
    }
  }
  return [...found.values()];
}

/** The plan of a symbol that goes to another file under its name. */
async function movePlan(at: Asker, prepared: GraphAndHeader, renamed: Renamed, values: RenameValues): Promise<Plan> {
  const { graph } = prepared;
  const { files, unread } = await readFiles(at, prepared, renamed, '');
  const parsers = parsersOf(at.session);
  const read = (file: number, names: readonly string[]) =>
    readFile({ prepared, parsers, unread }, { file, names, isCode: true });
  const { planMove } = await import('./move.js');
  const moved = await planMove({ graph, renamed, files, path: values.toFile ?? '', read });
  parsers.rest();
  const plan: Plan = { changes: moved.changes, decide: [], mentions: [], namesakes: 0, conflicts: moved.conflicts };
  const linesOf = new Map<string, string[]>();
  for (const { read, place, verdict, why } of moved.left) {
    const lines = linesOf.get(read.path) ?? read.text.split('\n');
    linesOf.set(read.path, lines);
    listPlace(plan, { graph, read, place, lines, judged: { verdict, why, fresh: '' } });
  }
  plan.conflicts.push(...unread.map((why): Conflict => ({ is: 'unread', blocks: false, why })));
  if (!values.noBranches) {
    const known = plan.changes.filter(({ isNew }) => isNew !== true);
    plan.conflicts.push(...(await branchConflicts(at, prepared, known, renamed.name)));
  }
  return plan;
}

type Reading = Omit<Listing, 'place' | 'judged'> & { renamed: Renamed; judge: Judge };
type SurePlace = { read: ReadFile; place: PlaceOfName };

/** Changes the sure places of a file and those that are asked for, and lists the others. Returns the sure ones. */
function renameIn(plan: Plan, reading: Reading, { to = '', include = [] }: RenameValues): SurePlace[] {
  const { graph, read, lines, renamed, judge } = reading;
  const sure: SurePlace[] = [];
  const edits: Edit[] = [];
  for (const place of read.places) {
    if (place.name !== renamed.name) continue;
    const judged = read.found === null ? asText(graph, read, renamed, to) : judge.judge(read, place);
    if (isChanged(judged, read, include)) {
      edits.push({ start: place.start, end: place.end, text: judged.fresh });
      if (judged.verdict === 'sure') sure.push({ read, place });
    } else listPlace(plan, { graph, read, place, lines, judged });
  }
  if (edits.length > 0) plan.changes.push({ path: read.path, text: read.text, edits });
  return sure;
}

/** Takes the declarations out of a file; a use of the symbol outside of them is a conflict. */
function deleteIn(plan: Plan, { graph, read, lines, renamed, judge }: Reading): void {
  const first = graph.fileNode(read.file) + 1;
  const ranges = Object.entries(read.found?.ranges ?? {}).filter(([index]) => renamed.nodes.has(first + Number(index)));
  const shift = read.text.startsWith('\uFEFF') ? 1 : 0;
  const gone = ranges.map(([, [, end, doc]]) => wholeLines(read.text, doc + shift, end + shift));
  const outer = gone.filter(
    (one) => !gone.some((other) => other !== one && other.start <= one.start && one.end <= other.end),
  );
  outer.sort((a, b) => a.start - b.start);
  for (const place of read.places) {
    if (outer.some(({ start, end }) => start <= place.start && place.start < end)) continue;
    const judged = read.found === null ? asText(graph, read, renamed, '') : judge.judge(read, place);
    if (judged.verdict === 'sure' && place.imports === undefined && place.exports === undefined)
      plan.conflicts.push({ is: 'used', blocks: true, why: `${judged.why} of it`, path: read.path, line: place.line });
    else if (judged.verdict === 'sure')
      listPlace(plan, {
        graph,
        read,
        place,
        lines,
        judged: { ...judged, verdict: 'open', why: `${judged.why} of what is deleted` },
      });
    else if (judged.verdict === 'open' && place.imports?.as === 'name' && isLostImport(graph, read, place, renamed))
      plan.conflicts.push({ is: 'used', blocks: true, why: LOST, path: read.path, line: place.line });
    else listPlace(plan, { graph, read, place, lines, judged });
  }
  if (outer.length > 0) plan.changes.push({ path: read.path, text: read.text, edits: outer });
}

const LOST = 'this import of a file that is not here has the name, which nothing else has';

/** Does an import from beside its file, of which nothing is here, bring a name that the symbol alone has? Then it may be built from it. */
function isLostImport(graph: Graph, { text }: ReadFile, { end, name }: PlaceOfName, { nodes }: Renamed): boolean {
  const behind = text.slice(end, end + MAX_IMPORT);
  const isNear = /^[^;'"]*\bfrom\s*['"]\.{1,2}\//.test(behind);
  return isNear && graph.nodesNamed(name).every((node) => nodes.has(node));
}

const MAX_IMPORT = 4_000;

/** Text that speaks of the symbol comes before data, and that before code of other languages. */
const ORDER = ['comment', 'string', 'document', 'data', 'code'];
const byKind = (a: Mention, b: Mention): number => ORDER.indexOf(a.is) - ORDER.indexOf(b.is);

/** Verdict on a place in a file without a parser. */
function asText(graph: Graph, read: ReadFile, renamed: Renamed, fresh: string): Judged {
  const { language, state } = graph.tables.files[read.file];
  const [node] = renamed.nodes;
  const own = graph.tables.files[graph.fileOf(node)].language;
  const isCode = state === 'degraded' && sameFamily(language, own);
  return isCode
    ? { verdict: 'open', why: 'its file could not be parsed', fresh }
    : { verdict: 'text', why: textKind(graph, read), fresh };
}

function textKind(graph: Graph, { file }: ReadFile): string {
  const { state } = graph.tables.files[file];
  if (classOf(graph, file) === 'document' && state !== 'linked') return 'document';
  return state === 'linked' ? 'code' : 'data';
}

const KINDS: Readonly<Record<string, string>> = { comment: 'comments', string: 'strings', document: 'documents' };

function isChanged({ verdict, why }: Judged, { found }: ReadFile, include: readonly string[]): boolean {
  if (verdict === 'sure') return true;
  if (verdict === 'text') return include.includes(KINDS[why] ?? '');
  return verdict !== 'other' && found !== null && include.includes(verdict);
}

interface Listing {
  graph: Graph;
  read: ReadFile;
  place: PlaceOfName;
  lines: readonly string[];
  judged: Judged;
}

const MAX_LINE = 200;

/** Lists a place that the patch leaves as it is, or counts it if it means something else. */
function listPlace(plan: Plan, { read, place, lines, judged: { verdict, why } }: Listing): void {
  if (verdict === 'other') {
    plan.namesakes++;
    return;
  }
  const line = lines[place.line - 1] ?? '';
  const from = startOfLine(read.text, place.start);
  const shown = {
    path: read.path,
    line: place.line,
    column: place.start - from + 1,
    text: line.trim().slice(0, MAX_LINE),
  };
  if (verdict === 'likely' || verdict === 'open') plan.decide.push({ ...shown, is: verdict, why });
  else plan.mentions.push({ ...shown, is: why as Mention['is'] });
}

function fileDocument({ path, to, text, edits, isNew }: Change): RenameDocument['files']['list'][number] {
  if (isNew) return { path, isNew, edits: edits.length, patch: newFilePatch(path, edited(text, edits)) };
  return { path, ...(to !== undefined && { to }), edits: edits.length, patch: patchOf(path, text, edits, to) };
}

/** Moves files that their language has named after the type in them; of others it says so. */
function moveFiles(graph: Graph, { nodes, name }: Renamed, fresh: string, plan: Plan): void {
  for (const node of nodes) {
    const path = graph.path(node);
    const [, folder, stem, ending] = /^(.*\/)?([^/.]+)(\.[^/]*)?$/s.exec(path) ?? [];
    if (stem !== name || !graph.isFile(graph.container(node)) || fresh === '') continue;
    const change = plan.changes.find((each) => each.path === path);
    const to = `${folder ?? ''}${fresh}${ending ?? ''}`;
    if (change === undefined || change.to !== undefined) continue;
    const { language } = graph.tables.files[graph.fileOf(node)];
    if (graph.findFile(to) >= 0) plan.conflicts.push({ is: 'file', blocks: true, why: `${to} exists already`, path });
    else if (conventionsOf(language).typesNameFiles && graph.isExported(node)) change.to = to;
    else
      plan.conflicts.push({
        is: 'file',
        blocks: false,
        why: 'the file has the name of the symbol, and keeps it',
        path,
      });
  }
}

// Files with the name.

async function readFiles(
  { session, signal }: Asker,
  prepared: GraphAndHeader,
  renamed: Renamed,
  fresh: string,
): Promise<{ files: ReadFile[]; unread: string[] }> {
  const { graph } = prepared;
  const wanted = await filesNaming({ session, signal }, prepared, renamed);
  const unread: string[] = [];
  if (wanted.length > MAX_FILES)
    unread.push(`the name is in ${groupDigits(wanted.length)} files, of which ${groupDigits(MAX_FILES)} were read`);
  const own = graph.tables.files[graph.fileOf([...renamed.nodes][0])].language;
  const names = fresh === '' ? [renamed.name] : [renamed.name, fresh];
  const parsers = parsersOf(session);
  const files = await Promise.all(
    wanted.slice(0, MAX_FILES).map((file) => {
      const { language, state } = graph.tables.files[file];
      const isCode = state === 'linked' && sameFamily(language, own);
      return readFile({ prepared, parsers, unread }, { file, names, isCode, needed: renamed.name });
    }),
  );
  parsers.rest();
  return { files: files.filter((each) => each !== null), unread };
}

interface FileReading {
  prepared: GraphAndHeader;
  parsers: ReturnType<typeof parsersOf>;
  unread: string[];
}

/** Null for a file without `needed`. */
async function readFile(
  { prepared: { graph, objects }, parsers, unread }: FileReading,
  { file, names, isCode, needed }: { file: number; names: readonly string[]; isCode: boolean; needed?: string },
): Promise<ReadFile | null> {
  const { path, oid, language } = graph.tables.files[file];
  const object = await objects.read(oid);
  if (object?.type !== 'blob') return null;
  const bytes = object.content;
  const text = bytes.toString('utf8');
  if (needed !== undefined && !text.includes(needed)) return null;
  if (!isUtf8(bytes) || object.stored !== undefined) {
    unread.push(`${path} is not UTF-8`);
    return null;
  }
  const found = isCode ? await parse(parsers, { language, bytes, names }) : null;
  const shift = text.startsWith('\uFEFF') ? 1 : 0;
  const places = found === null ? occurrences(text, names[0]) : found.places.map((each) => shifted(each, shift));
  return places.length === 0 && needed !== undefined ? null : { file, path, text, found, places };
}

const shifted = (place: PlaceOfName, by: number): PlaceOfName =>
  by === 0 ? place : { ...place, start: place.start + by, end: place.end + by };

async function filesNaming(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  prepared: GraphAndHeader,
  { nodes, name }: Renamed,
): Promise<number[]> {
  const { graph } = prepared;
  const index = await NameIndex.open(session, prepared, signal);
  const found = new Set<number>(index.unindexed);
  // A mark at the end of a name is no part of a term.
  for (const file of index.filesWith(name.replace(/[?!]$/, '')) ?? []) found.add(file);
  for (const node of nodes) {
    found.add(graph.fileOf(node));
    for (const edge of graph.incoming(node)) found.add(graph.fileOf(graph.source(edge)));
  }
  return [...found].sort((a, b) => a - b);
}

async function parse(
  parsers: ReturnType<typeof parsersOf>,
  job: { language: string; bytes: Uint8Array; names: readonly string[] },
): Promise<NamePlaces | null> {
  const outcome = await parsers.get().parse({ oid: '', ...job });
  return 'record' in outcome ? (JSON.parse(Buffer.from(outcome.record).toString('utf8')) as NamePlaces) : null;
}

// Writing, and reading what was written.

interface Writable {
  answer: RenameDocument;
  prepared: GraphAndHeader;
  changes: readonly Change[];
  renamed: Renamed;
  fresh: string;
  toFile?: string;
}

/** Writes the files of a plan. If the check fails, the files are as before, and this throws BAD_ARGUMENT. */
export async function writePlan(at: Asker, plan: Writable): Promise<RenameDocument> {
  const { answer, prepared, changes } = plan;
  const { workTree } = at.session.repository;
  if (workTree === null) throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no files to write');
  const blocking = answer.conflicts.filter(({ blocks }) => blocks);
  if (blocking.length > 0) {
    const [{ why, path }] = blocking;
    throw new SocraticodeError('BAD_ARGUMENT', `nothing is written: ${path === undefined ? '' : `${path}: `}${why}`, {
      hint: `The patch, without ${optionText('write')}, can be applied by hand.`,
    });
  }
  const dirty = changes.find(({ path }) => prepared.uncommitted.has(path));
  if (dirty !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `nothing is written: ${dirty.path} has uncommitted changes`, {
      hint: 'Commit or stash them first.',
    });
  await undivided(() => writeAndCheck(at, plan, workTree));
  return { ...answer, written: true };
}

async function writeAndCheck(at: Asker, plan: Writable, workTree: string): Promise<void> {
  const files = plan.changes.map(({ path, to = path, text, edits, isNew }) => ({
    ...{ path, to, before: isNew ? null : text, after: edited(text, edits) },
  }));
  const undo = replaceFiles(workTree, files);
  try {
    const problems = await problemsOf(at, plan);
    if (problems.length > 0)
      throw new SocraticodeError(
        'BAD_ARGUMENT',
        `the files are as before, since the check failed: ${problems.join('; ')}`,
        {
          hint: `The patch, without ${optionText('write')}, can be applied by hand.`,
        },
      );
  } catch (error) {
    undo();
    throw error;
  }
}

const edited = (text: string, edits: Change['edits']): string =>
  editedRange(text, { start: 0, end: text.length }, edits);

/** Reads the work tree again: no new parse errors, and the new name has the proven uses that the old one had. */
async function problemsOf({ session, signal }: Asker, plan: Writable): Promise<string[]> {
  const { prepared, changes, renamed, fresh } = plan;
  const { graph } = await graphsOf(session).prepare({ signal });
  const problems: string[] = [];
  const before = prepared.graph;
  for (const { path, to = path } of changes) {
    const [old, now] = [before.tables.files[before.findFile(path)], graph.tables.files[graph.findFile(to)]];
    if (now === undefined) problems.push(`${to} is not read`);
    else if (now.isIncomplete && !old?.isIncomplete) problems.push(`${to} has parse errors`);
  }
  if (plan.toFile !== undefined) return [...problems, ...lostByMove(before, graph, renamed, plan.toFile)];
  if (fresh === '') return problems;
  const nodes = graph.nodesNamed(fresh).concat(graph.nodesNamed(`~${fresh}`), graph.nodesNamed(`#${fresh}`));
  const [was, is] = [usesOf(before, renamed.nodes), usesOf(graph, new Set(nodes))];
  const moved = new Map(changes.map(({ path, to = path }) => [path, to]));
  const changed = new Set(
    plan.changes.flatMap((change) => linesEdited(change).map((line) => `${change.path}:${line}`)),
  );
  const lost = [...was].filter((place) => {
    const [path, line] = [place.slice(0, place.lastIndexOf(':')), place.slice(place.lastIndexOf(':') + 1)];
    return changed.has(place) && !is.has(`${moved.get(path) ?? path}:${line}`);
  });
  if (lost.length > 0) problems.push(`${formatCount(lost.length, 'use')} of ${fresh} lead elsewhere, first ${lost[0]}`);
  return problems;
}

/** Files that used the symbol and do not use it any more, since it is in another file. */
function lostByMove(before: Graph, graph: Graph, { nodes, name }: Renamed, path: string): string[] {
  const fresh = graph.nodesNamed(name).filter((node) => graph.path(node) === path);
  if (fresh.length === 0) return [`${name} is not in ${path}`];
  const files = (of: Graph, symbols: ReadonlySet<number>) =>
    new Set([...usesOf(of, symbols)].map((at) => at.slice(0, at.lastIndexOf(':'))));
  const now = files(graph, new Set(fresh));
  const lost = [...files(before, nodes)].filter((file) => !now.has(file) && file !== before.path([...nodes][0]));
  return lost.length === 0 ? [] : [`${formatCount(lost.length, 'file')} lost ${name}, first ${lost[0]}`];
}

/** Places of uses by their own name: `path:line`. */
function usesOf(graph: Graph, nodes: ReadonlySet<number>): Set<string> {
  const found = new Set<string>();
  for (const node of nodes) {
    for (const edge of graph.incoming(node)) {
      if (graph.isFileEdge(edge) || bareName(graph.edge(edge).name) !== bareName(graph.name(node))) continue;
      found.add(`${graph.path(graph.source(edge))}:${graph.tables.edgeLine[edge]}`);
    }
  }
  return found;
}

// Text: the patch, which git reads, and behind it what people need to know.

export function renameText(document: RenameDocument, writing: Writing<RenameValues>): string {
  const { pen, isCommand } = writing;
  const { files } = document;
  const notes = [...headLines(document, pen), ...conflictLines(document, pen), ...decideLines(document, pen)];
  notes.push(...blockLines(linkedBlocks(document.linked, pen), pen));
  const footer = isCommand ? renderFooter(document, pen) : '';
  return `${files.list.map(({ patch }) => pen.raw(patch)).join('')}${notes.join('\n')}\n${footer}`;
}

function headLines(document: RenameDocument, pen: Pen): string[] {
  const { definitions, edits, files, namesakes, from, to, toFile, written } = document;
  const kept =
    namesakes === 0
      ? ''
      : `; ${formatCount(namesakes, 'place')} of the name ${namesakes === 1 ? 'means' : 'mean'} something else`;
  const done = written ? 'changed and checked' : 'in the patch';
  const change = toFile === undefined ? `-> ${pen.symbol(to)}` : `to ${pen.path(toFile)}`;
  return [
    '',
    `${pen.symbol(from)} ${to === '' ? 'deleted' : change}: ${formatCount(edits, 'place')} in ${formatCount(total(files), 'file')} ${done}${kept}`,
    ...blockLines(definitionBlocks(definitions), pen),
  ];
}

function conflictLines({ conflicts }: RenameDocument, pen: Pen): string[] {
  if (conflicts.length === 0) return [];
  const lines = conflicts.map(({ blocks, is, why, path, line }) => {
    const where = path === undefined ? '' : `${line === undefined ? pen.path(path) : placeText(path, line, pen)}  `;
    return `  ${blocks ? '!' : '-'} ${where}${why} ${pen.dim(`(${is})`)}`;
  });
  const legend = conflicts.some(({ blocks }) => blocks) ? '; "!" keeps it from being written' : '';
  return ['', `${formatCount(conflicts.length, 'conflict')}${legend}`, ...lines];
}

function decideLines({ decide, mentions }: RenameDocument, pen: Pen): string[] {
  const lines: string[] = [];
  if (total(decide) > 0) {
    lines.push('', `${formatCount(total(decide), 'place')} to decide`);
    for (const { path, line, text, is, why } of decide.list)
      lines.push(`  ${placeText(path, line, pen)}  ${text}  ${pen.dim(`(${is}: ${why})`)}`);
    lines.push(...more(decide.leftOut, pen));
  }
  if (total(mentions) > 0) {
    const kinds: Record<string, number> = {};
    for (const { is } of mentions.list) kinds[is] = (kinds[is] ?? 0) + 1;
    lines.push('', `${formatCount(total(mentions), 'place')} in text: ${formatCounts(kinds)}`);
    for (const { path, line, text, is } of mentions.list)
      lines.push(`  ${placeText(path, line, pen)}  ${text}  ${pen.dim(`(${is})`)}`);
    lines.push(...more(mentions.leftOut, pen));
  }
  return lines;
}
