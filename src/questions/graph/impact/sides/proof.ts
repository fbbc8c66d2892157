/** Whether a use that leads nowhere now is certain to be dangling: precision comes first, since people stop at an error. */
import type { Graph } from '../../../../graph/graph.js';
import { inheritEdges, isType, ownerOf } from '../../../../graph/query/uses.js';
import type { LostUse } from '../../../../graph/sides/lost.js';
import { inheritsFrom, isStillReceiver } from '../../../../graph/sides/receivers.js';
import type { Sides } from '../../../../graph/sides/sides.js';
import { conventionsOf, sameFamily, semanticsOf } from '../../../../languages/registry.js';
import {
  importsOf,
  isAbsent,
  isBoundAround,
  isFree,
  isOnlyUsed,
  mayGive,
  targetsOf,
  typesAround,
  wildcardsIn,
} from './binding.js';
import type { FileTexts } from './file-texts.js';

/** `none`: it is no dangling use of its own. */
export type Certainty = 'certain' | 'likely' | 'none';

export class Proof {
  private readonly now: Graph;

  /** `touched`: nodes of the newer graph whose text differs. `texts`: of all files that are asked about. */
  constructor(
    private readonly sides: Sides,
    private readonly texts: FileTexts,
    private readonly touched: ReadonlySet<number>,
  ) {
    this.now = sides.now;
  }

  of(use: LostUse): Certainty {
    const { old } = this.sides;
    const isImport = old.isFileEdge(use.oldEdge);
    if (isImport) return this.importIsLost(use) ? 'certain' : 'likely';
    if (old.isFile(use.was)) return 'none';
    const found = this.ofSymbol(use);
    if (found !== 'certain') return found;
    return old.tier(use.oldEdge) === 'unique' || this.now.target(use.edge) >= 0 ? 'likely' : 'certain';
  }

  private ofSymbol({ edge, was }: LostUse): Certainty {
    const { old } = this.sides;
    const { receiver, name } = this.now.edge(edge);
    if (receiver === '') return this.ofName(edge, was, name);
    const container = ownerOf(old, was);
    if (container < 0) return this.ofName(edge, was, receiver.split('.', 1)[0], old.name(was));
    const type = this.sides.node(container);
    if (type >= 0 && (this.now.kind(type) === 'type' || this.isAssigned(type, old.name(was)))) return 'none';
    if (type >= 0) return this.memberIsLost(edge, was) ? 'certain' : 'likely';
    // A member goes with its type: of uses that do not name the type, those of the type are told.
    const last = receiver.slice(receiver.lastIndexOf('.') + 1);
    return last === old.name(container) ? this.ofName(edge, container, last) : 'none';
  }

  /** Of a use through the plain name `alias`; `member` is taken from what it stands for. */
  private ofName(edge: number, was: number, alias: string, member?: string): Certainty {
    const file = this.now.fileOf(this.now.source(edge));
    const text = this.texts.get(file);
    if (text === undefined) return 'likely';
    const { language } = this.now.tables.files[file];
    const symbol = this.now.source(edge) - this.now.fileNode(file) - 1;
    const imports = importsOf(text, alias);
    const home = this.sides.node(was);
    // A local of that name is meant now.
    if (imports.length === 0 && home < 0 && isBoundAround(text, alias, symbol)) return 'none';
    if (imports.length > 0) {
      const targets = imports.map(({ item }) => targetsOf(this.now, file, item));
      // The name comes from elsewhere now.
      if (targets.some((each) => each === null)) return 'none';
      const isGone = imports.every(({ name }, i) =>
        (targets[i] ?? []).every((target) => this.isAbsentFrom(target, member ?? name, was)),
      );
      if (isGone) return isFree(text, alias) ? 'certain' : 'likely';
      const isGiven = imports.some(({ name }, i) =>
        (targets[i] ?? []).some((target) => mayGive(this.texts.get(target), member ?? name)),
      );
      return isGiven ? 'none' : 'likely';
    }
    const { globalFunctions, globalTypes, headers, runtimeType } = semanticsOf(language);
    if (runtimeType?.(alias) || conventionsOf(language).builtins?.has(alias)) return 'none';
    if (globalFunctions || globalTypes || headers) return 'likely';
    if (!isFree(text, alias) || !this.areNearAbsent(was, member ?? alias)) return 'likely';
    const areKnown = wildcardsIn(text).every((item) =>
      targetsOf(this.now, file, item)?.every((target) => isAbsent(this.now, this.texts, target, alias)),
    );
    const isInherited = !typesAround(this.now, this.now.source(edge)).every((type) => this.ancestorsOf(type) !== null);
    return areKnown && !(semanticsOf(language).implicitThis && isInherited) ? 'certain' : 'likely';
  }

