// Package stage sets the program up to be looked at: conversations of every
// kind, the states that a page can be in, and the looks (theme, language,
// width …) in which a browser shows them. The accessibility test and the
// pictures of the documentation walk through the same table.
package stage
