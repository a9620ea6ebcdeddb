package composer

import "slices"

// members reads an object: the value of each key in names goes to the same
// place of fields, other keys are passed over. It reports false where a key,
// known or not, stands twice: parsers disagree on which one counts. Keys are
// compared as decoded and with their case.
func members(object token, names []string, fields []token) bool {
	s := scanner{source: object.literal, pos: 1}
	var seen keySet
	for first := true; s.more('}', first); first = false {
		name, ok := s.key()
		if !ok {
			return false
		}
		key, _ := name.string()
		if !seen.add(key) {
			return false
		}
		value, ok := s.value(MaxDepth)
		if !ok {
			return false
		}
		if i := slices.Index(names, key); i >= 0 {
			fields[i] = value
		}
	}
	return true
}

// keySet tells keys that were added before: by looking through them while they
// are few, as in every honest object, by hashing once they are many.
type keySet struct {
	few  [12]string
	n    int
	many map[string]struct{}
}

// add reports false where key is in the set already.
func (k *keySet) add(key string) bool {
	if k.many == nil {
		if slices.Contains(k.few[:k.n], key) {
			return false
		}
		if k.n < len(k.few) {
			k.few[k.n] = key
			k.n++
			return true
		}
		k.many = make(map[string]struct{}, 2*len(k.few))
		for _, before := range k.few {
			k.many[before] = struct{}{}
		}
	}
	size := len(k.many)
	k.many[key] = struct{}{}
	return len(k.many) > size
}
