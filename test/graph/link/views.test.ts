/** Templates that servers fill: code names them, and they name code, each other and routes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf, type Project } from './project.js';

function uses(project: Project, pattern: RegExp): string[] {
  return edgeLines(graphOf(project)).filter((line) => pattern.test(line));
}

const RAILS = {
  'app/controllers/admin/orders_controller.rb': `class Admin::OrdersController < ApplicationController
  layout 'admin'
  def show
    @order = Order.find(params[:id])
  end
  def create
    render :new
  end
  def missing; end
end
`,
  'app/mailers/till_mailer.rb': "class TillMailer\n  def paid\n    mail to: 'a'\n  end\nend\n",
  'app/views/till_mailer/paid.html.erb': 'paid\n',
  'app/views/till_mailer/paid.text.erb': 'paid\n',
  'app/models/order.rb': 'class Order\n  def total_price; end\n  def each_line; end\nend\n',
  'app/helpers/money_helper.rb': 'module MoneyHelper\n  def format_money(x); end\nend\n',
  'app/views/layouts/admin.html.erb': '<body><%= yield %></body>\n',
  'app/views/admin/orders/new.html.haml': "- if @order.total_price\n  %b{:title => format_money(1)}= render 'form'\n",
  'app/views/admin/orders/_form.html.slim': 'p = format_money(2)\n',
  'app/views/orders/_line.html.erb': '<p></p>\n',
  'app/views/admin/orders/show.html.erb': `<% @order.each_line do |line| %>
  <p class="<%= line.css %>"><%= format_money(@order.total_price) %></p>
  <%= render partial: 'orders/line', locals: { line: line } %>
  <%# render 'no' %>
<% end %>
`,
};

test('Rails: actions and renders show views, which use helpers and methods', () => {
  assert.deepEqual(uses(RAILS, / -> | value | call /), [
    'app/controllers/admin/orders_controller.rb:Admin.OrdersController call ?layout (unresolved)',
    'app/controllers/admin/orders_controller.rb:Admin.OrdersController value app/views/layouts/admin.html.erb (imported)',
    'app/controllers/admin/orders_controller.rb:Admin.OrdersController.show value app/views/admin/orders/show.html.erb (imported)',
    'app/controllers/admin/orders_controller.rb:Admin.OrdersController.show call ?find (unresolved)',
    'app/controllers/admin/orders_controller.rb:Admin.OrdersController.show call ?params (unresolved)',
    'app/controllers/admin/orders_controller.rb:Admin.OrdersController.create call ?render (unresolved)',
    'app/controllers/admin/orders_controller.rb:Admin.OrdersController.create value app/views/admin/orders/new.html.haml (imported)',
    'app/mailers/till_mailer.rb:TillMailer.paid value app/views/till_mailer/paid.html.erb (imported)',
    'app/mailers/till_mailer.rb:TillMailer.paid value app/views/till_mailer/paid.text.erb (imported)',
    'app/mailers/till_mailer.rb:TillMailer.paid call ?mail (unresolved)',
    'app/views/admin/orders/_form.html.slim call app/helpers/money_helper.rb:MoneyHelper.format_money (likely)',
    'app/views/admin/orders/new.html.haml call app/models/order.rb:Order.total_price (unique)',
    'app/views/admin/orders/new.html.haml call app/helpers/money_helper.rb:MoneyHelper.format_money (likely)',
    'app/views/admin/orders/new.html.haml call ?render (unresolved)',
    'app/views/admin/orders/new.html.haml value app/views/admin/orders/_form.html.slim (imported)',
    'app/views/admin/orders/show.html.erb call app/models/order.rb:Order.each_line (unique)',
    'app/views/admin/orders/show.html.erb call ?css (unresolved)',
    'app/views/admin/orders/show.html.erb call app/helpers/money_helper.rb:MoneyHelper.format_money (likely)',
    'app/views/admin/orders/show.html.erb call app/models/order.rb:Order.total_price (unique)',
    'app/views/admin/orders/show.html.erb call ?render (unresolved)',
    'app/views/admin/orders/show.html.erb value app/views/orders/_line.html.erb (imported)',
  ]);
});

const LARAVEL = {
  'composer.json': '{"autoload": {"psr-4": {"App\\\\": "app/"}}}',
  'app/Http/CartController.php': `<?php
namespace App\\Http;
class CartController {
  public function show() { return view('carts.show', ['cart' => new \\App\\Cart()]); }
  public function mail() { return new Content(markdown: 'mail.paid'); }
}
`,
  'app/Cart.php':
    '<?php\nnamespace App;\nclass Cart {\n  public function grandTotal() {}\n  public static function open() {}\n}\n',
  'app/View/Components/Alert.php': '<?php\nnamespace App\\View\\Components;\nclass Alert {}\n',
  'resources/views/mail/paid.blade.php': 'paid\n',
  'resources/views/layouts/app.blade.php': '<html>@yield("body")</html>\n',
  'resources/views/carts/line.blade.php': '<li>{!! $line !!}</li>\n',
  'resources/views/components/button.blade.php': '<button>{{ $slot }}</button>\n',
  'resources/views/carts/show.blade.php': `@extends('layouts.app')
{{-- @include('no.such') --}}
@foreach ($cart->lines as $line)
  @include('carts.line', ['line' => $line])
  <a @click="go" :class="no()">{{ $cart->grandTotal() }}</a>
@endforeach
@if (\\App\\Cart::open())
  <x-button :total="$cart->grandTotal()">a@b.c</x-button><x-alert type="x" />
@elseif ($x)
  @php $y = \\App\\Cart::open(); @endphp
@else
  {{ $y }}
@endif
`,
};

test('Laravel: views, components and what Blade calls', () => {
  assert.deepEqual(uses(LARAVEL, / -> | value | call | new /), [
    'app/Http/CartController.php:CartController.show call ?view (unresolved)',
    'app/Http/CartController.php:CartController.show value resources/views/carts/show.blade.php (imported)',
    'app/Http/CartController.php:CartController.show new app/Cart.php:Cart (imported)',
    'app/Http/CartController.php:CartController.mail new ?Content (unresolved)',
    'app/Http/CartController.php:CartController.mail value resources/views/mail/paid.blade.php (imported)',
    'resources/views/carts/show.blade.php value resources/views/layouts/app.blade.php (imported)',
    'resources/views/carts/show.blade.php value resources/views/carts/line.blade.php (imported)',
    'resources/views/carts/show.blade.php call app/Cart.php:Cart.grandTotal (likely)',
    'resources/views/carts/show.blade.php call app/Cart.php:Cart.open (receiver)',
    'resources/views/carts/show.blade.php value resources/views/components/button.blade.php (imported)',
    'resources/views/carts/show.blade.php call app/Cart.php:Cart.grandTotal (likely)',
    'resources/views/carts/show.blade.php new app/View/Components/Alert.php:Alert (imported)',
    'resources/views/carts/show.blade.php call app/Cart.php:Cart.open (receiver)',
  ]);
});

const SYMFONY = {
  'src/Shop.php': `<?php
namespace App;
class Shop {
  #[Template('shop/list.html.twig')]
  public function index() {}
  public function show() { return $this->render('shop/show.html.twig', []); }
}
`,
  'src/Money.php': `<?php
namespace App;
class Money extends AbstractExtension {
  public function getFilters() { return [new TwigFilter('price', [$this, 'format']), new TwigFunction('till', [Till::class, 'open'])]; }
  public function format($x) {}
}
`,
  'templates/base.html.twig': '{% block body %}{% endblock %}\n',
  'templates/shop/list.html.twig': '{{ include("shop/_line.html.twig") }}\n',
  'templates/shop/_line.html.twig': '{{ x|upper }}\n',
  'templates/shop/show.html.twig': `{% extends 'base.html.twig' %}
{% block body %}{{ cart.total|price }} {{ till(1) }}{% endblock %}
`,
};

test('Symfony: templates, filters and functions of Twig', () => {
  assert.deepEqual(uses(SYMFONY, / -> | value | call /), [
    'src/Money.php:Money.getFilters value src/Money.php:Money.format (receiver)',
    'src/Shop.php:Shop.index value templates/shop/list.html.twig (imported)',
    'src/Shop.php:Shop.show call ?render (unresolved)',
    'src/Shop.php:Shop.show value templates/shop/show.html.twig (imported)',
    'templates/shop/list.html.twig value templates/shop/_line.html.twig (imported)',
    'templates/shop/show.html.twig call src/Money.php:Money.format (package)',
    'templates/shop/show.html.twig call src/Money.php:Money.getFilters (package)',
  ]);
});

test('Symfony: a container gives what services.yaml states under a key, and the class that it is asked for', () => {
  const project = {
    'config/services.yaml': `services:
  _defaults: { autowire: true }
  app.mailer:
    class: App\\Mail\\Mailer
  app.other:
    class: App\\Mail\\Other
  app.store:
    alias: App\\Shop\\FileStore
`,
    'config/till.xml': String.raw`<container xmlns="http://symfony.com/schema/dic/services"><services>
  <service id="app.till" class="App\Shop\FileStore"/>
</services></container>
`,
    'src/Mail/Mailer.php': '<?php\nnamespace App\\Mail;\nclass Mailer { public function send() {} }\n',
    'src/Mail/Other.php': '<?php\nnamespace App\\Mail;\nclass Other { public function send() {} }\n',
    'src/Shop/FileStore.php': '<?php\nnamespace App\\Shop;\nclass FileStore { public function send() {} }\n',
    'src/Cart.php': `<?php
namespace App;
use App\\Shop\\FileStore;
class Cart {
  function one($container) { $container->get('app.mailer')->send(); }
  function two() { $this->container->get('app.other')->send(); }
  function three() { $store = $this->get('app.store'); $store->send(); }
  function four() { $this->get(FileStore::class)->send(); }
  function five($container) { $container->get('app.till')->send(); }
  function none() { $this->get('mailer')->send(); }
}
`,
  };
  assert.deepEqual(
    uses(project, / call /).filter((line) => !line.endsWith('?get (unresolved)')),
    [
      'src/Cart.php:Cart.one call src/Mail/Mailer.php:Mailer.send (receiver)',
      'src/Cart.php:Cart.two call src/Mail/Other.php:Other.send (receiver)',
      'src/Cart.php:Cart.three call src/Shop/FileStore.php:FileStore.send (receiver)',
      'src/Cart.php:Cart.four call src/Shop/FileStore.php:FileStore.send (receiver)',
      'src/Cart.php:Cart.five call src/Shop/FileStore.php:FileStore.send (receiver)',
      'src/Cart.php:Cart.none call ?send (unresolved)',
    ],
  );
});

/** Uses that names of routes lead to handlers. */
const named = (project: Project): string[] => uses(project, / request [^?]/);

