/** TypeScript, JavaScript, and the languages whose files hold scripts of theirs: Vue, Svelte. */
import { type Conventions, type Language, semantics, wordSet, words } from '../language.js';

/**
 * Types of the JavaScript runtime, usable without an import. A name that is neither defined nor listed here is a type parameter, or
 * declared elsewhere: it is unknown, and not certainly external.
 */
const RUNTIME_TYPES = wordSet(
  `string number boolean symbol bigint void null undefined String Number Boolean Symbol BigInt Function Object Date RegExp Math JSON Intl
   Reflect Proxy Atomics Array ReadonlyArray ArrayLike ArrayBuffer SharedArrayBuffer DataView Map ReadonlyMap WeakMap Set ReadonlySet
   WeakSet WeakRef FinalizationRegistry Promise PromiseLike PromiseSettledResult Iterator Iterable IterableIterator AsyncIterator
   AsyncIterable AsyncIterableIterator Generator AsyncGenerator GeneratorFunction Buffer BufferEncoding TemplateStringsArray
   PropertyDescriptor PropertyKey Request Response Headers FormData URL URLSearchParams Blob File FileList FileReader AbortController
   AbortSignal TextEncoder TextDecoder ReadableStream WritableStream TransformStream EventTarget EventSource EventListener WebSocket Worker
   MessageChannel MessagePort BroadcastChannel XMLHttpRequest Document DocumentFragment Window Element Node NodeList ShadowRoot Text
   Comment Attr Range Selection Location History Navigator Storage Crypto CryptoKey SubtleCrypto Performance MutationObserver
   ResizeObserver IntersectionObserver Image ImageData Audio Option Path2D OffscreenCanvas Cache CacheStorage ServiceWorker Notification
   Console Timer Timeout Immediate JSX NodeJS React globalThis`,
);
const RUNTIME_FAMILIES =
  /^(?:HTML|SVG|DOM|CSS|WebGL|WebAssembly|RTC|IDB|Canvas|Media|Touch|Audio|GPU)\w*|\w*(?:Error|Event|Array|EventMap|EventInit)$/;

/** Is this a type of the JavaScript runtime, such as `Date`, `HTMLElement` or `NodeJS.Timeout`? */
function isRuntimeType(head: string): boolean {
  const root = head.split('.', 1)[0];
  return RUNTIME_TYPES.has(root) || RUNTIME_FAMILIES.test(root);
}

/** Beginning of exports that all files know: `declare global`, and files of declarations that are no modules. */
export const EVERYWHERE = 'globalThis.';

export const ECMASCRIPT_SEMANTICS = semantics({
  family: 'ecmascript',
  exports: 'marked',
  typesAlone: true,
  importsOverDefinitions: true,
  everywhere: EVERYWHERE,
  templateNames: true,
  objects: new Map([['window', 'Window']]),
  blocks: true,
  reopens: new Set(['interface']),
  ambientModules: true,
  namespacesMerge: true,
  nestedTypes: false,
  runtimeType: isRuntimeType,
  types: async () => (await import('./types.js')).parseScriptType,
  wrappers: wordSet(
    'Promise PromiseLike Awaited Partial Required Readonly NonNullable Ref ShallowRef ComputedRef WeakRef DeepPartial Writable MaybeRef',
  ),
  collections: wordSet(
    'Array ReadonlyArray Set ReadonlySet Map ReadonlyMap WeakMap Record Iterable IterableIterator AsyncIterable Generator AsyncGenerator Iterator AsyncIterableIterator',
  ),
});

const HTTP_METHODS = wordSet('GET POST PUT PATCH DELETE HEAD OPTIONS');

