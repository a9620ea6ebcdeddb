// Package localpg runs a private PostgreSQL for one WebShell data folder, so
// that nobody has to set one up. It is used when DATABASE_URL is empty.
//
// # What is where
//
//	<Dir>/webshell.lock       held (flock) by the one program that uses the folder
//	<Dir>/postgres.log        what Postgres printed, 8 MiB, one older file kept beside it
//	<Dir>/postgres/data       the cluster; owned by the account that runs Postgres
//	<Dir>/postgres/data.init  a cluster being made; renamed when it is complete
//	<Dir>/postgres/run        the socket, mode 0700; a hashed folder under the
//	                          temporary folder when that path would be too long
//
// # Who may connect
//
// Postgres listens on no network address. Its socket lies in a folder that only
// root and the run account can enter, and it asks the kernel who is calling
// (peer authentication); those two are mapped to the role "webshell". There is
// no password and no port to guard.
//
// # As root
//
// Postgres refuses to run as root. Then it runs as the owner of the cluster, or
// of the folder around it; for a new cluster as the user "webshell", else
// "postgres", else, as a last resort, "nobody". Only folders made here change
// owner, and folders above the data folder are never changed.
//
// # When Postgres ends by itself
//
// The supervisor starts it again: at once the first time, then after 100 ms,
// 200 ms, … up to 10 s when it keeps failing, for as long as it takes; a full
// disk or a missing binary heals when its cause is gone. [Server.URL] stays the
// same, so a connection pool only has to redial. Two things end the supervision
// because no waiting can mend them: the cluster is gone, or it has become one of
// another major version. Then [Server.Done] is closed and [Server.Err] tells why.
//
// When the program itself is killed, the kernel sends Postgres SIGINT (on Linux)
// and it shuts down cleanly. When both are killed, the next Start waits for what
// is left of the old Postgres, clears what it left behind, and Postgres recovers
// from its log: what was committed is kept.
//
// The cluster's own files are never deleted or replaced: not on a version
// mismatch, not on a failed start.
package localpg
