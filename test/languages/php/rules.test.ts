import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-lines.js';

const SOURCE = `<?php
namespace Shop\\Cart;

use Shop\\Pricing\\{Rule, Discount as Cut};
use function Shop\\slug;
require_once __DIR__ . '/helpers.php';

final class Cart extends Base implements Rule
{
    use Logs;
    /** @var Item[] */
    private array $items = [];

    public function __construct(private ?Store $store, string $key)
    {
        parent::__construct(slug($key));
        $this->rule = new Cut(1, 2);
    }

    public static function open(): static
    {
        foreach ((new static(null, 'x'))->items as $item) {
            $item->total();
        }
        return self::make(Cut::class)->run(...);
    }

    /** @return Item[] */
    public function all(): array
    {
        return $this->items;
    }

    /** @return Item[] */
    public function shop(): Store
    {
        return $this->store;
    }
}
`;

test('php: namespaces, promoted parameters, traits and static calls', () => {
  const { imports, references, bindings } = relationLines(SOURCE, 'php');
  assert.deepEqual(imports, [
    'declare Shop\\Cart []',
    'import Shop\\Pricing [Rule, Discount Cut]',
    'import Shop [slug]',
    'include ./helpers.php []',
  ]);
  assert.deepEqual(references, [
    'Cart: extends Base',
    'Cart: implements Rule',
    'Cart: implements Logs',
    'Cart.store: type Store',
    'Cart.__construct: call super.__construct/1',
    'Cart.__construct: call slug/1',
    'Cart.__construct: new Cut/2',
    'Cart.open: new Cart/2',
    'Cart.open: call item.total/0',
    'Cart.open: call this.make/1',
    'Cart.open: value Cut',
    'Cart.shop: type Store',
  ]);
  assert.deepEqual(bindings, [
    'Cart: items: Item[]',
    'Cart: store: ?Store',
    'Cart: rule = new Cut()',
    'Cart.open: (): static',
    'Cart.open: item = new Cart().items[]',
    'Cart.all: (): Item[]',
    'Cart.shop: (): Store',
  ]);
});