/** Frameworks whose files are routes by their paths: group 1 is the path below the folder of routes. */
const FILE_ROUTES: Conventions['fileRoutes'] = [
  // Next.js: `app/carts/[id]/route.ts`, `app/carts/page.tsx`, `pages/api/carts.ts`, `pages/carts.tsx`.
  { path: /(?:^|\/)app\/((?:[^/]+\/)*)route\.[cm]?[jt]sx?$/, style: 'next', needs: 'next', methods: HTTP_METHODS },
  { path: /(?:^|\/)app\/((?:[^/]+\/)*)page\.[jt]sx?$/, style: 'next', needs: 'next', shown: 'GET' },
  { path: /(?:^|\/)pages\/(api\/.+)\.[cm]?[jt]sx?$/, style: 'next', needs: 'next', shown: 'ANY' },
  { path: /(?:^|\/)pages\/((?!api\/|_).+)\.[jt]sx?$/, style: 'next', needs: 'next', shown: 'GET' },
  // SvelteKit.
  { path: /(?:^|\/)routes\/((?:[^/]+\/)*)\+server\.[jt]s$/, style: 'next', methods: HTTP_METHODS },
  {
    ...{ path: /(?:^|\/)routes\/((?:[^/]+\/)*)\+page(?:\.server)?\.[jt]s$/, style: 'next' },
    named: new Map([
      ['load', 'GET'],
      ['actions', 'POST'],
    ]),
  },
  { path: /(?:^|\/)routes\/((?:[^/]+\/)*)\+page\.svelte$/, style: 'next', shown: 'GET' },
  // Remix and React Router: `app/routes/carts.$id.tsx`.
  {
    path: /(?:^|\/)app\/routes\/(.+?)(?:\/(?:route|index))?\.[jt]sx?$/,
    style: 'remix',
    needs: 'remix',
    shown: 'GET',
    named: new Map([
      ['loader', 'GET'],
      ['action', 'POST'],
    ]),
  },
];

/** Members by which the library's types are used. */
const LIBRARY_MEMBERS = [
  'Map ReadonlyMap: clear delete forEach get has set size entries keys values getOrInsert getOrInsertComputed',
  `Set ReadonlySet: add clear delete forEach has size entries keys values union intersection difference symmetricDifference isSubsetOf
   isSupersetOf isDisjointFrom`,
  'WeakMap WeakSet WeakRef: add delete get has set deref',
  'Iterable AsyncIterable Disposable AsyncDisposable: ',
  'Iterator IterableIterator AsyncIterator AsyncIterableIterator Generator AsyncGenerator: next return throw',
  'Promise PromiseLike: then catch finally',
  'Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError: name message stack cause errors',
  `Array ReadonlyArray ArrayLike: length at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap
   forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toLocaleString
   toReversed toSorted toSpliced unshift values with`,
  'EventTarget: addEventListener removeEventListener dispatchEvent',
  'EventListenerObject: handleEvent',
  'Function: apply bind call length name prototype arguments caller',
  `RegExp: exec test compile source flags global ignoreCase multiline lastIndex sticky unicode unicodeSets dotAll hasIndices`,
];

/** A declaration for code everywhere gives `globalThis.Cart`, and a pipe of a template means the method `transform` of its class. */
export const ECMASCRIPT_WORDS = wordSet('globalThis transform');

