/** Questions in nine languages find the English words of code; questions in English stay as they are. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { synonymsOf } from '../../src/search/foreign-words.js';
import { inEnglish, parseQuery, tongueOf } from '../../src/search/query.js';
import { inProcess } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';

const nowhere = () => false;
const everywhere = () => true;

test('the language is told by its letters or by two of its small words, and English never is', () => {
  const cases: [string, string | null][] = [
    ['wie werden Fehler behandelt', 'de'],
    ['dónde se valida la petición', 'es'],
    ['cómo registrar middleware', 'es'],
    ['リクエストはどこで検証されるか', 'ja'],
    ['如何处理错误', 'zh'],
    ['how are DER keys decoded from the del command', null],
    ['von Neumann entropy', null],
    ['la', null],
    ['comment les erreurs sont traitées', 'fr'],
    ['où les fichiers sont lus', 'fr'],
    ['onde os erros são tratados', 'pt'],
    ['encerrar os processos que travam', 'pt'],
    ['где обрабатываются ошибки', 'ru'],
    ['오류를 처리하는 곳', 'ko'],
    ['dove vengono gestiti gli errori', 'it'],
    ['eliminare le versioni vecchie di una voce', 'it'],
    ['extraer el primer párrafo de una entrada', 'es'],
    ['veraltete Dateien eines früheren Laufs löschen', 'de'],
    ['inviare una mail a chi ha dimenticato la password', 'it'],
    ['pour the file into a table', null],
    ['come as you are, do not use no args', null],
  ];
  for (const [text, tongue] of cases) assert.equal(tongueOf(text), tongue, text);
});

test('words of a question become those of code, and names in it stay', async () => {
  const cases = [
    'wie werden Anfragefehler in fetchOrder behandelt',
    'cómo se manejan los errores de la petición en fetchOrder',
    'fetchOrder のリクエストのエラー処理',
    'fetchOrder 如何处理请求的错误',
    'como são tratados os erros da requisição em fetchOrder',
    'comment les erreurs de la requête sont gérées dans fetchOrder',
    'как обрабатываются ошибки запроса в fetchOrder',
    'fetchOrder 요청의 오류를 처리하는 방법',
    'come vengono gestiti gli errori della richiesta in fetchOrder',
  ];
  for (const text of cases) {
    const { terms, identifiers, text: asked } = await inEnglish(parseQuery(text), nowhere);
    for (const term of ['error', 'request', 'handl', 'fetchorder'])
      assert.ok(
        terms.some((each) => each.startsWith(term)),
        `${text}: ${terms}`,
      );
    assert.ok(identifiers.includes('fetchOrder'), text);
    assert.equal(asked, text);
  }
});

test('a word that means two things is asked for as both', async () => {
  const { terms } = await inEnglish(
    parseQuery('cómo se registran los plugins en el punto de entrada principal'),
    nowhere,
  );
  for (const term of ['regist', 'log', 'point', 'entry', 'main'])
    assert.ok(
      terms.some((each) => each.startsWith(term)),
      `${term}: ${terms}`,
    );
});

test('letters with marks are part of a word, however they are written', async () => {
  for (const text of ['где открываются файлы журнала', 'где открываются файлы журнала'.normalize('NFD')]) {
    const { terms } = await inEnglish(parseQuery(text), nowhere);
    assert.ok(terms.includes('file') && terms.includes('log'), `${text}: ${terms}`);
  }
});

test('a sentence with two small words is recognised without a letter of its language', () => {
  assert.equal(tongueOf('die Datenbank an einen Pfad kopieren'), 'de');
  assert.equal(tongueOf('rimuovere le directory vuote e quelle superiori'), 'it');
  assert.equal(tongueOf('die on an error'), null);
  assert.equal(tongueOf('fix: update e2e testing'), null);
  assert.equal(tongueOf('add an AI test suite for e2e'), null);
  assert.equal(tongueOf('update de_DE and es_ES'), null);
  assert.equal(tongueOf('items per kind per hour'), null, 'one word twice is one');
});

test('a text without small words is recognised by the words that the dictionary knows, and English never is', async () => {
  const cases: [string, string | null][] = [
    ['Benutzer löschen', 'user delete'],
    ['borrar archivos temporales', 'file temporary'],
    ['supprimer fichiers temporaires', 'delete file temporary'],
    ['cancellare utenti sospesi', 'user'],
    ['redefinir senha usuário', 'password user'],
    ['Prozess mitsamt allen Kindprozessen markieren', 'mark process child'],
    ['Add AttributeRemover to the merger', null],
    ['Configure dependabot grouping', null],
    ['Retry coveralls upload', null],
  ];
  for (const [text, words] of cases) {
    const { english } = await inEnglish(parseQuery(text), nowhere);
    assert.equal(english === undefined, words === null, `${text}: ${english}`);
    for (const word of words?.split(' ') ?? []) assert.ok(english?.split(' ').includes(word), `${text}: ${english}`);
  }
});

test('two words that mean something together are one, with small words between them and endings', async () => {
  const cases: [string, string, string][] = [
    ['quando o tempo limite é excedido', 'timeout', 'time'],
    ['los contenidos de la base de datos', 'database', 'base'],
    ['changer le mot de passe', 'password', 'word'],
    ['из базы данных', 'database', 'base'],
    ['제한 시간을 넘긴 워커', 'timeout', 'hour'],
  ];
  for (const [text, together, apart] of cases) {
    const words = (await inEnglish(parseQuery(text), nowhere)).english?.split(' ') ?? [];
    assert.ok(words.includes(together), `${text}: ${words}`);
    assert.ok(!words.includes(apart), `${text}: ${words}`);
  }
});

test('a Korean stem is known in its forms', async () => {
  const cases: [string, string][] = [
    ['파일을 보낸다', 'send'],
    ['파일을 보냈다', 'send'],
    ['작업을 멈춰', 'stop'],
    ['항목을 지운 뒤', 'delete'],
  ];
  for (const [text, word] of cases) {
    const { english } = await inEnglish(parseQuery(text), nowhere);
    assert.ok(english?.split(' ').includes(word), `${text}: ${english}`);
  }
});

test('an article without its vowel is no word', async () => {
  for (const [text, word] of [
    ["l'erreur d’une requête", 'error'],
    ["gestire l'errore dell'utente", 'user'],
  ]) {
    const words = (await inEnglish(parseQuery(text), everywhere)).english?.split(' ') ?? [];
    assert.ok(words.includes(word), `${text}: ${words}`);
    assert.ok(
      words.every((each) => each.length > 2),
      `${text}: ${words}`,
    );
  }
});

test('of several meanings of a word, those that the code has are asked for; no word of them is taken for misspelt', async () => {
  const { english } = await inEnglish(parseQuery('den Zustand speichern'), (term) => ['state', 'save'].includes(term));
  assert.equal(english, 'state save');
});

test('short words are not found inside other German words', async () => {
  const { english } = await inEnglish(parseQuery('die ältesten Einträge der Lieblingsdateien'), nowhere);
  assert.ok(!english?.split(' ').includes('test'), english);
  assert.ok(english?.split(' ').includes('file'), english);
});

test('words of a near meaning are those behind a term, without itself; a part of a term and an unknown one have none', () => {
  assert.deepEqual(synonymsOf('abandon'), [
    'disappeared',
    'trapped',
    'relocated',
    'destroyed',
    'stuck',
    'alive',
    'neighboring',
    'died',
  ]);
  assert.deepEqual([synonymsOf('aachen'), synonymsOf('abando'), synonymsOf('zzzzz')], [['german'], [], []]);
  assert.deepEqual(['größe', 'abandon disappeared', 'a.*', ''].map(synonymsOf), [[], [], [], []]);
});

test('the dictionary is sorted, has a column for each language, and no word twice in one', () => {
  const text = readFileSync(new URL('../../../words/questions.txt', import.meta.url), 'utf8');
  const lines = text.trimEnd().split('\n');
  const words = lines.map((line) => line.split('|')[0]);
  assert.deepEqual(words, [...new Set(words)].sort());
  assert.ok(
    text.length < Buffer.byteLength(text) && Buffer.byteLength(text) <= 120_000,
    `${Buffer.byteLength(text)} bytes`,
  );
  for (const line of lines) {
    const columns = line.split('|');
    assert.equal(columns.length, 10, line);
    for (const column of columns.slice(1)) {
      const own = column.split(' ');
      assert.equal(new Set(own).size, own.length, line);
      assert.ok(column === '' || own.every((word) => /^[\p{L}\p{M}ー]+(?:_[\p{L}\p{M}]+)?$/u.test(word)), line);
    }
  }
});

test('own words that the code has stay, for comments in that language; a name that it has is asked for as it is', async () => {
  const asked = parseQuery('wie wird die Warteschlange geleert');
  const own = async (has: (term: string) => boolean) =>
    (await inEnglish(asked, has)).terms.some((term) => term.startsWith('warteschlang'));
  assert.deepEqual([await own(everywhere), await own(nowhere)], [true, false]);
  const name = parseQuery('注文');
  assert.deepEqual(await inEnglish(name, everywhere), name);
});

test('small words of a question are not asked for, although the code has them somewhere', async () => {
  for (const text of ['wie wird die Warteschlange geleert', 'cómo se manejan los errores de la petición']) {
    const { terms } = await inEnglish(parseQuery(text), everywhere);
    for (const term of ['die', 'wird', 'se', 'los', 'de', 'la']) assert.ok(!terms.includes(term), `${text}: ${terms}`);
  }
});

test('a question that the dictionary knows no word of, and one in English, are not changed', async () => {
  for (const text of ['wie und wo der Zwerg das Moos', 'how are errors handled', 'CartError'])
    assert.deepEqual(await inEnglish(parseQuery(text), nowhere), parseQuery(text), text);
});

test('a word of 10,000 letters, the longest question that is taken, is looked up in linear time', async () => {
  const from = process.cpuUsage();
  const { terms } = await inEnglish(parseQuery(`wie wird ${'behandlungsfehler'.repeat(588)}`), nowhere);
  await inEnglish(parseQuery(`wie wird ${'xqzv'.repeat(2_500)}`), nowhere);
  const { user } = process.cpuUsage(from);
  assert.ok(terms.some((term) => term.startsWith('error')));
  assert.ok(user < 2e6, `${user / 1e6} s`);
});

test('dotted names and quoted ones in a question stay names', async () => {
  for (const text of [
    'wo wird Cart.total aufgerufen und gespeichert',
    'Cart.total はどこで保存されるか',
    '保存 Cart.total 的值',
    'где сохраняется Cart.total',
  ]) {
    const { identifiers } = await inEnglish(parseQuery(text), nowhere);
    assert.ok(identifiers.includes('total'), `${text}: ${identifiers}`);
  }
});

test('a sentence without spaces is no name, with its question mark or without; a short name that the code has is one', async () => {
  for (const text of ['错误在哪里被处理以及记录', 'エラーはどこで処理されるか', '光标形状']) {
    const { kind } = await inEnglish(parseQuery(text), nowhere);
    assert.notEqual(kind, 'symbol', text);
  }
  assert.equal((await inEnglish(parseQuery('光标'), everywhere)).kind, 'symbol');
  assert.equal((await inEnglish(parseQuery('匁匁'), nowhere)).kind, 'natural');
});

test('endings of words do not matter, and particles are no words', async () => {
  const cases: [string, string][] = [
    ['резервную копию базы данных', 'backup'],
    ['пользователями и их паролями', 'password'],
    ['이미지를 축소하는', 'image'],
    ['los archivos comprimidos de una carpeta', 'compress'],
    ['as senhas dos usuários', 'password'],
    ['les mots de passe des utilisateurs', 'user'],
    ['le immagini della pagina', 'image'],
  ];
  for (const [text, english] of cases) {
    const { terms } = await inEnglish(parseQuery(text), nowhere);
    assert.ok(
      terms.some((term) => english.startsWith(term) || term.startsWith(english)),
      `${text}: ${terms}`,
    );
  }
});

test('a search in another language finds comments in that language, and code of those English words', async () => {
  const repo = createRepo();
  repo.commit({
    'src/alpha.js': '/** Leert die Warteschlange. */\nexport function drain(list) {\n  list.length = 0;\n}\n',
    'src/omega.js': 'export function handleError(error) {\n  throw error;\n}\n',
  });
  const firstOf = (query: string) =>
    inProcess(repo, async (shop) => (await shop.search(query, { mode: 'lexical' })).results[0]?.path);
  assert.equal(await firstOf('wie wird die Warteschlange geleert'), 'src/alpha.js');
  assert.equal(await firstOf('wie wird ein Fehler behandelt'), 'src/omega.js');
});
