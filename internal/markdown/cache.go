package markdown

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// A Cache keeps what [Render] made of texts that do not change, the most
// recently used ones, so that a page or a second reader does not pay for
// highlighting again. It is safe for concurrent use.
type Cache struct {
	limit int // bytes of HTML kept

	mu     sync.Mutex
	size   int
	recent *list.List // of rendered, the most recently used first
	byText map[[sha256.Size]byte]*list.Element
}

type rendered struct {
	text [sha256.Size]byte
	html string
}

// NewCache makes a cache of at most so many bytes of HTML. A text whose HTML
// alone takes more than an eighth of that is rendered each time.
func NewCache(limit int) *Cache {
	return &Cache{limit: limit, recent: list.New(), byText: map[[sha256.Size]byte]*list.Element{}}
}

// Render is the function Render. Two callers that come with the same new text
// at once both render it.
func (c *Cache) Render(src string) string {
	text := sha256.Sum256([]byte(src))
	if html, ok := c.find(text); ok {
		return html
	}
	html := Render(src)
	c.keep(rendered{text, html})
	return html
}

func (c *Cache) find(text [sha256.Size]byte) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byText[text]
	if !ok {
		return "", false
	}
	c.recent.MoveToFront(e)
	return e.Value.(rendered).html, true
}

func (c *Cache) keep(r rendered) {
	if len(r.html) > c.limit/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byText[r.text] != nil {
		return
	}
	c.byText[r.text] = c.recent.PushFront(r)
	c.size += len(r.html)
	for c.size > c.limit {
		oldest := c.recent.Remove(c.recent.Back()).(rendered)
		delete(c.byText, oldest.text)
		c.size -= len(oldest.html)
	}
}
