// Truth of Java by the API of javac: `java GraphTruth.java DIR [CLASSPATH]` writes JSON. Missing dependencies are tolerated.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.*;
import javax.tools.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class GraphTruth {
  static Path root; static Trees trees; static Elements elements; static Types types; static SourcePositions pos;
  record Sym(String id, String name, String kind, String path, long line, long col) {}
  static Map<String, Sym> syms = new TreeMap<>();
  static Map<Element, String> ids = new HashMap<>();
  static Map<String, Map<String, Object[]>> refs = new HashMap<>();
  static Map<String, Map<Long, Set<String>>> known = new HashMap<>();
  static List<String> files = new ArrayList<>();
  static List<ExecutableElement> methods = new ArrayList<>(), makers = new ArrayList<>();
  /** Methods of libraries that a method here overrides: uses of them are uses by dispatch. */
  static Map<Element, String> outer = new HashMap<>();

  static String rel(CompilationUnitTree u) { return root.relativize(Paths.get(u.getSourceFile().toUri())).toString(); }

  public static void main(String[] a) throws Exception {
    root = Paths.get(a[0]).toRealPath();
    List<File> all; try (Stream<Path> s = Files.walk(root)) { all = s.filter(p -> p.toString().endsWith(".java") && !p.getFileName().toString().matches("module-info.java|package-info.java")).map(Path::toFile).sorted().collect(Collectors.toList()); }
    JavaCompiler c = ToolProvider.getSystemJavaCompiler();
    int[] errors = {0};
    StandardJavaFileManager fm = c.getStandardFileManager(d -> {}, null, StandardCharsets.UTF_8);
    List<String> opts = new ArrayList<>(List.of("-proc:none", "-implicit:none", "-XDshould-stop.ifError=FLOW", "-XDshould-stop.at=FLOW", "-Xmaxerrs", "100000", "-XDallowStringFolding=false"));
    if (a.length > 1) { opts.add("-cp"); opts.add(a[1]); }
    Map<String, Integer> missing = new TreeMap<>();
    JavacTask task = (JavacTask) c.getTask(new PrintWriter(Writer.nullWriter()), fm, d -> { if (d.getKind() == Diagnostic.Kind.ERROR) { errors[0]++; var m = java.util.regex.Pattern.compile("package ([\\w.]+) does not exist").matcher(d.getMessage(Locale.ENGLISH)); if (m.find()) missing.merge(m.group(1), 1, Integer::sum); } }, opts, null, fm.getJavaFileObjectsFromFiles(all));
    trees = Trees.instance(task); elements = task.getElements(); types = task.getTypes(); pos = trees.getSourcePositions();
    List<CompilationUnitTree> units = new ArrayList<>(); for (CompilationUnitTree u : task.parse()) units.add(u);
    try { task.analyze(); } catch (Throwable t) { System.err.println("analyze: " + t); }
    for (CompilationUnitTree u : units) { files.add(rel(u)); new Defs(u).scan(u, null); }
    Map<String, Set<String>> edges = new HashMap<>();
    for (ExecutableElement m : methods) {
      TypeElement owner = (TypeElement) m.getEnclosingElement();
      Deque<TypeMirror> q = new ArrayDeque<>(types.directSupertypes(owner.asType())); Set<String> seen = new HashSet<>();
      while (!q.isEmpty()) { TypeMirror t = q.poll(); if (!(t instanceof DeclaredType) || !seen.add(t.toString())) continue; Element e = ((DeclaredType) t).asElement(); if (!(e instanceof TypeElement)) continue;
        for (Element x : e.getEnclosedElements()) if (x instanceof ExecutableElement && x.getSimpleName().equals(m.getSimpleName()) && !x.getModifiers().contains(Modifier.STATIC)) { boolean ov = false; try { ov = elements.overrides(m, (ExecutableElement) x, owner); } catch (Throwable z) {} if (ov) { String other = ids.get(x); if (other == null) { other = outer.computeIfAbsent(x, k -> "ext:" + outer.size()); } edges.computeIfAbsent(ids.get(m), k -> new TreeSet<>()).add(other); edges.computeIfAbsent(other, k -> new TreeSet<>()).add(ids.get(m)); } }
        try { q.addAll(types.directSupertypes(t)); } catch (Throwable z) {} }
    }
    for (CompilationUnitTree u : units) new Uses(u).scan(u, null);
    // methods that override each other, and overloads of one type
    Map<String, Set<String>> relatives = new HashMap<>(), overloads = new HashMap<>();
    Map<String, List<ExecutableElement>> byOwnerName = new HashMap<>();
    for (List<ExecutableElement> each : List.of(methods, makers)) for (ExecutableElement m : each) byOwnerName.computeIfAbsent(m.getEnclosingElement().toString() + "#" + m.getSimpleName(), k -> new ArrayList<>()).add(m);
    for (List<ExecutableElement> l : byOwnerName.values()) for (ExecutableElement x : l) for (ExecutableElement y : l) if (x != y) overloads.computeIfAbsent(ids.get(x), k -> new TreeSet<>()).add(ids.get(y));
    for (String s : edges.keySet()) { Set<String> done = new TreeSet<>(); Deque<String> q = new ArrayDeque<>(List.of(s)); while (!q.isEmpty()) { String x = q.poll(); for (String y : edges.getOrDefault(x, Set.of())) if (!y.equals(s) && done.add(y)) q.add(y); } relatives.put(s, done); }
    PrintStream o = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    o.print("{\"language\":\"java\",\"files\":" + strings(files) + ",\"symbols\":[");
    o.print(syms.values().stream().map(s -> "{\"id\":" + q(s.id) + ",\"name\":" + q(s.name) + ",\"kind\":" + q(s.kind) + ",\"path\":" + q(s.path) + ",\"line\":" + s.line + ",\"col\":" + s.col + "}").collect(Collectors.joining(",")));
    o.print("],\"refs\":{");
    o.print(refs.entrySet().stream().map(e -> q(e.getKey()) + ":[" + e.getValue().values().stream().map(r -> "[" + q((String) r[0]) + "," + r[1] + "," + r[2] + "]").collect(Collectors.joining(",")) + "]").collect(Collectors.joining(",")));
    o.print("},\"relatives\":{" + sets(relatives) + "},\"overloads\":{" + sets(overloads) + "},\"known\":{");
    o.print(known.entrySet().stream().map(e -> q(e.getKey()) + ":{" + e.getValue().entrySet().stream().map(l -> "\"" + l.getKey() + "\":" + strings(l.getValue())).collect(Collectors.joining(",")) + "}").collect(Collectors.joining(",")));
    o.print("}}"); o.flush();
    System.err.println(files.size() + " files, " + syms.size() + " symbols, " + errors[0] + " errors ignored; missing packages: " + missing.keySet().stream().limit(25).toList());
  }
  static String q(String s) { return "\"" + s.replace("\\", "\\\\").replace("\"", "\\\"") + "\""; }
  static String strings(Collection<String> l) { return "[" + l.stream().map(GraphTruth::q).collect(Collectors.joining(",")) + "]"; }
  static String sets(Map<String, Set<String>> m) { return m.entrySet().stream().map(e -> q(e.getKey()) + ":" + strings(e.getValue())).collect(Collectors.joining(",")); }

  /** Position of a name in a tree: its first occurrence as a word from where the tree's own position says. */
  static class Base extends TreePathScanner<Void, Void> {
    final CompilationUnitTree u; final String path; final LineMap lines; String text;
    Base(CompilationUnitTree u) { this.u = u; path = rel(u); lines = u.getLineMap(); try { text = u.getSourceFile().getCharContent(true).toString(); } catch (IOException e) { text = ""; } }
    long find(String name, long from) { var m = java.util.regex.Pattern.compile("(?<![\\w$])" + java.util.regex.Pattern.quote(name) + "(?![\\w$])").matcher(text); return from >= 0 && m.find((int) from) ? m.start() : -1; }
    void note(String name, long at) { if (at >= 0) known.computeIfAbsent(path, k -> new HashMap<>()).computeIfAbsent(lines.getLineNumber(at), k -> new TreeSet<>()).add(name); }
  }
  static class Defs extends Base {
    Defs(CompilationUnitTree u) { super(u); }
    void add(Element e, String name, String kind, long from) { if (e == null) return; long at = find(name, from); if (at < 0) return; long l = lines.getLineNumber(at), col = lines.getColumnNumber(at); String id = path + ":" + l + ":" + col; if (ids.putIfAbsent(e, id) == null) syms.put(id, new Sym(id, name, kind, path, l, col)); note(name, at); }
    long after(ModifiersTree m, Tree t) { long e = pos.getEndPosition(u, m); return e > 0 ? e : pos.getStartPosition(u, t); }
    @Override public Void visitClass(ClassTree t, Void v) { if (t.getSimpleName().length() > 0) add(trees.getElement(getCurrentPath()), t.getSimpleName().toString(), "type", after(t.getModifiers(), t)); return super.visitClass(t, v); }
    @Override public Void visitMethod(MethodTree t, Void v) { Element e = trees.getElement(getCurrentPath()); if (e instanceof ExecutableElement x && x.getKind() == ElementKind.METHOD) { long from = t.getReturnType() != null ? pos.getEndPosition(u, t.getReturnType()) : after(t.getModifiers(), t); add(e, t.getName().toString(), x.getModifiers().contains(Modifier.STATIC) ? "static-method" : "method", from); if (ids.containsKey(e)) methods.add(x); } else if (e instanceof ExecutableElement x && pos.getEndPosition(u, t) > 0) add(e, x.getEnclosingElement().getSimpleName().toString(), "constructor", after(t.getModifiers(), t)); if (e instanceof ExecutableElement x && x.getKind() == ElementKind.CONSTRUCTOR && ids.containsKey(e)) makers.add(x); return super.visitMethod(t, v); }
    @Override public Void visitVariable(VariableTree t, Void v) { Element e = trees.getElement(getCurrentPath()); if (e != null && (e.getKind() == ElementKind.FIELD || e.getKind() == ElementKind.ENUM_CONSTANT)) { long from = e.getKind() == ElementKind.ENUM_CONSTANT ? pos.getStartPosition(u, t) : t.getType() != null ? pos.getEndPosition(u, t.getType()) : pos.getStartPosition(u, t); add(e, t.getName().toString(), "field", from); } return super.visitVariable(t, v); }
  }
  static class Uses extends Base {
    Uses(CompilationUnitTree u) { super(u); }
    @Override public Void visitImport(ImportTree t, Void v) { return null; }
    @Override public Void visitPackage(PackageTree t, Void v) { return null; }
    void use(String name, long at) { Element e = trees.getElement(getCurrentPath()); if (at < 0) return; if (e != null && e.asType() != null && e.asType().getKind() != TypeKind.ERROR) note(name, at); if (e == null) return; String id = ids.getOrDefault(e, outer.get(e)); if (id == null || syms.containsKey(id) && !syms.get(id).name.equals(name)) return; long l = lines.getLineNumber(at); refs.computeIfAbsent(id, k -> new LinkedHashMap<>()).put(path + ":" + at, new Object[] {path, l, lines.getColumnNumber(at)}); }
    @Override public Void visitNewClass(NewClassTree t, Void v) { Element e = trees.getElement(getCurrentPath()); String id = ids.get(e); if (id != null) { long from = pos.getStartPosition(u, t.getIdentifier()), at = find(syms.get(id).name, from); if (at >= 0 && text.substring((int) from, (int) at).matches("[\\w.$\\s]*")) { long l = lines.getLineNumber(at); refs.computeIfAbsent(id, k -> new LinkedHashMap<>()).put(path + ":" + at, new Object[] {path, l, lines.getColumnNumber(at)}); } } return super.visitNewClass(t, v); }
    @Override public Void visitIdentifier(IdentifierTree t, Void v) { long s = pos.getStartPosition(u, t); if (s >= 0 && text.startsWith(t.getName().toString(), (int) s)) use(t.getName().toString(), s); return super.visitIdentifier(t, v); }
    @Override public Void visitMemberSelect(MemberSelectTree t, Void v) { long e = pos.getEndPosition(u, t); String n = t.getIdentifier().toString(); if (e > 0 && n.length() > 0 && e - n.length() >= 0 && text.startsWith(n, (int) (e - n.length()))) use(n, e - n.length()); return super.visitMemberSelect(t, v); }
    @Override public Void visitMemberReference(MemberReferenceTree t, Void v) { long e = pos.getEndPosition(u, t); String n = t.getName().toString(); if (e > 0 && e - n.length() >= 0 && text.startsWith(n, (int) (e - n.length()))) use(n, e - n.length()); return super.visitMemberReference(t, v); }
  }
}
