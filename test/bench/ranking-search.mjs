// Answers of the built program to judged queries: its own modes, and vectors without any ranking.
import { CUT, inRoot } from './ranking-judged.mjs';

const dist = new URL('../../dist/', import.meta.url);
const load = (path) => import(new URL(path, dist));
const { builtinModel } = await load('embed/builtin/index.js');
const { Searcher } = await load('session/search/searcher.js');
const { keepMessages } = await load('session/search/external-text.js');
const { Session } = await load('session/session.js');
const { Corpora } = await load('session/snapshot/corpora.js');
const { openTarget } = await load('session/snapshot/target.js');
const { isProvider, openVectors } = await load('session/vectors/vectors.js');
const { scoreCorrected } = await load('search/lexical.js');
const { staticQuery } = await load('search/dense.js');
const { pathTerms } = await load('search/corpus.js');
const { parseQuery } = await load('search/query.js');
const { Vocabulary } = await load('search/lexical.js');
const { DENSE } = await load('search/weights.js');
const { locate } = await load('shard/live-set.js');

/** Other vectors are other figures. */
export const model = () => builtinModel().version;

/** Results outside the judged part are dropped afterwards: enough are asked for that ten remain. */
const ASKED = 100;

/** Everything that questions about one repository need, at its `ref`; indexes first what is not. */
export async function openCheckout({ dir, root, ref }) {
  const session = await Session.open({ directory: dir });
  const { origin } = await openTarget(session, { ref, committed: true });
  const { corpus, settings } = await new Corpora(session).of(origin);
  if (origin.resolved.commit !== null) await keepMessages(session, origin.resolved.commit);
  if (isProvider(settings.embedder)) throw new Error(`${dir} is set to another embedder than the built-in model`);
  const vectors = openVectors(session, settings, corpus.live);
  const words = new Vocabulary(corpus.live);
  return { session, root, ref, corpus, vectors, words, searcher: new Searcher(session) };
}

/** Searches of any commit of a repository, which index what is not yet. */
export async function openSearcher(dir) {
  const session = await Session.open({ directory: dir });
  return { session, searcher: new Searcher(session) };
}

/** Unit vectors of the judged part's chunks, without and with the words of their paths. */
export const plainPlaces = (checkout) => ({
  'content only': unitPlaces(checkout, 0),
  'content with path words': unitPlaces(checkout, DENSE.path),
});

/** A search as the program does it; `ref` leaves the work tree out. */
export async function search({ searcher, ref }, query, mode, limit = ASKED) {
  const { results } = await searcher.search({ query, mode, limit, ...(ref ? { ref } : { committed: true }) });
  return results;
}

/** A query as ranking gets it: corrected, its words scored, and as a vector (null if the model knows none of them). */
export async function prepareQuery({ corpus, vectors, words }, text) {
  const { query, lexical } = await scoreCorrected(corpus, parseQuery(text), words);
  return { query, lexical, dense: staticQuery(builtinModel(), vectors, lexical.terms) };
}

/** Unit vectors c + weight p of the judged part's chunks, c and p those of chunk and path. */
function unitPlaces({ corpus: { live }, vectors, root }, weight) {
  const documents = Array.from(live.fileOf.keys()).filter(
    (document) =>
      live.fileOf[document] >= 0 && vectors.has(document) && inRoot(root, live.files.path(live.fileOf[document])),
  );
  const paths = new Map();
  const rows = documents.map((document) => {
    const file = live.fileOf[document];
    if (!paths.has(file)) paths.set(file, pathVector(vectors, live.files.path(file)));
    const place = paths.get(file).map((x) => weight * x);
    vectors.addTo(place, document, 1);
    const length = Math.sqrt(product(place, place)) || 1;
    return place.map((x) => x / length);
  });
  return { documents, rows };
}

function pathVector(vectors, path) {
  const { words, directories } = pathTerms(path);
  const terms = [...words, ...directories].map((term) => ({ term, idf: 1 }));
  return staticQuery(builtinModel(), vectors, terms)?.content ?? new Float32Array(vectors.dimensions);
}

/** The chunks whose places are nearest to a query, as results. */
export async function nearest({ session, corpus }, { documents, rows }, dense) {
  if (dense === null) return [];
  const scores = rows.map((row) => product(row, dense.content));
  const order = Array.from(rows.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
  return Promise.all(order.slice(0, CUT).map((i) => resultOf(session, corpus.live, documents[i])));
}

async function resultOf(session, live, document) {
  const { shard, local } = locate(live, document);
  const { start, end, startLine, endLine } = shard.columns;
  const file = live.fileOf[document];
  const { content } = await session.objects.read(live.files.oid(file));
  const text = content.toString('utf8', start[local], end[local]);
  return { path: live.files.path(file), startLine: startLine[local], endLine: endLine[local], content: text.trimEnd() };
}

function product(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
