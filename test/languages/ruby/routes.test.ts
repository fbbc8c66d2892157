/** Routes of Rails, as its file declares them, and requests of its tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
    ...['GET /admin/profile Admin.ProfilesController.show', 'GET /admin/stats Admin::ReportsController.stats'],
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
