package stage

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// step is one thing that is done on a page.
type step = chromedp.Action[chromedp.Void]

// run evaluates a script in the page.
func run(script string) step {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[any](script))
		return err
	})
}

// waits waits until a JavaScript expression holds.
func waits(expression string) step {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience)))
		if err != nil {
			err = fmt.Errorf("wait for %s: %w", expression, err)
		}
		return err
	})
}

// ready waits until the page's scripts have done what they do at first.
var ready = waits(`!document.querySelector("#composer") || document.querySelector(".cm-content") !== null`)

// shows waits until something is to be seen.
func shows(selector string) step {
	return waits(fmt.Sprintf(`[...document.querySelectorAll(%q)].some(e => e.checkVisibility({visibilityProperty: true}))`, selector))
}

// types puts a text where the message box is, as a keyboard does.
func types(text string) step {
	return chromedp.Steps(run(`document.querySelector("#composer [role=textbox]").focus()`),
		chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: text})
			return err
		}))
}

// presses presses and releases a key.
func presses(key string, code int64) step {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: key, Code: key, WindowsVirtualKeyCode: code}
		up := down
		up.Type = input.DispatchKeyEventTypeKeyUp
		if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, down); err != nil {
			return err
		}
		_, err := chromedp.Call(ctx, input.DispatchKeyEvent, up)
		return err
	})
}

// sends presses the button under the message box.
var sends = run(`document.querySelector("#composer .send").click()`)

// pastes pastes a text into the message box.
func pastes(text string) step {
	return run(fmt.Sprintf(`{
		const data = new DataTransfer();
		data.setData("text/plain", %q);
		const box = document.querySelector("#composer [role=textbox]");
		box.focus();
		box.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
	}`, text))
}

// openAll opens everything that opens.
var openAll = run(`document.querySelectorAll("details").forEach(d => d.open = true)`)

// goOffline is a cable that is pulled.
var goOffline = chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
	_, err := chromedp.Call(ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
	return err
})

func backOnline(ctx context.Context) error {
	_, err := chromedp.Call(ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{DownloadThroughput: -1, UploadThroughput: -1})
	return err
}

// withScript says whether pages loaded from now on may run scripts. Each begins
// without what earlier ones have kept in the tab.
func withScript(ctx context.Context, script bool) error {
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `try { sessionStorage.clear(); localStorage.clear() } catch { /* about:blank has none */ }`,
	}); err != nil {
		return err
	}
	return AllowScript(ctx, script)
}

// AllowScript says whether a tab runs scripts.
func AllowScript(ctx context.Context, script bool) error {
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !script})
	return err
}

// pasted is a text that folds in the message box.
var pasted = strings.Repeat("127.0.0.1 - - [12/Mar/2026:10:11:12 +0000] \"GET /ledger HTTP/1.1\" 200 5120\n", 60)
