// Package workspace reads the folder that agents work in. Everything goes
// through an os.Root: no name and no symbolic link leads out of the folder.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// What is refused before the file system is asked.
var (
	// ErrName means a name that cannot be one of the folder's: absolute, with
	// "..", empty elements, NUL, or bytes that are not UTF-8.
	ErrName = errors.New("no name inside the workspace")
	// ErrNotFolder means that a folder was asked for and something else is there.
	ErrNotFolder = errors.New("not a folder")
	// ErrNotFile means that a file was asked for and something else is there: a
	// folder, a pipe, a device.
	ErrNotFile = errors.New("not a regular file")
)

// Folder is an open workspace. It is safe for concurrent use, and stays with
// the folder it was opened on when that is moved.
//
// Names are relative to it and slash-separated, as io/fs has them; "." is the
// folder itself.
type Folder struct{ root *os.Root }

// Open opens the workspace at a path of the operator's, who may name it by a
// symbolic link.
func Open(path string) (*Folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Folder{root}, nil
}

// Close closes the folder. Reading it afterwards is an error.
func (f *Folder) Close() error { return f.root.Close() }

// Kind tells what a name stands for, symbolic links followed.
type Kind uint8

// Other is what is neither: a pipe, a device, a link that leads out of the
// workspace or to nothing.
const (
	Other Kind = iota
	File
	Directory
)

func kindOf(mode fs.FileMode) Kind {
	switch {
	case mode.IsDir():
		return Directory
	case mode.IsRegular():
		return File
	}
	return Other
}

// Stat tells what a name stands for. It is an error where nothing is there,
// and where a link leads out of the workspace.
func (f *Folder) Stat(name string) (Kind, error) {
	local, err := localize(name)
	if err != nil {
		return Other, err
	}
	info, err := f.root.Stat(local)
	if err != nil {
		return Other, err
	}
	return kindOf(info.Mode()), nil
}

// localize checks a name and puts it in the form of the operating system. A
// slash at its end, which marks a folder, is let go.
func localize(name string) (string, error) {
	if name != "/" {
		name = strings.TrimSuffix(name, "/")
	}
	local, err := filepath.Localize(name)
	if err != nil {
		return "", fmt.Errorf("%w: %q", ErrName, name)
	}
	return local, nil
}

// open opens what has to be of the given kind. The kind is asked for first,
// since opening a pipe or a device may block or have effects; without blocking
// and once more afterwards, since it may have been swapped in between.
func (f *Folder) open(name string, kind Kind, wrong error) (*os.File, error) {
	local, err := localize(name)
	if err != nil {
		return nil, err
	}
	info, err := f.root.Stat(local)
	if err != nil {
		return nil, err
	}
	if kindOf(info.Mode()) != kind {
		return nil, wrong
	}
	file, err := f.root.OpenFile(local, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil && kindOf(info.Mode()) != kind {
		err = wrong
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
