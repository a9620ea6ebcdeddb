// Package composetest checks deploy/compose.yaml and deploy/Dockerfile where
// no container engine runs: the one against the compose specification and
// what it promises, the other by running its steps in folders.
package composetest

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// load reads compose.yaml as the command does, with these variables alone.
func load(t *testing.T, env ...string) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../compose.yaml"},
		cli.WithEnv(env), cli.WithoutEnvironmentResolution)
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	project, err = project.WithServicesEnvironmentResolved(true)
	if err != nil {
		t.Fatal(err)
	}
	return project
}

// variables gives a service's environment as KEY → value.
func variables(t *testing.T, s types.ServiceConfig) map[string]string {
	t.Helper()
	all := map[string]string{}
	for key, value := range s.Environment {
		if value == nil {
			t.Fatalf("%s: %s has no value", s.Name, key)
		}
		all[key] = *value
	}
	return all
}

func TestServices(t *testing.T) {
	t.Parallel()
	got := load(t).ServiceNames()
	slices.Sort(got)
	if want := []string{"db", "secrets", "webshell"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got the services %v, want %v", got, want)
	}
}

var pinned = regexp.MustCompile(`^[a-z0-9./-]+:[0-9]+[A-Za-z0-9.-]*$`)

// Every service is confined alike, the one that is root included.
func TestConfinement(t *testing.T) {
	t.Parallel()
	caps := map[string][]string{"secrets": {"CHOWN"}}
	users := map[string]string{"secrets": "0:0", "db": "postgres", "webshell": "65532:65532"}
	for name, s := range load(t).Services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !s.ReadOnly {
				t.Error("its root is writable")
			}
			if !reflect.DeepEqual(s.CapDrop, []string{"ALL"}) || !slices.Equal(s.CapAdd, caps[name]) {
				t.Errorf("capabilities: dropped %v, added %v", s.CapDrop, s.CapAdd)
			}
			if !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
				t.Errorf("security options: %v", s.SecurityOpt)
			}
			if s.User != users[name] {
				t.Errorf("runs as %q, want %q", s.User, users[name])
			}
			if s.Privileged || s.Pid != "" || s.Ipc != "" || len(s.Devices) > 0 || s.NetworkMode == "host" {
				t.Error("shares something of the host")
			}
			if s.Build == nil && !pinned.MatchString(s.Image) {
				t.Errorf("the image %q is not pinned by a version", s.Image)
			}
			for _, v := range s.Volumes {
				if v.Type == types.VolumeTypeBind && !v.ReadOnly {
					t.Errorf("%s of the host is writable", v.Source)
				}
			}
		})
	}
}

func TestDatabase(t *testing.T) {
	t.Parallel()
	project := load(t)
	db := project.Services["db"]
	if !strings.HasPrefix(db.Image, "postgres:18-alpine") {
		t.Fatalf("image %s: the checks below know postgres:18-alpine", db.Image)
	}
	env := variables(t, db)
	if env["POSTGRES_PASSWORD_FILE"] != "/secrets/db/password" || env["POSTGRES_PASSWORD"] != "" {
		t.Errorf("the password does not come from the secrets' file alone: %v", env)
	}
	// The image of 18 declares this folder as its volume and refuses to start
	// over a mount of the older images' /var/lib/postgresql/data.
	mount(t, db, "/var/lib/postgresql", "db", false)
	mount(t, db, "/secrets", "secrets", true)
	tmpfs(t, db, "/tmp", "/var/run/postgresql")
	if db.HealthCheck == nil || !slices.Contains(db.HealthCheck.Test, "--host=127.0.0.1") {
		t.Errorf("health check %v: the socket answers before the first start is done", db.HealthCheck)
	}
	if len(db.Ports) > 0 || !slices.Equal(keys(db.Networks), []string{"db"}) || !bool(project.Networks["db"].Internal) {
		t.Errorf("reachable by more than the inner network: ports %v, networks %v", db.Ports, keys(db.Networks))
	}
	if db.Restart != types.RestartPolicyUnlessStopped {
		t.Errorf("restart: %q", db.Restart)
	}
	waits(t, db, map[string]string{"secrets": types.ServiceConditionCompletedSuccessfully})
}

