/** Rules that give tags, the built-in ones and those of the settings, as tests of files and names. */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../../base/errors.js';
import { TAG_RULE_FIELDS, type TagRule } from '../../config/rules.js';
import type { Config } from '../../config/settings.js';
import type { Graph } from '../../graph/graph.js';
import { CALL_KINDS } from '../../graph/query/uses.js';
import { FILE_EDGE_KINDS } from '../../graph/tables.js';
import { nameMatcher, pathMatcher } from '../../search/filter.js';
import { compilePattern, type Pattern } from '../../search/grep/required-texts.js';
import { classTest } from '../../search/path-classes.js';

/** Version of the rules' meaning. Change it together with what a rule accepts. */
const VERSION = 1;

export interface KnownRule extends TagRule {
  /** Number of the rule in its source, from 1. */
  number: number;
  isBuiltIn: boolean;
}

export function rulesOf({ tags }: Pick<Config, 'tags'>): KnownRule[] {
  const wanted = new Set<string>(tags.starter);
  const numbered = (rules: readonly TagRule[], isBuiltIn: boolean) =>
    rules.map((rule, i) => ({ ...rule, number: i + 1, isBuiltIn }));
  const own = numbered(tags.rules, false);
  for (const rule of own) checkRule(rule);
  return [...numbered(STARTER_RULES, true).filter(({ tag }) => wanted.has(tag)), ...own];
}

/** Equal for rules that give equal tags. */
export function hashOf(rules: readonly KnownRule[]): string {
  return createHash('sha256')
    .update(JSON.stringify([VERSION, rules]))
    .digest('hex')
    .slice(0, 32);
}

const { tag: _, why: __, ...CONDITION_FIELDS } = TAG_RULE_FIELDS;
const CONDITIONS = Object.keys(CONDITION_FIELDS) as (keyof typeof CONDITION_FIELDS)[];

/** Throws BAD_CONFIG for a rule without a condition. */
function checkRule(rule: KnownRule): void {
  const isEmpty = CONDITIONS.every((key) => (rule[key]?.length ?? 0) === 0);
  if (isEmpty)
    throw new SocraticodeError(
      'BAD_CONFIG',
      `tags.rules[${rule.number - 1}] has no condition: it would tag every file`,
      {
        hint: `Conditions: ${CONDITIONS.join(', ')}.`,
      },
    );
}

/** A rule as tests; null for a missing condition. */
export interface RuleTests {
  acceptsFile: (path: string) => boolean;
  acceptsLanguage: (id: string) => boolean;
  imports: NameTest | null;
  symbol: NamesTest | null;
  calls: NamesTest | null;
  pattern: Pattern | null;
}

/** Tests of simple names and of qualified ones; null if no pattern has that form. */
export interface NamesTest {
  simple: NameTest | null;
  qualified: NameTest | null;
  /** Accepts the last part of every name that `qualified` accepts. Most other names fail this cheaper test. */
  ending: NameTest | null;
}

/** Throws BAD_CONFIG for an expression that RE2 does not know, or that spans lines. */
export function testsOf(rule: KnownRule): RuleTests {
  const { path = [], is = [], language = [], imports = [], symbol = [], calls = [], regex } = rule;
  const matches = path.length === 0 ? null : nameMatcher(path);
  const isOfClass = is.length === 0 ? null : classTest(is);
  const languages = new Set(language.map((id) => id.toLowerCase()));
  return {
    acceptsFile: (name) => (matches?.(name) ?? true) && (isOfClass?.(name) ?? true),
    acceptsLanguage: (id) => languages.size === 0 || languages.has(id),
    imports: imports.length === 0 ? null : moduleTest(imports),
    symbol: namesTest(symbol),
    calls: namesTest(calls),
    pattern: regex === undefined ? null : patternOf(rule, regex),
  };
}

const SEPARATORS = /::|->|#/g;

function namesTest(patterns: readonly string[]): NamesTest | null {
  if (patterns.length === 0) return null;
  const plain = patterns.map((pattern) => pattern.replace(SEPARATORS, '.'));
  const of = (some: readonly string[]) => (some.length === 0 ? null : nameTest(some));
  const qualified = plain.filter((pattern) => pattern.includes('.'));
  return {
    simple: of(plain.filter((pattern) => !pattern.includes('.'))),
    qualified: of(qualified),
    ending: of(qualified.map((pattern) => `*${/[^.*]*$/.exec(pattern)?.[0] ?? ''}`)),
  };
}

