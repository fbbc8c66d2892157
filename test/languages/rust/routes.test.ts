/** Routes of axum, actix and Rocket. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf } from '../../graph/link/project.js';

test('routes: axum, actix and Rocket declare them in chains below paths, and by attributes', () => {
  const cargo = '[package]\nname = "shop"\nversion = "1.0.0"\n';
  const axum = answersOf({
    'Cargo.toml': cargo,
    'src/main.rs': [
      ...[
        'mod carts;',
        'fn app() -> Router {',
        '    Router::new()',
        '        .route("/health", get(|| async { "ok" }))',
        '        // .route("/no", get(list))',
      ],
      ...[
        '        .nest("/api", carts::router())',
        '        .nest("/v1", Router::new().route("/ping", get(ping).post(carts::add)))',
        '}',
        'async fn ping() {}',
        '',
      ],
    ].join('\n'),
    'src/carts.rs':
      'pub fn router() -> Router {\n    Router::new().route("/carts/:id", get(show).delete(remove))\n}\nasync fn show() {}\nasync fn remove() {}\npub async fn add() {}\n',
  });
  assert.deepEqual(axum, [
    ...[
      'GET /api/carts/:id show',
      'DELETE /api/carts/:id remove',
      'GET /health app.GET /health',
      'GET /v1/ping ping',
      'POST /v1/ping add',
    ],
  ]);
  const actix = answersOf({
    'Cargo.toml': cargo,
    'src/main.rs': [
      ...[
        'mod carts;',
        'fn main() {',
        '    App::new().service(',
        '        web::scope("/api")',
        '            // Carts',
        '            .service(list)',
      ],
      ...['            .service(web::resource("/items").route(web::get().to(items)).route(web::post().to(add)))'],
      ...[
        '            .route("/ping", web::get().to(ping))',
        '            .configure(carts::config),',
        '    ).route("/top", web::get().to(ping));',
        '}',
      ],
      ...[
        '#[get("/carts")]',
        'async fn list() {}',
        'async fn items() {}',
        'async fn add() {}',
        'async fn ping() {}',
        '',
      ],
    ].join('\n'),
    'src/carts.rs':
      'pub fn config(cfg: &mut web::ServiceConfig) {\n    cfg.service(web::resource("/carts/{id}").route(web::put().to(save)));\n}\nasync fn save() {}\n',
  });
  assert.deepEqual(actix, [
    ...[
      'PUT /api/carts/{id} save',
      'GET /api/items items',
      'POST /api/items add',
      'GET /api/ping ping',
      'GET /top ping',
      'GET /api/carts list',
    ],
  ]);
  const rocket = answersOf({
    'Cargo.toml': cargo,
    'src/main.rs':
      '#[get("/carts/<id>?<page>")]\nfn show(id: u32) {}\n#[launch]\nfn rocket() -> _ {\n    rocket::build().mount("/api", routes![show])\n}\n',
  });
  assert.deepEqual(rocket, ['GET /api/carts/<id> show']);
});

const lines = (...all: string[]) => `${all.join('\n')}\n`;

test('routes: Rust has closures as handlers, variables that hold parts, parts with arguments, and paths in constants', () => {
  const cargo = { 'Cargo.toml': '[package]\nname = "shop"\n' };
  const axum = answersOf({
    ...cargo,
    'src/main.rs': lines(
      'mod users; mod admin;',
      'fn app() -> Router {',
      '    let api = Router::new().nest("/users", users::router()).route("/ping", get(|| async { "pong; (" }));',
      '    let v1 = Router::new().nest("/v1", api);',
      '    Router::new()',
      '        .route("/sum", post(|Json(x): Json<X>| async move { add(x) }).get(root))',
      '        .nest("/api", v1).nest_service("/files", ServeDir::new("x")).merge(admin::routes(state.clone()))',
      '}',
      'async fn root() {}\nfn add() {}',
    ),
    'src/users.rs': 'pub fn router() -> Router { Router::new().route("/:id", get(one)) }\nasync fn one() {}\n',
    'src/admin.rs': lines(
      'const STATS: &str = "/stats";',
      'pub fn routes(s: S) -> Router {\n  let inner = Router::new().route(STATS, get(stats));\n  Router::new().nest("/admin", inner)\n}',
      'async fn stats() {}',
    ),
  });
  assert.deepEqual(axum, [
    ...['GET /admin/stats stats', 'GET /api/v1/ping app.GET /api/v1/ping', 'POST /sum app.POST /sum', 'GET /sum root'],
    ...['GET /api/v1/users/:id one'],
  ]);
  const actix = answersOf({
    ...cargo,
    'src/main.rs': lines(
      'use actix_web::{web, App};\nfn main() {',
      '  App::new().service(web::scope("/api").route("/in", web::get().to(|| async { ok() })).configure(items::config))',
      '}\nfn ok() {}',
    ),
    'src/items.rs':
      'pub fn config(c: &mut web::ServiceConfig) { c.route("/items", web::post().to(list)); }\nasync fn list() {}\n',
  });
  assert.deepEqual(actix, ['POST /api/items list', 'GET /api/in main.GET /api/in']);
  const rocket = answersOf({
    ...cargo,
    'src/main.rs': 'mod b;\nfn rocket() -> _ { rocket::build().mount("/b", b::routes()) }\n',
    'src/b.rs': '#[get("/two")]\nfn two() {}\npub fn routes() -> Vec<Route> { routes![two] }\n',
  });
  assert.deepEqual(rocket, ['GET /b/two two']);
  const described = `#[utoipa::path(get, path = "/x", responses(${'(status = 200, description = "a long text of an answer"), '.repeat(20)}))]`;
  const project = {
    ...cargo,
    'src/main.rs': lines(described, '#[route("/x", method = "GET", method = "HEAD")]', 'async fn x() {}'),
  };
  assert.deepEqual(answersOf(project), ['GET /x x', 'HEAD /x x']);
});