  /** Neither its former file nor a file beside it defines the name. */
  private areNearAbsent(was: number, name: string): boolean {
    const { old } = this.sides;
    const folder = folderOf(old.path(was));
    const isBeside = (node: number) =>
      folderOf(this.now.path(node)) === folder && this.now.isFile(this.now.container(node));
    if (this.now.nodesNamed(name).some((node) => isBeside(node) && !this.isHidden(was, node))) return false;
    const file = this.sides.file(old.fileOf(was));
    const text = file < 0 ? undefined : this.texts.get(file);
    return file < 0 || (text !== undefined && isFree(text, name));
  }

  private isHidden(was: number, node: number): boolean {
    return this.sides.node(was) === node && !this.now.isExported(node);
  }

  /** Of a package with many files the graph is enough. */
  private isAbsentFrom(target: number, name: string, was: number): boolean {
    if (isAbsent(this.now, this.texts, target, name)) return true;
    if (semanticsOf(this.now.tables.files[target].language).parts !== 'package') return false;
    return this.areNearAbsent(was, name);
  }

  private memberIsLost(edge: number, was: number): boolean {
    const { old } = this.sides;
    const type = this.sides.node(ownerOf(old, was));
    const name = old.name(was);
    if (!isType(this.now, type)) return false;
    const ancestors = this.ancestorsOf(type);
    if (ancestors === null) return false;
    const { language } = this.now.tables.files[this.now.fileOf(type)];
    const isDynamic = (node: number) =>
      [...(conventionsOf(language).dynamicNames ?? [])].some((hook) =>
        this.now.nodesNamed(hook).some((other) => this.now.container(other) === node),
      );
    if (ancestors.some((node) => isDynamic(node) || !this.isMemberAbsent(node, name))) return false;
    const { receiver, from } = this.now.edge(edge);
    const owners = this.now
      .nodesNamed(name)
      .filter((node) => sameFamily(language, this.now.tables.files[this.now.fileOf(node)].language))
      .map((node) => ownerOf(this.now, node))
      .filter((owner) => owner >= 0);
    // Another type has a member of that name: nothing around may say that the receiver is of that one now.
    if (owners.length > 0 && !isStillReceiver(this.now, edge, ancestors)) return false;
    if (owners.some((owner) => inheritsFrom(this.now, owner, type))) return false;
    return /^(?:this|super)$/.test(receiver) || !this.touched.has(from);
  }

  /** Does code of the type make the member by assigning to it? */
  private isAssigned(type: number, name: string): boolean {
    const file = this.now.fileOf(type);
    if (conventionsOf(this.now.tables.files[file].language).assignedMembers !== true) return false;
    const references = this.texts.get(file)?.facts.relations.references ?? [];
    return references.some((use) => use.kind === 'write' && use.name === name && use.receiver === 'this');
  }

  private isMemberAbsent(type: number, name: string): boolean {
    const text = this.texts.get(this.now.fileOf(type));
    return text !== undefined && isOnlyUsed(text, name);
  }

  /** The type and all that it inherits from; null if one of those is outside of the repository, or unknown. */
  private ancestorsOf(type: number): number[] | null {
    const found = new Set([type]);
    for (const node of found) {
      for (const edge of inheritEdges(this.now, node)) {
        if (this.now.target(edge) < 0 || found.size > MAX_ANCESTORS) return null;
        found.add(this.now.target(edge));
      }
    }
    return [...found];
  }

  /** By its specifier it led to a file that nothing else can stand for. */
  private importIsLost({ edge, oldEdge, was }: LostUse): boolean {
    const { old } = this.sides;
    const text = this.texts.get(this.now.fileOf(this.now.source(edge)));
    const { name, startLine } = this.now.edge(edge);
    if (text === undefined || old.tier(oldEdge) !== 'path' || isGuarded(text.text, startLine)) return false;
    if (name.startsWith('.')) return true;
    const folder = folderOf(old.path(was));
    const { language } = old.tables.files[old.fileOf(was)];
    return this.now.tables.files.some((file) => folderOf(file.path) === folder && sameFamily(file.language, language));
  }
}

const MAX_ANCESTORS = 100;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Lines above an import in which a `try` may stand that catches its failure. */
const GUARD_LINES = 8;

/** Is the import in a block that may catch its failure? */
function isGuarded(text: string, line: number): boolean {
  const lines = text.split('\n');
  const indent = (one: string) => one.length - one.trimStart().length;
  const own = indent(lines[line - 1] ?? '');
  return lines
    .slice(Math.max(0, line - 1 - GUARD_LINES), line - 1)
    .some((one) => /^\s*(?:\}\s*)?(?:try|except|catch|if|else)\b/.test(one) && indent(one) < own);
}
