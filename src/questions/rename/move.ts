/**
 * Plans the way of a symbol into another file: its text with its comments, the imports that it needs there, and the imports of all who use
 * it. How imports are written is said by each language.
 */
import { SocraticodeError } from '../../base/errors.js';
import { lineOf } from '../../base/lists.js';
import type { PlaceOfName } from '../../extract/name-places.js';
import type { Graph } from '../../graph/graph.js';
import { rulesOf } from '../../languages/registry.js';
import type { ImportedName, StatedImport } from '../../languages/roles/relation-facts.js';
import type { ImportText } from '../../languages/roles/relations.js';
import { startOfLine } from '../../search/grep/hits.js';
import { type Edit, editedRange } from '../../search/grep/rewrite.js';
import type { Change } from './answer.js';
import {
  ASSIGNED,
  circleOf,
  entryText,
  insertion,
  isAll,
  isIn,
  isTop,
  isUse,
  joined,
  lineBehind,
  linesOf,
  localOf,
  meaningOf,
  type Parsed,
  staysUsed,
  usesAtLoad,
  wholeLines,
  withoutNames,
  withSpace,
} from './import-edits.js';
import { Judge, type ReadFile } from './plan.js';
import type { Conflict } from './question.js';
import type { Renamed } from './symbols.js';

/** A place that the plan leaves as it is, with the reason. */
export interface Left {
  read: ReadFile;
  place: PlaceOfName;
  why: string;
  verdict: 'likely' | 'open' | 'text';
}

export interface Moving {
  graph: Graph;
  renamed: Renamed;
  files: readonly ReadFile[];
  /** Path of the other file. */
  path: string;
  /** Reads a file of the graph with other names. */
  read: (file: number, names: readonly string[]) => Promise<ReadFile | null>;
}

export interface Moved {
  changes: Change[];
  conflicts: Conflict[];
  left: Left[];
}

/** A name that the definition uses. `there`: the other file, null for a new one. `gone`: lines that the old file loses. */
interface Needed {
  home: Parsed;
  there: Parsed | null;
  gone: readonly Edit[];
  name: string;
}

const refuse = (why: string, hint?: string): never => {
  throw new SocraticodeError('BAD_ARGUMENT', why, { hint });
};

export async function planMove(moving: Moving): Promise<Moved> {
  const { graph, renamed, path } = moving;
  const [node] = renamed.nodes;
  const home = graph.fileOf(node);
  const { language } = graph.tables.files[home];
  const rules = rulesOf(language).relations?.importText;
  if (rules === undefined) return refuse(`a symbol of ${language} is not moved to another file by this program`);
  if ([...renamed.nodes].some((each) => graph.fileOf(each) !== home || !graph.isFile(graph.container(each))))
    return refuse(`${graph.qualifiedName(node)} does not stand alone at the top of one file`);
  const ending = (name: string) => name.slice(name.lastIndexOf('.'));
  if (ending(path) !== ending(graph.path(node)) || path.split('/').some((part) => part === '..' || part === ''))
    return refuse(
      `${path} is no path of another file of ${language}`,
      `Give a path that ends in ${ending(graph.path(node))}`,
    );
  if (path === graph.path(node)) return refuse(`${graph.qualifiedName(node)} is in ${path} already`);
  return new Mover(moving, rules, home).plan();
}

class Mover {
  private readonly edits = new Map<string, { text: string; edits: Edit[] }>();
  private readonly conflicts: Conflict[] = [];
  private readonly left: Left[] = [];
  private readonly judge: Judge;
  private readonly name: string;
  private readonly target: number;
  private readonly homePath: string;
  /** Names that an import of a file loses, by the file and the start of the statement. They are known only at the end. */
  private readonly losses = new Map<string, { read: Parsed; stated: StatedImport; names: Set<string> }>();
  /** Files with an import that the plan adds, and the files that it leads to, for the search for circles. -1: the new file. */
  private readonly newImports: { from: number; to: number }[] = [];

