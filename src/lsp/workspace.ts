/** Documents of an editor: which repository and path each one is, and its text while that is not saved. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { log } from '../base/log.js';
import { ignoreRule } from '../git/ignored.js';
import { readIn, UnsavedTexts } from '../overlay/unsaved.js';
import { pathOf, readWorkFile } from '../overlay/work-file.js';
import type { Project } from '../serve/project.js';
import type { Lease, Projects } from '../serve/projects.js';

/** A file of an open repository, by its path from the top. */
export interface Place {
  project: Project;
  path: string;
}

/** Larger files are not read for columns of names. */
const MAX_TEXT = 8 << 20;

export class Workspace {
  /** By directory of a document. */
  private readonly leases = new Map<string, Promise<Lease>>();
  /** Unsaved texts by root of the repository: they outlive a repository that is opened again. */
  private readonly texts = new Map<string, UnsavedTexts>();
  /** Changes are taken in turn, and questions wait for those before them. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly projects: Projects,
    /** Directories that the user opened in the editor. */
    readonly roots: readonly string[],
  ) {}

  /** The file of a document; null for one that is in no repository that the user opened. */
  async locate(uri: string): Promise<Place | null> {
    await this.turn;
    return this.find(uri);
  }

  /** Repositories of the opened directories. */
  async opened(): Promise<Project[]> {
    await this.turn;
    const found = await Promise.all(this.roots.map((root) => this.open(root).catch(() => null)));
    return [...new Set(found.flatMap((project) => project ?? []))];
  }

  /** Takes the text of a document as the editor shows it; null after it was closed. */
  update(uri: string, text: string | null): Promise<void> {
    const take = () => this.take(uri, text);
    this.turn = this.turn.then(take).catch((error: Error) => log.debug(`lsp: ${uri}: ${error.message}`));
    return this.turn;
  }

  /** Lines of a file as the editor shows it; none for one that cannot be read. */
  lines({ project, path }: Place): string[] {
    const tree = { root: rootOf(project), unsaved: project.session.unsaved };
    const text = readIn(tree, Buffer.from(path), MAX_TEXT)?.bytes.toString('utf8');
    return text === undefined ? [] : text.split(/\r\n|\n|\r/);
  }

  async close(): Promise<void> {
    const leases = await Promise.allSettled(this.leases.values());
    this.leases.clear();
    for (const lease of leases) if (lease.status === 'fulfilled') lease.value.release();
  }

  private async find(uri: string): Promise<Place | null> {
    if (!uri.startsWith('file:')) return null;
    try {
      const file = fileURLToPath(uri);
      const directory = realpathSync.native(dirname(file));
      const project = await this.open(directory);
      const path = relative(rootOf(project).toString(), join(directory, basename(file)));
      return path.startsWith('..') || /^\.git(?:\/|$)/.test(path) ? null : { project, path: path.split(sep).join('/') };
    } catch (error) {
      log.debug(`lsp: ${uri}: ${(error as Error).message}`);
      return null;
    }
  }

  private async open(directory: string): Promise<Project> {
    const known = await this.leases.get(directory);
    if (known !== undefined && (await known.project.check()) === 'alive') return known.project;
    known?.release();
    const lease = this.projects.lease(directory);
    this.leases.set(directory, lease);
    lease.catch(() => this.leases.delete(directory));
    const { project } = await lease;
    const texts = this.texts.get(project.root) ?? new UnsavedTexts();
    this.texts.set(project.root, texts);
    project.session.unsaved ??= texts;
    return project;
  }

  private async take(uri: string, text: string | null): Promise<void> {
    const place = await this.find(uri);
    if (place === null) return;
    const { project, path } = place;
    const { unsaved, repository } = project.session;
    const onDisk = text === null ? null : readWorkFile(pathOf(rootOf(project), Buffer.from(path)), MAX_TEXT);
    if (text === null || onDisk === null || onDisk.bytes.equals(Buffer.from(text))) unsaved?.delete(path);
    else if (unsaved?.has(path) || (await ignoreRule(repository.git, path)) === null) unsaved?.set(path, text);
  }
}

function rootOf(project: Project): Buffer {
  return realpathSync.native(project.root, { encoding: 'buffer' });
}

export function uriOf({ project, path }: Place): string {
  return pathToFileURL(join(project.root, path)).href;
}
