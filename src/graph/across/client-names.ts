/** How clients of HTTP are called (data): by their receivers, by the names of their calls, and where the path stands. */

/** Places of the method and the path in a call: numbers of arguments; `options`: in an object. */
export interface ClientRule {
  method: string | { argument: number } | 'options';
  /** Place of the argument with the path. */
  path: number;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/** `axios.get`, `client.Get`, `http.GET`; `getForObject` of Spring, `GetAsync` of .NET. */
const ENDINGS = [
  '',
  'ForObject',
  'ForEntity',
  'Async',
  'StringAsync',
  'StreamAsync',
  'FromJsonAsync',
  'AsJsonAsync',
  'JSON',
  'Json',
];

/** Calls on a receiver that is a client. */
export const CLIENT_CALLS: ReadonlyMap<string, ClientRule> = new Map<string, ClientRule>([
  ...METHODS.flatMap((method) =>
    [method, method[0].toUpperCase() + method.slice(1), method.toUpperCase()].flatMap((name) =>
      ENDINGS.map((ending): [string, ClientRule] => [name + ending, { method: method.toUpperCase(), path: 0 }]),
    ),
  ),
  ['del', { method: 'DELETE', path: 0 }],
  ['postForLocation', { method: 'POST', path: 0 }],
  ['PostForm', { method: 'POST', path: 0 }],
  ['exchange', { method: { argument: 1 }, path: 0 }],
  ['request', { method: { argument: 0 }, path: 1 }],
  ['Request', { method: { argument: 0 }, path: 1 }],
  ['stream', { method: { argument: 0 }, path: 1 }],
  ['uri', { method: 'ANY', path: 0 }],
  ['ajax', { method: 'options', path: 0 }],
  ['fetch', { method: 'options', path: 0 }],
]);

/** Calls that only clients make, whatever they are called on. */
export const CLIENT_ONLY: ReadonlyMap<string, ClientRule> = new Map<string, ClientRule>([
  ['fetch', { method: 'options', path: 0 }],
  ['$fetch', { method: 'options', path: 0 }],
  ['useFetch', { method: 'options', path: 0 }],
  ['axios', { method: 'options', path: 0 }],
  ['ky', { method: 'options', path: 0 }],
  ['got', { method: 'options', path: 0 }],
  ['urlopen', { method: 'ANY', path: 0 }],
  ['NewRequest', { method: { argument: 0 }, path: 1 }],
  ['NewRequestWithContext', { method: { argument: 1 }, path: 2 }],
]);

/** Last name of a receiver that sends requests: `this.httpClient`, `axios`, `restTemplate`, `conn`. */
export const CLIENT_RECEIVER =
  /^(?:axios(?:Instance)?|\$?http|https|(?:\w*(?:http|api|rest|web)_?)?client|\w*http_?client|fetch(?:er)?|ky|got|superagent|request|requests|httpx|session|api|\w*api|\w*rest_?template|conn|connection|faraday|rest_?client|httparty|typhoeus|reqwest|ureq|guzzle|\$|jquery|instance|agent)$/i;