  constructor(
    private readonly moving: Moving,
    private readonly rules: ImportText,
    private readonly home: number,
  ) {
    const { graph, renamed, files, path } = moving;
    this.name = renamed.name;
    this.homePath = graph.tables.files[home].path;
    this.target = graph.findFile(path);
    this.judge = new Judge(graph, renamed, renamed.name);
    this.judge.learn(files);
  }

  /** Runs the steps in their order: each needs what the ones before have found. Names leave imports last, when all that go are known. */
  async plan(): Promise<Moved> {
    const { graph, files, read } = this.moving;
    const home = this.parsed(files.find(({ file }) => file === this.home));
    const target = this.target < 0 ? null : this.parsed(await read(this.target, [this.name]));
    if (this.rules.others?.test(home.text))
      this.block('file', 'the file imports or exports in another way than by statements', home.path);
    const gone = this.takeOut(home);
    const carried = await this.carry(home, target, gone);
    await this.changeUsers(home, gone);
    this.append(home, target, gone, carried);
    for (const { read: each, stated, names } of this.losses.values()) this.removeNames(each, stated, names);
    const circle = circleOf(graph, this.newImports);
    if (circle !== null) this.circle(circle);
    return { changes: this.changes(), conflicts: this.conflicts, left: this.left };
  }

  private parsed(read: ReadFile | null | undefined): Parsed {
    if (!read || read.found === null) return refuse(`${read?.path ?? this.moving.path} could not be read`);
    if (read.text.startsWith('\uFEFF'))
      refuse(`${read.path} begins with a byte order mark`, 'Save it without one, then run again.');
    return read as Parsed;
  }

  private block(is: Conflict['is'], why: string, path: string, line?: number): void {
    this.conflicts.push({ is, blocks: true, why, path, ...(line !== undefined && { line }) });
  }

  private edit({ path, text }: Pick<ReadFile, 'path' | 'text'>, edit: Edit): void {
    const known = this.edits.get(path);
    if (known === undefined) this.edits.set(path, { text, edits: [edit] });
    else if (!known.edits.some((other) => other.start === edit.start && other.text === edit.text))
      known.edits.push(edit);
  }

  // The definition.

  /** Whole lines of the declarations, with the comments above them. */
  private takeOut(home: Parsed): Edit[] {
    const { graph, renamed } = this.moving;
    const first = graph.fileNode(home.file) + 1;
    const ranges = Object.entries(home.found.ranges).filter(([index]) => renamed.nodes.has(first + Number(index)));
    const gone = ranges.map(([, [, end, doc]]) => withSpace(home.text, wholeLines(home.text, doc, end)));
    gone.sort((a, b) => a.start - b.start);
    for (const edit of gone) {
      if (/^[ \t]/.test(home.text.slice(edit.start)) || !/\n$/.test(home.text.slice(0, edit.start) || '\n'))
        this.block('file', 'other code stands on its lines, or around it', home.path, lineOf(home.text, edit.start));
      this.edit(home, edit);
    }
    return gone;
  }

  /** Text of the declarations as it stands in the other file. */
  private textThere(home: Parsed, gone: readonly Edit[]): string {
    const inner: Edit[] = [];
    for (const stated of home.found.imports) {
      if (!gone.some(({ start, end }) => start <= stated.at && stated.at < end)) continue;
      const specifier = this.rules.relocated(stated.specifier, home.path, this.moving.path);
      const span = this.rules.span(home.text.slice(stated.at, stated.end));
      if (specifier === stated.specifier) continue;
      if (specifier === null || span === null) this.block('file', `${stated.specifier} has no name there`, home.path);
      else inner.push({ start: stated.at + span[0], end: stated.at + span[1], text: specifier });
    }
    const first = this.moving.graph.fileNode(home.file) + 1;
    for (const [index, [start]] of Object.entries(home.found.ranges)) {
      if (!this.moving.renamed.nodes.has(first + Number(index))) continue;
      const from = home.text.lastIndexOf('\n', start) + 1;
      const head = home.text.slice(from, start + this.rules.exported.length + 1);
      if (this.rules.unnamed?.test(home.text.slice(from)))
        this.block('file', 'it is what the file exports by default', home.path);
      else if (this.rules.exported !== '' && !head.startsWith(this.rules.exported))
        inner.push({ start: from, end: from, text: this.rules.exported });
    }
    inner.sort((a, b) => a.start - b.start);
    return gone.map(({ start, end }) => editedRange(home.text, { start, end }, inner).trim()).join('\n\n');
  }

