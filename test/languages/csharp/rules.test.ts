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
    '7 decorator Route/1 @Shop.Web.Orders "orders"',
    '8 type Store @Shop.Web.Orders',
    '8 extends Controller @Shop.Web.Orders',
    '8 implements INamed @Shop.Web.Orders',
    '10 type List @Shop.Web.Orders._carts',
    '10 type Cart @Shop.Web.Orders._carts',
    '10 new List/0 @Shop.Web.Orders._carts',
    '11 type Cart @Shop.Web.Orders.Current',
    '11 new Cart/0 @Shop.Web.Orders.Current',
    '13 call super/1 @Shop.Web.Orders.Orders',
    '15 type Money @Shop.Web.Orders.Total',
    '15 type Old @Shop.Web.Orders.Total',
    '15 decorator FromQuery @Shop.Web.Orders.Total',
    '17 call cart.Add/1 @Shop.Web.Orders.Total',
    '17 new Item/0 @Shop.Web.Orders.Total',
    '17 call Label/0 @Shop.Web.Orders.Total',
    '18 type Gift @Shop.Web.Orders.Total',
    '18 call _map.TryGet/2 @Shop.Web.Orders.Total',
    '18 type Cart @Shop.Web.Orders.Total',
    '18 call gift.Wrap/1 @Shop.Web.Orders.Total',
    '19 type Money @Shop.Web.Orders.Total',
    '19 new Money/1 @Shop.Web.Orders.Total',
    '20 call Round/1 @Shop.Web.Orders.Total',
    '20 call super.Total/1 @Shop.Web.Orders.Total',
    '20 call super.Total().Plus/1 @Shop.Web.Orders.Total',
    '23 type Money @Shop.Web.Orders.Show',
    '23 type Price @Shop.Web.Orders.Show',
    '23 call new Price().Text/0 @Shop.Web.Orders.Show',
  ]);
});

test('C#: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'csharp').bindings, [
    'Shop.Web.Orders: <T>',
    'Shop.Web.Orders: store: Store',
    'Shop.Web.Orders: _carts: List<Cart> = new List()',
    'Shop.Web.Orders: Current: Cart',
    'Shop.Web.Orders.Total: (): Money',
    'Shop.Web.Orders.Total: cart = _carts[]',
    'Shop.Web.Orders.Total: gift: Gift',
    'Shop.Web.Orders.Show: (): string',
    'Shop.Web.Orders.Show: this: Money',
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
