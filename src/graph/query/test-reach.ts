/**
 * Everything that the outcome of a test file may depend on in a snapshot: files that its imports lead to, files that code on the way
 * names, lists or loads, data beside them, and settings. It is meant to be too much rather than too little. Where nobody can tell, it is
 * the whole snapshot, and the reason is given.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { firstFrom } from '../../base/lists.js';
import { languageOf } from '../../languages/registry.js';
import {
  isForPeople,
  isLoadedByRunner,
  isSettingCode,
  type LoadingRules,
  loadingRulesOf,
  type NamedFiles,
  readNamedFiles,
  runnerSettingsIn,
} from '../../languages/test-commands.js';
import type { Graph } from '../graph.js';
import { folderOf } from './entry-patterns.js';
import { isRunnableTest, isTest, isTestData } from './node-place.js';

/** A snapshot with all of its files, indexed or not. `files`: kind and content by path. */
export interface ReachedSnapshot {
  graph: Graph;
  files: ReadonlyMap<string, string>;
  /** Files that each test is known to have run, beside those that it is seen to reach. */
  ran: ReadonlyMap<string, readonly string[]>;
  /** Text of a file; null for one that is too large, or no text. */
  read: (path: string) => Promise<string | null>;
}

/** `key`: a hash of the paths and contents that were reached. `unsure`: why it is the whole snapshot. */
export interface Reach {
  key: string;
  files: number;
  unsure: string | null;
}

/** Files that one file leads to. `data`: files that are read as they are, and lead nowhere. */
interface Leads {
  code: ReadonlySet<number>;
  data: ReadonlySet<number>;
  unsure: string | null;
}

const NOWHERE: Leads = { code: new Set(), data: new Set(), unsure: null };
/** Kinds of imports that are gone when the program runs. */
const TYPES: ReadonlySet<string> = new Set(['type-import', 'type-reexport']);
/** Modules that a build writes, with the number of a version alone. */
const VERSION = /(?:^|[._/])_?version(?:_info)?$/i;
/** Part of every key: with other rules of reaching, earlier runs say nothing. */
const RULES_VERSION = 'reach 1';
const KEY_DIGITS = 32;

export class TestReach {
  private readonly paths: readonly string[];
  private readonly places: ReadonlyMap<string, number>;
  private readonly digests: readonly Buffer[];
  private readonly leads = new Map<number, Promise<Leads>>();
  private readonly settings = new Map<string, Promise<Leads>>();
  /** Names of files, with and without their ends, and of folders. */
  private readonly segments = new Set(['', '.', '..']);
  private whole: string | null = null;

  constructor(private readonly snapshot: ReachedSnapshot) {
    this.paths = [...snapshot.files.keys()].sort((a, b) => (a < b ? -1 : 1));
    this.places = new Map(this.paths.map((path, place) => [path, place]));
    this.digests = this.paths.map((path) =>
      createHash('sha256')
        .update(`${path}\0${snapshot.files.get(path)}`)
        .digest(),
    );
    for (const path of this.paths)
      for (const segment of path.split('/')) {
        this.segments.add(segment);
        for (let end = segment.indexOf('.', 1); end > 0; end = segment.indexOf('.', end + 1))
          this.segments.add(segment.slice(0, end));
      }
  }

  /** May a name be that of a file or folder here? Most texts of code are not, and looking each up in all folders takes long. */
  mayName(name: string): boolean {
    const plain = name.replace(/\/+$/, '');
    return this.segments.has(plain.slice(plain.lastIndexOf('/') + 1));
  }

  /** Null for a file that the snapshot lacks. */
  async of(test: string): Promise<Reach | null> {
    const found = await this.filesOf(test);
    if (found === null) return null;
    if (found.unsure !== null) {
      this.whole ??= this.keyOf(this.paths.keys());
      return { key: this.whole, files: this.paths.length, unsure: found.unsure };
    }
    const { places } = found;
    return { key: this.keyOf([...places].sort((a, b) => a - b)), files: places.size, unsure: null };
  }

  /** Paths that a test reaches; those of the whole snapshot where it is unsure. */
  async pathsOf(test: string): Promise<readonly string[]> {
    const found = await this.filesOf(test);
    if (found === null || found.unsure !== null) return this.paths;
    return [...found.places].map((place) => this.paths[place]);
  }

