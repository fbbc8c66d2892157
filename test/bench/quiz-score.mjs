// What an answer of the quiz is worth. `right`: it says what is so. `silent`: it says that it does not know, or has it as
// likely, possible or counted doubt. `sure`: it states what is not so, or gives a list as whole that is not.
const WORST = ['right', 'silent', 'sure'];
const found = (verdict, why) => ({ verdict, why });

/** The places of `path:1,2,3`, one each. */
export const placesOf = (texts = []) =>
  texts.flatMap((text) => {
    const [, path, lines] = /^(.*):([\d,]+)$/.exec(text);
    return lines.split(',').map((line) => ({ path, line: Number(line) }));
  });

const isAt = (place) => (one) =>
  one.path === place.path && one.line <= place.line && place.line <= (one.endLine ?? one.line);
const nameOf = (text) => (text ?? '').replace(/::|#/g, '.');

/** Whether a symbol of an answer is `path:Name`, or any of `path`. */
function isSymbol(expected) {
  const at = /:(?!:)(?!.*\/)/.exec(expected)?.index ?? -1;
  const path = at < 0 ? expected : expected.slice(0, at);
  const name = at < 0 ? null : nameOf(expected.slice(at + 1));
  return (one) =>
    one.path === path && (name === null || nameOf(one.symbol) === name || nameOf(one.symbol).endsWith(`.${name}`));
}

function usesOf(question, answer) {
  const { uses, likely, possible, named = [] } = answer;
  const doubt = uses.leftOut + likely.leftOut + possible.leftOut;
  const none = uses.list.length + likely.list.length + possible.list.length + doubt === 0;
  const expected = placesOf(question.uses).map((place) => {
    const text = `${place.path}:${place.line}`;
    if ([...uses.list, ...likely.list].some(isAt(place))) return found('right', text);
    if (possible.list.some(isAt(place))) return found('silent', `only possible: ${text}`);
    if (named.includes(text)) return found('silent', `a line that has the name: ${text}`);
    if (doubt > 0) return found('silent', `perhaps in what was left out: ${text}`);
    return found('sure', none ? 'no uses' : `missing in the list: ${text}`);
  });
  const refused = placesOf(question.not).map((place) => {
    const text = `${place.path}:${place.line}`;
    if (uses.list.some(isAt(place))) return found('sure', `is no use: ${text}`);
    return likely.list.some(isAt(place)) ? found('silent', `is no likely use: ${text}`) : found('right', text);
  });
  return [...expected, ...refused];
}

/** Whether an answer about impact says that there may be more than it lists. */
const doubts = ({ risk, possible, hops, tests }) =>
  risk.level === 'unknown' || possible > 0 || tests.leftOut > 0 || hops.some(({ leftOut }) => leftOut > 0);

function impactOf(question, answer) {
  const results = [];
  if (question.risk === 'not low')
    results.push(
      { low: found('sure', 'risk low'), unknown: found('silent', 'risk unknown') }[answer.risk.level] ??
        found('right', answer.risk.level),
    );
  const affected = answer.hops.flatMap((hop) => hop.affected);
  for (const symbol of question.affects ?? []) {
    if (affected.some(isSymbol(symbol))) results.push(found('right', symbol));
    else results.push(found(doubts(answer) ? 'silent' : 'sure', `not affected: ${symbol}`));
  }
  const mayBe = doubts(answer) || answer.risk.reasons.some((reason) => /imports? its file/.test(reason));
  for (const path of question.tests ?? []) {
    if (answer.tests.list.some((test) => test.path === path)) results.push(found('right', path));
    else if (answer.mayRun?.list.some((test) => test.path === path))
      results.push(found('silent', `may run it: ${path}`));
    else
      results.push(found(mayBe ? 'silent' : 'sure', answer.tests.list.length === 0 ? 'no tests' : `no test: ${path}`));
  }
  return results;
}

/** `no`: something uses it. `yes`: nothing does. `tests`: only tests do. */
function deadOf({ dead }, { explained, unused }) {
  return explained.map(({ path, symbol, certainty }) => {
    const by = unused.list.find((one) => one.path === path && one.symbol === symbol)?.usedBy;
    if (dead === 'no') {
      if (certainty === 'certain') return found('sure', by === 'tests' ? 'certain: only tests' : 'certain');
      return certainty === null ? found('right', 'used') : found('silent', certainty);
    }
    if (certainty === null) return found('sure', 'used');
    if (dead === 'tests' && by !== undefined && by !== 'tests') return found('sure', `by ${by}, not by tests`);
    return certainty === 'possible' && dead === 'yes' ? found('silent', certainty) : found('right', certainty);
  });
}

function beginsOf({ at }, answer) {
  const lists = ['mains', 'bins', 'scripts'].map((name) => answer[name]);
  return at.map((expected) => {
    if (lists.some(({ list }) => list.some(isSymbol(expected)))) return found('right', expected);
    const doubt = lists.some(({ leftOut }) => leftOut > 0) || answer.uncalled.list.some(isSymbol(expected));
    return found(doubt ? 'silent' : 'sure', `no beginning: ${expected}`);
  });
}

/** A route without prefixes of slashes and with the same word for each parameter. */
const routeOf = (text) => text.replace(/<[^>]*>|\{[^}]*\}|:\w+/g, '*').replace(/^[/^]+|[/$]+$/g, '');