test('Rails: paths lead to actions by the names of routes', () => {
  const project = {
    'config/routes.rb': `Rails.application.routes.draw do
  root to: 'carts#index'
  resources :carts do
    member { get :print }
    get :paid, on: :collection
    resources :line_items, only: [:new, :create]
  end
  namespace :admin do
    resource :till, only: :update
    get 'taxes/all', to: 'taxes#all', as: :all_taxes
  end
end
`,
    'app/controllers/carts_controller.rb':
      'class CartsController\n  def index; end\n  def show; end\n  def edit; end\n  def print; end\n  def paid; end\nend\n',
    'app/controllers/line_items_controller.rb':
      'class LineItemsController\n  def new; end\n  def create; redirect_to carts_url; end\nend\n',
    'app/controllers/admin/tills_controller.rb': 'class Admin::TillsController\n  def update; end\nend\n',
    'app/controllers/admin/taxes_controller.rb': 'class Admin::TaxesController\n  def all; end\nend\n',
    'app/views/carts/a.html.erb': `<%= link_to 'a', cart_path(1) %>
<%= edit_cart_path(1) %>
<%= print_cart_path %>
<%= paid_carts_path %>
<%= new_cart_line_item_path(1) %>
<%= admin_till_path %>
<%= admin_all_taxes_url %>
<%= root_path %>
<%= asset_path('x') %>
`,
  };
  assert.deepEqual(named(project), [
    'app/controllers/line_items_controller.rb:LineItemsController.create request app/controllers/carts_controller.rb:CartsController.index (route)',
    'app/views/carts/a.html.erb request app/controllers/carts_controller.rb:CartsController.show (route)',
    'app/views/carts/a.html.erb request app/controllers/carts_controller.rb:CartsController.edit (route)',
    'app/views/carts/a.html.erb request app/controllers/carts_controller.rb:CartsController.print (route)',
    'app/views/carts/a.html.erb request app/controllers/carts_controller.rb:CartsController.paid (route)',
    'app/views/carts/a.html.erb request app/controllers/line_items_controller.rb:LineItemsController.new (route)',
    'app/views/carts/a.html.erb request app/controllers/admin/tills_controller.rb:Admin.TillsController.update (route)',
    'app/views/carts/a.html.erb request app/controllers/admin/taxes_controller.rb:Admin.TaxesController.all (route)',
    'app/views/carts/a.html.erb request app/controllers/carts_controller.rb:CartsController.index (route)',
  ]);
});

