/**
 * Finds the language id of a file, by its path, or by its first bytes if the path does not show it; and of a word, as people type
 * languages (`py`, `golang`, `c++`) and as SCIP indexes write them. For such an index it also finds the package of a file (`packageFinder`).
 */
import { nearest } from '../base/spelling.js';
import { LANGUAGE_IDS, type LanguageId } from './ids.js';
import { wordSet } from './language.js';
import { allLanguages, languageOf, PLAIN_TEXT } from './registry.js';

interface Index {
  byExtension: Map<string, string>;
  byName: Map<string, string>;
  byInterpreter: Map<string, string>;
  namePatterns: (readonly [RegExp, string])[];
  contentStarts: (readonly [RegExp, string])[];
  contentReaders: ((text: string) => string | null)[];
}

let known: Index | null = null;

function index(): Index {
  known ??= makeIndex();
  return known;
}

function makeIndex(): Index {
  const made: Index = {
    byExtension: new Map(),
    byName: new Map(),
    byInterpreter: new Map(),
    namePatterns: [],
    contentStarts: [],
    contentReaders: [],
  };
  for (const language of allLanguages()) {
    const { id, extensions, names = [], interpreters = [], namePattern, contentStart, contentLanguage } = language;
    addNew(made.byExtension, extensions, id);
    addNew(made.byName, names, id);
    addNew(made.byInterpreter, interpreters, id);
    if (namePattern !== undefined) made.namePatterns.push([namePattern, id]);
    if (contentStart !== undefined) made.contentStarts.push([contentStart, id]);
    if (contentLanguage !== undefined) made.contentReaders.push(contentLanguage);
  }
  return made;
}

/** The first language that claims a key keeps it. */
function addNew(map: Map<string, string>, keys: readonly string[], id: string): void {
  for (const key of keys) if (!map.has(key)) map.set(key, id);
}

/** Last extension of a copy that has the language of the one before: `config.yaml.example` is YAML. */
const COPY_SUFFIX = /^(?:in|example|sample|dist|template|bak|orig)$/;

const SHEBANG = /^#!\s*(?:\S*\/)?env\s+(?:-\S+\s+|\w+=\S+\s+)*(\S+)|^#!\s*(?:\S*\/)?([^\s/]+)/;
const SHEBANG_PROBE = 256;
/** Most bytes of a text that are read for its language. */
const CONTENT_PROBE = 64 * 1024;

/** Extensions that a user's configuration maps to language ids: `{ inc: 'php' }`, with or without the dot. */
type LanguageOverrides = Readonly<Record<string, string>>;

/**
 * The language id of a file. Null if nothing is known of it, so that only its content can show whether it is text. Unknown text files are
 * `text` if first bytes are given, else null.
 */
export function detectLanguage(path: string, firstBytes?: Uint8Array, overrides?: LanguageOverrides): string | null {
  const name = baseName(path);
  const overridden = byOverride(name, overrides);
  if (overridden !== null) return overridden;
  if (isBinaryPath(path)) return null;
  const known = byPath(name);
  if (known !== null) return known;
  return firstBytes === undefined ? null : byContent(firstBytes);
}

/** The language of a file by its bytes alone, for paths that do not show it: that of its shebang, of a header, or plain text. */
export function languageOfContent(bytes: Uint8Array): string {
  return byContent(bytes.subarray(0, CONTENT_PROBE)) ?? PLAIN_TEXT;
}

/** Is `language` that of `languageOfContent`? Reads only first bytes for a language that they alone can show. */
export function isLanguageOfContent(language: string, bytes: Uint8Array): boolean {
  const isRead = language === PLAIN_TEXT || languageOf(language)?.sharedExtensions !== undefined;
  if (isRead) return languageOfContent(bytes) === language;
  const head = latin1(bytes, SHEBANG_PROBE);
  return !head.includes('\0') && byHead(head) === language;
}

/** The language by which a file is read: that of its path, or text where its first bytes show that the extension means another. */
export function languageIn(stated: string, bytes: Uint8Array): string {
  return languageOf(stated)?.foreign?.test(latin1(bytes, SHEBANG_PROBE)) === true ? PLAIN_TEXT : stated;
}

/** Are first bytes worth reading, since the path alone does not tell? */
export function needsContent(path: string, overrides?: LanguageOverrides): boolean {
  const name = baseName(path);
  return byOverride(name, overrides) === null && byPath(name) === null && !isBinaryPath(path);
}

