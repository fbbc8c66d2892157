/** Text that is parsed of C# files with directives inside of declarations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutDirectives } from '../../../src/languages/csharp/rules.js';
import { relationLines } from '../relations-support.js';

const SAMPLE = `using Shop.Models;
using static Shop.Prices;
using Old = Shop.Legacy.Cart;

namespace Shop.Web;

[Route("orders")]
public class Orders<T>(Store store) : Controller<T>(store), INamed
{
    private readonly List<Cart> _carts = new();
    public Cart Current { get; set; } = new Cart();

    public Orders(string name) : base(name) { }

    public Money Total(Old old, [FromQuery] int count)
    {
        foreach (var cart in _carts) cart.Add(new Item { Name = Label() });
        if (old is Gift gift && _map.TryGet(1, out Cart found)) gift.Wrap(found);
        Money money = new(5);
        return Round(base.Total(old)!.Plus(money));
    }

    public static string Show(this Money money) => nameof(Money) + ((Price)money).Text();
}
`;

test('C#: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'csharp').imports, [
    '1 import Shop.Models *=',
    '2 import Shop.Prices *=',
    '3 import Shop.Legacy Cart=Old',
    '5 declare Shop.Web',
  ]);
});

test('C#: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'csharp').references, [
    '7 decorator Route/1 @Orders "orders"',
    '8 type Store @Orders',
    '8 extends Controller @Orders',
    '8 implements INamed @Orders',
    '10 type List @Orders._carts',
    '10 type Cart @Orders._carts',
    '10 new List/0 @Orders._carts',
    '11 type Cart @Orders.Current',
    '11 new Cart/0 @Orders.Current',
    '13 call super/1 @Orders.Orders',
    '15 type Money @Orders.Total',
    '15 type Old @Orders.Total',
    '15 decorator FromQuery @Orders.Total',
    '17 call cart.Add/1 @Orders.Total',
    '17 new Item/0 @Orders.Total',
    '17 call Label/0 @Orders.Total',
    '18 type Gift @Orders.Total',
    '18 call _map.TryGet/2 @Orders.Total',
    '18 type Cart @Orders.Total',
    '18 call gift.Wrap/1 @Orders.Total',
    '19 type Money @Orders.Total',
    '19 new Money/1 @Orders.Total',
    '20 call Round/1 @Orders.Total',
    '20 call super.Total/1 @Orders.Total',
    '20 call super.Total().Plus/1 @Orders.Total',
    '23 type Money @Orders.Show',
    '23 type Price @Orders.Show',
    '23 call new Price().Text/0 @Orders.Show',
  ]);
});

test('C#: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'csharp').bindings, [
    'Orders: store: Store',
    'Orders: _carts: List<Cart> = new List()',
    'Orders: Current: Cart',
    'Orders.Total: (): Money',
    'Orders.Total: cart = _carts[]',
    'Orders.Total: gift: Gift',
    'Orders.Show: (): string',
    'Orders.Show: this: Money',
  ]);
});

const lines = (text: string) =>
  withoutDirectives(text)
    .split('\n')
    .map((line) => line.trimEnd());

test('a directive inside of a declaration leaves one declaration, of the same length', () => {
  const text = 'class Log : ISink\n#if ASYNC\n  , IAsync\n#else\n  , ISync\n#endif\n{ }\n';
  assert.equal(withoutDirectives(text).length, text.length);
  assert.deepEqual(lines(text), ['class Log : ISink', '', '  , IAsync', '', '', '', '{ }', '']);
});

test('both branches remain where each is whole', () => {
  const text = '#if ASYNC\nvoid Open() { }\n#else\nvoid Close() { }\n#endif\n';
  assert.deepEqual(lines(text), ['', 'void Open() { }', '', 'void Close() { }', '', '']);
});

test('a file without conditions is parsed as it is', () => {
  assert.equal(withoutDirectives('#region A\nint a;\n#endregion\n'), '#region A\nint a;\n#endregion\n');
});
