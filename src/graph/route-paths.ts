/** Paths of routes that lie below others. */

/** A path below another one; as it is written where there is none, or where it says that it starts at the root (`~/x`). */
export function joinedPath(prefix: string, path: string): string {
  if (path.startsWith('~/')) return path.slice(1);
  if (prefix === '' || prefix === '/') return path;
  const whole = `${prefix.replace(/\/$/, '')}${path === '' ? '' : '/'}${path.replace(/^\//, '')}`;
  return whole.startsWith('/') ? whole : `/${whole}`;
}

/** The path of a route below that of a group: `/` is the group's own path. */
export function belowPath(prefix: string, path: string): string {
  return prefix === '' ? path : joinedPath(prefix, path === '/' ? '' : path);
}

/** Calls that make a group of routes below a path: gin, echo and fiber; FastAPI; Flask. */
const ROUTER_MAKERS: ReadonlySet<string> = new Set(['Group', 'APIRouter', 'Blueprint']);

export function isRouterMaker(name: string): boolean {
  return ROUTER_MAKERS.has(name);
}