test('Laravel and Symfony: names of routes lead to controllers', () => {
  const project = {
    'routes/api.php': `<?php
Route::prefix('shop')->name('shop.')->group(function () {
  Route::get('/carts/{cart}', [CartController::class, 'show'])->name('carts.show');
  Route::resource('tills', TillController::class);
});
`,
    'app/CartController.php':
      '<?php class CartController { public function show() { return route("shop.tills.edit"); } }\n',
    'app/TillController.php': '<?php class TillController { public function edit() {} }\n',
    'app/PageController.php': `<?php
class PageController {
  #[Route('/page/{id}', name: 'page_show', methods: ['GET'])]
  public function page() { return $this->redirectToRoute('page_show'); }
}
`,
    'resources/views/a.blade.php': '<a href="{{ route(\'shop.carts.show\', $cart) }}">{{ route("no") }}</a>\n',
    'templates/a.html.twig': '<a href="{{ path(\'page_show\', {id: 1}) }}">\n',
  };
  assert.deepEqual(named(project), [
    'app/CartController.php:CartController.show request app/TillController.php:TillController.edit (route)',
    'app/PageController.php:PageController.page request app/PageController.php:PageController.page (route)',
    'resources/views/a.blade.php request app/CartController.php:CartController.show (route)',
    'templates/a.html.twig request app/PageController.php:PageController.page (route)',
  ]);
});

