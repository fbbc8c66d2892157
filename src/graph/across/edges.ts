/** Finds who uses what of another repository, from the facts of both. Pure: a server calls it with facts that it keeps. */
import type { DependsOn, ExportedName, LinkedFacts, UsedName } from './facts.js';

/**
 * Evidence of an edge, strongest first, with its confidence. The numbers were set by hand, in the order in which the evidence is
 * sure: the edges that were judged (docs/linked.md) are too few for a share of each kind.
 */
export const LINKED_CONFIDENCE = {
  /** The file imports the name, and the package exports it. */
  exported: 0.98,
  /** As before, through other modules of the package. */
  reexported: 0.95,
  /** A member of an exported type, of which the file says that it has an instance. */
  typed: 0.9,
  /** A member of the type that an exported function is declared to return. */
  result: 0.85,
  /** The file imports the module; which of its names it uses is not known. */
  module: 0.3,
} as const;
export type LinkedEvidence = keyof typeof LINKED_CONFIDENCE;

/** A repository that lists its dependencies and does not list the package may mean another module of that name. */
const UNLISTED = 0.8;

export interface PackageEdge {
  evidence: LinkedEvidence;
  confidence: number;
  /** Name of the package, and what is used of it: `Flask.route`, '' for the module. */
  package: string;
  specifier: string;
  name: string;
  /** The use. */
  from: Pick<UsedName, 'path' | 'symbol' | 'line' | 'uses'>;
  /** The definition; null for the module as a whole, and for a name that it does not export. */
  to: Pick<ExportedName, 'path' | 'symbol' | 'line'> | null;
  /** Version that the using repository lists, null if it does not list the package. */
  version: string | null;
}

/** Names of one publisher, ready to be looked up. Build it once for many users. */
export class ExportIndex {
  private readonly names = new Map<string, ExportedName>();
  private readonly modules = new Map<string, number>();
  /** Names that have members: types. */
  private readonly owners = new Set<string>();

  constructor(readonly facts: Pick<LinkedFacts, 'packages' | 'exports'>) {
    for (const name of facts.exports) {
      const { ecosystem } = facts.packages[name.package];
      const key = `${ecosystem} ${name.module}`;
      this.modules.set(key, name.package);
      if (!this.names.has(`${key}\0${name.name}`)) this.names.set(`${key}\0${name.name}`, name);
      const dot = name.name.lastIndexOf('.');
      if (dot > 0) this.owners.add(`${key}\0${name.name.slice(0, dot)}`);
    }
  }

  find({ ecosystem, specifier }: Pick<UsedName, 'ecosystem' | 'specifier'>, name: string): ExportedName | undefined {
    return this.names.get(`${ecosystem} ${specifier}\0${name}`);
  }

  hasMembers({ ecosystem, specifier }: Pick<UsedName, 'ecosystem' | 'specifier'>, name: string): boolean {
    return this.owners.has(`${ecosystem} ${specifier}\0${name}`);
  }

  /** Index of the package that has the module, -1 for none. */
  packageOf({ ecosystem, specifier }: Pick<UsedName, 'ecosystem' | 'specifier'>): number {
    return this.modules.get(`${ecosystem} ${specifier}`) ?? -1;
  }
}

/** Edges from one repository to what another one publishes, in the order of the uses. */
export function packageEdges(index: ExportIndex, user: Pick<LinkedFacts, 'uses' | 'dependencies'>): PackageEdge[] {
  const versions = versionsOf(user.dependencies);
  return user.uses.flatMap((use) => edgeOf(index, use, versions) ?? []);
}

type Versions = ReadonlyMap<string, ReadonlyMap<string, string>>;

function edgeOf(index: ExportIndex, use: UsedName, versions: Versions): PackageEdge | null {
  const found = targetOf(index, use);
  if (found === null) return null;
  const { name: packageName } = index.facts.packages[found.package];
  const listed = versions.get(use.ecosystem);
  const version = listed?.get(plainName(packageName)) ?? null;
  const isUnlisted = listed !== undefined && version === null;
  const { path, symbol, line, uses } = use;
  return {
    evidence: found.evidence,
    confidence: Math.round(LINKED_CONFIDENCE[found.evidence] * (isUnlisted ? UNLISTED : 1) * 100) / 100,
    ...{ package: packageName, specifier: found.specifier, name: found.name, version },
    from: { path, symbol, line, uses },
    to: found.to,
  };
}

interface Target {
  package: number;
  evidence: LinkedEvidence;
  specifier: string;
  name: string;
  to: PackageEdge['to'];
}

function targetOf(index: ExportIndex, use: UsedName): Target | null {
  for (const { specifier, name } of readings(use)) {
    const at = index.packageOf({ ...use, specifier });
    if (at < 0) continue;
    const module = { package: at, specifier };
    if (name === '') return { ...module, name, evidence: 'module', to: null };
    const exported = index.find({ ...use, specifier }, name);
    if (exported !== undefined) return { ...module, name, evidence: evidenceOf(use, exported), to: placeOf(exported) };
    const [first, member] = name.split('.', 2);
    const owner = index.find({ ...use, specifier }, first);
    if (owner === undefined) continue;
    const given = member === undefined ? undefined : index.find({ ...use, specifier }, `${owner.result}.${member}`);
    if (given !== undefined) return { ...module, name: given.name, evidence: 'result', to: placeOf(given) };
    // The result of a function has the member, and the call of that function is a use of its own.
    if (use.told && !index.hasMembers({ ...use, specifier }, first)) return null;
    // Of `click.Context.obj` the type is proven, whatever the member is.
    return { ...module, name: first, evidence: evidenceOf(use, owner), to: placeOf(owner) };
  }
  const at = index.packageOf(use);
  return at < 0 ? null : { package: at, specifier: use.specifier, evidence: 'module', name: use.name, to: null };
}

/** `flask.views.View` is the name `views.View` of `flask`, and the name `View` of `flask.views`. */
function readings({ specifier, name }: UsedName): { specifier: string; name: string }[] {
  const own = { specifier, name };
  const [first, ...rest] = name.split('.');
  if (first === '') return [own];
  const separator = /::|\\|\//.exec(specifier)?.[0] ?? '.';
  return [own, { specifier: `${specifier}${separator}${first}`, name: rest.join('.') }];
}

function evidenceOf({ told, name }: UsedName, exported: ExportedName): LinkedEvidence {
  if (told) return 'typed';
  return exported.reexported || name.includes('.') ? 'reexported' : 'exported';
}

function placeOf({ path, symbol, line }: ExportedName): PackageEdge['to'] {
  return { path, symbol, line };
}

function versionsOf(dependencies: readonly DependsOn[]): Versions {
  const found = new Map<string, Map<string, string>>();
  for (const { ecosystem, name, version } of dependencies) {
    const names = found.get(ecosystem) ?? new Map<string, string>();
    found.set(ecosystem, names);
    if (!names.get(plainName(name))) names.set(plainName(name), version);
  }
  return found;
}

/** Registries take names that differ only so as one. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
