/**
 * The fetch stage: downloads each package of `model/corpus.json` into `DIR/downloads` and unpacks it into
 * `DIR/packages/<registry>-<name>`; what is there is kept. Needs Debian with source packages enabled (`deb-src`) after
 * an `apt-get update`, npm, tar and unzip. A package that fails is reported and left out.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORPUS } from '../places.js';
import { corpusText, folderOf, type Package, readCorpus } from './corpus.js';
import { download } from './download.js';
import { type Bytes, bytesOf, mainLanguages, table } from './languages.js';
import { unpack } from './unpack.js';

const AT_ONCE = 3;

/**
 * Fetches one package and returns its licence, or null if it is left out. A mark next to its folder shows that it is
 * complete.
 */
async function fetchOne(one: Package, cache: string): Promise<string | null> {
  const target = join(cache, 'packages', folderOf(one));
  const mark = join(cache, 'downloads', `.${folderOf(one)}.done`);
  try {
    const [version, licence] = existsSync(mark) ? readFileSync(mark, 'utf8').split('\n') : [];
    if (version === one.version && existsSync(target)) return licence;
    const found = await unpack(one, await download(one, join(cache, 'downloads')), target);
    writeFileSync(mark, `${one.version}\n${found}`);
    return found;
  } catch (error) {
    console.log(`left out: ${one.registry} ${one.name} ${one.version}: ${(error as Error).message}`);
    return null;
  }
}

/** Packages that were fetched, in the order of the corpus. */
async function fetchAll(corpus: readonly Package[], cache: string): Promise<Package[]> {
  const licences: Array<string | null> = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < corpus.length; i = next++) licences[i] = await fetchOne(corpus[i], cache);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return corpus.flatMap((one, i) => {
    const licence = licences[i];
    return licence === null ? [] : [{ ...one, licence }];
  });
}

function licenceLine(packages: readonly Package[]): string {
  const counts = new Map<string, number>();
  for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted.map(([licence, count]) => `${licence} ${count}`).join(', ');
}

export interface FetchOptions {
  cache: string;
  /** One package alone. */
  only?: string;
  /** Writes the licences and languages found back into `model/corpus.json`, without the packages that failed. */
  update: boolean;
}

export async function fetchCorpus({ cache, only, update }: FetchOptions): Promise<void> {
  for (const folder of ['downloads', 'packages']) mkdirSync(join(cache, folder), { recursive: true });
  const corpus = readCorpus(CORPUS).filter(({ name }) => name === (only ?? name));
  const fetched = await fetchAll(corpus, cache);
  const seen = new Set<string>();
  const bytes: Bytes[] = fetched.map((one) => bytesOf(join(cache, 'packages', folderOf(one)), seen));
  console.log(table(bytes));
  console.log(`${fetched.length} of ${corpus.length} packages; ${licenceLine(fetched)}`);
  if (!update || only !== undefined) return;
  const updated = fetched.map((one, i) => ({ ...one, languages: mainLanguages(bytes[i]) }));
  // A package without a used file is dropped from the corpus.
  writeFileSync(CORPUS, corpusText(updated.filter(({ languages }) => languages.length > 0)));
}
