/** Names that ECMAScript and its platforms bring along. Nothing in a repository is meant where only they are written. */
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ''));

export const GLOBAL_TYPES = words(`
  any unknown never void null undefined string number boolean bigint symbol object this const
  Array ReadonlyArray Promise PromiseLike Awaited Record Partial Required Readonly Pick Omit Exclude Extract NonNullable Parameters
  ConstructorParameters ReturnType InstanceType ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize
  Map Set WeakMap WeakSet WeakRef ReadonlyMap ReadonlySet Iterable Iterator IterableIterator AsyncIterable AsyncIterator
  AsyncIterableIterator Generator AsyncGenerator Function Object String Number Boolean Symbol BigInt Date RegExp RegExpExecArray
  RegExpMatchArray Error TypeError RangeError SyntaxError ArrayBuffer SharedArrayBuffer ArrayBufferView DataView Uint8Array Int8Array
  Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array BigInt64Array BigUint64Array PropertyDescriptor PropertyKey
  TemplateStringsArray ArrayLike Buffer NodeJS
`);

/** No chain that starts with one of them can be followed into a repository. */
export const GLOBAL_ROOTS = words(`
  console JSON Math Object Reflect Promise Array Map Set WeakMap WeakSet WeakRef Number String Boolean Symbol BigInt Date RegExp
  Intl Atomics Proxy Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError
  ArrayBuffer SharedArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array
  BigInt64Array BigUint64Array Uint8ClampedArray TextEncoder TextDecoder URL URLSearchParams AbortController
  parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI structuredClone queueMicrotask
  setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate requestAnimationFrame cancelAnimationFrame
  process Buffer globalThis window document navigator localStorage sessionStorage expect
`);

/** The first argument of a call with such a name often is a route, a command, an event or a test. */
export const LITERAL_CALLS = words(`
  get post put patch delete del options head all use route command describe it test suite handle on listen register
`);
