/**
 * Joins simultaneous writes of one process. LanceDB writes a version of a table for each, and repeats all but the first of
 * simultaneous ones: eight publishers cost a server twice the processor time of one. So one write is under way, and those that
 * arrive meanwhile become the next.
 */
interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export class Together<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private isWriting = false;

  /** `write` answers for each item; `joins` says which items one write takes in addition to the first. */
  constructor(
    private readonly write: (items: readonly T[]) => Promise<R[]>,
    private readonly joins: (items: readonly T[], next: T) => boolean,
  ) {}

  add(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isWriting) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) await this.next();
    this.isWriting = false;
  }

  private async next(): Promise<void> {
    const taken: Waiting<T, R>[] = [];
    const left: Waiting<T, R>[] = [];
    for (const each of this.waiting) {
      const items = taken.map(({ item }) => item);
      (taken.length === 0 || this.joins(items, each.item) ? taken : left).push(each);
    }
    this.waiting = left;
    try {
      await this.settle(taken);
    } catch (error) {
      if (taken.length === 1) return taken[0].reject(error);
      // One item's fault must not fail the others.
      for (const each of taken) await this.settle([each]).catch(each.reject);
    }
  }

  private async settle(taken: readonly Waiting<T, R>[]): Promise<void> {
    const results = await this.write(taken.map(({ item }) => item));
    for (const [i, { resolve }] of taken.entries()) resolve(results[i]);
  }
}
