package composer

// Span is a run of a message: plain text, or text that a chip covers.
type Span struct {
	Text string
	// Annotation is nil for a plain run, else the reference that covers Text,
	// one of the list given to Spans.
	Annotation *Annotation
}

// Spans cuts content into runs; joined, their texts are content exactly,
// whatever the annotations say. No run is empty. Reference annotations become
// chips, command annotations are not drawn, and one that does not hold for
// content, or stands out of order, is passed over.
func Spans(content string, annotations []Annotation) []Span {
	spans := make([]Span, 0, 2*len(annotations)+1)
	at := cursor{text: content}
	done := 0
	for i := range annotations {
		a := &annotations[i]
		if a.Type != TypeReference || a.Reference == nil {
			continue
		}
		from, to, ok := at.covers(a.Start, a.End, a.Text)
		if !ok || from < done {
			continue
		}
		if from > done {
			spans = append(spans, Span{Text: content[done:from]})
		}
		spans = append(spans, Span{Text: content[from:to], Annotation: a})
		done = to
	}
	if done < len(content) {
		spans = append(spans, Span{Text: content[done:]})
	}
	return spans
}
