/** Formats of infrastructure: their parts are definitions, and what names these is linked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, symbolLines } from '../../extract/helpers.js';
import { edgeLines, graphOf } from '../../graph/link/project.js';

/** Edges that lead to a definition or a file. */
const linksOf = (files: Record<string, string>): string[] =>
  edgeLines(graphOf(files)).filter((line) => !/ \?\S+ \(/.test(line));

test('cloudformation: tags and functions lead to resources, parameters, conditions and mappings', () => {
  const files = {
    'a.yaml': `Parameters: {Size: {Type: String}}
Conditions:
  IsLive: !Equals [!Ref Size, big]
Mappings: {Zones: {a: {b: c}}}
Resources:
  Table: {Type: 'AWS::DynamoDB::Table'}
  Cart:
    Type: AWS::Serverless::Function
    DependsOn: [Table]
    Condition: IsLive
    Properties:
      Name: !GetAtt Table.Arn
      Zone: !FindInMap [Zones, a, b]
      Size: !If [IsLive, !Ref Size, !Ref AWS::NoValue]
      Text: !Sub
        - "x-\${Size}-\${AWS::Region}-\${Own}"
        - {Own: 1}
      Policy:
        Fn::Sub: "arn:\${Table.Arn}"
Outputs:
  Name: {Value: !Ref Cart}
`,
    'b.json':
      '{"Resources": {"Q": {"Type": "AWS::SQS::Queue"}, "F": {"Type": "AWS::Lambda::Function", "DependsOn": "Q", "Properties": {"A": {"Ref": "Q"}, "B": {"Fn::GetAtt": ["Q", "Arn"]}}}}}',
  };
  assert.deepEqual(symbolLines(factsOf(files['a.yaml'], 'yaml')), [
    '+ variable Parameters.Size',
    '+ object Conditions.IsLive',
    '+ object Mappings.Zones',
    '+ object Resources.Table',
    '+ object Resources.Cart',
    '+ property Outputs.Name',
  ]);
  assert.deepEqual(linksOf(files), [
    'a.yaml:Conditions.IsLive read a.yaml:Parameters.Size (same-file)',
    'a.yaml:Resources.Cart read a.yaml:Resources.Table (same-file)',
    'a.yaml:Resources.Cart read a.yaml:Conditions.IsLive (same-file)',
    'a.yaml:Resources.Cart read a.yaml:Resources.Table (same-file)',
    'a.yaml:Resources.Cart read a.yaml:Mappings.Zones (same-file)',
    'a.yaml:Resources.Cart read a.yaml:Conditions.IsLive (same-file)',
    'a.yaml:Resources.Cart read a.yaml:Parameters.Size (same-file)',
    'a.yaml:Resources.Cart read a.yaml:Parameters.Size (same-file)',
    'a.yaml:Resources.Cart read a.yaml:Resources.Table (same-file)',
    'a.yaml:Outputs.Name read a.yaml:Resources.Cart (same-file)',
    'b.json:Resources.F read b.json:Resources.Q (same-file)',
  ]);
});

test('gitlab: tags, anchors and jobs of included files', () => {
  const files = {
    '.gitlab-ci.yml': `include:
  - local: /ci/base.yml
stages: [test]
.rules: &rules
  only: [main]
.plain:
  script: [x]
check:
  extends: .shared
  stage: test
  <<: *rules
  script: !reference [.plain, script]
lint:
  stage: test
  script:
    - !reference [.plain, script]
`,
    'ci/base.yml': '.shared:\n  script: [a]\nother: {script: [b]}\n',
  };
  assert.deepEqual(linksOf(files), [
    '.gitlab-ci.yml import ci/base.yml (path)',
    '.gitlab-ci.yml:jobs.check value ci/base.yml:jobs..shared (imported)',
    '.gitlab-ci.yml:jobs.check value .gitlab-ci.yml:jobs..rules (same-file)',
    '.gitlab-ci.yml:jobs.check value .gitlab-ci.yml:jobs..plain (same-file)',
    '.gitlab-ci.yml:jobs.lint value .gitlab-ci.yml:jobs..plain (same-file)',
  ]);
});

test('kubernetes: a selector likely means the pods whose labels it asks for', () => {
  const deployment = (name: string) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec:\n  selector:\n    matchLabels: {app: ${name}}\n  template:\n    metadata:\n      labels:\n        app: ${name}\n        app.kubernetes.io/part-of: shop\n`;
  const files = {
    'cart.yaml': deployment('cart'),
    'till.yaml': deployment('till'),
    'service.yaml':
      'apiVersion: v1\nkind: Service\nmetadata: {name: cart}\nspec:\n  selector:\n    app: cart\n    app.kubernetes.io/part-of: shop\n',
  };
  assert.deepEqual(linksOf(files), ['service.yaml:Service.cart read cart.yaml:labels.app:cart (likely)']);
});

test('kustomize: targets of patches and replacements, and files of environment variables', () => {
  const files = {
    'kustomization.yaml':
      'resources: [cart.yaml]\npatches:\n  - path: patch.yaml\n    target: {kind: Deployment, name: cart}\nreplacements:\n  - source: {kind: Deployment, name: cart}\n    targets:\n      - select: {kind: Deployment, name: cart}\nconfigMapGenerator:\n  - name: rates\n    envs: [rates.env]\n',
    'cart.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart}\n',
    'patch.yaml': '- op: remove\n',
    'rates.env': 'A=1\n',
  };
  assert.deepEqual(linksOf(files), [
    'kustomization.yaml import cart.yaml (path)',
    'kustomization.yaml import patch.yaml (path)',
    'kustomization.yaml import rates.env (path)',
    'kustomization.yaml:Kustomization read cart.yaml:Deployment.cart (package)',
    'kustomization.yaml:Kustomization read cart.yaml:Deployment.cart (package)',
    'kustomization.yaml:Kustomization read cart.yaml:Deployment.cart (package)',
  ]);
});

test('helm: templates by their names, and values of the chart', () => {
  const files = {
    'chart/values.yaml': 'replicas: 2\nimage:\n  tag: x\n',
    'other/values.yaml': 'replicas: 3\n',
    'chart/templates/_helpers.tpl':
      '{{/* Name. */}}\n{{- define "shop.name" -}}\n{{ .Values.image.tag }}\n{{- end }}\n{{- define "shop.labels" }}\nname: {{ include "shop.name" . }}\n{{- end }}\n',
    'chart/templates/deep/cart.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: cart\n  labels:\n    {{- include "shop.labels" . | nindent 4 }}\nspec:\n  replicas: {{ .Values.replicas }}\n  x: {{ .Values.absent }}\n',
  };
  assert.deepEqual(symbolLines(factsOf(files['chart/templates/_helpers.tpl'], 'templ')), [
    '+ function shop.name',
    '+ function shop.labels',
  ]);
  assert.deepEqual(linksOf(files), [
    'chart/templates/_helpers.tpl import chart/values.yaml (path)',
    'chart/templates/_helpers.tpl:shop.name read chart/values.yaml:image (imported)',
    'chart/templates/_helpers.tpl:shop.labels call chart/templates/_helpers.tpl:shop.name (same-file)',
    'chart/templates/deep/cart.yaml import chart/values.yaml (path)',
    'chart/templates/deep/cart.yaml:Deployment.cart call chart/templates/_helpers.tpl:shop.labels (unique)',
    'chart/templates/deep/cart.yaml:Deployment.cart read chart/values.yaml:replicas (imported)',
  ]);
});

test('ansible: plays, tasks, handlers, roles, files and variables of a role', () => {
  const files = {
    'site.yml':
      '- hosts: all\n  vars_files: [vars/all.yml]\n  roles: [web, {role: db}]\n  tasks:\n    - name: Say\n      debug: {msg: x}\n      notify: tell\n  handlers:\n    - name: tell\n      command: x\n- import_playbook: other.yml\n',
    'other.yml': '- name: Other\n  hosts: all\n  tasks: []\n',
    'vars/all.yml': 'a: 1\n',
    'roles/web/tasks/main.yml':
      '- name: Install\n  ansible.builtin.template:\n    src: web.conf.j2\n    dest: "/x/{{ web_port }}"\n  notify:\n    - restart web\n- include_tasks: more.yml\n  when: web_on\n- include_role:\n    name: db\n',
    'roles/web/tasks/more.yml': '- name: More\n  command: "x {{ item }} {{ web_port }}"\n',
    'roles/web/handlers/main.yml': '- name: restart web\n  service: {name: web}\n',
    'roles/web/defaults/main.yml': 'web_port: 80\nweb_on: true\n',
    'roles/web/vars/main.yml': 'web_port: 81\n',
    'roles/web/templates/web.conf.j2': 'x\n',
    'roles/db/tasks/main.yml': '- name: Make\n  command: x\n',
    'roles/db/meta/main.yml': 'galaxy_info: {author: x}\ndependencies:\n  - role: web\n',
  };
  assert.deepEqual(linksOf(files), [
    'roles/db/meta/main.yml import roles/web/tasks/main.yml (path)',
    'roles/web/tasks/main.yml import roles/web/templates/web.conf.j2 (path)',
    'roles/web/tasks/main.yml import roles/web/vars/main.yml (path)',
    'roles/web/tasks/main.yml import roles/web/defaults/main.yml (path)',
    'roles/web/tasks/main.yml import roles/web/handlers/main.yml (path)',
    'roles/web/tasks/main.yml import roles/web/tasks/more.yml (path)',
    'roles/web/tasks/main.yml import roles/db/tasks/main.yml (path)',
    'roles/web/tasks/main.yml read roles/web/defaults/main.yml:web_on (imported)',
    'roles/web/tasks/main.yml:tasks.Install read roles/web/vars/main.yml:web_port (imported)',
    'roles/web/tasks/main.yml:tasks.Install value roles/web/handlers/main.yml:tasks.restart web (imported)',
    'roles/web/tasks/more.yml import roles/web/vars/main.yml (path)',
    'roles/web/tasks/more.yml import roles/web/defaults/main.yml (path)',
    'roles/web/tasks/more.yml:tasks.More read roles/web/vars/main.yml:web_port (imported)',
    'site.yml import vars/all.yml (path)',
    'site.yml import roles/web/tasks/main.yml (path)',
    'site.yml import roles/db/tasks/main.yml (path)',
    'site.yml import other.yml (path)',
    'site.yml:tasks.Say value site.yml:tasks.tell (same-file)',
  ]);
});
