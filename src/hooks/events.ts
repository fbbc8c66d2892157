/** Names of the git hooks that we install. */

/** Hooks after which there may be new commits to index. */
export const INDEX_EVENTS = ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite', 'post-applypatch'] as const;

/** Hook that pushes records along with the user's push. Installed only on request. */
export const SHARE_EVENT = 'pre-push';

export type HookEvent = (typeof INDEX_EVENTS)[number] | typeof SHARE_EVENT;

export const ALL_EVENTS: readonly HookEvent[] = [...INDEX_EVENTS, SHARE_EVENT];

export function isHookEvent(name: string): name is HookEvent {
  return (ALL_EVENTS as readonly string[]).includes(name);
}
