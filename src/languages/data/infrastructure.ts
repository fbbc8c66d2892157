/**
 * Formats of infrastructure: GitLab's pipelines, manifests of npm, Kubernetes, Kustomize, CloudFormation with SAM, playbooks and roles of Ansible,
 * services of Symfony in YAML and XML, and templates of Helm. Places, names and paths are written as `Format` (formats.ts) says.
 */
import { words } from '../language.js';
import type { StatedName } from '../roles/definitions.js';
import { keyName } from '../roles/relation-facts.js';
import type { FactSink, FormatFacts, StatedDefinition, SyntaxNode } from '../roles/relations.js';
import type { Format, Mapping, Pair, Scalar } from './formats.js';

/** References from several places with one beginning: `ends` are the rests of the places, between blanks. */
export function places(
  start: string,
  ends: string,
  name: string,
  part?: RegExp,
): (readonly [string, string, RegExp?])[] {
  return words(ends).map((end) => [start + end, name, part] as const);
}

interface Place {
  segments: readonly string[];
  isTail: boolean;
}

/** Places by their text: each is asked for at every key of a document. */
const placesByText = new Map<string, Place>();

export function placeOf(written: string): Place {
  let place = placesByText.get(written);
  if (place === undefined) {
    const isTail = written.startsWith('**/');
    place = { segments: (isTail ? written.slice(3) : written).split('/'), isTail };
    placesByText.set(written, place);
  }
  return place;
}

/** Does a path of keys fit a place? */
export function isAt(path: readonly string[], written: string): boolean {
  const { segments, isTail } = placeOf(written);
  const skipped = path.length - segments.length;
  if (skipped < 0 || (skipped > 0 && !isTail)) return false;
  for (let i = segments.length - 1; i >= 0; i--) {
    const [wanted, found] = [segments[i], path[skipped + i]];
    if (wanted === '*' ? found === '[]' || found === '{}' : wanted !== found) return false;
  }
  return true;
}

/** Imports from several places with one beginning, as in `places`. */
export function files(start: string, ends: string, part: RegExp): (readonly [string, RegExp])[] {
  return words(ends).map((end) => [start + end, part] as const);
}

/** Words of GitLab at the top that are no jobs, and those that a job can have. */
const PIPELINE = /^(?:default|variables|include|stages|workflow|image|services|cache|before_script|after_script|spec)$/;
const JOB = /^(?:script|extends|trigger|stage|rules|only|needs|run)$/;

/** Is a key at the top a setting of the whole pipeline, and no job? */
export const isSetting = (key: string): boolean => PIPELINE.test(key);

const GITLAB: Format = {
  mark: /^[ \t]+(?:script|trigger)[ \t]*:/m,
  fits: (top) => {
    const jobs = top.keys.filter((key) => !PIPELINE.test(key) && top.at(key).length > 0);
    const has = (job: string, words: RegExp) => top.at(job).some(({ key }) => words.test(key));
    const isPipeline = top.has('stages') || jobs.every((job) => has(job, JOB) || job.startsWith('.'));
    const shown = top.has('stages') ? /^(?:script|trigger|extends|stage)$/ : /^script$/;
    return !top.has('jobs') && isPipeline && jobs.some((job) => has(job, shown));
  },
  // Settings of the whole pipeline stay keys.
  definitions: [['*', 'function', 'jobs.*']],
  references: places('*/', 'extends extends/[] needs/[] needs/[]/job dependencies/[]', 'jobs.*'),
  tags: { '!reference': ['jobs.*'] },
  includes: true,
  hasAnchors: true,
  imports: [
    ...files('', 'include include/[] include/local include/[]/local', /^(\/?[^\s:{}$*]+\.ya?ml)$/),
    ...files('*/trigger/', 'include include/[] include/local include/[]/local', /^(\/?[^\s:{}$*]+\.ya?ml)$/),
  ],
};

