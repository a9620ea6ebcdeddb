package templates

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// preText is text right behind the opening tag of a pre or textarea. There a
// browser's parser drops one line break, so that a text that begins with one
// needs another before it.
func preText(text string) templ.Component {
	if !strings.HasPrefix(text, "\n") && !strings.HasPrefix(text, "\r") {
		return exact(text)
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		return exact(text).Render(ctx, w)
	})
}
