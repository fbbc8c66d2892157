/** The git hooks that we answer to (data). */

/** After these, something new may be there to index. */
export const INDEX_EVENTS = ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite', 'post-applypatch'] as const;

/** Before this, what is indexed may be shared: only where the user asked for it. */
export const SHARE_EVENT = 'pre-push';

export type HookEvent = (typeof INDEX_EVENTS)[number] | typeof SHARE_EVENT;

export const ALL_EVENTS: readonly HookEvent[] = [...INDEX_EVENTS, SHARE_EVENT];

export function isHookEvent(name: string): name is HookEvent {
  return (ALL_EVENTS as readonly string[]).includes(name);
}
