package stage

import (
	"errors"
	"os"
	"os/exec"

	"github.com/chromedp/chromedp"
)

// BrowserOptions start a Chromium without a window that calls nobody by itself.
// profile is a folder of its own.
func BrowserOptions(profile string) ([]chromedp.ExecAllocatorOption, error) {
	path, err := browser()
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(profile),
		chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.WindowSize(1280, 860),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-quic", true),
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses root
	}
	return options, nil
}

// browser is where distributions put Chromium; CHROMIUM in the environment
// names another. The one that never has a window comes first: it starts in half
// the time.
func browser() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium was found: install the package chromium, or set CHROMIUM to its path")
}
