/** Numbers that are the same on every machine, for any count: mulberry32 (Tommy Ettinger, public domain). */
export type Random = (below: number) => number;

/** `random(n)` is an integer from 0 to n - 1. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)];
