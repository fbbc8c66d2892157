/** Uses that lead nowhere since the change, each with what it led to and what became of that. */
import type { Graph } from '../../../../graph/graph.js';
import { ownerOf } from '../../../../graph/query/uses.js';
import { type LostUse, lostUses } from '../../../../graph/sides/lost.js';
import type { Sides } from '../../../../graph/sides/sides.js';
import { barrelsOf, importsOf, isAbsent, isFree, targetsOf, wildcardsIn } from './binding.js';
import type { FileTexts } from './file-texts.js';
import type { DanglingUse } from './output.js';
import { Proof } from './proof.js';

/** Most uses whose text is read. */
const MAX_PROVED = 3_000;
/** Most files that import what is gone and are read for names that they import without using them. */
const MAX_IMPORTERS = 400;

/** Certain ones first, then by place. `touched`: nodes of the newer graph whose text differs. */
export async function findDangling(
  sides: Sides,
  texts: FileTexts,
  touched: ReadonlySet<number>,
): Promise<DanglingUse[]> {
  const uses = withoutFollowers(sides, lostUses(sides)).slice(0, MAX_PROVED);
  const imports = importersOfGone(sides);
  await loadFor(sides, texts, uses, imports);
  const proof = new Proof(sides, texts, touched);
  const found = uses.flatMap((use): DanglingUse[] => {
    const certainty = proof.of(use);
    return certainty === 'none' ? [] : [{ ...describe(sides, use), certainty }];
  });
  const told = new Set(found.map(({ path, was }) => `${path} ${was.path} ${was.symbol}`));
  for (const use of namesLost(sides, texts, imports))
    if (!told.has(`${use.path} ${use.was.path} ${use.was.symbol}`)) found.push(use);
  const places = new Set(found.map(({ path, line }) => `${path}:${line}`));
  for (const use of mentionsLost(sides, texts)) if (!places.has(`${use.path}:${use.line}`)) found.push(use);
  return found.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

const rank = ({ certainty }: DanglingUse): number => (certainty === 'certain' ? 0 : 1);

/** Without uses of what a file defined whose import is lost in that file: the import is the mistake. */
function withoutFollowers({ old, now }: Sides, uses: readonly LostUse[]): LostUse[] {
  const lost = new Set<string>();
  const key = ({ edge, was }: LostUse) => `${now.fileOf(now.source(edge))} ${old.fileOf(was)}`;
  for (const use of uses) if (old.isFileEdge(use.oldEdge)) lost.add(key(use));
  return uses.filter((use) => old.isFileEdge(use.oldEdge) || !lost.has(key(use)));
}

/** Newer files that import the file of a symbol which others could use and which is not there any more. */
interface Importer {
  file: number;
  was: number;
}

function importersOfGone(sides: Sides): Importer[] {
  const { old, now } = sides;
  const found: Importer[] = [];
  for (const was of sides.displaced()) {
    const file = sides.file(old.fileOf(was));
    if (file < 0 || old.isFile(was) || !old.isFile(old.container(was)) || !old.isExported(was)) continue;
    for (const edge of now.incoming(now.fileNode(file)))
      if (now.isFileEdge(edge)) found.push({ file: now.fileOf(now.source(edge)), was });
    if (found.length > MAX_IMPORTERS) return found.slice(0, MAX_IMPORTERS);
  }
  return found;
}

async function loadFor(
  sides: Sides,
  texts: FileTexts,
  uses: readonly LostUse[],
  importers: readonly Importer[],
): Promise<void> {
  const { old, now } = sides;
  const users = uses.map(({ edge }) => ({ file: now.fileOf(now.source(edge)), alias: rootOf(now, edge) }));
  const homes = [...uses, ...importers].flatMap(({ was }) => {
    const owner = old.isFile(was) ? -1 : ownerOf(old, was);
    const around = [sides.file(old.fileOf(was)), owner < 0 ? -1 : fileOf(now, sides.node(owner))];
    return around.filter((file) => file >= 0);
  });
  const changed = sides.displaced().map((node) => sides.file(old.fileOf(node)));
  const definers = changed.filter((file) => file >= 0).slice(0, MAX_IMPORTERS);
  await texts.load([...users.map(({ file }) => file), ...importers.map(({ file }) => file), ...homes, ...definers]);
  const targets = users.flatMap(({ file, alias }) => {
    const text = texts.get(file);
    if (text === undefined) return [];
    const items = [...importsOf(text, alias).map(({ item }) => item), ...wildcardsIn(text)];
    return items.flatMap((item) => targetsOf(now, file, item) ?? []);
  });
  await texts.load(barrelsOf(now, [...targets, ...homes]));
}

const fileOf = (graph: Graph, node: number): number => (node < 0 ? -1 : graph.fileOf(node));

function rootOf(graph: Graph, edge: number): string {
  const { receiver, name } = graph.edge(edge);
  return receiver === '' ? name : receiver.split('.', 1)[0];
}

/** Names that files import, or pass on, from a file that has them no longer. */
function* namesLost(sides: Sides, texts: FileTexts, importers: readonly Importer[]): Generator<DanglingUse> {
  const { old, now } = sides;
  for (const { file, was } of importers) {
    const name = old.name(was);
    const home = sides.file(old.fileOf(was));
    const text = texts.get(file);
    if (text === undefined) continue;
    for (const item of text.facts.relations.imports) {
      if (!item.names.some((each) => each.name === name)) continue;
      const targets = targetsOf(now, file, item);
      if (!targets?.includes(home) || !targets.every((target) => isAbsent(now, texts, target, name))) continue;
      const { path } = now.tables.files[file];
      const kind = item.kind.endsWith('reexport') ? 'reexport' : 'import';
      yield { path, line: item.startLine, symbol: null, kind, text: name, certainty: 'certain', ...fate(sides, was) };
    }
  }
}

/** Mentions of a name in the file that defined it: handing on what nothing defines is no use that facts tell. */
function* mentionsLost(sides: Sides, texts: FileTexts): Generator<DanglingUse> {
  const { old, now } = sides;
  for (const was of sides.displaced()) {
    const file = sides.file(old.fileOf(was));
    const name = old.name(was);
    const text = file < 0 ? undefined : texts.get(file);
    const newer = sides.node(was);
    const isHere = newer >= 0 && now.fileOf(newer) === file && now.name(newer) === name;
    if (text === undefined || isHere || old.isFile(was) || !isFree(text, name, 'mentioned')) continue;
    const handedOn = [...old.incoming(was)].some((edge) => {
      const { from, kind, receiver } = old.edge(edge);
      return receiver === '' && (kind === 'value' || kind === 'read') && old.fileOf(from) === old.fileOf(was);
    });
    if (!handedOn || importsOf(text, name).length > 0) continue;
    const { path } = now.tables.files[file];
    for (const { line, isMember } of text.mentions(name))
      if (!isMember)
        yield { path, line, symbol: null, kind: 'value', text: name, certainty: 'likely', ...fate(sides, was) };
  }
}

function describe(sides: Sides, { edge, was }: LostUse): Omit<DanglingUse, 'certainty'> {
  const { now } = sides;
  const { from, kind, startLine, receiver, name } = now.edge(edge);
  const symbol = now.isFile(from) ? null : now.qualifiedName(from);
  const text = receiver === '' ? name : `${receiver}.${name}`;
  return { path: now.path(from), line: startLine, symbol, kind, text, ...fate(sides, was) };
}

/** The thing that was used, and where it is now. */
function fate(sides: Sides, was: number): Pick<DanglingUse, 'was' | 'how' | 'now'> {
  const { old, now } = sides;
  const newer = sides.node(was);
  const former = {
    path: old.path(was),
    symbol: old.isFile(was) ? null : old.qualifiedName(was),
    kind: old.kind(was),
  };
  if (newer < 0) return { was: former, how: 'removed' };
  const isHere = now.path(newer) === former.path && (old.isFile(was) || now.qualifiedName(newer) === former.symbol);
  const place = {
    path: now.path(newer),
    symbol: now.isFile(newer) ? null : now.qualifiedName(newer),
    line: Math.max(1, now.startLine(newer)),
  };
  const how = isHere ? 'hidden' : now.path(newer) === former.path ? 'renamed' : 'moved';
  return { was: former, how, now: place };
}
