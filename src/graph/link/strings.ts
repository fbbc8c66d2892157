/** Numbers strings while tables are being built. */

export class Strings {
  private readonly ids: Map<string, number>;
  private readonly list: string[];

  /** Starts with known strings, which keep their numbers. */
  constructor(known: readonly string[]) {
    this.list = known.slice();
    this.ids = new Map();
    for (let i = 0; i < known.length; i++) this.ids.set(known[i], i);
  }

  id(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    this.ids.set(text, this.list.length);
    this.list.push(text);
    return this.list.length - 1;
  }

  /** Number of a string, -1 if it has none. */
  find(text: string): number {
    return this.ids.get(text) ?? -1;
  }

  at(id: number): string {
    return this.list[id];
  }

  get length(): number {
    return this.list.length;
  }

  /**
   * Renumbers the strings by their first use in these columns, which are changed in place. Returns only the strings in
   * use, so that the result does not depend on earlier snapshots.
   */
  renumber(columns: readonly Uint32Array[]): string[] {
    const numbers = new Uint32Array(this.list.length);
    const used: string[] = [];
    for (const column of columns) {
      for (let i = 0; i < column.length; i++) {
        const id = column[i];
        if (numbers[id] === 0) {
          used.push(this.list[id]);
          numbers[id] = used.length;
        }
        column[i] = numbers[id] - 1;
      }
    }
    return used;
  }
}