/** Files of code that a manifest of npm names. Those of a build stand for their sources, and may be missing. */
const CODE_FILE = /^(?:\.\/)?((?!\.)[\w@.-]+(?:\/[\w@.-]+)*)$/;
const RUN =
  /(?:^|[\s;&|(])(?:node|tsx|ts-node|nodemon|babel-node|bun)(?:\s+-{1,2}[\w:=./@-]+)*\s+(?:\.\/)?((?!-)[\w@./-]+)/g;
const BUILT = /^(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|src|lib)\/)?(.+?)(?:\.d)?\.[cm]?[jt]sx?$/;

const NPM: Format = {
  mark: /"(?:main|module|bin|exports|scripts)"[ \t]*:/,
  fits: (top) => top.has('name') || top.has('scripts') || top.has('private'),
  more: (top, refer) => {
    const use = (at: Scalar, path: string): void => {
      const source = BUILT.exec(path)?.[1];
      const candidates = source === undefined ? [path] : [path, `src/${source}.ts`, `src/${source}.tsx`];
      for (const each of candidates) refer(at, '', `|./${each}`);
    };
    const useFilesIn = (pair: Pair, depth = 0): void => {
      const scalar = top.scalar(pair);
      const path = scalar === null ? undefined : CODE_FILE.exec(scalar.text)?.[1];
      if (scalar !== null && path !== undefined) use(scalar, path);
      else if (depth < 6) for (const inner of top.inside(pair)) useFilesIn(inner, depth + 1);
    };
    for (const pair of top.pairs)
      if (/^(?:main|module|browser|bin|exports|types|typings)$/.test(pair.key)) useFilesIn(pair);
    for (const pair of top.at('scripts')) {
      const scalar = top.scalar(pair);
      for (const [, path] of scalar?.text.matchAll(RUN) ?? []) if (scalar !== null) use(scalar, path);
    }
  },
};

