package composer

// Retext puts another text in place of a message's, and keeps the annotations
// that the change left alone: those in what the texts have in common at their
// start or at their end. It is for who sends a text and no ranges.
func Retext(m Message, text string) Message {
	head, tail := common(m.Content, text)
	whole := UTF16Len(m.Content)
	moved := UTF16Len(text) - whole
	kept := Message{Content: text}
	ends := map[string]int{} // of the last one kept of each type: none may overlap
	for _, a := range m.Annotations {
		switch {
		case a.End <= head:
		case a.Start >= whole-tail && a.Start+moved >= ends[a.Type]:
			a.Start += moved
			a.End += moved
		default:
			continue
		}
		ends[a.Type] = a.End
		kept.Annotations = append(kept.Annotations, a)
	}
	return kept
}
