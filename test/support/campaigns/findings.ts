/** Where a campaign does not hold: it goes on after the first, so that all of them are known at its end. */
import assert from 'node:assert/strict';

/** The suite needs no more than some to fail. */
const MAX_SHOWN = 20;
/** The least that a machine has of processors. */
const AT_ONCE = 2;

export class Findings {
  private readonly found: string[] = [];

  constructor(private readonly note: (text: string) => void) {}

  /** What `attempt` gives; null where an assertion in it failed, which is kept. */
  async of<T>(attempt: () => Promise<T>): Promise<T | null> {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.found.push(error.message);
      this.note(`FOUND ${error.message}`);
      return null;
    }
  }

  /** Throws if anything was found. */
  check(): void {
    assert.equal(
      this.found.length,
      0,
      `${this.found.length} findings:\n${this.found.slice(0, MAX_SHOWN).join('\n\n')}`,
    );
  }
}

/** Some at once: most of the work is done by processes of their own. */
export async function inTurns<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...list];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
