package handlers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"webshell/web/locales"
)

// codesInCode are the error codes that this package gives, read from its
// source: second fields of storeFaults, and fields and arguments named code.
func codesInCode(t *testing.T) map[string]bool {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]bool{}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			code, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			codes[code] = true
		}
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "code" {
					add(n.Value)
				}
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.Ident); ok && name.Name == "unprocessable" {
					add(n.Args[0])
				}
			case *ast.CompositeLit: // {store.ErrX, http.StatusY, "code"}
				if n.Type == nil && len(n.Elts) == 3 {
					add(n.Elts[2])
				}
			}
			return true
		})
	}
	return codes
}

// Each error code has words in every language and stands in docs/http.md, and
// neither has one that nobody gives.
func TestErrorCodesAreWordedAndDocumented(t *testing.T) {
	t.Parallel()
	codes := codesInCode(t)
	if len(codes) < 20 {
		t.Fatalf("only %d codes were found: %v", len(codes), codes)
	}
	raw, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	_, docs, _ := strings.Cut(string(raw), "## Errors")
	docs, _, _ = strings.Cut(docs, "\n## ")
	for code := range codes {
		if !strings.Contains(docs, "`"+code+"`") {
			t.Errorf("docs/http.md lacks %s", code)
		}
		for _, lang := range locales.Langs() {
			if p := locales.For(lang); !p.Has("error."+code) || !p.Has("error."+code+".hint") {
				t.Errorf("%s has no words for %s", lang, code)
			}
		}
	}
	words, err := os.ReadFile("../web/locales/en.json")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(words)) {
		key, ok := strings.CutPrefix(strings.TrimSpace(line), `"error.`)
		if !ok {
			continue
		}
		code, _, _ := strings.Cut(key, `"`)
		if code = strings.TrimSuffix(code, ".hint"); !codes[code] {
			t.Errorf("nobody gives %s", code)
		}
	}
}
