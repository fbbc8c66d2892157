/** Formats of YAML and JSON: their parts are definitions, and what names these is linked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveTarget } from '../../../src/graph/query/target.js';
import { factsOf, symbolLines } from '../../extract/helpers.js';
import { edgeLines, graphOf } from '../../graph/link/project.js';
import { relationLines } from '../relations-lines.js';

/** Edges that lead to a definition or a file. */
const linksOf = (files: Record<string, string>): string[] =>
  edgeLines(graphOf(files)).filter((line) => !/ \?\S+ \(/.test(line));

test('kubernetes: objects of all documents are named by kind and name, and refer to each other over files', () => {
  const files = {
    'shop/config.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: rates\ndata:\n  tax: "2"\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: keys}\n',
    'shop/cart.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  labels: {app: x}\n  name: cart\nspec:\n  template:\n    spec:\n      serviceAccountName: clerk\n      containers:\n        - name: cart\n          envFrom:\n            - configMapRef:\n                name: rates\n          env:\n            - name: KEY\n              valueFrom: {secretKeyRef: {name: keys, key: a}}\n',
    'scale.json':
      '{"kind": "Scaler", "apiVersion": "v2", "metadata": {"name": "s"}, "spec": {"targetRef": {"kind": "Deployment", "name": "cart"}}}',
  };
  assert.deepEqual(symbolLines(factsOf(files['shop/config.yaml'], 'yaml')), [
    '+ object ConfigMap.rates',
    '+ object Secret.keys',
  ]);
  assert.deepEqual(linksOf(files), [
    'scale.json:Scaler.s read shop/cart.yaml:Deployment.cart (unique)',
    'shop/cart.yaml:Deployment.cart read shop/config.yaml:ConfigMap.rates (package)',
    'shop/cart.yaml:Deployment.cart read shop/config.yaml:Secret.keys (package)',
  ]);
});

test('kubernetes: names under marks of Helm are equal where they are written alike', () => {
  const files = {
    'templates/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: "{{ .Release.Name }}-env"\n',
    'templates/cart.yaml':
      '{{- if .Values.cart }}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ include "shop.name" . }}\n  labels:\n    {{- include "shop.labels" . | nindent 4 }}\nspec:\n  envFrom:\n    - secretRef:\n        name: {{ .Release.Name }}-env\n{{- end }}\n',
  };
  assert.deepEqual(symbolLines(factsOf(files['templates/cart.yaml'], 'yaml')), ['+ object Deployment.shop.name']);
  assert.deepEqual(linksOf(files), [
    'templates/cart.yaml:Deployment.shop.name read templates/secret.yaml:Secret.Release.Name-env (package)',
  ]);
});

test('symfony: services use classes and each other', () => {
  const files = {
    'config/services.yaml':
      "parameters: {locale: en}\nservices:\n  _defaults: {autowire: true}\n  App\\:\n    resource: '../src/'\n  App\\Shop\\Till: ~\n  App\\Shop\\Store: '@App\\Shop\\FileStore'\n  app.mailer:\n    class: App\\Mail\\Mailer\n    arguments: ['@App\\Shop\\Till', '%locale%']\n    calls:\n      - [setStore, ['@?app.store']]\n  app.store:\n    alias: App\\Shop\\FileStore\n",
    'src/Shop/Till.php': '<?php\nnamespace App\\Shop;\nclass Till {}\n',
    'src/Shop/Store.php': '<?php\nnamespace App\\Shop;\ninterface Store {}\n',
    'src/Shop/FileStore.php': '<?php\nnamespace App\\Shop;\nclass FileStore implements Store {}\n',
    'src/Mail/Mailer.php': '<?php\nnamespace App\\Mail;\nclass Mailer {}\n',
  };
  assert.deepEqual(
    linksOf(files).filter((line) => / read /.test(line)),
    [
      'config/services.yaml:services.App\\Shop\\Till read src/Shop/Till.php:Till (imported)',
      'config/services.yaml:services.App\\Shop\\Store read src/Shop/Store.php:Store (imported)',
      'config/services.yaml:services.App\\Shop\\Store read src/Shop/FileStore.php:FileStore (imported)',
      'config/services.yaml:services.app.mailer read src/Mail/Mailer.php:Mailer (imported)',
      'config/services.yaml:services.app.mailer read src/Shop/Till.php:Till (imported)',
      'config/services.yaml:services.app.mailer read config/services.yaml:parameters.locale (same-file)',
      'config/services.yaml:services.app.mailer read config/services.yaml:services.app.store (same-file)',
      'config/services.yaml:services.app.store read src/Shop/FileStore.php:FileStore (imported)',
    ],
  );
});

test('symfony: services in XML use classes, methods and each other, also those of other files', () => {
  const files = {
    'composer.json': '{"autoload": {"psr-4": {"Shop\\\\": "lib/"}}}',
    'config/services.xml': String.raw`<?xml version="1.0" ?>
<container xmlns="http://symfony.com/schema/dic/services">
  <parameters><parameter key="locale">en</parameter><parameter key="till.class">Shop\Till</parameter></parameters>
  <services>
    <defaults public="true"/>
    <service id="shop.mailer" class="Shop\Mailer">
      <argument type="service" id="shop.till"/>
      <argument>%locale%</argument>
      <argument>shop.till</argument>
      <call method="setStore"><argument type="service" id="shop.store"/></call>
      <tag name="kernel.event_listener" method="onPaid"/>
    </service>
    <service id="shop.till" class="%till.class%"><factory service="shop.mailer" method="make"/></service>
    <service id="Shop\Till" alias="shop.till"/>
    <service id="Shop\Mailer"><argument type="service"><service class="Shop\Till"/></argument></service>
  </services>
</container>
`,
    'config/more.xml':
      '<container xmlns="http://symfony.com/schema/dic/services"><service id="shop.store" class="Shop\\Store"/></container>',
    'config/other.xml': '<beans><service id="shop.other" class="Shop\\Till"/></beans>',
    'lib/Mailer.php':
      '<?php\nnamespace Shop;\nclass Mailer { function setStore($x) {} function onPaid() {} function make() {} }\n',
    'lib/Till.php': '<?php\nnamespace Shop;\nclass Till {}\n',
    'lib/Store.php': '<?php\nnamespace Shop;\nclass Store {}\n',
  };
  const mailer = 'config/services.xml:services.shop.mailer';
  assert.deepEqual(
    linksOf(files).filter((line) => / (?:read|value) /.test(line)),
    [
      'config/more.xml:services.shop.store read lib/Store.php:Store (imported)',
      'config/services.xml:parameters.till.class read lib/Till.php:Till (imported)',
      `${mailer} read lib/Mailer.php:Mailer (imported)`,
      `${mailer} read config/services.xml:services.shop.till (same-file)`,
      `${mailer} read config/services.xml:parameters.locale (same-file)`,
      `${mailer} value lib/Mailer.php:Mailer.setStore (receiver)`,
      `${mailer} read config/more.xml:services.shop.store (package)`,
      `${mailer} value lib/Mailer.php:Mailer.onPaid (receiver)`,
      'config/services.xml:services.shop.till read lib/Till.php:Till (imported)',
      'config/services.xml:services.shop.till read config/services.xml:services.shop.mailer (same-file)',
      'config/services.xml:services.shop.till value lib/Mailer.php:Mailer.make (receiver)',
      'config/services.xml:services.Shop\\Till read config/services.xml:services.shop.till (same-file)',
      'config/services.xml:services.Shop\\Mailer read lib/Mailer.php:Mailer (imported)',
      'config/services.xml:services.Shop\\Mailer read lib/Till.php:Till (imported)',
    ],
  );
});

test('symfony: classes of services stand where composer.json says, also in YAML', () => {
  const files = {
    'composer.json': '{"autoload": {"psr-4": {"Shop\\\\Core\\\\": "lib/core/"}}}',
    'config/services.yaml':
      'services:\n  app.till:\n    class: Shop\\Core\\Till\n    arguments: ["@Shop\\\\Core\\\\Store"]\n',
    'lib/core/Till.php': '<?php\nnamespace Shop\\Core;\nclass Till {}\n',
    'lib/core/Store.php': '<?php\nnamespace Shop\\Core;\nclass Store {}\n',
  };
  assert.deepEqual(
    linksOf(files).filter((line) => / read /.test(line)),
    [
      'config/services.yaml:services.app.till read lib/core/Till.php:Till (imported)',
      'config/services.yaml:services.app.till read lib/core/Store.php:Store (imported)',
    ],
  );
});

test('compose: services, volumes, networks and secrets are linked, also with those of a file that one extends', () => {
  const files = {
    'compose.yaml':
      'services:\n  web:\n    build: ./web\n    depends_on: [db]\n    volumes:\n      - data:/var\n      - ./src:/src\n    networks: {front: {}}\n  db:\n    extends: {file: base.yml, service: store}\n    depends_on:\n      web: {condition: started}\nvolumes: {data: }\nnetworks: {front: }\n',
    'base.yml': 'services:\n  store:\n    image: store\n',
    'web/Dockerfile': 'FROM scratch\n',
  };
  assert.deepEqual(linksOf(files), [
    'compose.yaml import web/Dockerfile (path)',
    'compose.yaml import base.yml (path)',
    'compose.yaml:services.web read compose.yaml:services.db (same-file)',
    'compose.yaml:services.web read compose.yaml:volumes.data (same-file)',
    'compose.yaml:services.web read compose.yaml:networks.front (same-file)',
    'compose.yaml:services.db read base.yml:services.store (imported)',
    'compose.yaml:services.db read compose.yaml:services.web (same-file)',
  ]);
});

test('workflows: jobs need each other, and lead to workflows and actions of the repository', () => {
  const files = {
    '.github/workflows/release.yml': `on: push\njobs:\n  build:\n    uses: ./.github/workflows/build.yml\n  publish:\n    needs: build\n    steps:\n      - uses: ./actions/setup\n      - uses: actions/checkout@v4\n      - run: |\n          echo \${{ needs.build.outputs.tag }}\n`,
    '.github/workflows/build.yml':
      'on: {workflow_call: {inputs: {tag: {type: string}}}}\njobs:\n  build:\n    if: inputs.tag\n',
    'actions/setup/action.yml': 'name: setup\ninputs:\n  tag: {}\nruns:\n  using: composite\n  steps: []\n',
  };
  assert.deepEqual(linksOf(files), [
    '.github/workflows/build.yml:jobs.build read .github/workflows/build.yml:inputs.tag (same-file)',
    '.github/workflows/release.yml import .github/workflows/build.yml (path)',
    '.github/workflows/release.yml import actions/setup/action.yml (path)',
    '.github/workflows/release.yml:jobs.publish value .github/workflows/release.yml:jobs.build (same-file)',
    '.github/workflows/release.yml:jobs.publish value .github/workflows/release.yml:jobs.build (same-file)',
  ]);
  const pipeline =
    'stages: [a]\nvariables: {A: b}\n.base:\n  image: x\ncheck:\n  extends: .base\n  script: x\ntest:\n  script: x\n  needs: [check]\n';
  assert.deepEqual(linksOf({ '.gitlab-ci.yml': pipeline }), [
    '.gitlab-ci.yml:jobs.check value .gitlab-ci.yml:jobs..base (same-file)',
    '.gitlab-ci.yml:jobs.test value .gitlab-ci.yml:jobs.check (same-file)',
  ]);
});

test('openapi: operations, their ids and schemas are definitions, to which $ref leads within and between files', () => {
  const files = {
    'api/shop.yaml':
      "openapi: 3.1.0\ninfo: {title: Shop}\npaths:\n  /carts/{id}:\n    parameters: []\n    get:\n      operationId: getCart\n      responses:\n        '200': {schema: {$ref: '#/components/schemas/Cart'}}\n        default: {$ref: './common.json#/components/responses/Error'}\n  /tax:\n    $ref: paths/tax.yaml\ncomponents:\n  schemas:\n    Cart: {properties: {id: {type: string}}}\n",
    'api/common.json': '{"components": {"responses": {"Error": {"description": "x"}}}}',
    'api/paths/tax.yaml': "get:\n  responses: {'200': {$ref: '../shop.yaml#/components/schemas/Cart/properties/id'}}\n",
  };
  assert.deepEqual(symbolLines(factsOf(files['api/shop.yaml'], 'yaml')), [
    '+ key openapi',
    '+ key info',
    '+ function GET /carts/{id}',
    '+ constant getCart',
    '+ type schemas.Cart',
  ]);
  assert.deepEqual(linksOf(files), [
    'api/paths/tax.yaml import api/shop.yaml (path)',
    'api/paths/tax.yaml:GET read api/shop.yaml:schemas.Cart (imported)',
    'api/shop.yaml import api/common.json (path)',
    'api/shop.yaml import api/paths/tax.yaml (path)',
    'api/shop.yaml:GET /carts/{id} read api/shop.yaml:schemas.Cart (same-file)',
    'api/shop.yaml:GET /carts/{id} read api/common.json:responses.Error (imported)',
  ]);
  const target = resolveTarget(graphOf(files), 'GET /carts/{id}');
  assert.equal('nodes' in target && target.nodes.length, 1, 'an operation is found by its method and path');
});

test('kustomize: generated objects are definitions, and resources lead to files and folders', () => {
  assert.deepEqual(
    linksOf({
      'base/kustomization.yaml':
        'resources:\n  - cart.yaml\nconfigMapGenerator:\n  - name: rates\n    files: [rates.txt]\n',
      'base/cart.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: cart}\nspec:\n  volumes:\n    - configMap: {name: rates}\n',
      'live/kustomization.yaml': 'kind: Kustomization\nresources:\n  - ../base\n  - https://example.com/x.yaml\n',
    }),
    [
      'base/cart.yaml:Pod.cart read base/kustomization.yaml:ConfigMap.rates (package)',
      'base/kustomization.yaml import base/cart.yaml (path)',
      'live/kustomization.yaml import base/kustomization.yaml (path)',
    ],
  );
});

test('data of no such format keeps its keys, and states nothing', () => {
  const PLAIN: Record<string, string> = {
    yaml: 'services:\n  cart: {url: x}\nparameters: {a: b}\n',
    json: '{"$schema": "https://example.com/x.json", "jobs": {"a": {"needs": "b"}}, "services": ["x"]}',
  };
  for (const [language, text] of Object.entries(PLAIN)) {
    const { symbols, relations } = factsOf(text, language);
    assert.ok(symbols.length > 1 && symbols.every(({ kind }) => kind === 'key'));
    assert.deepEqual([relations.references, relations.imports], [[], []]);
  }
});

test('npm: a manifest uses the files that it names, built ones by their sources, and those that its scripts run', () => {
  const files = {
    'package.json': JSON.stringify({
      name: 'shop',
      main: 'lib/shop',
      bin: { shop: './bin/shop.js', till: './bin/gone.js' },
      exports: { '.': { import: './dist/esm/open.js', types: './dist/open.d.ts' }, './cart/*': './src/*.js' },
      scripts: { seed: 'NODE_ENV=test node --no-warnings tools/seed.js --all && tsx ./tools/rates.ts', test: 'jest' },
    }),
    'lib/shop.js': 'module.exports = {};\n',
    'bin/shop.js': 'console.log(1);\n',
    'src/open.ts': 'export const open = 1;\n',
    'tools/seed.js': 'console.log(2);\n',
    'tools/rates.ts': 'console.log(3);\n',
    'tools/other.js': 'console.log(4);\n',
  };
  assert.deepEqual(linksOf(files), [
    'package.json import lib/shop.js (path)',
    'package.json import bin/shop.js (path)',
    'package.json import src/open.ts (path)',
    'package.json import tools/seed.js (path)',
    'package.json import tools/rates.ts (path)',
  ]);
});

test('python: pyproject.toml uses the functions and modules of its entry points, and nothing else', () => {
  const files = {
    'pyproject.toml':
      '[project]\nname = "shop"\ndescription = "shop.cli:other"\n[project.scripts]\nshop = "shop.cli:main"\ntill = \'shop.till:Till.run\'\n[project.entry-points."shop.rates"]\nflat = "shop.rates:main [extra]"\nall = "shop.plain"\n[tool.poetry.scripts]\nold = { reference = "shop.cli:old", type = "console" }\n[tool.other]\nx = "shop.cli:other"\n',
    'src/shop/__init__.py': '',
    'src/shop/cli.py': 'def main():\n    pass\n\ndef old():\n    pass\n\ndef other():\n    pass\n',
    'src/shop/till.py': 'class Till:\n    def run(self):\n        pass\n',
    'src/shop/rates.py': 'def main():\n    pass\n',
    'src/shop/plain.py': 'X = 1\n',
  };
  assert.deepEqual(linksOf(files), [
    'pyproject.toml import src/shop/cli.py (path)',
    'pyproject.toml import src/shop/till.py (path)',
    'pyproject.toml import src/shop/rates.py (path)',
    'pyproject.toml import src/shop/plain.py (path)',
    'pyproject.toml import src/shop/cli.py (path)',
    'pyproject.toml:project.scripts value src/shop/cli.py:main (imported)',
    'pyproject.toml:project.scripts value src/shop/till.py:Till.run (receiver)',
    'pyproject.toml:project.entry-points."shop.rates" value src/shop/rates.py:main (imported)',
    'pyproject.toml:tool.poetry.scripts value src/shop/cli.py:old (imported)',
  ]);
});

test('python: setup.cfg uses the functions and modules of its entry points, and nothing else', () => {
  const files = {
    'setup.cfg':
      '[metadata]\nname = shop\n    other = shop.cli:other\n[options.entry_points]\nconsole_scripts =\n    shop = shop.cli:main\n    # till = shop.cli:other\n    till=shop.till:Till.run [extra]\nshop.rates =\n    flat = shop.rates:main\n    all = shop.plain\n[tool:pytest]\n    x = shop.cli:other\n',
    'src/shop/__init__.py': '',
    'src/shop/cli.py': 'def main():\n    pass\n\ndef other():\n    pass\n',
    'src/shop/till.py': 'class Till:\n    def run(self):\n        pass\n',
    'src/shop/rates.py': 'def main():\n    pass\n',
    'src/shop/plain.py': 'X = 1\n',
    'tox.ini': '[entry]\nshop = shop.cli:other\n',
  };
  assert.deepEqual(linksOf(files), [
    'setup.cfg import src/shop/cli.py (path)',
    'setup.cfg import src/shop/till.py (path)',
    'setup.cfg import src/shop/rates.py (path)',
    'setup.cfg import src/shop/plain.py (path)',
    'setup.cfg value src/shop/cli.py:main (imported)',
    'setup.cfg value src/shop/till.py:Till.run (receiver)',
    'setup.cfg value src/shop/rates.py:main (imported)',
  ]);
});

/** A document, and its definitions and imports: one part less makes it data of no format, whose keys are its definitions. */
const DOCUMENTS: readonly (readonly [language: string, text: string, facts: string])[] = [
  ['yaml', 'services: {a: {image: x}}\nother: 1\n', '+ key services | + key other'],
  ['yaml', 'services: {a: {image: x}}\nx-other: 1\n', '+ object services.a | + key x-other'],
  ['yaml', 'services: {a: {what: x}}\n', '+ key services'],
  [
    'yaml',
    'services: {a: {build: .}, b: {extends: a, networks: [default, n], links: ["a:x"], network_mode: "service:a", volumes: ["v:/d", "./h:/d"]}}\nvolumes: {v: }\nnetworks: {n: }\n',
    '+ object services.a | + object services.b | + object volumes.v | + object networks.n | import . []',
  ],
  ['yaml', 'on: push\njobs: {a: {steps: []}, b: {needs: a}}\n', '+ key on | + function jobs.a | + function jobs.b'],
  ['yaml', 'jobs: {a: {steps: []}}\n', '+ key jobs'],
  ['yaml', '"on": push\njobs: {a: {needs: [b]}, b: {steps: []}}\n', '+ key on | + function jobs.a | + function jobs.b'],
  ['yaml', 'inputs: {i: {default: 1}}\nruns: {using: node20, main: a.js}\n', '+ property inputs.i | + key runs'],
  ['yaml', 'inputs: {i: {default: 1}}\nruns: {main: a.js}\n', '+ key inputs | + key runs'],
  [
    'yaml',
    'openapi: 3.0.0\npaths: {/carts: {get: {operationId: list}, what: {}}}\n',
    '+ key openapi | + function GET /carts | + constant list',
  ],
  ['yaml', 'openapi: 3.0.0\n', '+ key openapi'],
  ['yaml', 'components: {schemas: {Cart: {type: object}}}\n', '+ type schemas.Cart'],
  ['yaml', 'components: {headers: {H: {}}}\n', '+ object headers.H'],
  ['yaml', 'components: {other: {H: {}}}\n', '+ key components'],
  ['yaml', 'a:\n  script: [make]\nb:\n  extends: a\n  script: [x]\n', '+ function jobs.a | + function jobs.b'],
  ['yaml', 'a:\n  script: [make]\nb: {other: 1}\n', '+ key a | + key b'],
  ['yaml', 'a:\n  script: make\n.c: {other: 1}\n', '+ function jobs.a | + function jobs..c'],
  ['yaml', 'a:\n  trigger: x\n', '+ key a'],
  ['yaml', 'stages: [x]\na:\n  trigger: x\nvariables: {v: 1}\n', '+ key stages | + function jobs.a | + key variables'],
  ['yaml', 'jobs: {}\na:\n  script: x\n', '+ key jobs | + key a'],
  ['yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n', '+ object Pod.p'],
  ['yaml', 'apiVersion: v1\nmetadata: {name: p}\n', '+ key apiVersion | + key metadata'],
  ['yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {generateName: p-}\n', '+ object Pod.p-'],
  ['yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {}\n', '+ key apiVersion | + key kind | + key metadata'],
  ['yaml', 'kind: Kustomization\nconfigMapGenerator: [{name: c}]\n', '+ object Kustomization | + object ConfigMap.c'],
  [
    'yaml',
    'resources: [a.yaml]\nconfigMapGenerator: [{name: c}]\n',
    '+ object Kustomization | + object ConfigMap.c | import ./a.yaml []',
  ],
  [
    'yaml',
    'resources: [a.yaml]\nconfigMapGenerator: [{name: c}]\nother: 1\n',
    '+ key resources | + key configMapGenerator | + key other',
  ],
  ['yaml', 'kind: Component\nsecretGenerator: [{name: s}]\n', '+ object Kustomization | + object Secret.s'],
  ['yaml', 'kind: Other\nsecretGenerator: [{name: s}]\n', '+ key kind | + key secretGenerator'],
  ['yaml', '- name: Install\n  apt: {name: x}\n', '+ function tasks.Install'],
  ['yaml', '- name: Use\n  apt: x\n  uses: x\n', ''],
  [
    'yaml',
    '- hosts: all\n  name: Play\n  tasks: [{name: T, debug: {msg: x}}]\n',
    '+ function plays.Play | + function tasks.T',
  ],
  [
    'json',
    '{"name": "shop", "main": "dist/cart.js", "scripts": {"a": "node ./run.js && tsx --x b.ts"}}',
    '+ key name | + key main | + key scripts | import |./dist/cart.js [] | import |./src/cart.ts [] | import |./src/cart.tsx [] | import |./run.js [] | import |./b.ts []',
  ],
  ['json', '{"main": "dist/cart.js"}', '+ key main'],
  [
    'json',
    '{"private": true, "bin": {"a": "./cli.js", "b": "../x.js"}, "exports": {".": {"import": "./i.mjs"}}}',
    '+ key private | + key bin | + key exports | import |./cli.js [] | import |./i.mjs []',
  ],
  ['json', '{"$defs": {"Cart": {"type": "object"}}, "$ref": "#/$defs/Cart"}', '+ object schema | + type $defs.Cart'],
  [
    'json',
    '{"definitions": {"Cart": {"type": "object"}}, "properties": {"a": {"$ref": "#/definitions/Cart"}}}',
    '+ object schema | + type definitions.Cart',
  ],
  ['json', '{"title": "Cart", "properties": {"a": {"$ref": "#/x"}}}', '+ object Cart'],
  ['json', '{"apiVersion": "v1", "properties": {"a": {"$ref": "#/x"}}}', '+ key apiVersion | + key properties'],
  ['yaml', 'get: {operationId: read, responses: {200: {$ref: a.yaml}}}\n', '+ function GET | import ./a.yaml []'],
  ['yaml', 'Cart: {type: object}\nItem: {properties: {cart: {$ref: "#/Cart"}}}\n', '+ type Cart | + type Item'],
  ['yaml', 'Cart: {type: object}\nItem: 7\nref: {$ref: "#/Cart"}\n', '+ key Cart | + key Item | + key ref'],
];

test('a document is of a format where all is there that makes it one', () => {
  for (const [language, text, facts] of DOCUMENTS) {
    const { imports, references } = relationLines(text, language);
    assert.equal([...symbolLines(factsOf(text, language)), ...imports, ...references].join(' | '), facts, text);
  }
});
