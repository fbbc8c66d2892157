/** Impact of what differs between two versions of a small repository, answered by this process. */
import { answerImpact } from '../../../src/questions/graph/impact/answer.js';
import type { ChangeImpactResponse } from '../../../src/questions/graph/impact/question.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, type Files } from '../repositories/repo.js';
import { askerOf } from './asker.js';

/** Files of the later version; null for one that is deleted. */
export type Edits = Readonly<Record<string, string | null>>;

/** Commits `before`, then makes the edits in the work tree and asks about them. */
export async function changed(before: Files, edits: Edits): Promise<ChangeImpactResponse> {
  const repo = createRepo();
  repo.commit(before);
  for (const [path, content] of Object.entries(edits)) {
    if (content === null) repo.git('rm', '-q', path);
    else repo.write({ [path]: content });
  }
  const session = await Session.open({ directory: repo.dir });
  try {
    const values = { target: undefined, depth: 3, minConfidence: 0, limit: 200 } as never;
    return (await answerImpact(askerOf(session, { directory: repo.dir }), values)) as ChangeImpactResponse;
  } finally {
    await session.close();
  }
}

/** `app.ts:3 total certain renamed`, in the order of the answer. */
export function danglingIn({ changes }: ChangeImpactResponse): string[] {
  return changes.dangling.list.map(
    ({ path, line, text, certainty, how }) => `${path}:${line} ${text} ${certainty} ${how}`,
  );
}

/** `app.ts:3 total too-few`. */
export function mismatchesIn({ changes }: ChangeImpactResponse): string[] {
  return changes.mismatches.list.map(({ path, line, text, problem }) => `${path}:${line} ${text} ${problem}`);
}

/** A shop before a change. */
export const SHOP = {
  'src/cart.ts':
    'export function total(items: number[]): number {\n  return items.reduce((sum, item) => sum + item, 0);\n}\nexport class Cart {\n  constructor(readonly owner: string) {}\n  add(item: number): void {\n    this.check(item);\n  }\n  private check(item: number): void {}\n}\n',
  'src/app.ts':
    "import { Cart, total } from './cart';\nexport function main(): number {\n  const cart = new Cart('me');\n  cart.add(1);\n  return total([1]);\n}\n",
  'src/index.ts': "export { total } from './cart';\n",
  'src/cart.test.ts': "import { total } from './cart';\ntest('total', () => {\n  total([]);\n});\n",
};
/** One file of it with another text in it. */
export const edit = (path: keyof typeof SHOP, from: string | RegExp, to: string) => ({
  [path]: SHOP[path].replace(from, to),
});
