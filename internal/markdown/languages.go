package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// languageName is what may stand in data-lang.
var languageName = regexp.MustCompile(`^[a-zA-Z0-9+#._-]{1,32}$`)

// languages are the lexers used, by chroma's names. Not all of chroma's are:
// some never end on text that is not theirs, some are built of others that
// cannot be guarded, and each that was used once stays in memory.
var languages = []string{
	"ApacheConf", "Awk", "Bash", "Bash Session", "Batchfile", "C", "C#", "C++",
	"CMake", "CSS", "Clojure", "Crystal", "D", "Dart", "Diff", "Docker",
	"Elixir", "Erlang", "FSharp", "Fish", "Fortran", "GLSL", "Go", "GraphQL",
	"Groovy", "HCL", "HTML", "Haskell", "INI", "JSON", "Java", "JavaScript",
	"Julia", "Kotlin", "Lua", "Makefile", "Matlab", "MySQL", "NASM",
	"Nginx configuration file", "Nix", "OCaml", "Objective-C", "PHP",
	"PL/pgSQL", "Perl", "PostgreSQL SQL dialect", "PowerShell",
	"Protocol Buffer", "Python", "R", "Ruby", "Rust", "SCSS", "SQL", "SYSTEMD",
	"Sass", "Scala", "Scheme", "Solidity", "Swift", "TOML", "TeX", "Terraform",
	"Transact-SQL", "TypeScript", "VB.net", "VimL", "XML", "YAML", "Zig",
	"properties", "react", "verilog", "vue",
}

// aliases are names people write that chroma does not have.
var aliases = map[string]string{
	"c++17": "C++", "h": "C", "hpp": "C++", "cs": "C#", "jsonc": "JSON", "json5": "JSON",
	"yml": "YAML", "mjs": "JavaScript", "cjs": "JavaScript", "node": "JavaScript",
	"tsx": "react", "kt": "Kotlin", "ps": "PowerShell", "svg": "XML", "patch": "Diff",
	"env": "properties", "dotenv": "properties", "conf": "INI", "m": "Objective-C",
	"psql": "PostgreSQL SQL dialect", "pgsql": "PostgreSQL SQL dialect", "sqlite": "SQL",
	"elisp": "Scheme", "lisp": "Scheme", "vb": "VB.net", "f#": "FSharp", "objective-c++": "Objective-C",
}

// matchTimeout bounds one attempt of one expression, which then counts as no
// match. It is a time on the clock: much less and a machine that is behind
// would colour wrongly. Tests lift it with the bound on all of a text.
var matchTimeout = 250 * time.Millisecond

// maxStandstill is how many rules may match in a row without consuming text.
const maxStandstill = 1000

// lexersByAlias holds the guarded lexers by lower-case name and alias. Building
// it compiles nothing: a lexer is compiled when it is first used. It empties
// chroma's own registry, of which nothing is used any more, so that each original
// goes, with its compiled expressions, once its rules are taken over.
var lexersByAlias = sync.OnceValue(func() map[string]chroma.Lexer {
	own := chroma.NewLexerRegistry()
	byAlias := make(map[string]chroma.Lexer)
	for _, name := range languages {
		original, ok := lexers.Get(name).(*chroma.RegexLexer)
		if !ok {
			panic(fmt.Sprintf("markdown: chroma has no plain lexer %q", name))
		}
		config := original.Config()
		lexer := own.Register(chroma.MustNewLexer(config, func() chroma.Rules {
			rules := guard(original)
			original = nil
			return rules
		}))
		for _, alias := range append(config.Aliases, config.Name) {
			byAlias[strings.ToLower(alias)] = lexer
		}
	}
	for alias, name := range aliases {
		byAlias[alias] = own.Get(name)
	}
	*lexers.GlobalLexerRegistry = *chroma.NewLexerRegistry()
	return byAlias
})

// guard returns the lexer's rules, each followed by a check that the text is
// still being consumed. chroma's loop has none: a rule that matches nothing and
// changes nothing is taken for ever.
func guard(lexer *chroma.RegexLexer) chroma.Rules {
	rules := lexer.MustRules().Clone()
	for state, list := range rules {
		for i := range list {
			if _, atCompile := list[i].Mutator.(chroma.LexerMutator); !atCompile {
				list[i].Mutator = guardedMutator{list[i].Mutator}
			}
			// Go's raw strings are read as templates by a lexer of their own.
			if lexer.Config().Name == "Go" && list[i].Pattern == "(`)([^`]*)(`)" {
				list[i].Type = chroma.ByGroups(chroma.LiteralString, chroma.LiteralString, chroma.LiteralString)
			}
		}
		rules[state] = list
	}
	rules["root"] = append(rules["root"], chroma.Rule{Mutator: &matchTimeouts{}})
	return rules
}

type guardedMutator struct{ next chroma.Mutator }

type standstill struct{ pos, count int }

func (g guardedMutator) Mutate(s *chroma.LexerState) error {
	at, _ := s.Get(standstill{}).(*standstill)
	if at == nil {
		at = &standstill{}
		s.Set(standstill{}, at)
	}
	if at.pos != s.Pos {
		at.pos, at.count = s.Pos, 0
	} else if at.count++; at.count > maxStandstill {
		s.Stack, s.Pos = nil, len(s.Text) // the end, as the loop sees it
		return nil
	}
	if g.next == nil {
		return nil
	}
	return g.next.Mutate(s)
}

// matchTimeouts is a rule that only acts when the lexer is compiled: it bounds
// the expressions and takes itself out.
type matchTimeouts struct{ _ byte }

func (*matchTimeouts) Mutate(*chroma.LexerState) error { return nil }

func (*matchTimeouts) MutateLexer(rules chroma.CompiledRules, state string, rule int) error {
	for _, list := range rules {
		for _, r := range list {
			r.Regexp.MatchTimeout = matchTimeout
		}
	}
	rules[state] = append(rules[state][:rule:rule], rules[state][rule+1:]...)
	return nil
}