function patternOf({ number }: KnownRule, regex: string): Pattern {
  const refused = (reason: string) =>
    new SocraticodeError('BAD_CONFIG', `tags.rules[${number - 1}].regex ${reason}`, {
      hint: 'It is an expression of RE2 for one line, such as "@(Get|Post)Mapping".',
    });
  let pattern: Pattern;
  try {
    pattern = compilePattern({ pattern: regex });
  } catch (error) {
    throw refused((error as Error).message);
  }
  if (pattern.multiline) throw refused('spans lines');
  return pattern;
}

/** Limit on the letters of a name: of longer names only the beginning is matched. */
const MAX_NAME = 512;

/** Limit on the packages whose result is remembered. */
const MAX_KNOWN = 20_000;

export type NameTest = (name: string) => boolean;

/** Accepts a name that matches one of the patterns whole. Without patterns it accepts none. */
export function nameTest(patterns: readonly string[]): NameTest {
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  const exact = new Set(lower.filter((pattern) => !pattern.includes('*')));
  const wild = lower.filter((pattern) => pattern.includes('*'));
  const plain = wild.filter((pattern) => !middleOf(pattern).includes('*'));
  // One expression for all of them takes a third of the time of one for each.
  const isAny = plain.length === 0 ? null : new RegExp(plain.map(sourceOf).join('|'), 's');
  const other = wild.filter((pattern) => !plain.includes(pattern)).map((pattern) => [longestOf(pattern), pattern]);
  return (given) => {
    const name = (given.length > MAX_NAME ? given.slice(0, MAX_NAME) : given).toLowerCase();
    return (
      exact.has(name) ||
      isAny?.test(name) === true ||
      other.some(([longest, pattern]) => name.includes(longest) && fits(pattern, name))
    );
  };
}

/** Removes the stars at the ends, where nearly all patterns have them. */
const middleOf = (pattern: string): string => pattern.replace(/^\*+|\*+$/g, '');

/** Longest text without a star. A matching name contains it, which most other names do not. */
const longestOf = (pattern: string): string =>
  pattern.split('*').reduce((longest, part) => (part.length > longest.length ? part : longest), '');

/** Needs a pattern without a star in the middle: the expression is then a text at a known end, or anywhere. */
function sourceOf(pattern: string): string {
  const middle = middleOf(pattern).replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&');
  return `${pattern.startsWith('*') ? '' : '^'}${middle}${pattern.endsWith('*') ? '' : '$'}`;
}

/** Accepts a module or package that a pattern names, and what is in it: `jose` accepts `jose/jwt`, `django.db` its models. */
export function moduleTest(patterns: readonly string[]): NameTest {
  const isNamed = nameTest(patterns);
  // Many modules are in few packages, so each package is tested once.
  const known = new Map<string, boolean>();
  const isInside = (specifier: string): boolean => {
    let at = specifier.length - 1;
    while (at > 0 && !BOUNDARY.has(specifier[at])) at--;
    if (at < 1) return false;
    const around = specifier.slice(0, at);
    let found = known.get(around);
    if (found === undefined) {
      found = isNamed(around) || isInside(around);
      if (known.size < MAX_KNOWN) known.set(around, found);
    }
    return found;
  };
  return (given) => {
    const specifier = given.slice(0, MAX_NAME);
    // The address of a style sheet or a script is no module; a rule named `https` must not accept it.
    return !URL_START.test(specifier) && (isNamed(specifier) || isInside(specifier));
  };
}

const URL_START = /^[a-z]+:\/\//i;
const BOUNDARY: ReadonlySet<string> = new Set(['/', '.', '\\', ':']);

/** Matches stars in linear time: each takes as little as it can, and only the last one takes more if the rest does not fit. */
function fits(pattern: string, name: string): boolean {
  let [at, next, star, taken] = [0, 0, -1, 0];
  while (next < name.length) {
    if (at < pattern.length && pattern[at] === '*') {
      star = at++;
      taken = next;
    } else if (at < pattern.length && pattern[at] === name[next]) {
      at++;
      next++;
    } else if (star >= 0) {
      at = star + 1;
      next = ++taken;
    } else return false;
  }
  while (at < pattern.length && pattern[at] === '*') at++;
  return at === pattern.length;
}

