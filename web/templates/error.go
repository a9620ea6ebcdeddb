package templates

// message is what happened, in the words given or those of the code.
func (e ErrorView) message(v View) string {
	if e.Message != "" {
		return visible(e.Message)
	}
	return v.P.T(errorKey(v, e.Code))
}

// hint is what to do about it. Words given without a hint stand alone.
func (e ErrorView) hint(v View) string {
	if e.Hint != "" || e.Message != "" {
		return visible(e.Hint)
	}
	return v.P.T(errorKey(v, e.Code) + ".hint")
}

func errorKey(v View, code string) string {
	if key := "error." + code; v.P.Has(key) && v.P.Has(key+".hint") {
		return key
	}
	return "error.internal"
}
