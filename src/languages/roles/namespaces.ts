/** Files by the package, namespace or module that they declare, and the names that they define there. */
import { append, getOrMake, type Project, type Resolution, stemOf } from './project.js';

/** Most namespaces of a file; one with more is generated, or hostile. */
const MAX_DECLARED = 50;
const NO_FILES: readonly number[] = [];

export class Namespaces {
  private byName: Map<string, number[]> | null = null;
  private readonly resolutions = new Map<string, Resolution>();
  private readonly byStem = new Map<string, Map<string, number[]>>();
  private readonly definers = new Map<string, Map<string, number[]>>();

  /** `undeclared`: the namespace of files that declare none. */
  constructor(
    private readonly project: Project,
    private readonly languages: readonly string[],
    private readonly undeclared: string | null,
  ) {}

  has(namespace: string): boolean {
    return this.index().has(namespace);
  }

  /** Files of a namespace, in order. */
  files(namespace: string): readonly number[] {
    return this.index().get(namespace) ?? NO_FILES;
  }

  /** All files of a namespace. Returns one object for each namespace. */
  resolution(namespace: string): Resolution {
    return getOrMake(this.resolutions, namespace, () => this.project.toFiles(this.files(namespace), 'package'));
  }

  /** Files of all namespaces that a file declares, itself included. */
  neighbours(file: number): readonly number[] {
    const names = this.of(file);
    if (names.length === 1) return this.files(names[0]);
    return [...new Set(names.flatMap((name) => this.files(name)))].sort((a, b) => a - b);
  }

  /** Do two files have a namespace in common? */
  share(file: number, other: number): boolean {
    const names = this.of(file);
    return this.of(other).some((name) => names.includes(name));
  }

  /** Files of a namespace with that name, whatever their extension and their definitions. */
  stems(namespace: string, stem: string): readonly number[] {
    const found = getOrMake(this.byStem, namespace, () => {
      const stems = new Map<string, number[]>();
      for (const file of this.files(namespace)) append(stems, stemOf(this.project.path(file)), file);
      return stems;
    });
    return found.get(stem) ?? NO_FILES;
  }

  of(file: number): readonly string[] {
    const declared = this.project.input.declared(file).slice(0, MAX_DECLARED);
    return declared.length === 0 && this.undeclared !== null ? [this.undeclared] : declared;
  }

  /** Files of a namespace that define a name at top level, in order. */
  defining(namespace: string, name: string): readonly number[] {
    const names = getOrMake(this.definers, namespace, () => {
      const found = new Map<string, number[]>();
      for (const file of this.files(namespace)) {
        for (const defined of new Set(this.project.input.topLevelNames(file))) append(found, defined, file);
      }
      return found;
    });
    return names.get(name) ?? NO_FILES;
  }

  private index(): Map<string, number[]> {
    if (this.byName !== null) return this.byName;
    this.byName = new Map();
    for (const file of this.project.filesOfLanguages(this.languages)) {
      for (const namespace of new Set(this.of(file))) append(this.byName, namespace, file);
    }
    return this.byName;
  }
}