/** Returns reasons such as `path src/auth`, `imports jose (line 3)`, `calls jwt.sign (line 12)`. */
export function evidenceOf(graph: Graph, node: number, rule: KnownRule, tests: RuleTests): string[] {
  const { path, language } = graph.tables.files[graph.fileOf(node)];
  const { path: globs = [], is = [], regex } = rule;
  const glob = globs.find((each) => !each.startsWith('!') && pathMatcher([each])(path));
  return [
    ...(glob === undefined ? [] : [`path ${glob}`]),
    ...(is.length === 0 ? [] : [`is ${is.join(', ')}`]),
    ...(rule.language === undefined ? [] : [`language ${language}`]),
    ...(tests.imports === null ? [] : importIn(graph, graph.fileNode(graph.fileOf(node)), tests.imports)),
    ...(tests.symbol === null ? [] : [`symbol ${graph.qualifiedName(node)}`]),
    ...(tests.calls === null ? [] : callIn(graph, node, tests.calls)),
    ...(regex === undefined ? [] : [`a line matches ${regex}`]),
  ];
}

function importIn(graph: Graph, node: number, test: (specifier: string) => boolean): string[] {
  for (const { kind, name, startLine } of edgesOf(graph, node))
    if (FILE_EDGE_KINDS.has(kind) && test(name)) return [`imports ${name} (line ${startLine})`];
  return [];
}

function callIn(graph: Graph, node: number, { simple, qualified }: NamesTest): string[] {
  for (const { kind, name, receiver, startLine } of edgesOf(graph, node)) {
    if (!CALL_KINDS.has(kind)) continue;
    const text = receiver === '' ? name : `${receiver}.${name}`;
    if (simple?.(name) || (receiver !== '' && qualified?.(text))) return [`calls ${text} (line ${startLine})`];
  }
  return [];
}

function* edgesOf(graph: Graph, node: number): Generator<ReturnType<Graph['edge']>> {
  const [start, end] = graph.edgeRange(node);
  for (let edge = start; edge < end; edge++) yield graph.edge(edge);
}

