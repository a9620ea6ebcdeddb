//go:build race

package composer

// slowdown allows for the race detector, which costs up to tenfold.
const slowdown = 10