  // Names that the definition needs.

  /** Import statements that the other file gets. */
  private async carry(home: Parsed, target: Parsed | null, gone: readonly Edit[]): Promise<string[]> {
    const text = gone.map(({ start, end }) => home.text.slice(start, end)).join('\n');
    const words = new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
    const known = home.found.imports.flatMap(({ names }) => names.map(localOf));
    const tops = home.found.tops.map(([, name]) => name);
    const names = [...new Set([...known, ...tops])].filter((name) => name !== this.name && words.has(name));
    for (const { specifier, at } of home.found.imports.filter((each) => isAll(each) && each.kind === 'import'))
      this.block('file', `it may use names that ${specifier} gives all at once`, home.path, lineOf(home.text, at));
    if (this.rules.assignsOuter?.test(text)) this.block('file', 'it assigns a name of its file', home.path);
    const again = this.parsed(await this.moving.read(home.file, [this.name, ...names]));
    const there = target === null ? null : this.parsed(await this.moving.read(target.file, [this.name, ...names]));
    const statements: string[] = [];
    for (const name of names) {
      const uses = again.places.filter((place) => place.name === name && isUse(place, again, gone));
      if (uses.length === 0) this.inText(again, name, gone);
      else statements.push(...this.carryName({ home: again, there, gone, name }));
    }
    const taken = there?.places.find(({ name, defines }) => name === this.name && defines && isTop(there, defines));
    if (taken !== undefined) this.block('taken', `${this.name} is there already`, this.moving.path, taken.line);
    return [...new Set(statements)];
  }

  /** Types can stand in texts, which nobody checks. */
  private inText(home: Parsed, name: string, gone: readonly Edit[]): void {
    const place = home.places.find((each) => each.name === name && each.in === 'text' && isIn(gone, each.start));
    if (place !== undefined)
      this.left.push({ read: home, place, verdict: 'open', why: `a text that may need ${name} there` });
  }

  private carryName(of: Needed): string[] {
    const { home, there, gone, name } = of;
    const path = this.moving.path;
    const stated = home.found.imports.filter(
      ({ at, names }) => !isIn(gone, at) && names.some((each) => localOf(each) === name),
    );
    if (stated.length === 0) return this.helper(of);
    const [one] = stated;
    const isAtTop = home.text[one.at - 1] === undefined || home.text[one.at - 1] === '\n';
    const entry = one.names.find((each) => localOf(each) === name) as ImportedName;
    const isOnlyType = one.kind === 'type' && !isAtTop;
    const specifier = this.rules.relocated(one.specifier, home.path, path);
    const statement = specifier === null ? null : this.carried(home, one, entry, specifier);
    const targets = this.judge.importTargets(home.file, linesOf(home, one));
    if (targets.includes(this.target) && this.target >= 0) {
      const isThere = there?.found.tops.some(([, each]) => each === entry.name && each === entry.alias);
      if (!isThere) this.block('file', `it names that file ${name}`, home.path, lineOf(home.text, one.at));
      this.dropIfUnused(home, one, name, gone);
      return [];
    }
    if (stated.length > 1 || statement === null || (!isAtTop && !isOnlyType)) {
      this.block('file', `it needs ${name}, whose import cannot be carried over`, home.path, lineOf(home.text, one.at));
      return [];
    }
    const same = there?.found.imports.some(
      (each) =>
        each.specifier === specifier &&
        each.names.some((other) => localOf(other) === name && other.name === entry.name),
    );
    if (!same && this.isTaken(there, name)) return [];
    this.dropIfUnused(home, one, name, gone);
    if (same) return [];
    if (targets.length === 1) this.newImports.push({ from: this.target, to: targets[0] });
    if (isOnlyType)
      this.conflicts.push({ is: 'circular', blocks: true, why: `${name} is imported for types only`, path: home.path });
    return [statement];
  }

