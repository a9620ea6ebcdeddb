package bundle

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// browsers are the oldest that the scripts are written for. They understand
// everything that the style sheet needs too.
const browsers = api.ES2022

// Client bundles the scripts of client, the folder web/client, into out: app.js
// for every page, editor.js for the rich message box, htmx.js as it is
// published, and licenses.txt with the licences of all packages in them.
func Client(client, out string) error {
	if err := install(client); err != nil {
		return err
	}
	app, err := script(client, "src/main.ts", filepath.Join(out, "app.js"), api.FormatIIFE)
	if err != nil {
		return err
	}
	editor, err := script(client, "src/editor/main.ts", filepath.Join(out, "editor.js"), api.FormatESModule)
	if err != nil {
		return err
	}
	htmx, err := os.ReadFile(filepath.Join(client, "node_modules/htmx.org/dist/htmx.min.js"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "htmx.js"), withoutMap(htmx), 0o644); err != nil {
		return err
	}
	licenses, err := licensesOf(client, append(append(app, editor...), "htmx.org"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "licenses.txt"), licenses, 0o644)
}

// script bundles what source imports into the file out, and names the packages
// that are in it.
func script(client, source, out string, format api.Format) (packages []string, err error) {
	dir, err := filepath.Abs(client)
	if err != nil {
		return nil, err
	}
	to, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: dir,
		EntryPoints:   []string{source},
		Outfile:       to,
		Bundle:        true,
		Format:        format,
		Platform:      api.PlatformBrowser,
		Target:        browsers,
		Charset:       api.CharsetUTF8,
		// The tree may be looked at through a link; what is bundled is the same.
		PreserveSymlinks:  true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone, // licenses.txt has them whole
		Metafile:          true,
		Write:             true,
	})
	if err := failure(append(result.Errors, result.Warnings...)); err != nil {
		return nil, err
	}
	return packagesIn(result.Metafile)
}

// Tests bundles each *.test.ts below client, with the packages that it needs,
// into the folder out, for node to run.
func Tests(client, out string) error {
	if err := install(client); err != nil {
		return err
	}
	dir, err := filepath.Abs(client)
	if err != nil {
		return err
	}
	var tests []string
	err = filepath.WalkDir(filepath.Join(dir, "src"), func(name string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(name, ".test.ts") {
			tests = append(tests, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(tests) == 0 {
		return errors.New("no tests below " + client)
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: dir,
		EntryPoints:   tests,
		Outdir:        out,
		OutExtension:  map[string]string{".js": ".mjs"},
		Bundle:        true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformNode,
		Target:        browsers,
		Charset:       api.CharsetUTF8,
		Sourcemap:     api.SourceMapInline,
		Write:         true,
	})
	return failure(append(result.Errors, result.Warnings...))
}

// failure is what esbuild has to say, or nil. Warnings count: there are none
// that the sources need.
func failure(messages []api.Message) error {
	if len(messages) == 0 {
		return nil
	}
	lines := api.FormatMessages(messages, api.FormatMessagesOptions{Kind: api.ErrorMessage})
	return errors.New(strings.Join(lines, ""))
}