func TestWebshell(t *testing.T) {
	t.Parallel()
	project := load(t)
	s := project.Services["webshell"]
	mount(t, s, "/secrets", "secrets", true)
	tmpfs(t, s, "/tmp")
	if got, want := []string(s.HealthCheck.Test), []string{"CMD", "webshell", "healthcheck"}; !slices.Equal(got, want) {
		t.Errorf("health check %v, want %v", got, want)
	}
	if s.Restart != types.RestartPolicyUnlessStopped {
		t.Errorf("restart: %q", s.Restart)
	}
	waits(t, s, map[string]string{
		"secrets": types.ServiceConditionCompletedSuccessfully,
		"db":      types.ServiceConditionHealthy,
	})
	if len(s.Ports) != 1 || s.Ports[0].HostIP != "127.0.0.1" || s.Ports[0].Published != "8080" || s.Ports[0].Target != 8080 {
		t.Errorf("published: %+v", s.Ports)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if s.Build.Context != root || s.Build.Dockerfile != "deploy/Dockerfile" {
		t.Errorf("built from %s in %s, want deploy/Dockerfile in %s", s.Build.Dockerfile, s.Build.Context, root)
	}
	if _, err := os.Stat(filepath.Join(root, s.Build.Dockerfile)); err != nil {
		t.Error(err)
	}
}

// TestSettings checks what the variables of the one who runs it lead to.
func TestSettings(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name                                 string
		env                                  []string
		publicURL, hosts, workspace, publish string
	}{
		{"nothing set", nil, "http://127.0.0.1:8080", "", root, "8080"},
		{"another port", []string{"WEBSHELL_PORT=9000"}, "http://127.0.0.1:9000", "", root, "9000"},
		{
			"behind a proxy",
			[]string{"WEBSHELL_PUBLIC_URL=https://chat.example.org/x", "WEBSHELL_HOSTS=chat,chat.internal", "WEBSHELL_WORKSPACE=/srv/code"},
			"https://chat.example.org/x", "chat,chat.internal", "/srv/code", "8080",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := load(t, tt.env...).Services["webshell"]
			env := variables(t, s)
			if env["WEBSHELL_PUBLIC_URL"] != tt.publicURL || env["WEBSHELL_HOSTS"] != tt.hosts || env["WEBSHELL_ADDR"] != "0.0.0.0:8080" {
				t.Errorf("environment: %v", env)
			}
			v := mount(t, s, "/workspace", tt.workspace, true)
			if v.Bind == nil || bool(v.Bind.CreateHostPath) {
				t.Error("a misspelt workspace would be made as an empty folder of root's")
			}
			if s.Ports[0].Published != tt.publish || s.Ports[0].HostIP != "127.0.0.1" {
				t.Errorf("published: %+v", s.Ports)
			}
		})
	}
}

// mount finds what is mounted at a path and checks where it comes from.
func mount(t *testing.T, s types.ServiceConfig, target, source string, readOnly bool) types.ServiceVolumeConfig {
	t.Helper()
	for _, v := range s.Volumes {
		if v.Target != target {
			continue
		}
		if v.Source != source || v.ReadOnly != readOnly {
			t.Errorf("%s: %s is mounted from %s, read-only: %v", s.Name, target, v.Source, v.ReadOnly)
		}
		return v
	}
	t.Fatalf("%s: nothing is mounted at %s", s.Name, target)
	return types.ServiceVolumeConfig{}
}

func tmpfs(t *testing.T, s types.ServiceConfig, want ...string) {
	t.Helper()
	if !slices.Equal(s.Tmpfs, want) {
		t.Errorf("%s: tmpfs on %v, want %v", s.Name, s.Tmpfs, want)
	}
}

func waits(t *testing.T, s types.ServiceConfig, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	for name, d := range s.DependsOn {
		got[name] = d.Condition
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s waits for %v, want %v", s.Name, got, want)
	}
}

func keys[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