  /** The import as the other file states it; null if it cannot. */
  private carried(home: Parsed, one: StatedImport, entry: ImportedName, specifier: string): string | null {
    if (one.kind !== 'import' && one.kind !== 'type') return null;
    const statement = home.text.slice(one.at, one.end);
    const whole = this.rules.whole(statement, entry, specifier);
    if (whole !== null) return whole;
    if (entry.name === '*' || entry.name === '=') return null;
    return this.rules.entry(statement, entryText(statement, entry), specifier);
  }

  /** Does a name mean something else in the other file? */
  private isTaken(there: Parsed | null, name: string): boolean {
    const place = there === null ? undefined : meaningOf(there, name);
    const why = `${name}, which it needs, means something else there`;
    if (place !== undefined) this.block('taken', why, this.moving.path, place.line);
    return place !== undefined;
  }

  /** Takes the name out of the import if only the definition used it. */
  private dropIfUnused(home: Parsed, stated: StatedImport, name: string, gone: readonly Edit[]): void {
    const isElsewhere = home.places.some((place) => place.name === name && staysUsed(place, home, gone));
    if (!isElsewhere) this.noteLoss(home, stated, name);
  }

  /** A symbol of the old file that the definition uses: it stays, and is imported from there. */
  private helper({ home, there, gone, name }: Needed): string[] {
    const { graph, path } = this.moving;
    const top = home.found.tops.find(([, each]) => each === name);
    if (top === undefined) return [];
    const [index, , , , end] = top;
    const node = graph.fileNode(home.file) + 1 + index;
    const line = Math.max(1, graph.startLine(node));
    const isAssigned = home.places.some(
      (place) =>
        place.name === name &&
        place.in === 'code' &&
        !place.member &&
        (place.start > end || isIn(gone, place.start)) &&
        ASSIGNED.test(home.text.slice(place.end, place.end + 6)),
    );
    if (isAssigned) this.block('used', `it uses ${name}, which is assigned`, home.path, line);
    const stated = there?.found.imports.find((each) => each.names.some((other) => localOf(other) === name));
    const isThere =
      stated !== undefined &&
      there !== null &&
      this.judge.importTargets(there.file, linesOf(there, stated)).includes(home.file);
    if (!isThere && this.isTaken(there, name)) return [];
    const specifier = this.specifierOf(path, home.path, [there, home]);
    if (specifier === null) {
      this.block('used', `it uses ${name}, and no import says how ${home.path} is named there`, home.path, line);
      return [];
    }
    const [start] = home.found.ranges[index] ?? [0];
    const from = home.text.lastIndexOf('\n', start) + 1;
    const isHidden = this.rules.exported !== '' && !graph.isExported(node);
    if (isHidden && !home.text.startsWith(this.rules.exported, from))
      this.edit(home, { start: from, end: from, text: this.rules.exported });
    const why = `it uses ${name}, which stays${isHidden ? ' and is exported' : ''}`;
    this.conflicts.push({ is: 'helper', blocks: false, why, path: home.path, line });
    this.newImports.push({ from: this.target, to: home.file });
    return isThere ? [] : [this.rules.plain(home.text, name, specifier)];
  }