const STARTER_RULES: readonly TagRule[] = [
  {
    tag: 'auth',
    path: [
      '{auth,authn,authz,authentication,authorization,oauth,oauth2,login,sso,passwords,permissions}',
      '{auth,authn,authz,authentication,authorization,oauth,oauth2,jwt,login,logout,passwords,permissions}.*',
      '*[._-]auth.*',
    ],
  },
  {
    tag: 'auth',
    imports: [
      ...['jsonwebtoken', 'jose', 'bcrypt', 'bcryptjs', 'argon2', 'passport*', 'next-auth', '@auth/*', '@clerk/*'],
      ...['jwt', 'authlib', 'oauthlib', 'requests_oauthlib', 'passlib', 'flask_login', 'flask_security'],
      ...['django.contrib.auth', 'rest_framework_simplejwt', 'fastapi.security', 'starlette.authentication'],
      ...[
        'github.com/golang-jwt/*',
        'github.com/dgrijalva/jwt-go',
        'golang.org/x/oauth2',
        'golang.org/x/crypto/bcrypt',
      ],
      ...['org.springframework.security', 'io.jsonwebtoken', 'com.auth0', 'javax.security.auth'],
      ...['Microsoft.AspNetCore.Authentication', 'Microsoft.AspNetCore.Authorization', 'Microsoft.AspNetCore.Identity'],
      ...['devise', 'omniauth', 'jsonwebtoken', 'oauth2'],
    ],
  },
  {
    tag: 'auth',
    symbol: [
      ...[
        'login',
        'logout',
        'signIn',
        'signOut',
        'sign_in',
        'sign_out',
        'authenticate',
        'authorize',
        'isAuthenticated',
      ],
      ...['is_authenticated', 'hashPassword', 'hash_password', 'verifyPassword', 'verify_password', 'checkPassword'],
      ...['check_password', 'verifyToken', 'verify_token', 'createToken', 'refreshToken', 'refresh_token', '*OAuth*'],
    ],
  },
  {
    tag: 'database',
    path: ['{db,database,databases,migrations,repositories,orm,sql}', '{db,database,sql,schema.prisma}.*'],
  },
  {
    tag: 'database',
    imports: [
      ...['pg', 'mysql', 'mysql2', 'sqlite3', 'better-sqlite3', 'mongodb', 'mongoose', 'knex', 'typeorm', 'sequelize'],
      ...['@prisma/client', 'drizzle-orm', 'kysely', 'node:sqlite', 'sqlalchemy', 'psycopg', 'psycopg2', 'pymongo'],
      ...['asyncpg', 'aiosqlite', 'peewee', 'tortoise', 'django.db', 'alembic', 'database/sql', 'gorm.io/*', 'bun'],
      ...['github.com/jackc/pgx*', 'github.com/jmoiron/sqlx', 'go.mongodb.org/mongo-driver', 'java.sql', 'javax.sql'],
      ...['javax.persistence', 'jakarta.persistence', 'org.hibernate', 'org.springframework.jdbc', 'org.jooq'],
      ...['org.springframework.data', 'Microsoft.EntityFrameworkCore', 'System.Data', 'Dapper', 'active_record'],
      ...['sqlx', 'diesel', 'sea_orm', 'rusqlite', 'Doctrine\\*', 'Illuminate\\Database'],
    ],
  },
  { tag: 'database', path: ['*.sql'] },
  {
    tag: 'http',
    path: ['{http,routes,routers,controllers,middleware,middlewares,endpoints}', '{http,routes,router}.*'],
  },
  {
    tag: 'http',
    imports: [
      ...['node:http', 'node:https', 'http', 'https', 'node:http2', 'express', 'fastify', 'koa', 'hono', 'axios'],
      ...['got', 'ky', 'undici', 'node-fetch', 'superagent', '@nestjs/common', 'next/server', 'requests', 'httpx'],
      ...['aiohttp', 'urllib', 'urllib3', 'flask', 'fastapi', 'starlette', 'django.http', 'http.client', 'http.server'],
      ...['net/http', 'github.com/gin-gonic/gin', 'github.com/labstack/echo*', 'github.com/go-chi/chi*'],
      ...['java.net.http', 'okhttp3', 'org.apache.http', 'org.springframework.web', 'org.springframework.http'],
      ...['System.Net.Http', 'Microsoft.AspNetCore.Mvc', 'Microsoft.AspNetCore.Http', 'net/http', 'faraday', 'sinatra'],
      ...['rack', 'reqwest', 'hyper', 'axum', 'actix_web', 'GuzzleHttp', 'Symfony\\Component\\HttpFoundation'],
    ],
  },
  { tag: 'http', calls: ['fetch', 'XMLHttpRequest'] },
  {
    tag: 'logging',
    path: ['{logging,logger,loggers,telemetry}', '{logging,logger,log,logs}.*'],
  },
  // Packages that set up logging. A file that only writes log lines is not about logging: of 40 such tags in Scrapy 16 were right.
  {
    tag: 'logging',
    imports: [
      ...['winston', 'pino', 'bunyan', 'log4js', 'logging.handlers', 'logging.config', 'go.uber.org/zap/zapcore'],
      ...['ch.qos.logback', 'org.apache.logging.log4j.core', 'java.util.logging.Handler', 'Serilog.Core'],
      ...['Serilog.Sinks', 'Serilog.Events', 'env_logger', 'tracing_subscriber', 'Monolog'],
    ],
  },
  {
    tag: 'logging',
    symbol: [
      ...['*ConsoleLogger', '*FileLogger', '*LoggerFactory', '*LoggerAdapter', '*LogHandler', '*LogFormatter'],
      ...['createLogger', 'create_logger', 'configure*logging', 'setup*logging', 'init*logging'],
    ],
  },
  { tag: 'logging', calls: ['basicConfig', 'dictConfig', 'fileConfig', 'createLogger', 'winston.createLogger'] },
  { tag: 'caching', path: ['{cache,caches,caching}', '{cache,caches,caching}.*', '*[._-]cache.*'] },
  {
    tag: 'caching',
    imports: [
      ...['redis', 'ioredis', 'memcached', 'lru-cache', 'node-cache', 'keyv', 'quick-lru', 'cachetools', 'diskcache'],
      ...['aiocache', 'django.core.cache', 'flask_caching', 'github.com/redis/go-redis*', 'github.com/go-redis/redis*'],
      ...['github.com/patrickmn/go-cache', 'com.github.benmanes.caffeine', 'com.google.common.cache', 'javax.cache'],
      ...['org.springframework.cache', 'Microsoft.Extensions.Caching', 'StackExchange.Redis', 'moka', 'Psr\\Cache'],
    ],
  },
  { tag: 'caching', symbol: ['*Cache', '*LruCache*', '*MemoryCache*', '*_cache'] },
  { tag: 'tests', is: ['test'] },
  {
    tag: 'configuration',
    path: [
      '{config,configs,configuration,settings}',
      '{config,configs,configuration,settings,options}.*',
      '*[._-]config.*',
    ],
  },
  {
    tag: 'configuration',
    imports: [
      ...[
        'dotenv*',
        'config',
        'convict',
        'cosmiconfig',
        'rc',
        '@nestjs/config',
        'configparser',
        'dynaconf',
        'decouple',
      ],
      ...[
        'environs',
        'pydantic_settings',
        'django.conf',
        'github.com/spf13/viper',
        'github.com/kelseyhightower/envconfig',
      ],
      ...['org.springframework.boot.context.properties', 'com.typesafe.config', 'Microsoft.Extensions.Configuration'],
      ...['Microsoft.Extensions.Options', 'figment'],
    ],
  },
];
