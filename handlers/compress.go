package handlers

import (
	"compress/gzip"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// jitter is by how many bytes at most an answer is longer than it need be.
const jitter = 32

// compressed packs pages, fragments and JSON for browsers that take gzip.
//
// The length of a packed answer tells whether two texts in it resemble each
// other. Somebody who reads the line and can have a person's browser ask for
// addresses of their choice might guess at what the page holds, character by
// character (the attack called BREACH). Pages hold no secret that opens a door:
// no token against forged forms (the origin is checked instead), a policy nonce
// that is another each time, and the sign-in page, which has its link's token in
// it, is not packed. What they do hold is the conversation, so each answer gets
// some bytes more or less, by its content: asking again does not average them
// out. The stream is not packed either: packing would hold words back.
func compressed(next http.Handler) http.Handler { return pack(next) }

var pack = func() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.ContentTypes([]string{"text/html", "application/json"}),
		gzhttp.CompressionLevel(gzip.DefaultCompression),
		gzhttp.EnableZstd(false), // its encoder takes more memory than the whole idle server
		gzhttp.RandomJitter(jitter, 0, false),
	)
	if err != nil {
		panic("handlers: the options are constants: " + err.Error())
	}
	return wrap
}()
