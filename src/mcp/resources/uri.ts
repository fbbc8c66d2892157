/**
 * Parses and writes URIs of resources (`socraticode://outline/src/a%20b.ts`). It uses no URL parser, which would resolve
 * `..` and `%2e%2e` before they can be refused.
 */

export const RESOURCE_KINDS = ['status', 'outline', 'symbol', 'context'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export interface ResourceName {
  kind: ResourceKind;
  /** Path, or name of a symbol or artifact, decoded; null for the resource of the whole repository. */
  value: string | null;
}

const SCHEME = 'socraticode:';
const URI = /^socraticode:\/\/([a-z]+)(?:\/(.*))?$/is;
/** Longest URI: the longest name (4,096 characters), each as four bytes of UTF-8 in `%xx`. */
export const MAX_URI = 4_096 * 12;

/** Reserved characters that `{+path}` leaves as they are, and that file names may have. */
const KEPT_IN_PATHS = /%(?:2F|3A|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g;

export const TEMPLATES: Readonly<Record<Exclude<ResourceKind, 'status'>, string>> = {
  outline: `${SCHEME}//outline/{+path}`,
  symbol: `${SCHEME}//symbol/{name}`,
  context: `${SCHEME}//context/{name}`,
};

export function uriOf({ kind, value }: ResourceName): string {
  if (value === null) return `${SCHEME}//${kind}`;
  const encoded = encodeURIComponent(value);
  return `${SCHEME}//${kind}/${kind === 'outline' ? encoded.replace(KEPT_IN_PATHS, decodeURIComponent) : encoded}`;
}

/** Resource of a URI; null for another scheme or kind, a bad path, and bytes that are no text. */
export function parseUri(uri: string): ResourceName | null {
  const [, host = '', rest] = (uri.length <= MAX_URI && URI.exec(uri)) || [];
  const kind = RESOURCE_KINDS.find((each) => each === host.toLowerCase());
  if (kind === undefined) return null;
  if (rest === undefined) return kind === 'status' || kind === 'outline' ? { kind, value: null } : null;
  const value = decode(rest);
  if (value === null || kind === 'status') return null;
  if (kind === 'outline') return isPath(value) ? { kind, value } : null;
  return rest.includes('/') ? null : { kind, value };
}

/** Decoded text; null for `%` without two digits, bytes that are no UTF-8, control characters, and blank text. */
function decode(text: string): string | null {
  try {
    const value = decodeURIComponent(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for control characters
    return value.trim() === '' || /[\u0000-\u001f\u007f]/.test(value) ? null : value;
  } catch {
    return null;
  }
}

/** Tells whether a path is written as git does, from the top of the repository, so that a file has one URI and none leads outside. */
function isPath(value: string): boolean {
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