const KUBERNETES: Format = {
  mark: /^[ \t]*["']?apiVersion["']?[ \t]*:|"apiVersion"/m,
  fits: (top) => top.has('apiVersion') && top.has('kind') && top.text('kind') !== 'Kustomization',
  definitions: [
    ['items/[]', 'object', '{kind}.{metadata/name}'],
    ...places('spec/', 'template/metadata/labels/* jobTemplate/spec/template/metadata/labels/*', 'labels.*:=').map(
      ([place, name]) => [place, 'property', name] as const,
    ),
  ],
  more: selected,
  whole: (top) => {
    const [kind, name] = [top.text('kind'), top.text('metadata/name') || top.text('metadata/generateName')];
    return name === '' || kind === '' ? '' : `${kind}.${name}`;
  },
  hasKinds: true,
  references: [
    ...places('**/', 'configMapRef/name configMapKeyRef/name configMap/name', 'ConfigMap.*'),
    ...places('**/', 'secretRef/name secretKeyRef/name secretName secret/name', 'Secret.*'),
    ...places('**/', 'imagePullSecrets/[]/name', 'Secret.*'),
    ...places('**/', 'persistentVolumeClaim/claimName', 'PersistentVolumeClaim.*'),
    ...places('**/', 'serviceAccountName serviceAccount', 'ServiceAccount.*'),
    ...places('**/', 'spec/serviceName backend/serviceName service/name backendRefs/[]/name', 'Service.*'),
    ...places('**/', 'parentRefs/[]/name', 'Gateway.*'),
    ...places('**/', 'ingressClassName', 'IngressClass.*'),
    ...places('**/', 'storageClassName', 'StorageClass.*'),
    ...places('**/', 'priorityClassName', 'PriorityClass.*'),
    ...places('**/', 'spec/volumeName', 'PersistentVolume.*'),
  ],
};

/** Objects that choose pods by labels, and the places of these. The selector of a Deployment only repeats its own labels. */
const SELECTORS: Readonly<Record<string, string>> = {
  Service: 'spec/selector',
  PodDisruptionBudget: 'spec/selector/matchLabels',
  NetworkPolicy: 'spec/podSelector/matchLabels',
  PodMonitor: 'spec/selector/matchLabels',
};

/** A selector refers to the labels of the pods that it fits: all that it asks for must be there. */
function selected(top: Mapping, refer: (at: Scalar, name: string) => void): void {
  for (const pair of top.under(SELECTORS[top.text('kind')] ?? '')) {
    const value = top.scalar(pair);
    if (value !== null && value.text !== '') refer(value, `labels.${pair.key}:${value.text}`);
  }
}

const KUSTOMIZE_KEYS =
  /^(?:apiVersion|kind|metadata|resources|bases|components|patches\w*|images|namespace|name(?:Prefix|Suffix)|common\w+|labels|\w+Generator|generators|generatorOptions|transformers|replacements|replicas|vars|configurations|crds|helm\w+|openapi|buildMetadata|sortOptions|validators)$/;

const KUSTOMIZE: Format = {
  mark: /^[ \t]*(?:resources|bases|components|\w+Generator|patches\w*)[ \t]*:/m,
  fits: (top) =>
    top.text('kind') === 'Kustomization' ||
    ((top.text('kind') === 'Component' || !top.has('kind')) &&
      top.keys.every((key) => KUSTOMIZE_KEYS.test(key)) &&
      top.hasLists),
  definitions: [
    ['configMapGenerator/[]', 'object', 'ConfigMap.{name}'],
    ['secretGenerator/[]', 'object', 'Secret.{name}'],
  ],
  whole: () => 'Kustomization',
  // Targets of patches and replacements.
  hasKinds: true,
  imports: files(
    '',
    'replacements/[]/path configMapGenerator/[]/envs/[] secretGenerator/[]/envs/[] configMapGenerator/[]/env secretGenerator/[]/env helmCharts/[]/valuesFile resources/[] bases/[] components/[] patchesStrategicMerge/[] patches/[]/path patchesJson6902/[]/path configurations/[] crds/[] generators/[] transformers/[] configMapGenerator/[]/files/[] secretGenerator/[]/files/[]',
    /^(?:[\w.-]+=)?(?!(?:[a-z][\w+.-]*:|git@|github\.com\/))([^\s{}$=]+)$/,
  ),
};

const EITHER = 'Resources.*|Parameters.*|Conditions.*|Mappings.*';
const RESOURCE = 'Resources.*|Parameters.*';
const FIRST = /^([A-Za-z\d]+)/;

const CLOUDFORMATION: Format = {
  mark: /\b(?:AWS|Alexa|Custom)::\w+/,
  fits: (top) =>
    top.pairs.some(({ key, value }) => key === 'Resources' && /\bType["']?\s*:\s*["']?\w+::/.test(value?.text ?? '')),
  definitions: [
    ...(['Resources', 'Conditions', 'Mappings'] as const).map((key) => [`${key}/*`, 'object', `${key}.*`] as const),
    ['Parameters/*', 'variable', 'Parameters.*'],
    ['Outputs/*', 'property', 'Outputs.*'],
  ],
  tags: {
    '!Ref': [RESOURCE],
    '!GetAtt': ['Resources.*|Parameters.*', FIRST],
    '!If': ['Conditions.*|Parameters.*'],
    '!Condition': ['Conditions.*|Parameters.*'],
    '!FindInMap': ['Mappings.*|Parameters.*'],
  },
  expressions: {
    mark: '${',
    pattern: /\$(\{)([A-Za-z\d]+)[}.]/g,
    named: (_, name) => `Resources.${name}|Parameters.${name}`,
  },
  references: [
    ['**/Ref', RESOURCE],
    ['**/Fn::GetAtt/[]', RESOURCE],
    ['**/Fn::GetAtt', RESOURCE, FIRST],
    ['**/Fn::If/[]', EITHER],
    ['**/Fn::FindInMap/[]', EITHER],
    ['**/Condition', EITHER],
    ['Resources/*/DependsOn', RESOURCE],
    ['Resources/*/DependsOn/[]', RESOURCE],
  ],
  imports: [['Resources/*/Properties/TemplateURL', /^(\.{0,2}\/?[\w./-]+\.(?:ya?ml|json|template))$/]],
};

/** Keys of plays and tasks of Ansible that nothing else has. */
const PLAY = /^(?:hosts|import_playbook|ansible\.builtin\.import_playbook)$/;
const TASK =
  /^(?:ansible\.[\w.]+|(?:include|import)_(?:tasks|role|vars)|become|become_user|notify|register|when|with_\w+|set_fact|changed_when|failed_when|listen|block|apt|yum|dnf|package|pip|service|systemd|copy|file|template|command|shell|lineinfile|debug|assert|fail|get_url|user|group|stat|uri|wait_for|git|unarchive|meta|script|cron|sysctl|mount|blockinfile|replace|setup|pause|raw|fetch|slurp|add_host|group_by|firewalld|modprobe|[a-z_]+\.[a-z_]+\.[a-z_]+)$/;
const MODULE = 'ansible.builtin.';
const YAML_FILE = /^([^\s:{}$*]+\.ya?ml)$/;
const ROLE = /^(\w[\w.-]*)$/;
const FILE_NAME = /^([\w][\w./-]*)$/;
const LISTS = ['[]', '[]/tasks/[]', '[]/handlers/[]', '[]/pre_tasks/[]', '[]/post_tasks/[]'];
const TASKS = [...LISTS, ...LISTS.flatMap((place) => ['block', 'rescue', 'always'].map((key) => `${place}/${key}/[]`))];

/** `**` and a key, alone and with the name of its collection. */
const atAny = (ends: string): string[] => ends.split(' ').flatMap((end) => [`**/${end}`, `**/${MODULE}${end}`]);

/** Definitions of tasks: by the name of each, and by what it listens to. */
const tasksAt = (places: readonly string[]): NonNullable<Format['definitions']> =>
  places.flatMap((place) => [
    [place, 'function', 'tasks.{name}'] as const,
    [`${place}/listen`, 'constant', 'tasks.='] as const,
  ]);

const TASK_FILE: Format = {
  mark: /^[ \t]*-[ \t]+["']?[a-z]/m,
  isList: true,
  fits: ({ keys }) => keys.some((key) => TASK.test(key)) && !keys.includes('uses'),
  definitions: tasksAt(TASKS),
  references: places('**/', 'notify notify/[]', '|handlers/main.yml#tasks.*'),
  imports: [
    ...atAny(
      'include_tasks import_tasks include_tasks/file import_tasks/file import_playbook include include_vars',
    ).map((place) => [place, YAML_FILE] as const),
    ['[]/vars_files/[]', YAML_FILE],
    ...['[]/roles/[]', '[]/roles/[]/role', '[]/roles/[]/name', ...atAny('include_role/name import_role/name')].map(
      (place) => [place, ROLE, '|roles/*/tasks/main.yml'] as const,
    ),
    ...atAny('template/src').map((place) => [place, FILE_NAME, '|templates/*'] as const),
    ...atAny('copy/src').map((place) => [place, FILE_NAME, '|files/*'] as const),
  ],
  more: (top, refer) => variables(top.node, refer),
};

const PLAYBOOK: Format = {
  ...TASK_FILE,
  fits: ({ keys }) => keys.some((key) => PLAY.test(key)),
  definitions: [['[]', 'function', 'plays.{name}'], ...tasksAt(TASKS.filter((place) => place !== '[]'))],
};

/** Names in `{{ … }}` that Ansible itself gives. */
const GIVEN =
  /^(?:item|ansible_\w+|inventory_\w+|hostvars|groups|group_names|play_hosts|lookup|query|q|not|true|false|none|loop|range|dict|omit|vars|role_\w+|playbook_dir|if|else|for|in|is|and|or)$/;
const VARIABLE = /\{\{[-\s]*\(?\s*([A-Za-z_]\w{0,60})/g;
const WHEN = /^[ \t-]*(?:when|until|changed_when|failed_when|loop)[ \t]*:[ \t]*(?:not[ \t]+)?([A-Za-z_]\w{2,60})\b/gm;

/** Variables are keys of the files of variables of the role around: defaults, or variables that override them. */
function variables(
  node: SyntaxNode,
  refer: (at: { text: string; start: number; end: number }, name: string, file: string) => void,
): void {
  for (const pattern of [VARIABLE, WHEN]) {
    for (const { 0: whole, 1: name, index } of node.text.matchAll(pattern)) {
      if (GIVEN.test(name)) continue;
      const end = node.start + index + whole.length;
      const at = { text: name, start: end - name.length, end };
      for (const file of ['|vars/main.yml', '|defaults/main.yml']) refer(at, name, file);
    }
  }
}

/** Roles on which another one depends: `meta/main.yml`. */
const ROLE_META: Format = {
  mark: /^(?:galaxy_info|dependencies)[ \t]*:/m,
  fits: (top) => top.has('galaxy_info') && top.has('dependencies'),
  whole: () => 'role',
  imports: places('dependencies/[]', ' /role /name', '|roles/*/tasks/main.yml', ROLE).map(
    ([place, path]) => [place, ROLE, path] as const,
  ),
};

/** Services of Symfony. `@app.till` and `@App\\Till` mean one of them, and a class stands in a file of its name below `src`. */
export const CLASS = '|class';
const CLASS_NAME = /^@?(?:=|\?)?\\?((?:[A-Z]\w*\\+)+[A-Z]\w*)(?:::\w+)?$/;
const SERVICE = /^@(?:[=?]?)([\w.:-]+)$/;
const SYMFONY: Format = {
  mark: /^[ \t]*services[ \t]*:/m,
  fits: (top) =>
    top.keys.every((key) => /^(?:services|parameters|imports|_defaults|when@\w+|[a-z]\w+)$/.test(key)) &&
    top
      .at('services')
      .some(
        ({ key }) =>
          key === '_defaults' ||
          CLASS_NAME.test(key) ||
          ['class', 'autowire'].some((word) => top.text(`services/${key}/${word}`) !== ''),
      ),
  definitions: [
    ['services/*', 'object', 'services.*'],
    ['parameters/*', 'key', 'parameters.*'],
  ],
  references: [
    ...places('services/*/arguments/', '[] *', 'parameters.*', /^%([\w.-]+)%$/),
    ...places('services/', '{} * */class */alias */parent */decorates */arguments/[] */arguments/*', CLASS, CLASS_NAME),
    ...places('services/*/', 'factory/[] configurator/[] calls/[]/[]/[] calls/[]/*/[] bind/*', CLASS, CLASS_NAME),
    ...places('services/', '* */alias */parent */decorates */arguments/[] */arguments/*', 'services.*', SERVICE),
    ...places('services/*/', 'factory/[] configurator/[] calls/[]/[]/[] calls/[]/*/[] bind/*', 'services.*', SERVICE),
  ],
};

/** The first format that a document fits counts: a playbook has tasks, too, so it stands before them. */
export const INFRASTRUCTURE: readonly Format[] = [
  SYMFONY,
  GITLAB,
  NPM,
  KUBERNETES,
  KUSTOMIZE,
  CLOUDFORMATION,
  PLAYBOOK,
  TASK_FILE,
  ROLE_META,
];

// Helm

const HELM = /\{\{-?[ \t]*define[ \t]+"|\b(?:include|template)[ \t]+"|\.Values\.[A-Za-z_]/;
const DEFINED = /\{\{-?[ \t]*define[ \t]+"([^"\n]{1,150})"/g;
const USED = /\b(?:include|template)[ \t]+"([^"\n]{1,150})"|\.Values\.([A-Za-z_]\w{0,80})/g;

/** Templates that a text of Helm defines, and what it uses: templates by their names, and keys of the chart's values. Null for other text. */
export function helmFacts(source: string): FormatFacts | null {
  if (!HELM.test(source)) return null;
  const definitions = [...source.matchAll(DEFINED)].map(({ 0: whole, 1: name, index }): StatedDefinition => {
    const nameStart = index + whole.length - name.length - 1;
    return { name, kind: 'function', start: index, end: endOfBlock(source, index), nameStart };
  });
  return {
    definitions,
    state: (sink) => {
      const keys = new Map<string, number>();
      for (const { 0: whole, 1: template, 2: key, index } of source.matchAll(USED)) {
        const end = index + whole.length;
        if (template !== undefined) sink.reference(end - template.length - 1, end - 1, 'call', template);
        else {
          if (!keys.has(key)) keys.set(key, index);
          sink.reference(end - key.length, end, 'read', `|#${key}`);
        }
      }
      if (keys.size === 0) return;
      const names = Array.from(keys.keys(), (name) => ({ name, alias: `|#${name}` }));
      for (const file of ['|values.yaml', '|values.yml']) sink.import(0, 0, 'import', file, names);
    },
  };
}

const BLOCK = /\{\{-?\s*(?:(if|with|range|define|block)|(end))\b/g;

/** Offset behind the `{{ end }}` of the block that begins at `at`; the end of its line without one. */
function endOfBlock(source: string, at: number): number {
  BLOCK.lastIndex = at;
  let depth = 0;
  for (let match = BLOCK.exec(source); match !== null; match = BLOCK.exec(source)) {
    depth += match[2] === undefined ? 1 : -1;
    if (depth > 0) continue;
    const close = source.indexOf('}}', match.index);
    return close === -1 ? source.length : close + 2;
  }
  const line = source.indexOf('\n', at);
  return line === -1 ? source.length : line;
}

export const readHelm = (_: SyntaxNode, source: string): FormatFacts | null => helmFacts(source);

// Services of Symfony in XML

const XML_TAG =
  /<(\/?)(service|argument|factory|configurator|call|property|parameter|tag|bind)\b([^<>]{0,2000})>([^<>]{0,300})/g;
const ATTRIBUTE = /([\w-]{1,40})\s*=\s*(["'])([^"'<>]{0,300})\2/g;
const XML_CLASS = /^\s*\\?((?:[A-Z]\w*\\)+[A-Z]\w*)(?:::\w+)?\s*$/;
const PARAMETER = /^\s*%([\w.-]{1,200})%\s*$/;
/** Attributes that name a service, whatever the tag. */
const NAMING = words('parent decorates service');

interface XmlService extends StatedDefinition {
  /** Its class with its namespace, '' if it is not stated. */
  type: string;
}

/** Services of Symfony in XML, their parameters, and the classes, methods and other services that they name. */
class XmlServices implements FormatFacts {
  readonly definitions: StatedDefinition[] = [];
  readonly names: StatedName[] = [];
  private readonly uses: { at: Scalar; name: string }[] = [];
  private readonly classes = new Map<string, { at: Scalar; keys: string[] }>();
  /** Classes by the parameter that holds their names. */
  private readonly held = new Map<string, string>();
  private readonly open: XmlService[] = [];
  /** Classes of services by their ids, and methods of services that make others. */
  private readonly types = new Map<string, string>();
  private readonly made: { method: Scalar; id: string }[] = [];

  constructor(source: string) {
    for (const match of source.matchAll(XML_TAG)) {
      const [whole, closes, tag, head, text] = match;
      const textAt = match.index + whole.length - text.length;
      if (closes !== '') {
        const closed = tag === 'service' ? this.open.pop() : undefined;
        if (closed !== undefined) closed.end = textAt;
        continue;
      }
      const given = attributes(head, match.index + 1 + tag.length);
      const scalar = { text, start: textAt, end: textAt + text.length };
      if (tag === 'service') this.service(given, match.index, textAt, head.endsWith('/'));
      else if (tag === 'parameter' && given.key !== undefined) this.parameter(given.key, scalar, match.index);
      else this.part(tag, given, scalar);
    }
    // A service may stand behind those that it makes.
    for (const { method, id } of this.made) {
      const type = this.types.get(id) ?? '';
      if (type !== '') this.use(method, type, `.${method.text}`);
    }
  }

  state(sink: FactSink): void {
    for (const [type, { at, keys }] of this.classes) {
      const name = type.slice(type.lastIndexOf('\\') + 1);
      // For each key the class is imported once more, under a name with `#`, which all scopes mean; the key gives an instance of it.
      const services = keys.map((key) => ({ name, alias: keyName(key).replace('|', '#') }));
      sink.import(at.start, at.end, 'import', `\\${type}`, [{ name, alias: aliasOfClass(type) }, ...services]);
      for (const { alias } of services) sink.alias(at.start, alias.replace('#', '|'), '', `new ${alias}()`);
    }
    for (const { at, name } of this.uses) sink.reference(at.start, at.end, 'read', name);
  }

  private service(given: Attributes, start: number, headEnd: number, isWhole: boolean): void {
    const { id, alias } = given;
    const stated = given.class ?? (alias === undefined ? id : alias);
    const type = stated === undefined ? '' : this.classIn(stated.text);
    const service = { name: '', kind: 'object' as const, start, end: headEnd, nameStart: id?.start ?? start, type };
    if (id !== undefined) {
      service.name = `services.${id.text}`;
      this.definitions.push(service);
    }
    if (id !== undefined && type !== '') this.types.set(id.text, type);
    // A use at the name of a definition does not count, so that of a class in an id begins one character behind it.
    if (id !== undefined && stated === id) this.useClass({ ...id, start: id.start + 1 });
    else this.refer(stated);
    for (const name of NAMING) this.refer(given[name]);
    if (id !== undefined && type !== '' && !id.text.includes('\\')) {
      this.names.push({ name: keyName(id.text), at: id.start });
      this.classes.get(type)?.keys.push(id.text);
    }
    if (!isWhole) this.open.push(service);
  }

  private parameter(key: Scalar, value: Scalar, start: number): void {
    const definition = {
      name: `parameters.${key.text}`,
      kind: 'key' as const,
      start,
      end: value.end,
      nameStart: key.start,
    };
    this.definitions.push(definition);
    const type = this.classIn(value.text);
    if (type === '') return;
    this.held.set(key.text, type);
    this.use(value, type);
  }

  /** Arguments, factories, calls and tags of a service. */
  private part(tag: string, given: Attributes, text: Scalar): void {
    const { type, id, method } = given;
    const isUse = tag === 'call' || tag === 'tag';
    const owner = isUse ? (this.open.at(-1)?.type ?? '') : this.classIn(given.class?.text ?? '');
    if (/^service/.test(type?.text ?? 'service')) this.refer(id);
    for (const name of ['class', 'service']) this.refer(given[name]);
    if (method !== undefined) {
      if (owner !== '') this.use(method, owner, `.${method.text}`);
      else if (given.service !== undefined) this.made.push({ method, id: given.service.text });
    }
    if (isUse) return;
    const parameter = PARAMETER.exec(text.text)?.[1];
    if (parameter !== undefined) this.uses.push({ at: text, name: `parameters.${parameter}` });
    else if (/^(?:constant|string)$/.test(type?.text ?? 'string')) this.useClass(text);
  }

  /** The class that a text names, itself or through a parameter; '' for another text. */
  private classIn(text: string): string {
    return XML_CLASS.exec(text)?.[1] ?? this.held.get(PARAMETER.exec(text)?.[1] ?? '') ?? '';
  }

  /** Uses the class that a text names, or else the service of that id. */
  private refer(at: Scalar | undefined): void {
    if (at === undefined || this.useClass(at)) return;
    if (/^\w[\w.-]*$/.test(at.text)) this.uses.push({ at, name: `services.${at.text}` });
  }

  /** Uses the class that a text names; false if it names none. */
  private useClass(at: Scalar): boolean {
    const type = at.text === '' ? '' : this.classIn(at.text);
    if (type !== '') this.use(at, type);
    return type !== '';
  }

  private use(at: Scalar, type: string, member = ''): void {
    if (!this.classes.has(type)) this.classes.set(type, { at, keys: [] });
    this.uses.push({ at, name: aliasOfClass(type) + member });
  }
}

const aliasOfClass = (type: string): string => `\\${type}#${type.slice(type.lastIndexOf('\\') + 1)}`;

type Attributes = Readonly<Record<string, Scalar | undefined>>;

function attributes(head: string, from: number): Attributes {
  const found: Record<string, Scalar> = Object.create(null);
  for (const { 0: whole, 1: name, 3: text, index } of head.matchAll(ATTRIBUTE)) {
    const end = from + index + whole.length - 1;
    found[name] ??= { text, start: end - text.length, end };
  }
  return found;
}

export function readServices(_: SyntaxNode, source: string): FormatFacts | null {
  if (!source.includes('symfony.com/schema/dic/services')) return null;
  const found = new XmlServices(source);
  return found.definitions.length === 0 ? null : found;
}
