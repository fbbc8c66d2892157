/** Calls `then` after the frame that shows what was drawn last. */
export function afterFrame(then: () => void): void {
  requestAnimationFrame(() => setTimeout(then));
}
