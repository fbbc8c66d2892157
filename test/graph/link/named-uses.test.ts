/** Uses by a name that both sides state: events, signals, tokens of containers, keys of registries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkUsers } from '../../../src/graph/query/users.js';
import { edgeLines, graphOf, link, type Project } from './project.js';

const named = (project: Project): string[] =>
  edgeLines(graphOf(project)).filter((line) => / request (?!\?)/.test(line));

const SHOP = `const { EventEmitter } = require('node:events');
class Shop extends EventEmitter {
  constructor() { super(); this.on('sold', this.count); this.on('error', this.fail); }
  sell() { this.emit('sold', 1); this.emit('error'); }
  close() { this.emit('closed'); this.emit('nobody listens'); }
  count() {}
  fail() {}
}
module.exports = { Shop };
`;

test('JavaScript: an event runs the handlers that listen to it, named or in a function without a name', () => {
  const main = `const { Shop } = require('./shop');
function note() {}
function count() {}
const shop = new Shop();
shop.on('closed', note);
shop.once('closed', () => count());
`;
  assert.deepEqual(named({ 'shop.js': SHOP, 'main.js': main }), [
    'shop.js:Shop.sell request shop.js:Shop.count (likely)',
    'shop.js:Shop.sell request shop.js:Shop.fail (likely)',
    'shop.js:Shop.close request main.js:note (likely)',
    'shop.js:Shop.close request main.js:count (likely)',
  ]);
});

test('JavaScript: an event runs handlers of the types above and below the one that sends it, and of no other type', () => {
  const kiosk = `const { Shop } = require('./shop');
class Kiosk extends Shop {
  constructor() { super(); this.on('closed', this.shut); }
  serve() { this.emit('sold', 2); }
  shut() {}
}
class Other extends Emitter {
  constructor() { super(); this.on('sold', this.lose); }
  lose() {}
}
`;
  const found = named({ 'shop.js': SHOP, 'kiosk.js': kiosk }).filter((line) => line.includes('Kiosk'));
  assert.deepEqual(found, [
    'kiosk.js:Kiosk.serve request shop.js:Shop.count (likely)',
    'shop.js:Shop.close request kiosk.js:Kiosk.shut (likely)',
  ]);
});

test('TypeScript: an event that a constant or an enumeration of another file names runs what listens to the same one', () => {
  const project = {
    'events.ts':
      "export const EVENTS = { SAVED: 'saved', LOST: 'lost' } as const;\nexport enum CartEvent { Paid = 'paid', Open = 'open' }\nexport const LIMITS = { SIZE: 3 };\n",
    'a.ts': `import { CartEvent, EVENTS, LIMITS } from './events';
export class Cart {
  save() { this.emitter.emit(EVENTS.SAVED, LIMITS.SIZE); }
  pay() {
    this.emitter.emit(
      CartEvent.Paid,
      this.total(),
    );
  }
  lose(name: string) { this.emitter.emit(name, EVENTS.LOST); this.emitter.emit(EVENTS[name]); }
  total() { return 1; }
}
`,
    'b.ts': `import { CartEvent, EVENTS } from './events';
export class Log {
  constructor(private readonly bus: Bus) { bus.on(EVENTS.SAVED, this.saved); bus.on(CartEvent.Open, this.opened); }
  saved() {}
  opened() {}
  @OnEvent(CartEvent.Paid) paid() {}
}
`,
  };
  assert.deepEqual(named(project), [
    'a.ts:Cart.save request b.ts:Log.saved (likely)',
    'a.ts:Cart.pay request b.ts:Log.paid (likely)',
  ]);
});

test('JavaScript: an event of the platform on another object runs nothing here, and neither do listeners of tests', () => {
  const other = `const net = require('node:net');
function log() {}
const socket = net.connect(80);
socket.on('error', log);
socket.on('close', log);
`;
  const tested = `const { Shop } = require('./shop');
function seen() {}
new Shop().on('sold', seen);
`;
  assert.deepEqual(named({ 'shop.js': SHOP, 'other.js': other, 'shop.test.js': tested }), [
    'shop.js:Shop.sell request shop.js:Shop.count (likely)',
    'shop.js:Shop.sell request shop.js:Shop.fail (likely)',
  ]);
});

test('a test and a bundle hear what they send themselves, and nothing of others; an example hears itself', () => {
  const own = (name: string) =>
    `const { Shop } = require('./shop');\nfunction ${name}() {}\nconst shop = new Shop();\nshop.on('closed', ${name});\nshop.emit('closed');\n`;
  const found = named({
    'shop.js': SHOP,
    'one.test.js': own('one'),
    'two.test.js': own('two'),
    'dist/shop.min.js': own('three'),
    'examples/run.js': own('four'),
  });
  assert.deepEqual(
    found.filter((line) => line.includes('.closed') || /:(?:one|two|three|four) /.test(line)),
    [
      'dist/shop.min.js request dist/shop.min.js:three (likely)',
      'examples/run.js request examples/run.js:four (likely)',
      'one.test.js request one.test.js:one (likely)',
      'two.test.js request two.test.js:two (likely)',
    ],
  );
});

test('a component that emits by a function alone is heard by no other object', () => {
  const project = {
    'Cart.vue':
      "<script setup>\nconst emit = defineEmits(['cart:sold']);\nfunction sell() { emit('cart:sold'); }\n</script>\n",
    'log.js': "function note() {}\nrouter.on('cart:sold', note);\n",
    'mitt.js':
      "const { emit, on } = mitt();\nfunction heard() {}\nfunction go() { emit('cart:open'); }\non('cart:open', heard);\n",
  };
  assert.deepEqual(named(project), ['mitt.js:go request mitt.js:heard (likely)']);
});

test('a test sends events to the files that it imports alone, as its objects may be doubles', () => {
  const project = {
    'shop.ts': "export class Shop { constructor(bus) { bus.on('cart:sold', this.count); } count() {} }\n",
    'other.ts': "export class Other { constructor(bus) { bus.on('cart:sold', this.note); } note() {} }\n",
    'shop.test.ts': "import { Shop } from './shop';\nfunction sold() { mock.bus.emit('cart:sold'); }\n",
    'cart.ts': "function sell() { this.bus.emit('cart:sold'); }\n",
  };
  assert.deepEqual(named(project), [
    'cart.ts:sell request other.ts:Other.note (likely)',
    'cart.ts:sell request shop.ts:Shop.count (likely)',
    'shop.test.ts:sold request shop.ts:Shop.count (likely)',
  ]);
});

test('an event that is made is known by a telling name alone, as nothing says what sends it', () => {
  const source =
    "function show() {}\npanel.addEventListener('show', show);\npanel.addEventListener('cart:show', show);\nexport function open() { dialog.dispatchEvent(new Event('show')); }\nexport function tell() { dialog.dispatchEvent(new Event('cart:show')); }\n";
  assert.deepEqual(named({ 'page.ts': source }), ['page.ts:tell request page.ts:show (likely)']);
});

test('TypeScript: an event that a page dispatches, and one of a decorator', () => {
  const source = `export function show() {}
element.addEventListener('cart:shown', show);
export function open() { element.dispatchEvent(new CustomEvent('cart:shown')); }
export class Mail {
  @OnEvent('order.created')
  send() {}
}
export function order(events: Emitter) { events.emit('order.created', 1); }
`;
  assert.deepEqual(named({ 'cart.ts': source }), [
    'cart.ts:open request cart.ts:show (likely)',
    'cart.ts:order request cart.ts:Mail.send (likely)',
  ]);
});

test('Python: a signal runs its receivers, also of other files, and a signal of a library none', () => {
  const signals = 'from django.dispatch import Signal\n\npaid = Signal()\n';
  const mail = `from django.dispatch import receiver
from django.db.models.signals import post_save
from signals import paid

@receiver(paid)
def mail(sender, **given): ...

def log(sender, **given): ...

paid.connect(log)

@receiver(post_save)
def saved(sender, **given): ...
`;
  const shop = `from signals import paid
from django.db.models.signals import post_save

def pay():
    paid.send(sender=None)

def save():
    post_save.send(sender=None)
`;
  assert.deepEqual(named({ 'signals.py': signals, 'mail.py': mail, 'shop.py': shop }), [
    'shop.py:pay request mail.py:mail (likely)',
    'shop.py:pay request mail.py:log (likely)',
  ]);
});

test('Python: an emitter with names runs functions that a decorator lets listen', () => {
  const source = `@bus.on("order_created")
def mail(order): ...

def order(bus):
    bus.emit("order_created", 1)
`;
  assert.deepEqual(named({ 'orders.py': source }), ['orders.py:order request orders.py:mail (likely)']);
});

test('TypeScript: a container gives for a token what a provider states', () => {
  const store = `export const STORE = Symbol('store');
export class FileStore { save() {} }
export function makeClock() {}
`;
  const cart = `import { STORE } from './store';
export class Cart {
  constructor(@Inject(STORE) private store: any, @Inject('CLOCK') private clock: any) {}
}
`;
  const app = `import { FileStore, makeClock, STORE } from './store';
import { Cart } from './cart';
@Module({
  providers: [
    { provide: STORE, useClass: FileStore },
    { provide: 'CLOCK', useFactory: makeClock },
    Cart,
  ],
})
export class App {}
container.register('Store', { useClass: FileStore });
export function open() { return container.resolve('Store'); }
`;
  assert.deepEqual(named({ 'store.ts': store, 'cart.ts': cart, 'app.ts': app }), [
    'app.ts:open request store.ts:FileStore (likely)',
    'cart.ts:Cart.store request store.ts:FileStore (likely)',
    'cart.ts:Cart.clock request store.ts:makeClock (likely)',
  ]);
});

test('a registry that decorators fill gives what stands under the key', () => {
  const python = `@register("bill")
def bill(x): ...

@registry.register("ship")
class Ship: ...

def go():
    REGISTRY["bill"](1)
    registry.get("ship")
    settings.get("bill")
`;
  const script = `@Register('tax')
export class Tax {}
export function go() { return registry.get('tax'); }
`;
  assert.deepEqual(named({ 'bills.py': python, 'taxes.ts': script }), [
    'bills.py:go request bills.py:bill (likely)',
    'bills.py:go request bills.py:Ship (likely)',
    'taxes.ts:go request taxes.ts:Tax (likely)',
  ]);
});

const MESSAGES = {
  'src/PayOrder.php': '<?php\nnamespace App;\nclass PayOrder {}\nclass CartPaid {}\nclass Other {}\n',
  'src/PayOrderHandler.php':
    '<?php\nnamespace App;\n#[AsMessageHandler]\nclass PayOrderHandler { public function __invoke(PayOrder $m): void {} public function total(PayOrder $m) {} }\n',
  'src/MoreHandler.php':
    '<?php\nnamespace App;\nclass MoreHandler { public function __invoke(Other $m): void { $this->bus->dispatch($m->next()); } }\nclass OtherHandler { public function __invoke(Other $m): void {} }\n',
  'src/Tills.php':
    '<?php\nnamespace App;\nclass Tills {\n  #[AsMessageHandler]\n  public function pay(PayOrder $m) {}\n  public function onPaid(CartPaid $e) {}\n}\n',
  'src/MailSubscriber.php':
    '<?php\nnamespace App;\nclass MailSubscriber { public function onPaid(CartPaid $e) {} public function onOther(Other $e) {} }\n',
};

test('Symfony: a message that is dispatched runs the handlers that take it, also behind a variable and in an envelope', () => {
  const sender = `<?php
namespace App;
class Sender {
  function one() { $this->bus->dispatch(new PayOrder(1)); }
  function wrapped() { $this->bus->dispatch((new Envelope(new PayOrder(1)))->with(new DelayStamp(5))); }
  function held() { $m = new PayOrder(1); $this->log($m); return $this->bus->dispatch($m); }
  function either() { $a = new PayOrder(1); $b = new CartPaid(); $this->bus->dispatch($b); }
  function event() { $this->dispatcher->dispatch(new CartPaid()); }
  function none() { return new PayOrder(1); }
  function asked() { $this->store->execute(new PayOrder(1)); }
  function given(PayOrder $m) { $this->bus->dispatch($m); }
}
`;
  const found = named({ ...MESSAGES, 'src/Sender.php': sender });
  const pay = ['PayOrderHandler.php:PayOrderHandler.__invoke', 'Tills.php:Tills.pay'];
  assert.deepEqual(
    found.map((line) => line.replaceAll('src/', '').replace('Sender.php:Sender.', '')),
    [
      ...['one', 'wrapped', 'held'].flatMap((from) => pay.map((to) => `${from} request ${to} (likely)`)),
      'event request MailSubscriber.php:MailSubscriber.onPaid (likely)',
      ...pay.map((to) => `given request ${to} (likely)`),
    ],
  );
});

test('Symfony: an event runs the methods that subscribers list under its name or its type, and no others that take the type', () => {
  const found = named({
    'src/CartEvents.php':
      "<?php\nnamespace App;\nfinal class CartEvents { public const SAVED = 'cart.saved'; public const GONE = 'cart.gone'; public const ODD = 'cart.odd'; }\n",
    'src/CartEvent.php':
      '<?php\nnamespace App;\nclass CartEvent {}\nclass CartPaid {}\nclass CartSentEvent { const NAME = "cart.sent"; }\n',
    'src/MailSubscriber.php': `<?php
namespace App;
class MailSubscriber implements EventSubscriberInterface {
  public static function getSubscribedEvents(): array {
    return [
      CartEvents::SAVED => [['onSaved', 0], ['onKept', 1]],
      KernelEvents::REQUEST => 'onRequest',
      CartEvents::GONE => 'onGone',
      CartPaid::class => ['onPaid', 5],
      CartSentEvent::NAME => 'onSent',
    ];
  }
  public function onSaved(CartEvent $e) {}
  public function onKept(CartEvent $e) {}
  public function onRequest(CartEvent $e) {}
  public function onGone(CartEvent $e) {}
  public function onPaid(CartPaid $e) {}
  public function onSent(CartSentEvent $e) {}
}
`,
    'src/Till.php': `<?php
namespace App;
class Till {
  function saved() { $this->dispatcher->dispatch(new CartEvent($c), CartEvents::SAVED); }
  function gone() { $e = new CartEvent($c); $this->dispatcher->dispatch(CartEvents::GONE, $e); }
  function paid() { $e = new CartPaid($c); $this->dispatcher->dispatch($e); }
  function sent() { $this->dispatcher->dispatch(new CartSentEvent($c), CartSentEvent::NAME); }
  function odd() { $this->dispatcher->dispatch(new CartEvent($c), CartEvents::ODD); }
  function outside() { $this->dispatcher->dispatch(new CartEvent($c), KernelEvents::VIEW); }
  function any($name) { $e = new CartEvent($c); $this->dispatcher->dispatch($e, $name); }
}
`,
  });
  assert.deepEqual(
    found.map((line) => line.replace('src/Till.php:Till.', '').replace('src/MailSubscriber.php:MailSubscriber.', '')),
    [
      'saved request onSaved (likely)',
      'saved request onKept (likely)',
      'gone request onGone (likely)',
      'paid request onPaid (likely)',
      'sent request onSent (likely)',
      ...['onSaved', 'onKept', 'onRequest', 'onGone'].map((to) => `any request ${to} (likely)`),
    ],
  );
});

test('Symfony: an event from outside, an action of a controller and what else a function is given are no handlers of one', () => {
  const project = {
    'Paid.php': '<?php\nnamespace App;\nclass PaidEvent {}\nclass BoxEvent {}\nclass Statistics {}\n',
    'Log.php': `<?php
namespace App;
use Other\\LoginEvent;
class Log implements EventSubscriberInterface {
  public static function getSubscribedEvents(): array {
    return [
      PaidEvent::class => 'paid',
      LoginEvent::class => [['login', 10]],
    ];
  }
  public function paid(PaidEvent $event) {}
  public function login(LoginEvent $event) {}
}
`,
    'ViewController.php':
      "<?php\nnamespace App;\nclass ViewController {\n  #[Route('/x')]\n  public function __invoke(Statistics $all) {}\n}\nclass Keeper { function handle(Statistics $all) {} }\n",
    'Till.php': `<?php
namespace App;
class Till {
  function pay() { $this->dispatcher->dispatch(new PaidEvent()); }
  function show(Statistics $all) { $event = new BoxEvent(); $this->dispatcher->dispatch($event); }
  function keep(Statistics $all) { $this->bus->dispatch($all); }
}
`,
  };
  assert.deepEqual(named(project), [
    'Till.php:Till.pay request Log.php:Log.paid (likely)',
    'Till.php:Till.keep request ViewController.php:Keeper.handle (likely)',
  ]);
});

test('Laravel: a job that is dispatched runs its own method, and an event those of its listeners', () => {
  const found = named({
    'app/Jobs/Pay.php': '<?php\nnamespace App\\Jobs;\nclass Pay { use Dispatchable; public function handle() {} }\n',
    'app/Events/Paid.php': '<?php\nnamespace App\\Events;\nclass Paid { use Dispatchable; }\n',
    'app/Listeners/Mail.php':
      '<?php\nnamespace App\\Listeners;\nuse App\\Events\\Paid;\nclass Mail { public function handle(Paid $event) {} }\n',
    'app/Till.php': `<?php
namespace App;
use App\\Jobs\\Pay;
use App\\Events\\Paid;
class Till {
  function a() { Pay::dispatch(1); }
  function b() { dispatch(new Pay(1))->onQueue('x'); }
  function c() { event(new Paid()); }
  function d() { Paid::dispatch(); }
  function e() { Pay::make(); $this->handle(new Pay(1)); }
}
`,
  });
  assert.deepEqual(
    found.map((line) => line.replaceAll(/app\/(?:\w+\/)?/g, '')),
    [
      'Till.php:Till.a request Pay.php:Pay.handle (likely)',
      'Till.php:Till.b request Pay.php:Pay.handle (likely)',
      'Till.php:Till.c request Mail.php:Mail.handle (likely)',
      'Till.php:Till.d request Mail.php:Mail.handle (likely)',
    ],
  );
});

test('C#, Java and TypeScript: a bus runs the consumers of the type that it is given', () => {
  const csharp = `public record CartPaid(int Id);
public record PayCart(int Id);
public class MailConsumer : IConsumer<CartPaid> {
  public Task Consume(ConsumeContext<CartPaid> context) { return null; }
}
public class PayHandler : IRequestHandler<PayCart, int> {
  public Task<int> Handle(PayCart request, CancellationToken token) { return null; }
}
public class Till {
  async Task A() { await _bus.Publish(new CartPaid(1)); }
  async Task B() { await _publishEndpoint.Publish<CartPaid>(new { Id = 1 }); }
  async Task C() { await _mediator.Send(new PayCart(1), token); }
  void D() { list.Send(new PayCart(1)); }
}
`;
  const java = `class CartPaid {}
class Mails { @EventListener void mail(CartPaid paid) {} void other(CartPaid paid) {} }
class Till { void pay() { publisher.publishEvent(new CartPaid()); } }
`;
  const script = `export class PayCart {}
@CommandHandler(PayCart)
export class PayCartHandler { async execute(command: PayCart) {} }
export class Till { pay() { return this.commandBus.execute(new PayCart()); } }
`;
  const found = named({ 'a/Shop.cs': csharp, 'b/Shop.java': java, 'c/shop.ts': script });
  assert.deepEqual(
    found.map((line) => line.replaceAll(/\w\/[Ss]hop/g, '')),
    [
      '.cs:Till.A request .cs:MailConsumer.Consume (likely)',
      '.cs:Till.B request .cs:MailConsumer.Consume (likely)',
      '.cs:Till.C request .cs:PayHandler.Handle (likely)',
      '.java:Till.pay request .java:Mails.mail (likely)',
      '.ts:Till.pay request .ts:PayCartHandler.execute (likely)',
    ],
  );
});

test('uses by names are the same when a snapshot is linked from the one before', () => {
  const main = "const { Shop } = require('./shop');\nfunction note() {}\nnew Shop().on('closed', note);\n";
  const before = link({ 'shop.js': SHOP, 'main.js': main });
  const changed = { 'shop.js': SHOP, 'main.js': `${main}new Shop().on('closed', more);\nfunction more() {}\n` };
  assert.deepEqual(link(changed, before).tables, link(changed).tables);
  const without = { 'shop.js': SHOP, 'main.js': 'exports.none = 1;\n' };
  assert.deepEqual(link(without, before).tables, link(without).tables);
});

test('what runs by the name of an event is reached by name; what answers a route is requested', () => {
  const graph = graphOf({
    'shop.js':
      "class Shop extends Emitter {\n  constructor() { super(); this.on('sold', this.count); }\n  sell() { this.emit('sold', 1); }\n  count() {}\n}\nmodule.exports = { Shop };\n",
    'app.js': "const app = require('express')();\napp.get('/carts', list);\nfunction list() {}\n",
    'page.js': "async function load() { await fetch('/carts'); }\n",
  });
  const how = (name: string) =>
    walkUsers(graph, graph.nodesNamed(name), { depth: 1 }).map(({ node, how: use }) => `${graph.name(node)} ${use}`);
  assert.ok(how('count').includes('sell named'));
  assert.ok(how('list').includes('load request'));
});

test('elixir: the short name of a module begins the names of those below it, and hides others', () => {
  const modules = {
    'lib/data.ex': 'defmodule Shop.Cart.Data do\n  def open(x), do: x\nend\n',
    'lib/other.ex': 'defmodule Cart.Data do\n  def open(x), do: x\nend\n',
  };
  const used = (head: string) => {
    const run = '  def run(x), do: Cart.Data.open(x)\nend\n';
    return edgeLines(graphOf({ ...modules, 'lib/app.ex': `defmodule App do\n${head}${run}` }))
      .filter((line) => line.includes('App.run'))
      .map((line) => /data|other/.exec(line)?.[0]);
  };
  assert.deepEqual(used('  alias Shop.Cart\n'), ['data']);
  assert.deepEqual(used('  alias Shop.{Cart, Till}\n'), ['data']);
  assert.deepEqual(used('  alias Shop.Basket, as: Cart\n'), ['other'], 'no module is below that one');
  assert.deepEqual(used(''), ['other']);
});
