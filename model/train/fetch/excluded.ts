/**
 * Code that the model must never see: the repositories that search quality is judged on (so that the judgement is of
 * code the model does not know), their forks, and packages built from them. Matched by name, case-insensitively.
 */

const REPOSITORIES = `abseil-cpp abseil aiohttp Alamofire axum bash-it cats chi circe cobra commons-lang continue
claude-context curl Dapper django ecto Exposed express fastapi flask fmt gin gson jackson-databind kotlinx.coroutines
kotlinx-coroutines ktor laravel model2vec MessagePack-CSharp monolog nlohmann Newtonsoft.Json NLog nvim-lspconfig
phoenix plug pydantic rack redis requests RxSwift serde sinatra starlette httpx click libuv telescope.nvim telescope
lazy.nvim tokio trpc vitest zls zod alacritty BookStack borg dropwizard feathers goldmark hanami helix htmlunit
InversifyJS jotai jsoup kakoune kitty knex koel memberlist meteor mikro-orm mkdocs mosquitto mybatis nanomq prisma
pulldown-cmark pulsar rails rclone restic roxmltree rust-csv spring-petclinic wezterm beets broot dunst fzf gunicorn
jadx jekyll k9s kanboard keepassxc lobsters thelounge tmux traccar Tusky absinthe axios bats caddy Catch2 celery clap
fastify guice http4s hyper jq Kingfisher koa kysely leveldb locust memos miniflux mockito navidrome newsboat oban
ohmyzsh okhttp okio pelican Polly puma redux-toolkit retrofit ripgrep serilog sidekiq spdlog typeorm typescript-eslint
uptime-kuma vapor vite werkzeug NewPipe FreshRSS apache-kafka fd-find labstack-echo php-slim python-rich python-sphinx
rust-just urfave-cli`
  .split(/\s+/)
  .map((name) => wordsOf(name).join(' '));

/** Packages that those repositories publish under another name, such as the components of Laravel and Rails. */
const PARTS = [
  'illuminate',
  ...['actioncable', 'actionmailer', 'actionpack', 'actionview', 'activejob', 'activemodel', 'activerecord'],
  ...['activestorage', 'activesupport', 'railties', 'reduxjs'],
];

/** Packages in which an excluded name is a coincidence, each with the meaning of the name there. */
const COINCIDENCES: ReadonlySet<string> = new Set<string>([
  // (None yet: it was simpler to leave such packages out.)
]);

/**
 * Excluded name that the package's name contains as whole words, which is why it is refused; null if it may be used.
 */
export function excludedBy(name: string): string | null {
  if (COINCIDENCES.has(name)) return null;
  const words = ` ${wordsOf(name).join(' ')} `;
  return [...REPOSITORIES, ...PARTS].find((excluded) => words.includes(` ${excluded} `)) ?? null;
}

/**
 * True for a path segment that is called like an excluded project: a copy that another project brought along
 * (`third_party/fmt/`, `requests.py`). Our own layout above the package's root is not looked at.
 */
export function isExcludedSegment(segment: string): boolean {
  const words = wordsOf(segment.replace(/\.\w{1,4}$/, '')).join(' ');
  return SEGMENTS.has(words);
}

/** `json.hpp` is the usual name of copies of nlohmann/json. */
const SEGMENTS = new Set([...REPOSITORIES, 'nlohmann json']);

/** Normalises a name: lower case, without a leading `lib` and a trailing version (`libfmt9` becomes `fmt`). */
function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z0-9+]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^lib(?=.{2,})/, '').replace(/(?<=[a-z]{2,})\d+$/, ''))
    .filter((word) => word !== '');
}
