// Package config reads the program's settings: the environment, then
// webshell.yaml for what the environment leaves open.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path"
	"strings"
)

// Config is what the server runs with, checked.
type Config struct {
	Addr        string            // host:port to listen on
	DatabaseURL string            // "" is the private Postgres in Data
	Data        string            // folder of the private Postgres; "" is the default of the user
	Workspace   string            // folder the agents work in
	BasePath    string            // "" or "/prefix", without a slash at the end
	PublicURL   *url.URL          // nil, or the address by which people reach the server; its path is BasePath
	Hosts       []string          // names accepted in Host beside the usual ones, lower case, without port
	PGBin       string            // folder of the Postgres binaries; "" searches
	Icons       map[string]string // kind → built-in name or data: URL
}

// Default address to listen on, and name of the optional file.
const (
	DefaultAddr = "127.0.0.1:8080"
	DefaultFile = "webshell.yaml"
)

// Load reads the environment (KEY=value strings) and the file it names. The
// environment wins. A file that is named and missing is an error; the default
// one may be missing.
func Load(environ []string) (Config, error) {
	env := map[string]string{}
	for _, kv := range environ {
		if key, value, ok := strings.Cut(kv, "="); ok {
			env[key] = value
		}
	}
	name, named := env["WEBSHELL_CONFIG"], true
	if name == "" {
		name, named = DefaultFile, false
	}
	f, err := readFile(name, named, env)
	if err != nil {
		return Config{}, err
	}
	return f.resolve(env)
}

// resolve lays the environment over the file and checks each value.
func (f file) resolve(env map[string]string) (Config, error) {
	setting := func(key, fromFile, fallback string) string {
		switch {
		case env[key] != "":
			return env[key]
		case fromFile != "":
			return fromFile
		}
		return fallback
	}
	c := Config{
		Addr:        setting("WEBSHELL_ADDR", f.Addr, DefaultAddr),
		DatabaseURL: setting("DATABASE_URL", f.DatabaseURL, ""),
		Data:        setting("WEBSHELL_DATA", f.Data, ""),
		Workspace:   setting("WEBSHELL_WORKSPACE", f.Workspace, "."),
		PGBin:       setting("WEBSHELL_PG_BIN", f.PGBin, ""),
		Hosts:       f.Hosts,
		Icons:       f.Icons,
	}
	if hosts := env["WEBSHELL_HOSTS"]; hosts != "" {
		c.Hosts = strings.FieldsFunc(hosts, func(r rune) bool { return r == ',' || r == ' ' })
	}
	var errs []error
	for i, host := range c.Hosts {
		c.Hosts[i] = HostName(host) // as a request's Host is compared: a port says nothing
		if strings.ContainsAny(host, "/*@ ") || host == "" {
			errs = append(errs, fmt.Errorf("WEBSHELL_HOSTS: %q is no host name", host))
		}
	}
	if _, _, err := net.SplitHostPort(c.Addr); err != nil {
		errs = append(errs, fmt.Errorf("WEBSHELL_ADDR: %q is no address like %s", c.Addr, DefaultAddr))
	}
	var err error
	if c.BasePath, err = basePath(setting("WEBSHELL_BASE_PATH", f.BasePath, "")); err != nil {
		errs = append(errs, err)
	}
	if c.PublicURL, err = publicURL(setting("WEBSHELL_PUBLIC_URL", f.PublicURL, "")); err != nil {
		errs = append(errs, err)
	}
	if c.PublicURL != nil && c.PublicURL.Path != "" {
		if c.BasePath != "" && c.BasePath != c.PublicURL.Path {
			errs = append(errs, fmt.Errorf("WEBSHELL_BASE_PATH is %s, but the path of WEBSHELL_PUBLIC_URL is %s: set one of them, or both the same", c.BasePath, c.PublicURL.Path))
		}
		c.BasePath = c.PublicURL.Path
	}
	return c, errors.Join(errs...)
}

func basePath(s string) (string, error) {
	if s == "" || s == "/" {
		return "", nil
	}
	clean := path.Clean("/" + s)
	for _, r := range clean {
		if !strings.ContainsRune("/-._~", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return "", fmt.Errorf("WEBSHELL_BASE_PATH: %q may hold letters, digits and -._~/ only", s)
		}
	}
	return clean, nil
}

func publicURL(s string) (*url.URL, error) {
	if s == "" {
		return nil, nil
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("WEBSHELL_PUBLIC_URL: %q is no address like https://chat.example.org", s)
	}
	if u.Path, err = basePath(u.Path); err != nil {
		return nil, fmt.Errorf("WEBSHELL_PUBLIC_URL: its path may hold letters, digits and -._~/ only")
	}
	u.RawPath = ""
	u.Host = originHost(u)
	return u, nil
}

// originHost is a URL's host as browsers write it in Origin: lower case, and
// without the scheme's own port.
func originHost(u *url.URL) string {
	host := strings.ToLower(u.Host)
	own := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	return strings.TrimSuffix(host, own)
}

// AcceptsHost reports whether a request's Host may be answered: loopback, the
// address the server listens on, the public URL's host, and Hosts. Any other
// name may be a foreign page's that was pointed at this machine.
func (c Config) AcceptsHost(host string) bool {
	name := HostName(host)
	if name == "" {
		return false
	}
	if IsLoopback(name) {
		return true
	}
	if listen, _, err := net.SplitHostPort(c.Addr); err == nil && name == strings.ToLower(listen) {
		if ip, err := netip.ParseAddr(listen); err != nil || !ip.IsUnspecified() {
			return true
		}
	}
	if c.PublicURL != nil && name == strings.ToLower(c.PublicURL.Hostname()) {
		return true
	}
	for _, h := range c.Hosts {
		if name == h {
			return true
		}
	}
	return false
}

// HostName is the name in a Host header: without port and brackets, lower case.
func HostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
}

// IsLoopback reports whether a name can only mean this machine: browsers
// resolve localhost themselves, so that no DNS answer can take it over.
func IsLoopback(name string) bool {
	if name == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

// BaseURL is the address people open, for links that leave the server. addr is
// the address listened on, which knows the port when :0 was asked for.
func (c Config) BaseURL(addr string) string {
	if c.PublicURL != nil {
		return c.PublicURL.Scheme + "://" + c.PublicURL.Host + c.BasePath
	}
	return c.ListenURL(addr)
}

// ListenURL is the address that this machine reaches the server by.
func (c Config) ListenURL(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "http://" + addr + c.BasePath
	}
	if ip, err := netip.ParseAddr(host); host == "" || (err == nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + c.BasePath
}
