// Truth of Go by go/types: `go run . DIR` writes JSON. Needs no network: a package that is missing is an empty one, and errors are ignored.
// Output: {language, files, symbols:[{id,name,kind,path,line,col}], refs:{id:[[path,line,col]]}, relatives:{id:[id]}, known:{path:{line:[name]}}}
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type sym struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
	Path string `json:"path"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
	sig  string
}

var (
	fset  = token.NewFileSet()
	root  string
	mods  = map[string]string{} // module path -> dir
	std   types.Importer
	cache = map[string]*types.Package{}
	busy  = map[string]bool{}
	syms  = map[string]*sym{}
	refs  = map[string]map[string][]interface{}{}
	known = map[string]map[int]map[string]bool{}
	files = map[string]bool{}
	errs  = 0
	fake  = map[string]bool{}
)

func rel(p token.Position) string { r, _ := filepath.Rel(root, p.Filename); return r }

func dirOf(path string) string {
	best := ""
	for m := range mods {
		if (path == m || strings.HasPrefix(path, m+"/")) && len(m) > len(best) {
			best = m
		}
	}
	if best == "" {
		return ""
	}
	return filepath.Join(mods[best], strings.TrimPrefix(strings.TrimPrefix(path, best), "/"))
}

type imp struct{}

func (imp) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p, ok := cache[path]; ok {
		return p, nil
	}
	if d := dirOf(path); d != "" && !busy[path] {
		if _, err := os.Stat(d); err == nil {
			busy[path] = true
			p := check(path, d, "lib")
			busy[path] = false
			if p != nil {
				cache[path] = p
				return p, nil
			}
		}
	}
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		if p, err := std.Import(path); err == nil {
			cache[path] = p
			return p, nil
		}
	}
	name := filepath.Base(path)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = filepath.Base(filepath.Dir(path))
	}
	name = strings.TrimPrefix(strings.Split(name, ".v")[0], "go-")
	p := types.NewPackage(path, name)
	p.MarkComplete()
	cache[path] = p
	fake[path] = true
	return p, nil
}

// mode: lib (no tests), in (with in-package tests), ext (package x_test)
func check(path, dir, mode string) *types.Package {
	ctx := build.Default
	ctx.CgoEnabled = false
	ents, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	by := map[string][]*ast.File{}
	for _, e := range ents {
		n := e.Name()
		if e.IsDir() || !strings.HasSuffix(n, ".go") {
			continue
		}
		if ok, _ := ctx.MatchFile(dir, n); !ok {
			continue
		}
		isTest := strings.HasSuffix(n, "_test.go")
		if mode == "lib" && isTest {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, n), nil, parser.ParseComments)
		if f == nil || f.Name == nil {
			fmt.Fprintln(os.Stderr, "parse", err)
			continue
		}
		ext := strings.HasSuffix(f.Name.Name, "_test") && isTest
		if (mode == "ext") != ext {
			continue
		}
		by[f.Name.Name] = append(by[f.Name.Name], f)
	}
	var out *types.Package
	names := []string{}
	for n := range by {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool { return len(by[names[i]]) > len(by[names[j]]) })
	for _, n := range names {
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		cfg := types.Config{Importer: imp{}, FakeImportC: true, Error: func(error) { errs++ }, Sizes: types.SizesFor("gc", "amd64")}
		p, _ := cfg.Check(path, fset, by[n], info)
		if out == nil {
			out = p
		}
		if mode != "lib" {
			collect(info)
			for _, f := range by[n] {
				files[rel(fset.Position(f.Pos()))] = true
			}
		}
	}
	return out
}

func kindOf(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		if s, ok := o.Type().(*types.Signature); ok && s.Recv() != nil {
			return "method"
		}
		return "function"
	case *types.Var:
		if o.IsField() {
			if o.Embedded() {
				return ""
			}
			return "field"
		}
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return "value"
		}
	case *types.Const:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return "value"
		}
	case *types.TypeName:
		if _, ok := o.Type().(*types.TypeParam); ok {
			return ""
		}
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return "type"
		}
	}
	return ""
}

func idOf(o types.Object) string {
	if !o.Pos().IsValid() {
		return ""
	}
	p := fset.Position(o.Pos())
	r := rel(p)
	if strings.HasPrefix(r, "..") {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", r, p.Line, p.Column)
}

func note(id *ast.Ident) {
	p := fset.Position(id.Pos())
	r := rel(p)
	if known[r] == nil {
		known[r] = map[int]map[string]bool{}
	}
	if known[r][p.Line] == nil {
		known[r][p.Line] = map[string]bool{}
	}
	known[r][p.Line][id.Name] = true
}

func sigOf(f *types.Func) string {
	s := f.Type().(*types.Signature)
	return fmt.Sprintf("%s/%d/%d", f.Name(), s.Params().Len(), s.Results().Len())
}

var ifaceSig = map[string][]string{}
var concSig = map[string][]string{}

func collect(info *types.Info) {
	for id, o := range info.Defs {
		note(id)
		if o == nil {
			continue
		}
		k := kindOf(o)
		if k == "" {
			continue
		}
		key := idOf(o)
		if key == "" || syms[key] != nil {
			continue
		}
		p := fset.Position(o.Pos())
		s := &sym{ID: key, Name: o.Name(), Kind: k, Path: rel(p), Line: p.Line, Col: p.Column}
		syms[key] = s
		if f, ok := o.(*types.Func); ok && k == "method" {
			r := f.Type().(*types.Signature).Recv().Type()
			s.sig = sigOf(f)
			if types.IsInterface(r) {
				ifaceSig[s.sig] = append(ifaceSig[s.sig], key)
			} else {
				concSig[s.sig] = append(concSig[s.sig], key)
			}
		}
	}
	for id, o := range info.Uses {
		note(id)
		if f, ok := o.(*types.Func); ok {
			o = f.Origin()
		}
		if v, ok := o.(*types.Var); ok {
			if v.Embedded() { // the type is what is named
				t := v.Type()
				if pt, ok := t.(*types.Pointer); ok {
					t = pt.Elem()
				}
				_ = t
				continue
			}
			o = v.Origin()
		}
		if kindOf(o) == "" {
			continue
		}
		key := idOf(o)
		if key == "" {
			continue
		}
		p := fset.Position(id.Pos())
		if refs[key] == nil {
			refs[key] = map[string][]interface{}{}
		}
		at := fmt.Sprintf("%s:%d:%d", rel(p), p.Line, p.Column)
		refs[key][at] = []interface{}{rel(p), p.Line, p.Column}
	}
}

func main() {
	root, _ = filepath.Abs(os.Args[1])
	build.Default.CgoEnabled = false
	std = importer.ForCompiler(fset, "source", nil)
	dirs := map[string]bool{}
	filepath.Walk(root, func(p string, i os.FileInfo, err error) error {
		if err != nil {
			return nil
		}
		if i.IsDir() && (i.Name() == ".git" || i.Name() == "vendor" || i.Name() == "testdata" || i.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if i.Name() == "go.mod" {
			b, _ := os.ReadFile(p)
			for _, l := range strings.Split(string(b), "\n") {
				if strings.HasPrefix(l, "module ") {
					mods[strings.Trim(strings.TrimSpace(l[7:]), `"`)] = filepath.Dir(p)
				}
			}
		}
		if strings.HasSuffix(p, ".go") {
			dirs[filepath.Dir(p)] = true
		}
		return nil
	})
	list := []string{}
	for d := range dirs {
		list = append(list, d)
	}
	sort.Strings(list)
	for _, d := range list {
		best, bd := "", ""
		for m, md := range mods {
			if (d == md || strings.HasPrefix(d, md+"/")) && len(md) > len(bd) {
				best, bd = m, md
			}
		}
		path := best
		if r, _ := filepath.Rel(bd, d); r != "." {
			path = best + "/" + r
		}
		imp{}.Import(path)
		check(path, d, "in")
		check(path+"_test", d, "ext")
	}
	relatives := map[string][]string{}
	for s, is := range ifaceSig {
		for _, i := range is {
			relatives[i] = append(relatives[i], concSig[s]...)
			for _, j := range is {
				if j != i {
					relatives[i] = append(relatives[i], j)
				}
			}
			for _, c := range concSig[s] {
				relatives[c] = append(relatives[c], i)
				for _, d := range concSig[s] {
					if d != c {
						relatives[c] = append(relatives[c], d)
					}
				}
			}
		}
	}
	out := map[string]interface{}{"language": "go"}
	fl := []string{}
	for f := range files {
		fl = append(fl, f)
	}
	sort.Strings(fl)
	out["files"] = fl
	sl := []*sym{}
	for _, s := range syms {
		sl = append(sl, s)
	}
	sort.Slice(sl, func(i, j int) bool { return sl[i].ID < sl[j].ID })
	out["symbols"] = sl
	rl := map[string][][]interface{}{}
	for k, m := range refs {
		for _, v := range m {
			rl[k] = append(rl[k], v)
		}
	}
	out["refs"] = rl
	out["relatives"] = relatives
	kn := map[string]map[string][]string{}
	for f, m := range known {
		kn[f] = map[string][]string{}
		for l, ns := range m {
			for n := range ns {
				kn[f][fmt.Sprint(l)] = append(kn[f][fmt.Sprint(l)], n)
			}
		}
	}
	out["known"] = kn
	b, _ := json.Marshal(out)
	os.Stdout.Write(b)
	fk := []string{}
	for f := range fake {
		fk = append(fk, f)
	}
	sort.Strings(fk)
	fmt.Fprintf(os.Stderr, "%d files, %d symbols, %d errors ignored, made-up packages: %s\n", len(fl), len(sl), errs, strings.Join(fk, " "))
}