function routesOf({ route }, { routes }) {
  const wanted = routeOf(route.route);
  const same = routes.list.filter((one) => {
    const text = routeOf(one.route);
    if (text !== wanted && !text.endsWith(`/${wanted}`)) return false;
    return route.method === null || one.method === route.method || one.method === 'ANY';
  });
  if (same.some(({ handler }) => handler && isSymbol(route.handler)(handler))) return [found('right', route.handler)];
  if (same.length === 0) return [found(routes.leftOut > 0 ? 'silent' : 'sure', `no route ${route.route}`)];
  if (same.some(({ handler }) => !handler)) return [found('silent', 'a route without a handler')];
  return [found('sure', `handler ${same.map(({ handler }) => handler.symbol).join(', ')}`)];
}

function eventOf({ event }, { results, window }) {
  const events = results.flatMap((one) => one.events);
  if (events.some(({ type, commit }) => type === event.type && commit.startsWith(event.commit)))
    return [found('right', event.commit)];
  const other = events.filter(({ type }) => type === event.type).map(({ commit }) => commit.slice(0, 8));
  if (results.some(({ eventsLeftOut }) => eventsLeftOut > 0) || !window.complete) return [found('silent', 'cut')];
  return [found('sure', `${event.type} in ${other.join(', ') || 'no commit'}`)];
}

function changeOf({ change }, { files, leftOut }) {
  const symbols = files.filter(({ path }) => path === change.path).flatMap((file) => file.symbols ?? []);
  const same = symbols.filter(({ symbol }) => nameOf(symbol) === nameOf(change.symbol));
  if (same.some((one) => one.change === change.change)) return [found('right', change.symbol)];
  if (Object.values(leftOut).some((count) => count > 0)) return [found('silent', 'cut')];
  return [
    found('sure', same.length === 0 ? `no change of ${change.symbol}` : same.map((one) => one.change).join(', ')),
  ];
}

/** All that an answer says about the facts of a question. */
function findings(question, answer) {
  if (answer.error !== undefined) return [found('sure', answer.error.message)];
  if (answer.candidates !== undefined || answer.symbols !== undefined) return [found('silent', 'asks which one')];
  if (question.uses !== undefined) return usesOf(question, answer);
  if (question.dead !== undefined) return deadOf(question, answer);
  if (question.at !== undefined) return beginsOf(question, answer);
  if (question.route !== undefined) return routesOf(question, answer);
  if (question.event !== undefined) return eventOf(question, answer);
  if (question.change !== undefined) return changeOf(question, answer);
  return impactOf(question, answer);
}

/** The worst of what an answer says, and why. */
export function score(question, answer) {
  const all = findings(question, answer);
  const verdict = WORST[Math.max(...all.map((one) => WORST.indexOf(one.verdict)))];
  return { verdict, why: all.filter((one) => one.verdict === verdict).map((one) => one.why) };
}
