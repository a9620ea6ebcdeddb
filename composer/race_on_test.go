//go:build race

package composer

// slowdown allows for the race detector, which costs up to tenfold: limits of
// time are longer by it, random tries fewer.
const slowdown = 10
