/**
 * Pairs of branches that may break each other though git merges them: names that one takes away, declares otherwise, demands or adds, in
 * lines that the other adds. Reads changed files alone, and finds pairs by an index of names, so that its cost grows with the changes.
 */
import { addTo } from '../../base/lists.js';
import { qualifiedName } from '../../extract/collect-drafts.js';
import type { BlobFacts, CodeSymbol } from '../../extract/facts.js';
import type { FileVersion } from '../../history/file-versions.js';
import { condense } from '../../history/file-versions.js';
import { languageOf, semanticsOf } from '../../languages/registry.js';
import type { BlobFactsSource } from '../../session/blob-facts.js';
import type { ChangedFile } from './branches.js';

/** A pair of sides, by their numbers, of which one may break the other, and the files in which both meet. */
export interface Suspicion {
  changer: number;
  user: number;
  names: Set<string>;
  paths: Set<string>;
}

/** A symbol that two sides add at one place. */
export interface Twin {
  a: number;
  b: number;
  symbol: string;
  /** The place at which each side adds it; lines begin with 1. */
  places: [{ path: string; line: number }, { path: string; line: number }];
}

interface Definition {
  name: string;
  /** Name of the symbol around it, '' at top level. */
  container: string;
  kind: string;
  /** The declaration without white space. */
  signature: string;
  /** First line, from 1. */
  line: number;
  /** Qualified name. */
  key: string;
  /** Number of its parameters, and marks of their types, as in `CodeSymbol`; -1 where they are not stated. */
  arity: number;
  parameters: number;
  /** Can other files name it, or a value that they have? */
  isOpen: boolean;
}

/** A use of names, or an import. */
interface Use {
  /** Names that the use depends on: its own first, then those of its receiver. */
  names: string[];
  /** The line as written, without blanks around it. */
  text: string;
  isParent: boolean;
}

/** Names in one version of a file. */
interface FileNames {
  language: string;
  /** By kind and qualified name; of overloads, the first. */
  definitions: Map<string, Definition>;
  /** Lines without the blanks around them: a use on one of them is not new. */
  lines: Set<string>;
  uses: Use[];
}

type Places = Map<string, Set<string>>;

/** Names of one side, each with the paths of its files. */
interface SideNames {
  /** Taken away, moved, or declared otherwise. */
  broken: Places;
  /** Of the same kind, but used in their file alone: by file and name. */
  local: Places;
  /** Types that get a member. */
  demanding: Places;
  /** Members of interfaces that get another one: a type may have had them all. */
  required: Places;
  /** In added lines. */
  used: Places;
  /** In added lines, by file and name. */
  usedHere: Places;
  /** Parents of types in added lines. */
  parents: Places;
  /** Added members of types. */
  members: Places;
  /** Added symbols by the file, or the package, in which no other may have their name. */
  added: Map<string, { definition: Definition; path: string }>;
}

const TYPES: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'type',
  'object',
  'protocol',
]);
/** Kinds of which a second one opens the first, or stands beside it. */
const REOPENED: ReadonlySet<string> = new Set([
  ...[
    'impl',
    'module',
    'namespace',
    'package',
    'section',
    'key',
    'table',
    'selector',
    'field',
    'property',
    'variable',
    'file',
  ],
]);
/** Files that stand for their folder. */
const STANDS_FOR_FOLDER = /^(?:index|__init__|mod|lib|main)$/;
/** A name in very many branches says nothing about a pair. */
const MAX_SIDES = 100;

/** Names of files that sides change; each version is read once for all sides. `read` precedes `among`, which reads nothing. */
export class ChangedNames {
  private readonly known = new Map<string, FileNames | null>();

  constructor(private readonly source: BlobFactsSource) {}

  /** Reads both versions of all files of code. Those that cannot be read have no names. */
  async read(sides: Iterable<readonly ChangedFile[]>): Promise<void> {
    const versions = [...sides].flat().flatMap(({ before, after }) => [before, after]);
    const wanted = versions.filter(
      (version) => version !== null && !this.known.has(keyOf(version)) && this.isCode(version.path),
    );
    await this.source.prefetch(wanted as FileVersion[], undefined, (version, facts, bytes) => {
      const language = this.source.languageOf(version.path);
      const isKnown = language !== null && facts !== null && bytes !== null && !this.source.degraded.has(version.oid);
      this.known.set(keyOf(version), isKnown ? namesIn(language, facts, bytes) : null);
    });
  }

  private isCode(path: string): boolean {
    const language = this.source.languageOf(path);
    return language !== null && languageOf(language)?.plain === 'code';
  }

