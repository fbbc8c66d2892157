/** Indexed files of a ref: their paths, for finding one by its name, and what a first view says of them. */
import type { Asker } from '../../questions/asker.js';
import type { Files, Overview } from './output.js';

interface At {
  ref?: string;
}

/** More would take longer to send than to search. */
const MAX_FILES = 50_000;

export async function answerFiles(at: Asker, { ref }: At): Promise<Files> {
  const files = await filesOf(at, ref);
  return { paths: files.slice(0, MAX_FILES).map(({ path }) => path), leftOut: Math.max(0, files.length - MAX_FILES) };
}

export async function answerOverview(at: Asker, { ref }: At): Promise<Overview> {
  const files = await filesOf(at, ref);
  const [languages, folders] = [new Map<string, number>(), new Map<string, number>()];
  const endings = new Map<string, string>();
  for (const { path, language } of files) {
    const end = path.indexOf('/');
    if (end > 0) count(folders, path.slice(0, end));
    if (language === null) continue;
    count(languages, language);
    const ending = path.slice(path.lastIndexOf('.') + 1);
    if (!endings.has(ending)) endings.set(ending, language);
  }
  return {
    files: files.length,
    languages: most(languages),
    folders: most(folders),
    endings: Object.fromEntries(endings),
  };
}

async function filesOf({ session }: Asker, ref: string | undefined) {
  return (await session.filesOf(await session.origin(ref, { unborn: true }))).catalog.files;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const most = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, files]) => ({ name, files })).sort((a, b) => b.files - a.files);
