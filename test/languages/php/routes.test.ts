/** Routes of Laravel: chains on `Route`, groups, resources and files that others mount. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf } from '../../graph/link/project.js';

test('routes: Laravel declares them by chains on Route, in groups, by resources and in files that others mount', () => {
  const routes = answersOf({
    'routes/web.php': [
      ...[
        '<?php',
        'use App\\Http\\CartController;',
        'use Illuminate\\Support\\Facades\\Route;',
        "// Route::get('/no', [CartController::class, 'index']);",
      ],
      ...[
        "Route::get('/', fn () => view('home'));",
        "Route::prefix('admin')->middleware(['auth'])->group(function () {",
      ],
      ...["    Route::get('carts', [CartController::class, 'index'])->name('carts');"],
      ...[
        "    Route::group(['prefix' => 'v1', 'namespace' => 'App\\Http'], function () {",
        "        Route::post('/carts/{cart}', 'CartController@store');",
        '    });',
        '});',
      ],
      ...[
        "Route::resource('carts.items', CartController::class)->only(['index', 'update']);",
        "Route::match(['get', 'head'], 'ping', CartController::class);",
      ],
      ...[
        'Route::controller(CartController::class)->group(function () {',
        "    Route::delete('/carts/{id}', 'destroy');",
        '});',
        "Route::view('/about', 'about');",
        '',
      ],
    ].join('\n'),
    'routes/api.php':
      "<?php\nuse App\\Http\\CartController;\nRoute::apiResource('orders', CartController::class)->except('destroy', 'show');\n",
    'routes/other.php': "<?php\nRoute::get('x', fn () => 1);\n",
    'app/Providers/RouteServiceProvider.php':
      "<?php\nclass RouteServiceProvider {\n  function boot() {\n    Route::prefix('other')->group(base_path('routes/other.php'));\n  }\n}\n",
    'app/Http/CartController.php': `<?php\nnamespace App\\Http;\nclass CartController {\n${['index', 'store', 'update', 'destroy', '__invoke'].map((name) => `  public function ${name}() {}`).join('\n')}\n}\n`,
  });
  assert.deepEqual(routes, [
    ...[
      'GET /api/orders CartController.index',
      'POST /api/orders CartController.store',
      'PUT /api/orders/{order} CartController.update',
    ],
    ...[
      'PATCH /api/orders/{order} CartController.update',
      'GET /other/x GET /x',
      'GET / GET /',
      'GET /admin/carts CartController.index',
    ],
    ...['POST /admin/v1/carts/{cart} CartController.store', 'GET /carts/{cart}/items CartController.index'],
    ...[
      'PUT /carts/{cart}/items/{item} CartController.update',
      'PATCH /carts/{cart}/items/{item} CartController.update',
    ],
    ...[
      'GET /ping CartController.__invoke',
      'HEAD /ping CartController.__invoke',
      'DELETE /carts/{id} CartController.destroy',
      'GET /about -',
    ],
  ]);
});
