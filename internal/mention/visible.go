package mention

import (
	"context"
	"path"
	"strings"

	"webshell/internal/workspace"
)

// gitFolder is where Git keeps its own; nobody refers to that.
const gitFolder = ".git"

// prefixOf is a folder's path as it stands before the names in it.
func prefixOf(dir string) string {
	if dir == "." {
		return ""
	}
	return dir + "/"
}

// elements are those of the path of a name in a folder.
func elements(prefix, name string) []string { return strings.Split(prefix+name, "/") }

// pathOf is an entry's path; one of a folder ends in a slash.
func pathOf(prefix string, e workspace.Entry) string {
	if e.Kind == workspace.Directory {
		return prefix + e.Name + "/"
	}
	return prefix + e.Name
}

// visible keeps the entries of a folder that can be referred to: files and
// folders that no rule ignores and that a chip can stand for. It stops early
// where ctx ends.
func visible(ctx context.Context, prefix string, entries []workspace.Entry, rules *level) []workspace.Entry {
	kept := entries[:0]
	split := elements(prefix, "")
	for i, e := range entries {
		if i%256 == 0 && ctx.Err() != nil {
			break
		}
		if e.Kind == workspace.Other || strings.EqualFold(e.Name, gitFolder) || !referable(pathOf(prefix, e)) {
			continue
		}
		split[len(split)-1] = e.Name
		// As to Git, a link is no folder, whatever it leads to.
		if rules.ignores(split, e.Kind == workspace.Directory && !e.Link) {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// rulesIn adds the rules that a folder itself holds to those above it.
func rulesIn(f *workspace.Folder, dir string, above *level) *level {
	depth := strings.Count(prefixOf(dir), "/")
	// Weaker ones first: the last that matches counts.
	for _, name := range []string{gitFolder + "/info/exclude", ".gitignore"} {
		if text, err := f.ReadFile(path.Join(dir, name), maxIgnoreFile); err == nil {
			above = above.under(depth, rulesOf(string(text)))
		}
	}
	return above
}

// holdsRules reports whether rulesIn can find any: most folders hold none, and
// need not be asked.
func holdsRules(entries []workspace.Entry) bool {
	for _, e := range entries {
		if e.Name == gitFolder || e.Name == ".gitignore" {
			return true
		}
	}
	return false
}

// rulesTo gathers the rules that hold in a folder. It reports false where the
// folder is ignored itself, or in one that is, or Git's own.
func rulesTo(f *workspace.Folder, dir string) (*level, bool) {
	rules := rulesIn(f, ".", nil)
	if dir == "." {
		return rules, true
	}
	all := strings.Split(dir, "/")
	for i := range all {
		if strings.EqualFold(all[i], gitFolder) || rules.ignores(all[:i+1], true) {
			return nil, false
		}
		rules = rulesIn(f, strings.Join(all[:i+1], "/"), rules)
	}
	return rules, true
}