/** Is it the extension of files that are never text? */
export function isBinaryPath(path: string): boolean {
  return BINARY_EXTENSIONS.has(extensionOf(baseName(path)));
}

function byOverride(name: string, overrides: LanguageOverrides | undefined): string | null {
  if (overrides === undefined) return null;
  for (const extension of extensionsOf(name)) {
    for (const key of [extension, `.${extension}`]) {
      if (Object.hasOwn(overrides, key) && languageOf(overrides[key]) !== undefined) return overrides[key];
    }
  }
  return null;
}

function byPath(name: string): string | null {
  const named = index().byName.get(name) ?? index().namePatterns.find(([pattern]) => pattern.test(name))?.[1];
  if (named !== undefined) return named;
  // The last extension decides. If it only says what a copy is for, the one before it does.
  const parts = name.split('.').slice(1);
  for (let i = parts.length - 1; i >= 0; i--) {
    const id = index().byExtension.get(parts[i]);
    if (id !== undefined) return id;
    if (!COPY_SUFFIX.test(parts[i])) return null;
  }
  return null;
}

function byContent(bytes: Uint8Array): string | null {
  const head = latin1(bytes, SHEBANG_PROBE);
  if (head.includes('\0')) return null;
  return byHead(head) ?? byReading(bytes, head) ?? PLAIN_TEXT;
}

/** The language of a shebang or of a header, null without either. */
function byHead(head: string): string | null {
  const match = SHEBANG.exec(head);
  const program = (match?.[1] ?? match?.[2] ?? '')
    .replace(/^.*\//, '')
    .replace(/[\d.]+$/, '')
    .toLowerCase();
  const interpreted = index().byInterpreter.get(program);
  if (interpreted !== undefined) return interpreted;
  return index().contentStarts.find(([pattern]) => pattern.test(head))?.[1] ?? null;
}

/** Beginnings of texts whose language the content may show: most files begin otherwise and need no more reading. */
const MAY_BE_READ = /^(?:\xef\xbb\xbf)?\s*[#/@a-z`%:({"-]/i;

function byReading(bytes: Uint8Array, head: string): string | null {
  if (!MAY_BE_READ.test(head)) return null;
  const text = latin1(bytes, CONTENT_PROBE).replace(/^\xef\xbb\xbf/, '');
  for (const read of index().contentReaders) {
    const id = read(text);
    if (id !== null) return id;
  }
  return null;
}

function latin1(bytes: Uint8Array, most: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, most)).toString('latin1');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}

/** All extensions, longest first: `a.blade.php` -> `blade.php`, `php`. */
function extensionsOf(name: string): string[] {
  const parts = name.replace(/^\.+/, '').split('.').slice(1);
  return parts.map((_, index) => parts.slice(index).join('.'));
}

/** Extensions of files that are never text. */
export const BINARY_EXTENSIONS: ReadonlySet<string> = wordSet(
  'png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai eps raw jxl xcf sketch fig ' +
    'mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg oga ogv opus aac wma wmv mpg mpeg mid midi ' +
    'zip gz tgz bz2 xz zst 7z rar tar lz lz4 lzma br cab iso dmg pkg deb rpm apk aab ipa whl egg jar war ear nupkg gem crx xpi ' +
    'woff woff2 ttf otf eot fon ' +
    'pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi pages numbers key ' +
    'exe dll so dylib a o obj lib bin com msi class pyc pyo pyd elc beam wasm node ko rlib rmeta pdb ilk exp gch pch dex ' +
    'db sqlite sqlite3 mdb accdb dbf parquet arrow feather orc avro pkl pickle npy npz h5 hdf5 onnx pt pth safetensors tflite gguf mat rdata rds ' +
    'blend fbx glb 3ds max stl usdz uasset umap unitypackage swf fla ' +
    'p12 pfx jks keystore der crt cer gpg pgp snap img vmdk qcow2 vdi pack idx swp dat',
);

/** Names that are neither an id nor an extension, and one extension that stands for two languages (data). */
const SPOKEN: ReadonlyMap<string, readonly LanguageId[]> = new Map(
  Object.entries({
    ts: ['typescript', 'tsx'],
    node: ['javascript'],
    python3: ['python'],
    golang: ['go'],
    'c++': ['cpp'],
    'c#': ['csharp'],
    'f#': ['fsharp'],
    'objective-c': ['objectivec'],
    objc: ['objectivec'],
    shell: ['bash'],
    docker: ['dockerfile'],
    make: ['makefile'],
    vb: ['visualbasic'],
  } satisfies Record<string, LanguageId[]>),
);

