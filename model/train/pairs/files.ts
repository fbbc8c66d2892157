/** Chooses the files of a package that pairs are made of: written by hand, in a known language, and not seen before. */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { detectLanguage } from '../../../src/languages/detect.js';
import { languageOf } from '../../../src/languages/registry.js';
import { FILES } from '../recipe.js';
import { hashOf } from './types.js';

export interface ChosenFile {
  /** Path within the package, with `/`. */
  path: string;
  language: string;
}

/** Maximum number of entries of a package; a larger folder is not a package. */
const MAX_ENTRIES = 60_000;

const SKIPPED_FOLDER =
  /^(?:\..*|node_modules|third[_-]?party|3rd[_-]?party|vendor(?:ed)?|externals?|extern|deps|bundled|fixtures?|__fixtures__|testdata|test[_-]data|__snapshots__|snapshots|debian|locales?|i18n|l10n|lang|langs|languages|translations|po|generated|gen|_build|min|minified|bower_components|__pycache__|coverage|m4|autom4te\.cache|syntax-tests|\.pc)$/i;
const SKIPPED_FILE =
  /\.min\.|\.pyi$|\.bundle\.|\.d\.[cm]?ts$|-lock\.|\.lock$|\.snap$|\.map$|_pb2|\.pb\.|\.generated\.|^(?:config\.(?:guess|sub)|configure|ltmain\.sh|aclocal\.m4|libtool\.m4|install-sh|depcomp|missing|compile|test-driver|texinfo\.tex|makefile\.in|py-compile|ylwrap|mdate-sh|miniz|sqlite3|stb_\w+)\b|^(?:changelog|changes|news|copying|license|authors)/i;
/** Folders with build outputs, which are skipped if there are sources. */
const OUTPUT_FOLDER =
  /(?:^|\/)(?:dist|build|cjs|esm|umd|amd|es|es5|es6|es2015|es2020|lib-es\w*|out|commonjs|module|browser)\//;
const KINDS: ReadonlySet<string | undefined> = new Set(['code', 'style', 'text', 'markup']);
const EXTRA = new Set(['yaml', 'toml']);
const NO_PAIRS = new Set('html xml log text csv subtitles po regex diff'.split(' '));

/** Chosen files in path order. `seen` has the content hashes of all packages so far, and is extended. */
export function chooseFiles(root: string, seen: Set<string>): ChosenFile[] {
  const candidates = withoutOutputs(walk(root));
  candidates.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1));
  const chosen: ChosenFile[] = [];
  let prose = 0;
  for (const { path, language } of candidates) {
    if (chosen.length >= FILES.perPackage) break;
    const isProse = languageOf(language)?.plain === 'text';
    if ((isProse && prose >= FILES.prosePerPackage) || !isFresh(join(root, path), seen)) continue;
    if (isProse) prose++;
    chosen.push({ path, language });
  }
  return chosen.sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Candidate = ChosenFile & { rank: number };

function walk(root: string): Candidate[] {
  const found: Candidate[] = [];
  const folders = [''];
  for (let folder = folders.pop(), entries = 0; folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      if (++entries > MAX_ENTRIES) return found;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED_FOLDER.test(entry.name)) folders.push(path);
      else if (entry.isFile() && !SKIPPED_FILE.test(entry.name)) {
        const language = wantedLanguage(path);
        if (language !== null) found.push({ path, language, rank: hashOf(path) });
      }
    }
  }
  return found;
}

/** Entries of a folder; empty if it cannot be read or was removed meanwhile. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function wantedLanguage(path: string): string | null {
  const language = detectLanguage(path);
  if (language === null || NO_PAIRS.has(language)) return null;
  return KINDS.has(languageOf(language)?.plain) || EXTRA.has(language) ? language : null;
}

/** Keeps one of several formats of a module, and drops build outputs of a package with sources. */
function withoutOutputs(candidates: Candidate[]): Candidate[] {
  const isScript = ({ language }: Candidate) => /^(?:javascript|typescript|tsx)$/.test(language);
  const sources = candidates.filter((one) => isScript(one) && !OUTPUT_FOLDER.test(one.path)).length;
  const best = new Map<string, Candidate>();
  const rest: Candidate[] = [];
  for (const candidate of candidates.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!isScript(candidate)) rest.push(candidate);
    else if (OUTPUT_FOLDER.test(candidate.path) && sources > 5) continue;
    else {
      const module = candidate.path.replace(OUTPUT_FOLDER, '/').replace(/\.\w+$/, '');
      const other = best.get(module);
      if (other === undefined || /\.tsx?$/.test(candidate.path)) best.set(module, candidate);
    }
  }
  return [...rest, ...best.values()];
}

/** Is the file readable, of a sensible size, with lines as people write them, and no copy of an earlier file? */
function isFresh(path: string, seen: Set<string>): boolean {
  try {
    const { size } = statSync(path);
    if (size < FILES.smallestBytes || size > FILES.largestBytes) return false;
    const bytes = readFileSync(path);
    if (bytes.includes(0) || longestLine(bytes) > FILES.longestLine) return false;
    const hash = createHash('sha1').update(bytes).digest('base64');
    if (seen.has(hash)) return false;
    seen.add(hash);
    return true;
  } catch {
    return false;
  }
}

function longestLine(bytes: Buffer): number {
  let longest = 0;
  let start = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
    longest = Math.max(longest, at - start);
    start = at + 1;
  }
  return Math.max(longest, bytes.length - start);
}
