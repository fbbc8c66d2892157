/** Creates the import resolver of a snapshot, and describes resolutions as text to compare them. */

import { createResolver, type ResolveInput, type Resolver } from '../../languages/resolver.js';
import { IMPORT_KINDS, type Import } from '../../languages/roles/relation-facts.js';
import type { LinkInput } from '../link-input.js';
import type { SnapshotFiles } from './files.js';
import { SPACES } from './kinds.js';
import type { LinkMemory } from './memory.js';
import type { Nodes } from './nodes.js';
import { digest } from './signatures.js';

const DECLARE = IMPORT_KINDS.indexOf('declare');
/** Maximum length of a resolution's text; a longer list of files is replaced by a digest. */
const MAX_TEXT_LENGTH = 200;

export function resolverOver(input: LinkInput, files: SnapshotFiles, nodes: Nodes): Resolver {
  return createResolver(resolveInputOf(input, files, nodes));
}

export function resolveInputOf(input: LinkInput, files: SnapshotFiles, nodes: Nodes): ResolveInput {
  return {
    files: input.files,
    others: input.others,
    manifests: input.manifests,
    declared: (file) => declaredBy(files, file),
    topLevelNames: (file) => topLevelNames(nodes, file),
    enclosingModules: (file, symbol) => enclosingModules(nodes, file, symbol),
  };
}

/** Packages or modules that a file declares to belong to. */
function declaredBy(files: SnapshotFiles, file: number): string[] {
  if (files.kept[file] === 1 && files.before !== null) return declaredBefore(files.before.memory, files.older[file]);
  return files
    .index(file)
    .imports.filter(({ kind }) => kind === 'declare')
    .map(({ specifier }) => specifier);
}

export function declaredBefore(memory: LinkMemory, file: number): string[] {
  const found: string[] = [];
  for (let at = memory.importBase[file]; at < memory.importBase[file + 1]; at++) {
    if (memory.importKind[at] === DECLARE) found.push(memory.strings[memory.importSpecifier[at]]);
  }
  return found;
}

function topLevelNames(nodes: Nodes, file: number): string[] {
  const names: string[] = [];
  for (let node = nodes.base[file] + 1; node < nodes.base[file + 1]; node++) {
    if (nodes.isOuter(node, true)) names.push(nodes.nameOf(node));
  }
  return names;
}

function enclosingModules(nodes: Nodes, file: number, symbol: number): string[] {
  const names: string[] = [];
  let node = nodes.base[file] + 1 + symbol;
  while (node > nodes.base[file]) {
    if (SPACES.has(nodes.kind(node))) names.unshift(nodes.nameOf(node));
    node = nodes.container[node];
  }
  return names;
}

/** Imports of a file of the previous snapshot, with the fields that resolving needs. */
export function importsBefore(memory: LinkMemory, file: number): Import[] {
  const found: Import[] = [];
  for (let at = memory.importBase[file]; at < memory.importBase[file + 1]; at++) {
    const names = [];
    for (let i = memory.nameBase[at]; i < memory.nameBase[at + 1]; i++) {
      names.push({ name: memory.strings[memory.importedName[i]], alias: memory.strings[memory.importedAlias[i]] });
    }
    found.push({
      kind: IMPORT_KINDS[memory.importKind[at]],
      specifier: memory.strings[memory.importSpecifier[at]],
      names,
      symbol: memory.importSymbol[at],
      startLine: 0,
      endLine: 0,
    });
  }
  return found;
}

/** Describes resolutions of imports as text. */
export class ResolutionTexts {
  private readonly lists = new WeakMap<readonly string[], string>();

  constructor(private readonly resolver: Resolver) {}

  of(file: number, item: Import): string {
    if (item.kind === 'declare') return '';
    const found = this.resolver.resolve(file, item);
    if (found.kind === 'external') return 'external';
    if (found.kind !== 'files') return 'unresolved';
    let text = this.lists.get(found.paths);
    if (text === undefined) {
      text = `${found.tier} ${found.paths.join('\n')}`;
      if (text.length > MAX_TEXT_LENGTH) text = `${found.tier} ${found.paths.length} ${digest(text)}`;
      this.lists.set(found.paths, text);
    }
    return text;
  }
}