test('PHP: what a container holds under a key, and facades of keys', () => {
  const project = {
    'Provider.php': `<?php
class Provider {
  public function register() {
    $this->app->singleton('cart', function ($app) { return new Cart($app); });
    $this->app->bind('tax.rate', fn () => new Tax());
    $this->app->alias(Till::class, 'till');
    $this->app->bind('plain', 5);
  }
}
`,
    'Cart.php': '<?php\nclass Cart { public function get($x) {} }\n',
    'Tax.php': '<?php\nclass Tax { public function get($x) {} }\n',
    'Till.php': '<?php\nclass Till { public function get($x) {} }\n',
    'CartFacade.php':
      "<?php\nclass Shop extends Facade { protected static function getFacadeAccessor() { return 'cart'; } }\n",
    'main.php': `<?php
function run($container) {
  app('cart')->get(1);
  $tax = app()->make('tax.rate');
  $tax->get(2);
  $container->get('till')->get(3);
  Shop::get(4);
  app('none')->get(5);
}
`,
  };
  assert.deepEqual(uses(project, /main.* (?:call|new) [^?]/), [
    'main.php:run call Cart.php:Cart.get (receiver)',
    'main.php:run call Tax.php:Tax.get (receiver)',
    'main.php:run call Till.php:Till.get (receiver)',
    'main.php:run call Cart.php:Cart.get (inherited)',
  ]);
});

