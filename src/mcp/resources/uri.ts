/**
 * `socraticode://outline/src/a%20b.ts` ⇄ which resource, of what. Read by hand: a URL parser would resolve `..` and
 * `%2e%2e` before anybody has looked at them.
 */

export const RESOURCE_KINDS = ['status', 'outline', 'symbol', 'context'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export interface ResourceName {
  kind: ResourceKind;
  /** A path, a symbol's or an artifact's name, decoded; null for the resource of the whole repository. */
  value: string | null;
}

const SCHEME = 'socraticode:';
const URI = /^socraticode:\/\/([a-z]+)(?:\/(.*))?$/is;
/** Four bytes of UTF-8 as `%xx` for each of the longest names that git and we know. */
export const MAX_URI = 4_096 * 12;

/** Reserved characters that `{+path}` leaves as they are, and that stand in file names. */
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

/** Null for a URI that names nothing here: another scheme or kind, a path that is none, bytes that are no text. */
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

/** Null for `%` without two digits behind it, bytes that are no UTF-8, control characters and nothing at all. */
function decode(text: string): string | null {
  try {
    const value = decodeURIComponent(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what this finds
    return value.trim() === '' || /[\u0000-\u001f\u007f]/.test(value) ? null : value;
  } catch {
    return null;
  }
}

/** From the top of the repository, as git writes paths: one spelling a file, and none that leads anywhere else. */
function isPath(value: string): boolean {
  return value.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
