/**
 * Types of the JavaScript runtime, usable without an import. A name that is neither defined nor listed here is a type parameter, or
 * declared elsewhere: it is unknown, and not certainly external.
 */
const NAMES: ReadonlySet<string> = new Set(
  `string number boolean symbol bigint void null undefined String Number Boolean Symbol BigInt Function Object Date RegExp
   Math JSON Intl Reflect Proxy Atomics Array ReadonlyArray ArrayLike ArrayBuffer SharedArrayBuffer DataView Map ReadonlyMap
   WeakMap Set ReadonlySet WeakSet WeakRef FinalizationRegistry Promise PromiseLike PromiseSettledResult Iterator Iterable
   IterableIterator AsyncIterator AsyncIterable AsyncIterableIterator Generator AsyncGenerator GeneratorFunction Buffer
   BufferEncoding TemplateStringsArray PropertyDescriptor PropertyKey Request Response Headers FormData URL URLSearchParams
   Blob File FileList FileReader AbortController AbortSignal TextEncoder TextDecoder ReadableStream WritableStream
   TransformStream EventTarget EventSource EventListener WebSocket Worker MessageChannel MessagePort BroadcastChannel
   XMLHttpRequest Document DocumentFragment Window Element Node NodeList ShadowRoot Text Comment Attr Range Selection Location
   History Navigator Storage Crypto CryptoKey SubtleCrypto Performance MutationObserver ResizeObserver IntersectionObserver
   Image ImageData Audio Option Path2D OffscreenCanvas Cache CacheStorage ServiceWorker Notification Console Timer Timeout
   Immediate JSX NodeJS React globalThis`.split(/\s+/),
);
const FAMILIES =
  /^(?:HTML|SVG|DOM|CSS|WebGL|WebAssembly|RTC|IDB|Canvas|Media|Touch|Audio|GPU)\w*|\w*(?:Error|Event|Array|EventMap|EventInit)$/;

/** Is this a type of the JavaScript runtime, such as `Date`, `HTMLElement` or `NodeJS.Timeout`? */
export function isRuntimeType(head: string): boolean {
  const root = head.split('.', 1)[0];
  return NAMES.has(root) || FAMILIES.test(root);
}

/** Beginning of exports that all files know: `declare global`, and files of declarations that are no modules. */
export const EVERYWHERE = 'globalThis.';
