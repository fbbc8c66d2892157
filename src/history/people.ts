/** Tells which authors are one person: their commits share an address or a name. The name of the newest commit is theirs. */
import type { KeptCommit } from './change-log.js';

type Author = Pick<KeptCommit, 'author' | 'email'>;

export class People {
  /** Name by which a person goes, by each address and name that a commit has. */
  private readonly known = new Map<string, string>();
  /** Names that were found to mean a person who goes by another one. */
  private readonly aliases = new Map<string, string>();

  private readonly order = new Map<string, number>();

  /** `commits`: newest first. */
  constructor(commits: readonly Author[]) {
    for (const commit of commits) this.add(commit);
  }

  nameOf({ author }: Pick<Author, 'author'>): string {
    let name = this.known.get(`name ${author}`) ?? author;
    for (let next = this.aliases.get(name); next !== undefined; next = this.aliases.get(name)) name = next;
    return name;
  }

  private add({ author, email }: Author): void {
    const byName = this.nameOf({ author });
    const address = isPersonal(email) ? `mail ${email.toLowerCase()}` : null;
    const byMail = address === null ? undefined : this.known.get(address);
    const other = byMail === undefined ? byName : this.nameOf({ author: byMail });
    // The name that was seen first is the newer one.
    const [name, former] = this.orderOf(other) <= this.orderOf(byName) ? [other, byName] : [byName, other];
    if (name !== former) this.aliases.set(former, name);
    this.known.set(`name ${author}`, name);
    if (address !== null) this.known.set(address, name);
  }

  private orderOf(name: string): number {
    const order = this.order.get(name) ?? this.order.size;
    this.order.set(name, order);
    return order;
  }
}

/** Addresses without a domain are those of machines, which many people can have in common: root@localhost. */
const isPersonal = (email: string): boolean => /@[^@]+\.[^@.]+$/.test(email);
