/** Definitions in the order in which a map takes them: the worth of each falls with what was taken of the same group. */
import type { Declared } from './declarations.js';

/** Definitions at top level of one file, or members of one type: they share what was chosen before them. */
interface Group {
  /** Best first, with their places among all. */
  members: { each: Declared; place: number }[];
  /** The first that is still waiting. */
  at: number;
  worth: number;
}

interface Choice {
  /** How many of the definition's group are chosen. */
  chosen: (each: Declared) => number;
  /** Members of a type that is not shown itself wait until it is. */
  isOpen: (each: Declared) => boolean;
}

/** A heap of groups, each under its best: looking at every definition for every choice would be quadratic. */
export class BestFirst {
  private readonly groups = new Map<string, Group>();
  private readonly waiting = new Map<number, Group>();
  private readonly heap: Group[] = [];

  /** `all`: best first. `worthOf` must not rise where the value falls; the first of `all` goes before its equals. */
  constructor(
    all: readonly Declared[],
    private readonly worthOf: (each: Declared, before: number) => number,
    private readonly choice: Choice,
  ) {
    for (const [place, each] of all.entries()) {
      const key = keyOf(each);
      const known = this.groups.get(key);
      if (known === undefined) this.groups.set(key, { members: [{ each, place }], at: 0, worth: 0 });
      else known.members.push({ each, place });
    }
    for (const group of this.groups.values()) {
      const [{ each }] = group.members;
      if (choice.isOpen(each)) this.push(group);
      else this.waiting.set(each.container, group);
    }
  }

  /** Undefined where nothing of any worth is left. `settle` must follow, when it is chosen or not. */
  next(): Declared | undefined {
    const group = this.pop();
    return group?.members[group.at++].each;
  }

  /** Lets what comes after it wait for its turn: the rest of its group, and what is in it. */
  settle(each: Declared): void {
    const group = this.groups.get(keyOf(each));
    if (group !== undefined) this.push(group);
    const inside = this.waiting.get(each.node);
    if (inside === undefined || !this.choice.isOpen(inside.members[0].each)) return;
    this.waiting.delete(each.node);
    this.push(inside);
  }

  private push(group: Group): void {
    if (group.at >= group.members.length) return;
    const { each } = group.members[group.at];
    // A member is one further than its type.
    group.worth = this.worthOf(each, this.choice.chosen(each) + (each.container >= 0 ? 1 : 0));
    if (!(group.worth > 0)) return;
    const { heap } = this;
    let at = heap.push(group) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(group, heap[above]); above = (at - 1) >> 1) {
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = group;
  }

  private pop(): Group | undefined {
    const { heap } = this;
    const [best] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return best;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below + 1 < heap.length && isBefore(heap[below + 1], heap[below])) below++;
      if (below >= heap.length || !isBefore(heap[below], last)) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = last;
    return best;
  }
}

const keyOf = ({ file, container }: Declared): string => `${file} ${container}`;

function isBefore(a: Group, b: Group): boolean {
  return a.worth === b.worth ? a.members[a.at].place < b.members[b.at].place : a.worth > b.worth;
}
