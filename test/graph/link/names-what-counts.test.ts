import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, edgeLines, graphOf } from './project.js';

test('a closure hides outer names until it ends', () => {
  const found = calls({
    'go.mod': 'module example.org/shop\n',
    'router.go': `package shop

import "net/http"

type Router struct{}

func (r *Router) Get(path string, handler any) {}

func mount(check func(r *http.Request) bool) {
	r := &Router{}
	r.Get("/a", func(w http.ResponseWriter, r *http.Request) {
		r.Get("/outside", nil)
	})
	r.Get("/b", nil)
}
`,
  });
  assert.deepEqual(
    found.filter((line) => line.includes('Get')),
    [
      'router.go:mount -> router.go:Router.Get (receiver)',
      'router.go:mount -> router.go:Router.Get (receiver)',
      'router.go:mount.GET /a -> ?r.Get (external)',
    ],
  );
});

test('C: macros, variables and tests of other files are no global functions', () => {
  const found = calls({
    'src/run.c': 'void run(void) { open(1); socket(2); reset(3); close_all(4); }\n',
    'src/all.c': 'void close_all(int n) {}\n',
    'lib/names.c': '#define open _open\nint socket;\n',
    'test/helper.c': 'void reset(int n) {}\n',
  });
  assert.deepEqual(found, [
    'src/run.c:run -> ?open (unresolved)',
    'src/run.c:run -> ?socket (unresolved)',
    'src/run.c:run -> ?reset (unresolved)',
    'src/run.c:run -> src/all.c:close_all (unique)',
  ]);
});

test('C++: `x.template get<T>()` is a member, `void()` is nothing', () => {
  const found = calls({
    'a.cpp': `namespace detail {
int get(int i) { return i; }
template <typename T> auto read(const T &j) -> decltype(j.template get<int>(), void()) { return j.template get<int>(); }
}
`,
    'b.cpp': 'namespace detail { void other(void) {} }\n',
  });
  assert.deepEqual(
    found.filter((line) => line.endsWith(' a.cpp:detail.get (same-file)') || line.includes('void')),
    [],
  );
});

test('Kotlin: an extension is used only where it is imported', () => {
  const found = calls({
    'app/src/main/kotlin/body/Body.kt': 'package body\n\nclass Body\n',
    'app/src/main/kotlin/android/Write.kt': 'package android\n\nimport body.Body\n\nfun Body.writeTo(out: String) {}\n',
    'app/src/main/kotlin/text/Text.kt':
      'package text\n\nfun String.skipSpaces(at: Int): Int = at\n\nfun next(s: String) = s.skipSpaces(1)\n',
    'app/src/main/kotlin/use/Use.kt': `package use

import body.Body
import text.skipSpaces
import android.*

/** The last import stands before a comment. */
fun near(body: Body, s: String) {
    body.writeTo("x")
    s.skipSpaces(2)
}
`,
    'app/src/main/kotlin/far/Far.kt': 'package far\n\nimport body.Body\n\nfun far(body: Body) { body.writeTo("x") }\n',
  });
  const at = (path: string) => `app/src/main/kotlin/${path}`;
  assert.deepEqual(found, [
    `${at('far/Far.kt:far')} -> ?body.writeTo (unresolved)`,
    `${at('text/Text.kt:next')} -> ${at('text/Text.kt:skipSpaces')} (same-file)`,
    `${at('use/Use.kt:near')} -> ${at('android/Write.kt:writeTo')} (receiver)`,
    `${at('use/Use.kt:near')} -> ${at('text/Text.kt:skipSpaces')} (imported)`,
  ]);
});

test('Kotlin: an extension that is handed on is used, and a member of the type of that name is none', () => {
  const found = edgeLines(
    graphOf({
      'src/Text.kt': 'package text\n\nfun String.trimmed(): String = this\nfun Char.upper(): Char = this\n',
      'src/Use.kt': `package text

fun all(names: List<String>) = names.map(String::trimmed)
fun other(names: List<String>) = names.map(String::upper)
`,
    }),
  );
  assert.ok(found.includes('src/Use.kt:all value src/Text.kt:trimmed (package)'), found.join('\n'));
  assert.ok(!found.some((line) => line.startsWith('src/Use.kt:other value')), found.join('\n'));
});

test('calling a type does not call a method of its instances', () => {
  const found = calls({
    'src/Status.kt': `package http

class Status(val code: Int) {
    operator fun invoke(block: String) {}
}

class Limit(val n: Int) {
    companion object {
        operator fun invoke(text: String): Limit = Limit(1)
    }
}

fun make(status: Status) {
    Status(200)
    Limit("a")
    status("x")
}
`,
    'handler.py': `class Handler:
    def __call__(self, source):
        pass


def run(handler: Handler):
    handler(1)
    Handler()
`,
  });
  assert.deepEqual(
    found.filter((line) => !line.startsWith('src/Status.kt:http.Limit') && !line.startsWith('src/Status.kt:Limit')),
    [
      'handler.py:run -> handler.py:Handler.__call__ (receiver)',
      'handler.py:run -> handler.py:Handler (same-file)',
      'src/Status.kt:make -> src/Status.kt:Status (same-file)',
      'src/Status.kt:make -> src/Status.kt:Limit.Companion.invoke (same-file)',
      'src/Status.kt:make -> src/Status.kt:Status.invoke (receiver)',
    ],
  );
});

test('Scala: a class and its companion share a name, and `new` means the class', () => {
  const found = calls({
    'src/Eval.scala': `package cats

object Eval { def now(n: Int): Eval = new Eval { } }
trait Eval
`,
    'src/Use.scala': 'package cats\n\nclass Use { def run() = { Eval.now(1); new Eval { } } }\n',
  });
  assert.deepEqual(
    found.filter((line) => line.startsWith('src/Use.scala')),
    [
      'src/Use.scala:Use.run -> src/Eval.scala:Eval.now (receiver)',
      'src/Use.scala:Use.run -> src/Eval.scala:Eval (package)',
    ],
  );
});

test('a method that is passed on as a value of its receiver counts as used', () => {
  const project = {
    'go.mod': 'module m\n',
    'mux.go':
      'package m\n\ntype Mux struct{}\n\nfunc (mx *Mux) route() {}\n\nfunc (mx *Mux) serve() {\n\tuse(mx.route)\n}\n\nfunc use(f func()) {}\n',
  };
  const handed = edgeLines(graphOf(project)).filter((line) => line.includes(' value '));
  assert.deepEqual(handed, ['mux.go:Mux.serve value mux.go:Mux.route (receiver)']);
});

test('Java: what is called is a method, whatever parameter or local has its name', () => {
  const cart = `class Cart {}
class Shop {
  int total() { return 1; }
  int of(Cart total) { return total(); }
  int local() { Cart total = new Cart(); return total(); }
}
`;
  assert.deepEqual(calls({ 'Shop.java': cart }), [
    'Shop.java:Shop.of -> Shop.java:Shop.total (same-file)',
    'Shop.java:Shop.local -> Shop.java:Cart (same-file)',
    'Shop.java:Shop.local -> Shop.java:Shop.total (same-file)',
  ]);
});