  private keyOf(places: Iterable<number>): string {
    const hash = createHash('sha256').update(RULES_VERSION);
    for (const place of places) hash.update(this.digests[place]);
    return hash.digest('hex').slice(0, KEY_DIGITS);
  }

  private async filesOf(test: string): Promise<{ places: ReadonlySet<number>; unsure: string | null } | null> {
    const start = this.places.get(test);
    if (start === undefined) return null;
    const places = new Set<number>();
    if (!this.isFollowed(test)) return { places, unsure: 'nothing is known of what files in its language load' };
    const ran = (this.snapshot.ran.get(test) ?? []).flatMap((path) => this.places.get(path) ?? []);
    const waiting: number[] = [start, ...ran];
    const folders = new Set<string>();
    const follow = ({ code, data, unsure }: Leads) => {
      for (const place of data) if (!this.isOtherSnapshot(place, test)) places.add(place);
      waiting.push(...code);
      return unsure;
    };
    const walked = new Set<number>();
    const settings = new Set<number>();
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (walked.has(place)) continue;
      walked.add(place);
      places.add(place);
      const unsure = follow(await this.leadsOf(place));
      if (unsure !== null) return { places, unsure };
      for (let folder = folderOf(this.paths[place]); ; folder = above(folder)) {
        if (folders.has(folder)) break;
        folders.add(folder);
        const around = await this.settingsIn(folder);
        for (const setting of around.code) settings.add(setting);
        follow(around);
        if (folder === '') break;
      }
    }
    // It tests what it does not name: a server that runs, a program that is installed.
    const isAlone = ![...walked].some((place) => !settings.has(place) && this.isTested(this.paths[place]));
    return { places, unsure: isAlone ? `nothing shows what ${test} tests` : null };
  }

  /** Is it code that is no test? */
  private isTested(path: string): boolean {
    const { graph } = this.snapshot;
    const file = graph.findFile(path);
    return file >= 0 && this.isCode(path) && !isTest(graph, file);
  }

  /** Is it what another test was compared with? */
  private isOtherSnapshot(place: number, test: string): boolean {
    const path = this.paths[place];
    if (!path.includes('/__snapshots__/')) return false;
    return !posix.basename(path).startsWith(posix.basename(test));
  }

  private leadsOf(place: number): Promise<Leads> {
    const known = this.leads.get(place) ?? this.readLeads(place);
    this.leads.set(place, known);
    return known;
  }

  private async readLeads(place: number): Promise<Leads> {
    const { graph, files, read } = this.snapshot;
    const path = this.paths[place];
    if (files.get(path)?.startsWith('symlink') === true) return { ...NOWHERE, unsure: `${path} is a link` };
    const file = graph.findFile(path);
    const language = file < 0 ? undefined : languageOf(graph.tables.files[file].language);
    const rules = language === undefined ? null : loadingRulesOf(language.id);
    const isCode = language?.plain === 'code';
    const leads = new LeadsOfFile(this, path);
    // It is built or read by code in another language: its folder holds the rest of it.
    if (isCode && rules === null) leads.addFolder();
    if (file >= 0) leads.addEdges(graph, file, rules);
    if (rules === null) return { ...leads, unsure: null };
    const { state, isIncomplete } = graph.tables.files[file];
    if ((state !== 'linked' || isIncomplete) && !isTestData(path))
      return { ...NOWHERE, unsure: `${path} could not be read completely` };
    const text = await read(path);
    if (text === null) return { ...NOWHERE, unsure: `${path} is too large to be read` };
    leads.addNamed(readNamedFiles(text, rules), rules, isTest(graph, file));
    leads.addAround(rules);
    // Files that tests read are often broken on purpose.
    return isTestData(path) ? { ...leads, unsure: null } : leads;
  }

  private settingsIn(folder: string): Promise<Leads> {
    const known = this.settings.get(folder) ?? this.readSettings(folder);
    this.settings.set(folder, known);
    return known;
  }

  /** Files right in a folder that code below depends on without naming them. */
  private async readSettings(folder: string): Promise<Leads> {
    const code = new Set<number>();
    const data = new Set<number>();
    for (const place of this.below(folder)) {
      const path = this.paths[place];
      if (folderOf(path) !== folder || isForPeople(path)) continue;
      if (!this.isCode(path)) data.add(place);
      else if (isSettingCode(path)) (isLoadedByRunner(path) ? code : data).add(place);
      else continue;
      const text = runnerSettingsIn(path, '') === null ? null : await this.snapshot.read(path);
      const told = text === null ? null : runnerSettingsIn(path, text);
      if (told === null) continue;
      for (const name of told.match(/[\w@.~/<>-]{3,200}/g) ?? []) {
        const named = this.places.get(posix.normalize(posix.join(folder, name.replace(/^<rootDir>\//, ''))));
        if (named !== undefined && named !== place && !this.isRunnable(this.paths[named])) code.add(named);
      }
    }
    return { code, data, unsure: null };
  }

  /** Places of the files below a folder, which ends with a slash or is ''. */
  below(folder: string): Iterable<number> {
    if (folder === '') return this.paths.keys();
    const { paths } = this;
    const first = firstFrom(paths.length, (i) => paths[i] < folder);
    let end = first;
    while (end < paths.length && paths[end].startsWith(folder)) end++;
    return Array.from({ length: end - first }, (_, i) => first + i);
  }

  placeOf(path: string): number | undefined {
    return this.places.get(path);
  }

  pathAt(place: number): string {
    return this.paths[place];
  }

  /** Is it code that is loaded, so that its imports tell who needs it? */
  isCode(path: string): boolean {
    const { graph } = this.snapshot;
    const file = graph.findFile(path);
    return file >= 0 && languageOf(graph.tables.files[file].language)?.plain === 'code';
  }

  private isFollowed(path: string): boolean {
    const { graph } = this.snapshot;
    const file = graph.findFile(path);
    return file >= 0 && loadingRulesOf(graph.tables.files[file].language) !== null;
  }

  isRunnable(path: string): boolean {
    const file = this.snapshot.graph.findFile(path);
    return file >= 0 && isRunnableTest(this.snapshot.graph, file);
  }

  /** The folder that a file's data is in: the first one below the nearest manifest; '' for a file beside a manifest. */
  unitOf(path: string, manifests: readonly string[]): string {
    let unit = '';
    for (let folder = folderOf(path); ; folder = above(folder)) {
      if (folder === '' || manifests.some((name) => this.places.has(`${folder}${name}`))) return unit;
      unit = folder;
    }
  }
}

/** The folder above one that ends with a slash. */
const above = (folder: string): string => folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);

class LeadsOfFile implements Leads {
  readonly code = new Set<number>();
  readonly data = new Set<number>();
  unsure: string | null = null;
  private readonly folder: string;
  /** Folders from that of the file up to the top. */
  private readonly around: string[] = [];

  constructor(
    private readonly reach: TestReach,
    private readonly path: string,
  ) {
    this.folder = folderOf(path);
    for (let folder = this.folder; ; folder = above(folder)) {
      this.around.push(folder);
      if (folder === '') break;
    }
  }

  private addPath(path: string): boolean {
    const place = this.reach.placeOf(path);
    if (place === undefined) return false;
    this.code.add(place);
    return true;
  }

  /** Adds what the graph knows: imports, and uses of what needs no import. */
  addEdges(graph: Graph, file: number, rules: LoadingRules | null): void {
    const { tables } = graph;
    for (let node = graph.fileNode(file); node < tables.nodeBase[file + 1]; node++) {
      const [start, end] = graph.edgeRange(node);
      for (let edge = start; edge < end; edge++) {
        const to = graph.target(edge);
        if (to >= 0) {
          if (graph.isFileEdge(edge) || graph.tier(edge) === 'package') this.addPath(graph.path(to));
        } else if (rules !== null && graph.isFileEdge(edge)) {
          const { name, literal, kind, tier } = graph.edge(edge);
          this.addUnresolved(name, literal, { rules, isMissing: tier === 'unresolved' && !TYPES.has(kind) });
        }
      }
    }
  }

  private addUnresolved(
    name: string,
    literal: string,
    { rules, isMissing }: { rules: LoadingRules; isMissing: boolean },
  ): void {
    const isFound = rules.isDotted
      ? [name, ...literal.split(',').map((member) => `${name}.${member}`)]
          .map((each) => this.addModule(each))
          .some(Boolean)
      : name.startsWith('.') && this.addNear(name, rules, [this.folder], false);
    if (isMissing && !isFound && !VERSION.test(name))
      this.unsure ??= `${this.path} imports ${name}, which is no file of the snapshot`;
  }

  /** Adds the longest module that the beginning of a dotted name means. */
  private addModule(name: string): boolean {
    const [, dots, rest] = /^(\.*)(.*)$/.exec(name) ?? ['', '', name];
    const parts = rest.split('.').filter((part) => part !== '');
    const own = this.around[Math.min(Math.max(0, dots.length - 1), this.around.length - 1)];
    const roots = dots !== '' ? [own] : [...this.around, 'src/', 'lib/'];
    for (const root of roots)
      for (let length = parts.length; length > 0; length--) {
        const path = root + parts.slice(0, length).join('/');
        if (this.addPath(`${path}.py`) || this.addPath(`${path}/__init__.py`))
          return length === parts.length || length > 1;
      }
    return false;
  }

  addNamed(named: NamedFiles, rules: LoadingRules, isTestFile: boolean): void {
    const { names, starts, loads, lists, startsPrograms, drivesPrograms } = named;
    if (isTestFile && drivesPrograms) this.unsure ??= `${this.path} drives a program from outside`;
    const found = names.filter((name) => this.addName(name, named, rules)).length;
    const below = starts.filter((start) => {
      const folder = start.slice(0, start.lastIndexOf('/') + 1);
      return folder !== '' && this.addNear(folder, rules, this.around, true);
    });
    if (loads || lists) this.addBelow(this.folder, loads && lists);
    if (!startsPrograms || found + below.length > 0) return;
    if (isTestFile) this.unsure ??= `${this.path} starts programs that it does not name`;
    else this.addBelow(this.folder, false);
  }

  /** Adds what one text may name. A plain word names a file or folder only where code reads files. */
  private addName(name: string, { reads, loads }: NamedFiles, rules: LoadingRules): boolean {
    if (rules.isDotted && /^\w+(?:\.\w+)+$/.test(name)) this.addModule(name);
    if ((!reads && !/[./]/.test(name)) || !this.reach.mayName(name)) return false;
    const roots = name.startsWith('.') ? [this.folder] : [...new Set([...this.around, 'src/', 'lib/'])];
    return this.addNear(name, rules, roots, reads || loads);
  }

  /** Adds the file or folder of a name, seen from the first of the folders that has it. */
  private addNear(name: string, { ends }: LoadingRules, folders: readonly string[], withFolders: boolean): boolean {
    for (const folder of folders) {
      const path = posix.normalize(posix.join(folder, name)).replace(/^\.\/?$/, '');
      if (path.startsWith('..')) continue;
      const plain = path.replace(/\/$/, '');
      if (plain !== '' && this.addPath(plain)) return true;
      const inside = plain === '' ? '' : `${plain}/`;
      const all = [
        ...ends.map((end) => plain + end),
        ...ends.map((end) => `${inside}index${end}`),
        `${inside}__init__.py`,
      ];
      const isFile = !path.endsWith('/') && all.some((each) => this.addPath(each));
      if (isFile) return true;
      // Its own folder, and those above, are where names begin.
      if (this.folder.startsWith(inside)) continue;
      if (withFolders && this.addBelow(inside, false)) return true;
    }
    return false;
  }

  /** Adds everything in the folder of the file, and below it, as it is. */
  addFolder(): void {
    for (const place of this.reach.below(this.folder)) this.data.add(place);
  }

  private addBelow(folder: string, withTests: boolean): boolean {
    let isAny = false;
    for (const place of this.reach.below(folder)) {
      isAny = true;
      const path = this.reach.pathAt(place);
      if (!this.reach.isCode(path)) this.data.add(place);
      else if (withTests || !this.reach.isRunnable(path)) this.code.add(place);
    }
    return isAny;
  }

  /** Adds files that are loaded along, and the data of its part of the repository. */
  addAround({ before, isFolderUnit }: LoadingRules): void {
    for (const folder of this.around) for (const name of before) this.addPath(folder + name);
    if (isFolderUnit) {
      for (const place of this.reach.below(this.folder))
        if (folderOf(this.reach.pathAt(place)) === this.folder) this.code.add(place);
      this.addBelow(`${this.folder}testdata/`, true);
    }
    const unit = this.reach.unitOf(this.path, MANIFESTS);
    if (unit === '') return;
    for (const place of this.reach.below(unit)) {
      const path = this.reach.pathAt(place);
      if (isForPeople(path)) continue;
      if (!this.reach.isCode(path) || isTestData(path)) this.data.add(place);
    }
  }
}

/** Files at the top of what is built and tested as one. */
const MANIFESTS = ['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'go.mod'];
