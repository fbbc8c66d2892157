/** The sample project that documentation and recorded sessions are about: a small shop in Python, with two commits. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../house/root.js';
import { createRepo } from './repo.js';

const SHOP = fileURLToPath(new URL('fixtures/graph/python/', ROOT));
const RULES = 'src/shop/pricing/rules.py';

/** The second commit changes which items a pricing rule must match. */
export function shop() {
  const paths = readdirSync(SHOP, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(?:py|toml)$/.test(path));
  const files = Object.fromEntries(
    paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(SHOP, path), 'utf8')]),
  );
  const repo = createRepo();
  repo.commit({ ...files, [RULES]: files[RULES].replace('if all(', 'if any(') }, 'a shop');
  repo.commit(files, 'a rule has to match every item');
  return repo;
}
