/** Routes of Rails, as its file declares them, and requests of its tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../extract/helpers.js';
import { answersOf, requestsOf } from '../../graph/link/project.js';

test('routes: Rails declares them by resources, namespaces, scopes, members and concerns', () => {
  const routes = answersOf({
    'config/routes.rb': [
      ...[
        'Rails.application.routes.draw do',
        "  root to: 'home#index'",
        '  concern :notable do',
        '    resources :notes, only: :index',
        '  end',
      ],
      ...[
        '  resources :carts, only: %i[index show], concerns: :notable do',
        '    member do',
        '      post :close',
        '    end',
      ],
      ...["    get 'search', on: :collection", '    resources :items, except: [:new, :edit, :show, :update]', '  end'],
      ...[
        '  namespace :admin do # for staff',
        '    resource :profile, only: [:show]',
        "    get 'stats', to: 'reports#stats', as: :stats",
        '  end',
      ],
      ...["  scope '/v1', module: 'api' do", "    match 'ping' => 'status#ping', via: [:get, :post]", '  end'],
      ...[
        "  get '/old', to: redirect('/new')",
        '  if Rails.env.development?',
        "    mount Sidekiq::Web => '/jobs'",
        '  end',
        'end',
        '',
      ],
    ].join('\n'),
    'app/controllers/home_controller.rb': 'class HomeController\n  def index; end\nend\n',
    'app/controllers/carts_controller.rb':
      'class CartsController\n  def index; end\n  def show; end\n  def close; end\n  def search; end\nend\n',
    'app/controllers/items_controller.rb':
      'class ItemsController\n  def index; end\n  def create; end\n  def destroy; end\nend\n',
    'app/controllers/admin/profiles_controller.rb':
      'module Admin\n  class ProfilesController\n    def show; end\n  end\nend\n',
    'app/controllers/admin/reports_controller.rb': 'class Admin::ReportsController\n  def stats; end\nend\n',
    'app/controllers/api/status_controller.rb': 'module API\n  class StatusController\n    def ping; end\n  end\nend\n',
  });
  assert.deepEqual(routes, [
    'GET / HomeController.index',
    ...['GET /carts/:cart_id/notes -', 'GET /carts CartsController.index', 'GET /carts/:id CartsController.show'],
    ...['POST /carts/:id/close CartsController.close', 'GET /carts/search CartsController.search'],
    ...['GET /carts/:cart_id/items ItemsController.index', 'POST /carts/:cart_id/items ItemsController.create'],
    'DELETE /carts/:cart_id/items/:id ItemsController.destroy',
    ...['GET /admin/profile Admin.ProfilesController.show', 'GET /admin/stats Admin.ReportsController.stats'],
    ...[
      'GET /v1/ping API.StatusController.ping',
      'POST /v1/ping API.StatusController.ping',
      'GET /old -',
      'USE /jobs -',
    ],
  ]);
});

test('requests: a test of Rails asks its own server without a client', () => {
  const test =
    "describe 'carts' do\n  it 'shows' do\n    get \"/carts/#{cart.id}\", headers: {}\n    post '/carts'\n  end\nend\n";
  assert.deepEqual(
    requestsOf({
      'config/routes.rb': 'Rails.application.routes.draw do\n  resources :carts\nend\n',
      'app/controllers/carts_controller.rb': 'class CartsController\n  def show; end\n  def create; end\nend\n',
      'spec/requests/carts_spec.rb': test,
      'app/server.rb': "get '/carts' do\nend\nclass Client\n  def open\n    post '/repos'\n  end\nend\n",
    }),
    [
      'spec/requests/carts_spec.rb -> app/controllers/carts_controller.rb:CartsController.show',
      'spec/requests/carts_spec.rb -> app/controllers/carts_controller.rb:CartsController.create',
    ],
  );
});

/** Statements of a file of routes; `METHOD PATH HANDLER` of each route, and `NAME /NAME HANDLER` of each name that code links to. */
const DECLARED: readonly (readonly [statements: string, routes: readonly string[]])[] = [
  [
    'resources :categories, path: "cats", param: :slug, as: "kinds", controller: "groups"',
    [
      'GET /cats GroupsController.index',
      'NAME /kinds GroupsController.index',
      'GET /cats/new GroupsController.new',
      'NAME /new_kind GroupsController.new',
      'GET /cats/:slug/edit GroupsController.edit',
      'NAME /edit_kind GroupsController.edit',
      'GET /cats/:slug GroupsController.show',
      'NAME /kind GroupsController.show',
      'POST /cats GroupsController.create',
      'PATCH /cats/:slug GroupsController.update',
      'PUT /cats/:slug GroupsController.update',
      'DELETE /cats/:slug GroupsController.destroy',
    ],
  ],
  [
    'resource :session, only: %w[show create]',
    [
      'GET /session SessionsController.show',
      'NAME /session SessionsController.show',
      'POST /session SessionsController.create',
    ],
  ],
  [
    'resources "user-cards", only: [:index]',
    ['GET /user-cards UserCardsController.index', 'NAME /user_cards UserCardsController.index'],
  ],
  [
    'resources :boxes, :photos, only: :show, module: "shop"',
    [
      'GET /boxes/:id Shop.BoxesController.show',
      'NAME /box Shop.BoxesController.show',
      'GET /photos/:id Shop.PhotosController.show',
      'NAME /photo Shop.PhotosController.show',
    ],
  ],
  [
    'resources name, :wishes, except: %i[index show new edit update destroy]',
    ['POST /wishes WishesController.create', 'NAME /wishes WishesController.create'],
  ],
  [
    'resources :posts, only: [], shallow: true do\n  resources :comments, only: :show do\n    member { post :close }\n  end\nend',
    [
      'GET /comments/:id CommentsController.show',
      'NAME /comment CommentsController.show',
      'NAME /close_comment CommentsController.close',
      'POST /comments/:id/close CommentsController.close',
    ],
  ],
  [
    'shallow do\n  resources :posts, only: [] do\n    resources :tags, only: :destroy\n  end\nend',
    ['DELETE /tags/:id TagsController.destroy', 'NAME /tag TagsController.destroy'],
  ],
  [
    'concern :notable do\n  resources :notes, only: :index\nend\nresources :carts, only: [] do\n  concerns :notable, [:gone]\nend\nresource :cart, only: :show, concerns: [:notable]',
    [
      'GET /carts/:cart_id/notes NotesController.index',
      'NAME /cart_notes NotesController.index',
      'GET /cart/notes NotesController.index',
      'NAME /cart_notes NotesController.index',
      'GET /cart CartsController.show',
      'NAME /cart CartsController.show',
    ],
  ],
  [
    'controller :carts do\n  get "open"\n  get :close, to: :shut\nend',
    [
      'NAME /open CartsController.open',
      'GET /open CartsController.open',
      'NAME /close CartsController.shut',
      'GET /close CartsController.shut',
    ],
  ],
  [
    'controller "carts" do\n  scope "/a", controller: "b", as: "x" do\n    get :c\n  end\nend',
    ['NAME /x_c BController.c', 'GET /a/c BController.c'],
  ],
  [
    'with_options only: :index do\n  resources :a\nend\ndefaults except: :show do\n  resource :b, only: [:show, :new]\nend',
    [
      'GET /a AController.index',
      'NAME /a_index AController.index',
      'GET /b/new BsController.new',
      'NAME /new_b BsController.new',
    ],
  ],
  [
    'namespace :admin, path: "", module: "staff", as: "boss" do\n  root to: "home#index"\n  resources :carts, only: :index\nend',
    [
      'GET / Staff.HomeController.index',
      'NAME /boss_root Staff.HomeController.index',
      'GET /carts Staff.CartsController.index',
      'NAME /boss_carts Staff.CartsController.index',
    ],
  ],
  [
    'namespace :admin do\n  root "home#index", as: :start\n  namespace :deep do\n    get "/x", to: "/plain#x"\n  end\nend',
    [
      'GET /admin Admin.HomeController.index',
      'NAME /admin_start Admin.HomeController.index',
      'NAME /admin_deep_x PlainController.x',
      'GET /admin/deep/x PlainController.x',
    ],
  ],
  [
    'resources :carts, only: [] do\n  namespace :own do\n    get :a, to: "x#a"\n  end\n  collection do\n    get :c, :d\n  end\n  get :f, on: :member\nend',
    [
      'NAME /cart_own_a Own.XController.a',
      'GET /carts/:cart_id/own/a Own.XController.a',
      'NAME /c_carts CartsController.c',
      'GET /carts/c CartsController.c',
      'NAME /d_carts CartsController.d',
      'GET /carts/d CartsController.d',
      'NAME /f_cart CartsController.f',
      'GET /carts/:id/f CartsController.f',
    ],
  ],
  [
    'match "/m", to: "a#m", via: :all\nmatch "n", via: %w[get post], controller: "a", action: "n"\nmatch "/o"',
    [
      'NAME /m AController.m',
      'ANY /m AController.m',
      'NAME /n AController.n',
      'GET /n AController.n',
      'POST /n AController.n',
      'NAME /o *',
      'ANY /o *',
    ],
  ],
  [
    'get "a/b(/:c)", as: :abc\nget "a-b/c"\nget ":id/x"\nget "x", action: :y\nget "", to: "home#x"\nget path, to: "a#b"\nget :z => "a#z"\nget :staff => true\nget "/r", to: redirect("/")',
    [
      'NAME /abc *',
      'GET /a/b *',
      'NAME /a_b_c ABController.c',
      'GET /a-b/c ABController.c',
      'GET /:id/x *',
      'NAME /x *',
      'GET /x *',
      'GET / HomeController.x',
      'NAME /z AController.z',
      'GET /z AController.z',
      'NAME /r *',
      'GET /r *',
    ],
  ],
  [
    'mount Engine, at: "/engine"\nmount Other => "other"\nmount Third\ndirect(:home) { "x" }\nresolve("A") do |a|\n  get :no\nend',
    ['USE /engine *', 'USE /other *'],
  ],
  [
    'get "/s" => "Shop::Carts#show"\nget "/t", to: "carts#to-pay!"\nget "/u", to: "1a#b"\nget "/v", :to => "a#v", :as => :vee, "via": :get',
    [
      'NAME /s Shop.CartsController.show',
      'GET /s Shop.CartsController.show',
      'NAME /t CartsController.to_pay!',
      'GET /t CartsController.to_pay!',
      'NAME /u *',
      'GET /u *',
      'NAME /vee AController.v',
      'GET /v AController.v',
    ],
  ],
  [
    'get "/#{x}", to: "a#b"\nget "/w",\n  to: "a#w" # with a remark\nget("/q", to: "a#q") if Rails.env.test?\nget "/z", to: "a#z" unless Rails.env.test?\nget "/h#x", to: "a#h"',
    [
      'NAME /w AController.w',
      'GET /w AController.w',
      'NAME /q AController.q',
      'GET /q AController.q',
      'NAME /z AController.z',
      'GET /z AController.z',
      'GET /h#x AController.h',
    ],
  ],
  [
    'if x\n  get "/i", to: "a#i"\nend\ncase y\nwhen 1 then get "/j", to: "a#j"\nend\nnamespace(:n) do |m|\n  get "k", to: "a#k"\nend',
    ['NAME /i AController.i', 'GET /i AController.i', 'NAME /n_k N.AController.k', 'GET /n/k N.AController.k'],
  ],
];

test('each form of a statement has its methods, paths, names and handlers', () => {
  for (const [statements, routes] of DECLARED) {
    const { references } = factsOf(`Rails.application.routes.draw do\n${statements}\nend\n`, 'ruby').relations;
    const found = references.filter(({ kind }) => kind === 'route');
    assert.deepEqual(
      found.map(({ literal, receiver, name }) => `${literal} ${receiver === '' ? name : `${receiver}.${name}`}`),
      routes,
      statements,
    );
  }
});
