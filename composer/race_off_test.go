//go:build !race

package composer

const slowdown = 1
