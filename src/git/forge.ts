/**
 * Addresses of places in code: on the forge that a remote's address names, and in editors. Links to forges are https links to plain
 * hosts, and never hold a user or password.
 */

export interface Forge {
  /** Such as `https://github.com/owner/repository`. */
  base: string;
  kind: 'github' | 'gitlab' | 'bitbucket' | 'gitea';
}

/** `git@github.com:owner/repository.git`: user, host, path. */
const SCP = /^(?:[\w.-]+@)?(?<host>[\w.-]+):(?!\/\/)(?<path>[^\s:]+)$/;

/** Null if the remote is no address of a known forge, such as a directory. */
export function forgeOf(remote: string): Forge | null {
  const scp = SCP.exec(remote)?.groups;
  const url = scp === undefined && URL.canParse(remote) ? new URL(remote) : null;
  if (url !== null && !['https:', 'http:', 'ssh:', 'git:'].includes(url.protocol)) return null;
  const host = (scp?.host ?? url?.hostname ?? '').toLowerCase();
  const path = (scp?.path ?? url?.pathname ?? '').replace(/^\/+|\/+$|(?:\.git)?\/*$/g, '');
  const kind = kindOf(host);
  if (kind === null || !/^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path)) return null;
  return { base: `https://${host}/${path}`, kind };
}

/** Guesses the software of a host by its name: `gitlab.example.org`. */
function kindOf(host: string): Forge['kind'] | null {
  const labels = host.split('.');
  if (labels.length < 2) return null;
  if (labels.includes('github')) return 'github';
  if (labels.includes('gitlab')) return 'gitlab';
  if (labels.includes('bitbucket')) return 'bitbucket';
  if (['gitea', 'codeberg', 'forgejo'].some((name) => labels.includes(name))) return 'gitea';
  return null;
}

/** Address of lines of a file at a commit, with `{path}`, `{start}` and `{end}` for a page to fill in. */
export function placeAddress({ base, kind }: Forge, commit: string): string {
  return {
    github: `${base}/blob/${commit}/{path}#L{start}-L{end}`,
    gitlab: `${base}/-/blob/${commit}/{path}#L{start}-{end}`,
    bitbucket: `${base}/src/${commit}/{path}#lines-{start}:{end}`,
    gitea: `${base}/src/commit/${commit}/{path}#L{start}-L{end}`,
  }[kind];
}

/** Addresses that open a line of a file in an editor. A page fills in `{root}`, `{path}` and `{start}`, escaped as in a URL. */
const ADDRESSES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['vscode', 'vscodium', 'cursor', 'windsurf', 'zed'].map((name) => [name, `${name}://file{root}{path}:{start}`]),
  ),
  idea: 'idea://open?file={root}{path}&line={start}',
};

/** Null for an editor without such an address, such as `none`. */
export const editorAddress = (editor: string): string | null =>
  Object.hasOwn(ADDRESSES, editor) ? ADDRESSES[editor] : null;