  /** Specifier of a file for another one, as an import that leads to a file of the repository shows it. */
  private specifierOf(from: string, to: string, reads: readonly (Parsed | null)[]): string | null {
    for (const read of reads) {
      for (const stated of read?.found.imports ?? []) {
        const targets = read ? this.judge.importTargets(read.file, linesOf(read, stated)) : [];
        if (!read || targets.length !== 1) continue;
        const like = {
          from: read.path,
          specifier: stated.specifier,
          to: this.moving.graph.tables.files[targets[0]].path,
        };
        const found = this.rules.specifier(from, to, like);
        if (found !== null) return found;
      }
    }
    return this.rules.specifier(from, to, null) ?? this.bySomebody(from, to);
  }

  /** Specifier in the form in which another file names the old one. */
  private bySomebody(from: string, to: string): string | null {
    for (const { path, found } of this.moving.files) {
      for (const { specifier } of found?.imports ?? []) {
        const like = { from: path, specifier, to: this.homePath };
        if (this.rules.specifier(path, like.to, like) !== specifier) continue;
        const fresh = this.rules.specifier(from, to, like);
        if (fresh !== null) return fresh;
      }
    }
    return null;
  }

  // Users.

  private async changeUsers(home: Parsed, gone: readonly Edit[]): Promise<void> {
    for (const read of this.moving.files) {
      if (read.found === null) continue;
      if (read.file === this.home) this.changeHome(home, gone);
      else this.changeUser(read as Parsed);
    }
    if (this.rules.exported === '' || this.isExported()) await this.changeStars();
  }

  private isExported(): boolean {
    return [...this.moving.renamed.nodes].some((node) => this.moving.graph.isExported(node));
  }

  /** The old file imports the symbol if it still uses it. */
  private changeHome(home: Parsed, gone: readonly Edit[]): void {
    const rest = home.places.filter(
      (place) =>
        place.in === 'code' &&
        !place.member &&
        !isIn(gone, place.start) &&
        this.judge.judge(home, place).verdict !== 'other',
    );
    const listed = home.places.find(
      (place) => place.in === 'text' && !isIn(gone, place.start) && this.judge.judge(home, place).why === 'export',
    );
    if (rest.length === 0 && listed === undefined) return;
    const specifier = this.specifierOf(home.path, this.moving.path, [home]);
    if (specifier === null)
      this.block('used', 'no import says how the other file is named', home.path, (rest[0] ?? listed)?.line);
    else this.edit(home, insertion(home, this.rules.plain(home.text, this.name, specifier), this.rules.apart));
    this.newImports.push({ from: this.home, to: this.target });
  }

  private changeUser(read: Parsed): void {
    let needs: PlaceOfName | undefined;
    let has = false;
    for (const place of read.places) {
      const { verdict, why } = this.judge.judge(read, place);
      const isImport = place.imports !== undefined && place.in === 'code';
      if (verdict !== 'sure') {
        const isUse = isImport || verdict !== 'text' || (why === 'string' && this.namesHome(read, place));
        if (isUse && verdict !== 'other') this.left.push({ read, place, verdict, why });
      } else if (isImport) {
        has = true;
        this.changeImport(read, place);
      } else if (place.member) this.throughModule(read, place);
      else needs ??= place;
    }
    if (needs === undefined) return;
    if (!has) this.throughStar(read, needs);
    if (read.file === this.target) this.checkOrder(read);
  }

  /** Does the line of a text name the old file, too? */
  private namesHome({ text }: ReadFile, { start }: PlaceOfName): boolean {
    const stem = this.homePath.replace(/^.*\/|\.[^/]*$/g, '');
    return text.slice(startOfLine(text, start), start).includes(stem);
  }

  private statedAt(read: Parsed, at: number): StatedImport | undefined {
    return read.found.imports.find((each) => each.at <= at && at < each.end);
  }

