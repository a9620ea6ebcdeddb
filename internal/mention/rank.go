package mention

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// found is a name of a listing that fits, and how well.
type found struct {
	folder int32
	name   int32
	score  int32
	length int32 // of the path, in bytes
	tier   tier
}

// scope says what of a listing is searched.
type scope struct {
	hidden bool // hidden names too
	paths  bool // a name may match together with its folder's path
}

// search looks for what fits best in a listing, at most limit names. Its error
// is that of ctx.
func (m *matcher) search(ctx context.Context, l listing, in scope, limit int) ([]hit, error) {
	best := ranking{listing: l, limit: limit, worst: found{tier: noMatch}}
	for fi := range l.folders {
		f := l.folders[fi]
		if fi%512 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if f.hidden && !in.hidden {
			continue
		}
		above := namesOnly
		if in.paths {
			above = m.reach(composed([]byte(f.path), f.decomposed), 0)
		}
		for i := f.first; i < f.end; i++ {
			if i%512 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if l.marks[i]&isHidden != 0 && !in.hidden {
				continue
			}
			if t, score := m.fit(&l, f, i, above, best.worst.tier); t != noMatch {
				best.add(found{int32(fi), i, score, int32(len(f.path) + len(l.name(i))), t})
			}
		}
	}
	var hits []hit
	for _, b := range best.cut() {
		hits = append(hits, hit{path: l.path(l.folders[b.folder], b.name), by: m, whole: b.tier >= pathPrefix})
	}
	return hits, nil
}

// namesOnly as what a path reaches leaves paths out.
const namesOnly = -1

// fit holds the i-th name of a listing, in a folder f, against the needle, and
// its path where the name alone does not fit. above is how far the folder's
// path reaches; what cannot reach the tier worst need not be looked at closely.
func (m *matcher) fit(l *listing, f folder, i int32, above int, worst tier) (tier, int32) {
	mark := l.marks[i]
	name := composed(l.name(i), mark&isDecomposed != 0)
	reached := m.reach(name, 0)
	if reached == len(m.runes) {
		if t, score := m.inName(name, worst); t != noMatch {
			return t, score
		}
	}
	if worst < pathPrefix || above == namesOnly || above == 0 && reached < len(m.runes) && mark&isFolder == 0 {
		return noMatch, 0
	}
	m.path = append(append(m.path[:0], f.path...), name...)
	if mark&isFolder != 0 {
		m.path = append(m.path, '/')
	}
	if m.reach(m.path[len(f.path):], above) < len(m.runes) {
		return noMatch, 0
	}
	return m.inPath(composed(m.path, f.decomposed), worst)
}

// composed is text in Unicode's form C, as needles are.
func composed(text []byte, decomposed bool) []byte {
	if decomposed {
		return norm.NFC.Bytes(text)
	}
	return text
}

// ranking keeps the best of what it is given.
type ranking struct {
	listing listing
	limit   int
	all     []found
	worst   found // of the best limit ones, once there are as many
	full    bool
}

func (r *ranking) add(f found) {
	if r.full && r.compare(f, r.worst) >= 0 {
		return
	}
	r.all = append(r.all, f)
	if len(r.all) >= 16*r.limit {
		r.cut()
	}
}

// cut leaves the best, in order.
func (r *ranking) cut() []found {
	slices.SortFunc(r.all, r.compare)
	if len(r.all) >= r.limit {
		r.all = r.all[:r.limit]
		r.worst, r.full = r.all[r.limit-1], true
	}
	return r.all
}

// compare puts the better first: by where the match is, by the matcher's score,
// the shorter, and by name, so that the order is always the same.
func (r *ranking) compare(a, b found) int {
	if c := cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(b.score, a.score), cmp.Compare(a.length, b.length)); c != 0 {
		return c
	}
	l := &r.listing
	return cmp.Or(strings.Compare(l.folders[a.folder].path, l.folders[b.folder].path), bytes.Compare(l.name(a.name), l.name(b.name)))
}