/** Finds language ids by an id, a name that people use, or an extension, in any case; none for an unknown word. */
export function resolveLanguages(word: string): readonly string[] {
  const wanted = word.toLowerCase().replace(/^\./, '');
  if (languageOf(wanted) !== undefined) return [wanted];
  const byExtension = /^\w+$/.test(wanted) ? detectLanguage(`file.${wanted}`) : null;
  return SPOKEN.get(wanted) ?? (byExtension === null ? [] : [byExtension]);
}

/** The name nearest to a word that is no language, or null: `pyhton` -> `python`. */
export function nearestLanguage(word: string): string | null {
  return nearest(word, [...[...allLanguages()].map(({ id }) => id), ...SPOKEN.keys()]);
}

/** Names in SCIP's own list that are not the id with a capital letter (data). */
const NAMES: Readonly<Record<string, string>> = {
  ...{ typescript: 'TypeScript', tsx: 'TypeScriptReact', javascript: 'JavaScript' },
  ...{ cpp: 'CPP', csharp: 'CSharp', php: 'PHP', bash: 'ShellScript', html: 'HTML', css: 'CSS', sql: 'SQL' },
  ...{ objectivec: 'Objective_C', fsharp: 'FSharp', visualbasic: 'VisualBasic', graphql: 'GraphQL' },
};

const KNOWN: ReadonlySet<string> = new Set(LANGUAGE_IDS);

export function scipLanguage(id: string): string {
  return NAMES[id] ?? (KNOWN.has(id) ? id[0].toUpperCase() + id.slice(1) : '');
}

interface ScipPackage {
  /** Package manager and name of a package, as SCIP's indexers write them; empty without a manifest. */
  manager: string;
  name: string;
}

interface PackageManifest {
  manager: string;
  file: string;
  /** Finds the package's name in the text of the manifest. */
  name: RegExp;
}

const JSON_NAME = /^\{?[ \t]{0,4}"name"\s*:\s*"([^"\n]{1,200})"/m;
const TOML_NAME = /^\[(?:package|project|tool\.poetry)\][^[]{0,4000}?^name\s*=\s*["']([^"'\n]{1,200})["']/m;

/** Manifests by the family of languages whose packages they describe (data). */
const MANIFESTS: readonly { languages: ReadonlySet<string>; manifest: PackageManifest }[] = [
  {
    languages: new Set(['typescript', 'tsx', 'javascript', 'vue', 'svelte']),
    manifest: { manager: 'npm', file: 'package.json', name: JSON_NAME },
  },
  { languages: new Set(['python']), manifest: { manager: 'python', file: 'pyproject.toml', name: TOML_NAME } },
  { languages: new Set(['rust']), manifest: { manager: 'cargo', file: 'Cargo.toml', name: TOML_NAME } },
  { languages: new Set(['go']), manifest: { manager: 'gomod', file: 'go.mod', name: /^module\s+"?([^\s"]{1,200})/m } },
  { languages: new Set(['php']), manifest: { manager: 'composer', file: 'composer.json', name: JSON_NAME } },
  { languages: new Set(['dart']), manifest: { manager: 'pub', file: 'pubspec.yaml', name: /^name:\s*(\S{1,200})/m } },
];

const NO_PACKAGE: ScipPackage = { manager: '', name: '' };

/** Returns the function that finds the package of a file: the nearest manifest of its language at or above its folder. */
export function packageFinder(
  manifests: ReadonlyMap<string, string>,
): (file: { path: string; language: string }) => ScipPackage {
  const known = new Map<string, ScipPackage>();
  return ({ path, language }) => {
    const manifest = MANIFESTS.find(({ languages }) => languages.has(language))?.manifest;
    if (manifest === undefined) return NO_PACKAGE;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const key = `${manifest.manager} ${folder}`;
    let found = known.get(key);
    if (found === undefined) {
      found = nearestManifest(manifest, folder, manifests);
      known.set(key, found);
    }
    return found;
  };
}

function nearestManifest(
  { manager, file, name }: PackageManifest,
  folder: string,
  manifests: ReadonlyMap<string, string>,
): ScipPackage {
  for (let at = folder; ; at = at.slice(0, at.lastIndexOf('/', at.length - 2) + 1)) {
    const found = name.exec(manifests.get(at + file) ?? '')?.[1];
    if (found !== undefined) return { manager, name: found };
    if (at === '') return NO_PACKAGE;
  }
}
