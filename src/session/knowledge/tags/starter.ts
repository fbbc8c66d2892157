/** Rules of the tags that every repository has (data): folders and packages whose names leave little doubt. */
import type { TagRule } from '../../../config/rules.js';

export const STARTER_RULES: readonly TagRule[] = [
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
  // Packages that set logging up: a file that only writes lines to a log is not about logging (of 40 tags in Scrapy 16 were right).
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