  private changeImport(read: Parsed, place: PlaceOfName): void {
    const stated = this.statedAt(read, place.start);
    const targets = this.judge.importTargets(read.file, place.imports);
    if (stated === undefined || place.imports?.as === 'alias') return;
    const entry = stated.names.find(({ name }) => name === this.name);
    if (read.file === this.target && entry) {
      this.noteLoss(read, stated, entry.alias);
      if (entry.alias !== this.name) this.block('used', `the file calls it ${entry.alias}`, read.path, place.line);
      return;
    }
    if (!targets.includes(this.home)) return;
    const like = { from: read.path, specifier: stated.specifier, to: this.homePath };
    if (targets.length > 1 && this.rules.specifier(read.path, like.to, like) !== stated.specifier) return;
    if (place.imports?.as !== 'name') {
      this.left.push({ read, place, verdict: 'open', why: 'a path that leads to the old file' });
      return;
    }
    const specifier = this.rules.specifier(read.path, this.moving.path, like);
    const statement = read.text.slice(stated.at, stated.end);
    const span = this.rules.span(statement);
    if (specifier === null || span === null || entry === undefined)
      this.block('used', 'the import does not say how the other file is named', read.path, place.line);
    else this.redirect(read, stated, entry, { specifier, span });
    this.newImports.push({ from: read.file, to: this.target });
  }

  /** A statement of this name alone gets another specifier; from a longer list the name goes into a statement of its own. */
  private redirect(
    read: Parsed,
    stated: StatedImport,
    entry: ImportedName,
    to: { specifier: string; span: [number, number] },
  ): void {
    const statement = read.text.slice(stated.at, stated.end);
    if (stated.names.length === 1) {
      this.edit(read, { start: stated.at + to.span[0], end: stated.at + to.span[1], text: to.specifier });
      return;
    }
    this.noteLoss(read, stated, entry.alias);
    this.behind(read, stated, this.rules.entry(statement, entryText(statement, entry), to.specifier));
  }

  private behind(read: Parsed, stated: StatedImport, statement: string): void {
    this.edit(read, lineBehind(read.text, stated, statement));
  }

  /** `cart.total` of an imported file becomes `total`, which is imported. */
  private throughModule(read: Parsed, place: PlaceOfName): void {
    const before = read.text.slice(Math.max(0, place.start - 200), place.start);
    const receiver = /([\p{L}_$][\p{L}\p{N}_$.]*)\.$/u.exec(before)?.[1];
    const stated = read.found.imports.find(({ names }) => names.some(({ alias }) => alias === receiver));
    const entry = stated?.names.find(({ alias }) => alias === receiver);
    const isElsewhere = read.places.some((other) => other.in === 'code' && !other.member && !other.label);
    if (!receiver || !stated || !entry || isElsewhere || read.file === this.target) {
      this.block('used', 'it is used through its file', read.path, place.line);
      return;
    }
    const dot = stated.specifier.endsWith('.') ? '' : '.';
    const named = entry.name === '*' ? stated.specifier : `${stated.specifier}${dot}${entry.name}`;
    const like = { from: read.path, specifier: named, to: this.homePath };
    const specifier = this.rules.specifier(read.path, this.moving.path, like);
    if (specifier === null || read.text[stated.at - 1] === ' ') {
      this.block('used', 'it is used through its file', read.path, place.line);
      return;
    }
    this.edit(read, { start: place.start - receiver.length - 1, end: place.end, text: this.name });
    this.behind(read, stated, this.rules.plain(read.text, this.name, specifier));
    this.newImports.push({ from: read.file, to: this.target });
  }

  /** A file that has all names of the old one imports this name beside them. */
  private throughStar(read: Parsed, place: PlaceOfName): void {
    const stated = read.found.imports.find((each) => this.isStar(read, each));
    if (stated === undefined)
      this.block('used', 'nothing says from where the file has the name', read.path, place.line);
    else this.addBeside(read, stated);
  }

  private isStar(read: Parsed, { names, ...stated }: StatedImport): boolean {
    return isAll({ names }) && this.judge.importTargets(read.file, linesOf(read, stated)).includes(this.home);
  }