const CONVENTIONS: Conventions = {
  madeWords: ECMASCRIPT_WORDS,
  fileRoutes: FILE_ROUTES,
  containerNames: wordSet(
    `add at catch charAt charCodeAt clear codePointAt concat copyWithin delete endsWith entries every exec fill filter finally find
     findIndex findLast findLastIndex flat flatMap forEach get has hasOwnProperty includes indexOf join keys lastIndexOf
     localeCompare map match matchAll normalize padEnd padStart pop push reduce reduceRight repeat replace replaceAll reverse
     search set shift slice some sort splice split startsWith substr substring test then toLowerCase toReversed toSorted toSpliced
     toString toUpperCase trim trimEnd trimStart unshift valueOf values with`,
  ),
  mainNames: new Set(['main']),
  topLevelCode: true,
  toolPath: /(?:^|\/)(?:[^/]*\.config\.[cm]?[jt]s|\.[^/]+rc\.[cm]?js|gulpfile\.[jt]s|gruntfile\.[jt]s)$/i,
  runtimeNames: wordSet('toString valueOf toJSON then'),
  // `[Symbol.iterator]`
  runtimeName: /^\[/,
  libraryMembers: LIBRARY_MEMBERS,
  modules: true,
  fileHead: /\bprivate\b|#$/,
  imported: true,
  untypedMembers: true,
  inheritedConstructors: true,
  builtins: wordSet(
    `alert atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout console crypto decodeURI decodeURIComponent document
     encodeURI encodeURIComponent escape eval exports fetch global globalThis isFinite isNaN localStorage location module navigator
     parseFloat parseInt performance process queueMicrotask require requestAnimationFrame self sessionStorage setImmediate setInterval
     setTimeout structuredClone unescape window afterAll afterEach beforeAll beforeEach describe expect it jest test vi Partial Required
     Readonly Record Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters ReturnType InstanceType NoInfer
     ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize Awaited Disposable AsyncDisposable`,
  ),
  parameters: {
    name: /^(?:(?:public|private|protected|readonly|override)\s+)*(?:\.\.\.)?(\w+)/,
    optional: /^[^:=]*\?|=(?!>)/,
    rest: /^\.\.\./,
    marker: /^this\s*:/,
  },
  overloadsShareBody: true,
  declarationNoise: /^(?:(?:export|default|declare|public|async|function\*?|const|let|var|readonly)\s+)+/,
  generatedPath: /\.min\.js$/,
  declarationPath: /\.d\.[cm]?ts$/,
  declares: ['.js', '.mjs', '.cjs', '.jsx'],
};

const MANIFESTS = words('package.json pnpm-workspace.yaml lerna.json');
/**
 * `tsconfig.base.json`, `tsconfig-strict.json`, `base.tsconfig.json`, `jsconfig.json`; and shared configurations of monorepos:
 * `packages/typescript-config/base.json`.
 */
const TSCONFIG =
  /(?:^|\/)(?:[^/]*[.-])?[jt]sconfig(?:[.-][^/]*)?\.json$|(?:^|\/)(?:ts-?configs?|typescript-config)\/[^/]+\.json$/;

const imports = async () => (await import('./imports.js')).ECMASCRIPT;

const COMMON = {
  relations: true,
  manifests: MANIFESTS,
  manifestPattern: TSCONFIG,
  imports,
  semantics: ECMASCRIPT_SEMANTICS,
  conventions: CONVENTIONS,
  packages: {
    ecosystem: 'npm',
    manifests: words('package.json'),
    load: async () => (await import('./packages.js')).NPM,
  },
  programs: { manifests: words('package.json'), load: async () => (await import('./packages.js')).packagePrograms },
} satisfies Partial<Language>;

export const typescript: Language = {
  ...COMMON,
  id: 'typescript',
  plain: 'code',
  extensions: words('ts mts cts'),
  // Translations of Qt Linguist.
  foreign: /^(?:\u00ef\u00bb\u00bf)?\s*<(?:\?xml|!DOCTYPE\s+TS)\b/,
  interpreters: words('ts-node tsx deno'),
  grammar: { name: 'TypeScript' },
  rules: async () => (await import('./rules.js')).typescript,
};

export const tsx: Language = {
  ...COMMON,
  id: 'tsx',
  plain: 'code',
  extensions: words('tsx'),
  grammar: { name: 'Tsx' },
  rules: async () => (await import('./rules.js')).tsx,
};

export const javascript: Language = {
  ...COMMON,
  id: 'javascript',
  plain: 'code',
  extensions: words('js mjs cjs jsx es6 pac'),
  names: words('jakefile'),
  interpreters: words('node nodejs bun'),
  grammar: { name: 'JavaScript' },
  scripts: ['tsx'],
  semantics: { ...ECMASCRIPT_SEMANTICS, unstatedTypes: true },
  conventions: {
    ...CONVENTIONS,
    assignedMembers: true,
    parameters: CONVENTIONS.parameters && { ...CONVENTIONS.parameters, isLenient: true },
  },
  rules: async () => (await import('./rules.js')).javascript,
};

const COMPONENT = {
  ...COMMON,
  plain: 'markup',
  scripts: ['typescript', 'javascript'],
  semantics: { ...ECMASCRIPT_SEMANTICS, components: true },
} satisfies Partial<Language>;

export const vue: Language = {
  ...COMPONENT,
  id: 'vue',
  extensions: words('vue'),
  rules: async () => ({ template: (await import('./rules.js')).vue }),
};

export const svelte: Language = {
  ...COMPONENT,
  id: 'svelte',
  conventions: { ...CONVENTIONS, compilerNames: /^\$\$(?:Props|Events|Slots)$/ },
  extensions: words('svelte'),
  rules: async () => ({ template: (await import('./rules.js')).svelte }),
};

export const astro: Language = {
  ...COMPONENT,
  id: 'astro',
  conventions: { ...CONVENTIONS, compilerNames: /^Props$/ },
  extensions: words('astro'),
  rules: async () => ({ template: (await import('./rules.js')).astro }),
};

/** Nothing is collected from its files; imports of them are resolved like those of scripts. */
export const coffeescript: Language = {
  id: 'coffeescript',
  plain: 'code',
  extensions: words('coffee litcoffee'),
  names: words('cakefile'),
  interpreters: words('coffee'),
  imports,
};