  /** Finds what the sides may break of each other. A side is given by its changed files, which were read before, and named by its place. */
  among(sides: readonly (readonly ChangedFile[])[]): { suspicions: Suspicion[]; twins: Twin[] } {
    const names = sides.map((files) => namesOf(files, this.known));
    return { suspicions: suspicionsAmong(names), twins: twinsAmong(names) };
  }
}

const keyOf = ({ oid, path }: FileVersion): string => `${oid} ${path}`;

function namesIn(language: string, { symbols, relations }: BlobFacts, bytes: Buffer): FileNames {
  const text = bytes
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim());
  const definitions = new Map<string, Definition>();
  const exported = new Set(relations.exports.flatMap(({ name, local }) => [name, local]));
  for (const [i, symbol] of symbols.entries()) {
    const one = definitionOf(symbols, i, bytes);
    if (symbol.container < 0 && exported.has(symbol.name)) one.isOpen = true;
    const key = `${symbol.kind} ${one.key}`;
    if (!definitions.has(key)) definitions.set(key, one);
  }
  const uses: Use[] = [];
  const lineAt = (line: number) => text[line - 1] ?? '';
  for (const { kind, name, receiver, startLine } of relations.references) {
    const names = receiver === '' ? [name] : [name, ...receiver.split('.')];
    uses.push({ names, text: lineAt(startLine), isParent: kind === 'extends' || kind === 'implements' });
  }
  for (const { specifier, names, startLine, endLine } of relations.imports) {
    const imported = names.map(({ name }) => name).filter((name) => name !== '');
    const all = [...imported, ...segmentsOf(specifier)];
    // A list of names may stand on several lines.
    const lines = Array.from({ length: Math.min(50, endLine - startLine + 1) }, (_, i) => lineAt(startLine + i));
    for (const line of lines)
      uses.push({ names: all.filter((one) => lines.length === 1 || line.includes(one)), text: line, isParent: false });
  }
  return { language, definitions, lines: new Set(text), uses };
}

/** The last two parts of what an import names, without an ending. */
export function segmentsOf(specifier: string): string[] {
  const parts = specifier.replace(/\.(?:[cm]?[jt]sx?|py|rb|php|h|hpp|hh)$/, '').split(/[/.:\\]+/);
  return parts.filter((part) => part !== '' && part !== '*').slice(-2);
}

function definitionOf(symbols: readonly CodeSymbol[], index: number, bytes: Buffer): Definition {
  const { name, kind, container, signature, startLine, arity = -1, parameters = -1 } = symbols[index];
  return {
    name,
    container: container < 0 ? '' : symbols[container].name,
    kind,
    signature: condense(bytes.subarray(signature.start, signature.end)),
    line: startLine,
    key: qualifiedName(symbols, index),
    arity,
    parameters,
    isOpen: container < 0 ? symbols[index].exported : TYPES.has(symbols[container].kind),
  };
}

/** Names of one side: what its files take away or declare otherwise, and what their added lines use and define. */
function namesOf(files: readonly ChangedFile[], known: ReadonlyMap<string, FileNames | null>): SideNames {
  const empty = () => new Map<string, Set<string>>();
  const side: SideNames = {
    broken: empty(),
    local: empty(),
    demanding: empty(),
    required: empty(),
    used: empty(),
    usedHere: empty(),
    parents: empty(),
    members: empty(),
    added: new Map(),
  };
  for (const { before, after } of files) {
    const [was, is] = [before, after].map((version) => (version && known.get(keyOf(version))) ?? undefined);
    if (before !== null && after?.path !== before.path) {
      for (const stem of stemsOf(before.path)) put(side.broken, stem, before.path);
      for (const { name, isOpen } of was?.definitions.values() ?? []) if (isOpen) put(side.broken, name, before.path);
    }
    if (before !== null && was !== undefined) addBroken(side, before.path, was, is);
    if (after !== null && is !== undefined) addUsed(side, after.path, is, was);
  }
  return side;
}

function addBroken(side: SideNames, path: string, was: FileNames, is: FileNames | undefined): void {
  for (const [key, { name, kind, container, signature, isOpen }] of was.definitions) {
    const now = is?.definitions.get(key);
    if (now !== undefined && now.signature === signature && now.isOpen === isOpen) continue;
    // A local name is used in its own file, which both sides change then.
    if (!isOpen) {
      put(side.local, `${path}\n${name}`, path);
      continue;
    }
    put(side.broken, kind === 'constructor' || /^__\w+__$/.test(name) ? container : name, path);
    if (kind === 'constructor') put(side.broken, name, path);
  }
}