  private addBeside(read: Parsed, stated: StatedImport): void {
    const like = { from: read.path, specifier: stated.specifier, to: this.homePath };
    const specifier = this.rules.specifier(read.path, this.moving.path, like);
    if (specifier === null) this.block('used', 'the import of all names says no path of the other file', read.path);
    else if (!read.found.imports.some((each) => each.specifier === specifier && isAll(each)))
      this.behind(read, stated, this.rules.entry(read.text.slice(stated.at, stated.end), this.name, specifier));
    this.newImports.push({ from: read.file, to: this.target });
  }

  /** Files that hand on all names of the old file need not have this one in their text. */
  private async changeStars(): Promise<void> {
    const { graph, files, read } = this.moving;
    const sources = new Set(
      [...graph.incoming(graph.fileNode(this.home))].map((edge) => graph.fileOf(graph.source(edge))),
    );
    for (const file of sources) {
      if (file === this.home || file === this.target || !graph.isFile(graph.fileNode(file))) continue;
      if (files.some((each) => each.file === file)) continue;
      const found = await read(file, [this.name]);
      if (found?.found == null) continue;
      const stated = found.found.imports.find((each) => this.isStar(found as Parsed, each));
      if (stated !== undefined) this.addBeside(found as Parsed, stated);
    }
  }

  /** The definition comes last: code that runs while the file is loaded needs it before. */
  private checkOrder(read: Parsed): void {
    for (const { line } of usesAtLoad(read, this.rules.circlesFail === true))
      this.block('used', 'the file uses it before its end', read.path, line);
  }

  // The texts.

  private noteLoss(read: Parsed, stated: StatedImport, name: string): void {
    const key = `${read.path}:${stated.at}`;
    const known = this.losses.get(key);
    if (known === undefined) this.losses.set(key, { read, stated, names: new Set([name]) });
    else known.names.add(name);
  }

  private removeNames(read: Parsed, stated: StatedImport, names: ReadonlySet<string>): void {
    const edit = withoutNames(read.text, stated, names);
    if (edit === null)
      this.conflicts.push({
        is: 'used',
        blocks: false,
        why: 'its import has comments inside or is too long, and keeps its names',
        path: read.path,
        line: lineOf(read.text, stated.at),
      });
    else this.edit(read, edit);
  }

  /** The definition goes to the end of the other file. */
  private append(home: Parsed, target: Parsed | null, gone: readonly Edit[], carried: readonly string[]): void {
    const piece = this.textThere(home, gone);
    const apart = '\n'.repeat(this.rules.apart + 1);
    if (home.found.tops.every(([, , , start]) => isIn(gone, start))) {
      this.conflicts.push({ is: 'file', blocks: false, why: 'it defines nothing any more', path: home.path });
      this.edit(home, { start: home.text.length, end: home.text.length, text: this.rules.hull ?? '' });
    }
    if (target === null) {
      const first = home.found.imports.filter(({ specifier }) => specifier === this.rules.forFile);
      const head = [...first.map(({ at, end }) => home.text.slice(at, end)), ...carried].join('\n');
      const text = `${head}${head === '' ? '' : apart}${piece}\n`;
      this.edits.set(this.moving.path, { text: '', edits: [{ start: 0, end: 0, text }] });
      return;
    }
    if (carried.length > 0) this.edit(target, insertion(target, carried.join('\n'), this.rules.apart));
    const end = target.text.length;
    const start = target.text.trimEnd().length;
    this.edit(target, { start, end, text: `${start === 0 ? '' : apart}${piece}\n` });
  }

  private changes(): Change[] {
    const { path: other } = this.moving;
    return [...this.edits].map(([path, { text, edits }]) => {
      edits.sort((a, b) => a.start - b.start || a.end - b.end);
      return { path, text, edits: joined(edits), ...(path === other && this.target < 0 && { isNew: true }) };
    });
  }

  private circle(files: readonly number[]): void {
    const [one, other] = files.map((file) => (file < 0 ? this.moving.path : this.moving.graph.tables.files[file].path));
    const why = `${one} and ${other} would import each other`;
    this.conflicts.push({ is: 'circular', blocks: this.rules.circlesFail === true, why, path: one });
  }
}
