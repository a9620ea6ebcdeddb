package main

import "strings"

// A licence is known by a phrase that its text always holds and no other
// licence's does. Texts are compared in lower case with single spaces.
var permissive = []struct{ name, phrase string }{
	{"Apache-2.0", "apache license, version 2.0"},
	{"Apache-2.0", "apache license version 2.0"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"},
	{"ISC", "permission to use, copy, modify, and distribute this software for any purpose with or without fee"},
	{"BSD", "redistribution and use in source and binary forms"},
}

// refused are phrases of licences whose terms would reach the whole program,
// or its modified files.
var refused = []struct{ name, phrase string }{
	{"AGPL", "gnu affero general public license"},
	{"LGPL", "gnu lesser general public license"},
	{"LGPL", "gnu library general public license"},
	{"GPL", "gnu general public license"},
	{"MPL", "mozilla public license"},
	{"EPL", "eclipse public license"},
	{"CDDL", "common development and distribution license"},
	{"EUPL", "european union public licence"},
	{"SSPL", "server side public license"},
	{"BUSL", "business source license"},
}

// identify names the permissive licences in a text, by their SPDX
// identifiers, and the refused ones.
func identify(text string) (names, bad []string) {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, l := range permissive {
		if strings.Contains(text, l.phrase) {
			names = add(names, spdx(l.name, text))
		}
	}
	for _, l := range refused {
		if strings.Contains(text, l.phrase) {
			bad = add(bad, l.name)
		}
	}
	return names, bad
}

// spdx tells the BSD licence that forbids the use of the authors' names for
// endorsement (three clauses) from the one that does not.
func spdx(name, text string) string {
	if name != "BSD" {
		return name
	}
	if strings.Contains(text, "endorse or promote products derived") {
		return "BSD-3-Clause"
	}
	return "BSD-2-Clause"
}

func add(list []string, name string) []string {
	for _, have := range list {
		if have == name {
			return list
		}
	}
	return append(list, name)
}
