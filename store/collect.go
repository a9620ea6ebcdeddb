package store

import "github.com/jackc/pgx/v5"

// collectWithin reads rows until what they hold comes to so many bytes, and
// reports whether those were all. It reads one row at least.
func collectWithin[T any](rows pgx.Rows, scan pgx.RowToFunc[T], limit int) (list []T, whole bool, err error) {
	defer rows.Close()
	for used := 0; rows.Next(); {
		if used >= limit {
			return list, false, nil
		}
		for _, value := range rows.RawValues() {
			used += len(value)
		}
		v, err := scan(rows)
		if err != nil {
			return nil, false, err
		}
		list = append(list, v)
	}
	return list, true, rows.Err()
}