test('PHP: functions and methods that strings name', () => {
  const project = {
    'tools.php': '<?php\nfunction shrink($x) {}\nfunction before($a, $b) {}\nfunction loose() {}\n',
    'Cart.php': `<?php
namespace App;
class Cart implements Subscriber {
  public static function getSubscribedEvents() {
    return ['paid' => 'onPaid', Sold::class => ['onSold', 5], 'late' => [['onLate', 1], ['onLater']]];
  }
  public function onPaid() {}
  public function onSold() {}
  public function onLate() {}
  public function onLater() {}
  public function paid() {}
  public static function total() {}
  #[When(method: 'onSold')]
  public $sold;
}
`,
    'main.php': `<?php
function run($all) {
  array_map('shrink', $all);
  usort($all, 'before');
  call_user_func('App\\\\Cart::total');
  $text = 'App\\Cart::onSold';
  strlen('loose');
  array_map($all, 'loose');
}
`,
  };
  assert.deepEqual(uses(project, /(?:main.*|getSubscribedEvents|sold) (?:call|value|read) [^?]/), [
    'Cart.php:Cart.getSubscribedEvents value Cart.php:Cart.onPaid (receiver)',
    'Cart.php:Cart.getSubscribedEvents value Cart.php:Cart.onSold (receiver)',
    'Cart.php:Cart.getSubscribedEvents value Cart.php:Cart.onLate (receiver)',
    'Cart.php:Cart.getSubscribedEvents value Cart.php:Cart.onLater (receiver)',
    'Cart.php:Cart.sold value Cart.php:Cart.onSold (receiver)',
    'main.php:run value tools.php:shrink (package)',
    'main.php:run value tools.php:before (package)',
    'main.php:run value Cart.php:Cart.total (receiver)',
    'main.php:run value Cart.php:Cart.onSold (receiver)',
  ]);
});

test('PHP: repositories of entities, and commands by their names', () => {
  const project = {
    'src/Entity/Cart.php': `<?php
namespace App\\Entity;
use App\\Repository\\CartRepository;
#[ORM\\Entity(repositoryClass: CartRepository::class)]
#[ORM\\Table(name: 'carts')]
class Cart {}
`,
    'src/Entity/Till.php': `<?php
namespace App\\Entity;
/**
 * @ORM\\Entity(repositoryClass="App\\Repository\\TillRepository")
 */
class Till {}
`,
    'src/Repository/CartRepository.php':
      '<?php\nnamespace App\\Repository;\nclass CartRepository { public function findOpen() {} }\n',
    'src/Repository/TillRepository.php':
      '<?php\nnamespace App\\Repository;\nclass TillRepository { public function findOpen() {} }\n',
    'src/Command/Send.php': `<?php
namespace App\\Command;
class Send extends Command {
  protected $signature = 'mail:send {user}';
  public function handle() {}
}
`,
    'src/Command/Sweep.php': `<?php
namespace App\\Command;
#[AsCommand(name: 'app:sweep')]
class Sweep extends Command {
  protected function execute() {}
}
`,
    'src/main.php': `<?php
use App\\Entity\\Cart;
use App\\Entity\\Till;
function run($manager, $console, $schedule) {
  $manager->getRepository(Cart::class)->findOpen();
  $tills = $manager->getRepository(Till::class);
  $tills->findOpen();
  Artisan::call('mail:send', [1]);
  $schedule->command('mail:send 1 --force');
  $console->find('app:sweep');
  $console->find('sweep');
}
`,
  };
  assert.deepEqual(uses(project, /main.* call [^?]/), [
    'src/main.php:run call src/Repository/CartRepository.php:CartRepository.findOpen (receiver)',
    'src/main.php:run call src/Repository/TillRepository.php:TillRepository.findOpen (receiver)',
    'src/main.php:run call src/Command/Send.php:Send.handle (package)',
    'src/main.php:run call src/Command/Send.php:Send.handle (package)',
    'src/main.php:run call src/Command/Sweep.php:Sweep.execute (package)',
  ]);
});

test('templates: words outside of code are no uses of types', () => {
  const project = {
    'app/models/order.rb': 'class Order\n  def total; end\nend\n',
    'app/views/orders/a.html.erb': '<h1>New Order</h1>\n<p title="Order"><%= Order.count %> Order</p>\n',
    'app/views/orders/b.html.haml': '%h1 Order\n%p Your Order\n%b= Order.first\n%li.order.Order\n',
    'resources/views/c.blade.php': '<h1>Cart</h1>\n<p>{{ Cart::MAX }} Cart</p>\n',
    'app/Cart.php': '<?php\nclass Cart { const MAX = 1; }\n',
  };
  assert.deepEqual(uses(project, /views\/.* (?:read|value|call) \w+\/(?:models\/order\.rb:Order|Cart\.php:Cart) /), [
    'app/views/orders/a.html.erb read app/models/order.rb:Order (unique)',
    'app/views/orders/b.html.haml read app/models/order.rb:Order (unique)',
    'resources/views/c.blade.php read app/Cart.php:Cart (package)',
  ]);
});