function addUsed(side: SideNames, path: string, is: FileNames, was: FileNames | undefined): void {
  for (const { names, text, isParent } of is.uses) {
    if (was?.lines.has(text)) continue;
    for (const name of names) {
      put(side.used, name, path);
      put(side.usedHere, `${path}\n${name}`, path);
    }
    if (isParent) put(side.parents, names[0], path);
  }
  const types = new Set(
    [...(was?.definitions.values() ?? [])].filter(({ kind }) => TYPES.has(kind)).map(({ name }) => name),
  );
  const { parts } = semanticsOf(is.language);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  for (const [key, definition] of is.definitions) {
    if (was?.definitions.has(key)) continue;
    const { name, container, kind } = definition;
    if (container !== '') put(side.members, name, path);
    if (types.has(container)) addDemand(side, path, is, container);
    if (REOPENED.has(kind) || semanticsOf(is.language).reopens.has(kind as 'class')) continue;
    side.added.set(`${path}\n${key}`, { definition, path });
    if (parts === 'package' && container === '')
      side.added.set(`${folder}\n${extensionOf(path)}\n${key}`, { definition, path });
  }
}

function addDemand(side: SideNames, path: string, { definitions }: FileNames, type: string): void {
  put(side.demanding, type, path);
  if (![...definitions.values()].some(({ name, kind }) => name === type && kind === 'interface')) return;
  for (const { name, container } of definitions.values()) if (container === type) put(side.required, name, path);
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

export function stemsOf(path: string): string[] {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').split('.')[0];
  return STANDS_FOR_FOLDER.test(stem) && parts.length > 1 ? [parts[parts.length - 2]] : [stem];
}

function put(places: Places, name: string, path: string): void {
  const known = places.get(name);
  if (known === undefined) places.set(name, new Set([path]));
  else known.add(path);
}

type Names = Exclude<keyof SideNames, 'added'>;

/** Pairs by the names of one side that stand in added lines of the other. An index of names finds them, so that no pair is tried. */
function suspicionsAmong(names: readonly SideNames[]): Suspicion[] {
  const found = new Map<string, Suspicion>();
  const meet = (changed: Names, using: Names) => {
    const index = new Map<string, number[]>();
    for (const [i, side] of names.entries()) for (const name of side[changed].keys()) addTo(index, name, i);
    for (const [user, side] of names.entries()) {
      for (const [name, paths] of side[using]) {
        for (const changer of (index.get(name) ?? []).slice(0, MAX_SIDES)) {
          if (changer === user) continue;
          const key = `${changer} ${user}`;
          const one = found.get(key) ?? { changer, user, names: new Set(), paths: new Set() };
          found.set(key, one);
          one.names.add(name);
          for (const path of [...paths, ...(names[changer][changed].get(name) ?? [])]) one.paths.add(path);
        }
      }
    }
  };
  meet('broken', 'used');
  meet('local', 'usedHere');
  // An added member may override one that is gone or declared otherwise now.
  meet('broken', 'members');
  // An added type lacks what its parent demands now.
  meet('demanding', 'parents');
  // A type that gets a member of an interface may implement it, without saying so, and lack the new one.
  meet('required', 'members');
  return [...found.values()];
}

/** Symbols that two sides add under one key of `SideNames.added`. */
function twinsAmong(names: readonly SideNames[]): Twin[] {
  const first = new Map<string, { side: number; definition: Definition; path: string }[]>();
  const found: Twin[] = [];
  const seen = new Set<string>();
  for (const [b, { added }] of names.entries()) {
    for (const [key, { definition, path }] of added) {
      const others = first.get(key) ?? [];
      for (const other of others) {
        const id = `${other.side} ${b} ${definition.key} ${path} ${other.path}`;
        if (seen.has(id) || !areTwins(other.definition, definition)) continue;
        seen.add(id);
        const places: Twin['places'] = [
          { path: other.path, line: other.definition.line },
          { path, line: definition.line },
        ];
        found.push({ a: other.side, b, symbol: definition.key, places });
      }
      if (others.length < MAX_SIDES) others.push({ side: b, definition, path });
      first.set(key, others);
    }
  }
  return found;
}

/** Overloads differ in their parameters, where the language has some. */
function areTwins(one: Definition, other: Definition): boolean {
  const differ = (a: number, b: number) => a >= 0 && b >= 0 && a !== b;
  return !differ(one.arity, other.arity) && !differ(one.parameters, other.parameters);
}
