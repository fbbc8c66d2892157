/** Rust: crates of the repository, and the files of their modules. Modules without a file of their own stay in their parent's. */

import {
  external,
  type ImportResolver,
  type ImportRules,
  type Resolution,
  type Specified,
  UNRESOLVED,
} from '../roles/imports.js';
import { baseName, directoryOf, join, stemOf, under } from '../roles/paths.js';
import type { Project } from '../roles/project.js';
import { type CargoCrate, Crates } from './crates.js';

/** Files whose child modules are next to them, not in a directory of their name. */
const DIRECTORY_FILES: ReadonlySet<string> = new Set(['mod.rs', 'lib.rs', 'main.rs']);

const TYPE = /^[A-Z]/;

export const RUST: ImportRules = {
  readsNames: true,
  create: (project) => new Rust(project),
};

/** A module: the file that its text is in, and the directory that its children's files are in. */
interface Module {
  file: number;
  directory: string;
}

class Rust implements ImportResolver {
  private readonly crates: Crates;

  constructor(private readonly project: Project) {
    this.crates = new Crates(project);
  }

  resolve(file: number, specified: Specified): Resolution {
    const { specifier } = specified;
    if (specified.kind === 'module') return this.declaredModule(file, specified);
    const names = specifier.split('::').filter((name) => name !== '');
    if (names.length === 0) return UNRESOLVED;
    const start = this.start(file, specified, names);
    if (start === null) {
      return this.crates.mayDependOn(names[0], this.project.directory(file)) ? external(names[0]) : UNRESOLVED;
    }
    const place = this.walk(start.module, names.slice(start.used));
    const files = this.withNames(place.module, place.isWhole, specified.names).filter((found) => found >= 0);
    return files.length === 0 ? UNRESOLVED : this.project.toFiles([...new Set(files)], 'path');
  }

  /** `mod x;`, or the file that a `#[path]` names, which is relative to the directory of the file itself. */
  private declaredModule(file: number, specified: Specified): Resolution {
    const { specifier } = specified;
    if (specifier.endsWith('.rs') || specifier.includes('/')) {
      const path = join(this.project.directory(file), specifier);
      return (path === null ? null : this.project.at(path)) ?? UNRESOLVED;
    }
    const found = this.child(this.within(file, this.enclosing(file, specified)), specifier);
    return found === null ? UNRESOLVED : this.project.toFiles([found.file], 'path');
  }

  /** The module from which the path goes on, and how many of its names have led there; null outside of the repository. */
  private start(file: number, specified: Specified, names: readonly string[]): { module: Module; used: number } | null {
    const inline = [...this.enclosing(file, specified)];
    const [first] = names;
    if (first === 'crate' || first === '$crate') return { module: this.rootOf(file), used: 1 };
    if (first === 'self') return this.climb(file, inline, names, 1);
    if (first === 'super') return this.climb(file, inline, names, 0);
    // Since 2018 a path may begin with a child of the current module; a crate of that name comes first otherwise.
    const here = this.within(file, inline);
    if (!specified.specifier.startsWith('::') && this.child(here, first) !== null) return { module: here, used: 0 };
    // A type's own names: `use Kind::*` of an enum of this file. Crates are written in small letters.
    if (TYPE.test(first)) return { module: here, used: 0 };
    const crate = this.crates.find(first, this.project.directory(file));
    if (crate !== null) return { module: this.crateRoot(crate), used: 1 };
    return this.project.input.topLevelNames(file).includes(first) ? { module: here, used: 0 } : null;
  }

  private climb(
    file: number,
    inline: string[],
    names: readonly string[],
    used: number,
  ): { module: Module; used: number } {
    let at = file;
    let count = used;
    while (names[count] === 'super') {
      count++;
      if (inline.pop() === undefined) at = this.parent(at);
      if (at < 0) return { module: { file: -1, directory: '' }, used: count };
    }
    return { module: this.within(at, inline), used: count };
  }

  private enclosing(file: number, { symbol }: Specified): readonly string[] {
    if (symbol === undefined || symbol < 0) return [];
    return this.project.input.enclosingModules?.(file, symbol) ?? [];
  }

  /** An inline module of a file. */
  private within(file: number, inline: readonly string[]): Module {
    return { file, directory: inline.reduce(under, this.childDirectory(file)) };
  }

  /** Follows names as long as they are modules with files; the remaining names are in the last one's text. */
  private walk(start: Module, names: readonly string[]): { module: Module; isWhole: boolean } {
    let module = start;
    for (const name of names) {
      const next = this.child(module, name);
      if (next === null) return { module, isWhole: false };
      module = next;
    }
    return { module, isWhole: true };
  }

  /** Names that are modules are those modules' files, all others are defined or re-exported by the module itself. */
  private withNames(module: Module, isWhole: boolean, names: Specified['names']): number[] {
    if (!isWhole || names.length === 0) return [module.file];
    return names.map(({ name }) => (name === '*' ? module.file : (this.child(module, name)?.file ?? module.file)));
  }

  private child({ directory }: Module, name: string): Module | null {
    const below = under(directory, name);
    let file = this.project.find(`${below}.rs`);
    if (file < 0) file = this.project.find(`${below}/mod.rs`);
    return file < 0 ? null : { file, directory: below };
  }

  private childDirectory(file: number): string {
    const path = this.project.path(file);
    if (DIRECTORY_FILES.has(baseName(path)) || this.crates.isRoot(path)) return directoryOf(path);
    return under(directoryOf(path), stemOf(path));
  }

  /** The file of the module above a file's; -1 above a crate's root. */
  private parent(file: number): number {
    const path = this.project.path(file);
    if (this.crates.isRoot(path)) return -1;
    const directory = baseName(path) === 'mod.rs' ? directoryOf(directoryOf(path)) : directoryOf(path);
    const home = directoryOf(directory);
    for (const candidate of [`${directory}.rs`, under(directory, 'mod.rs')]) {
      const found = this.project.find(candidate);
      if (found >= 0 && found !== file && !(candidate === `${directory}.rs` && directory === home)) return found;
    }
    return this.rootOf(file).file;
  }

  private rootOf(file: number): Module {
    return this.crateRoot({ root: this.crates.rootOf(this.project.path(file)) });
  }

  private crateRoot({ root }: Pick<CargoCrate, 'root'>): Module {
    return { file: this.project.find(root), directory: directoryOf(root) };
  }
}
