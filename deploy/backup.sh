#!/bin/sh
# Keeps backups of the PostgreSQL server, all databases of one moment, from which it comes back as it was at any second:
#
#   backup.sh keep                  a base backup a day, the last seven, and what is written in between as it is written
#   backup.sh restore FOLDER [AT]   put the server's folder there as of AT (2026-11-22T20:15:00Z), or as of the last second
#
# BACKUPS is the folder that has them, one process at a time; PGHOST, PGPORT, PGUSER and PGPASSWORD, or PGPASSWORD_FILE, say
# where the server is, and who may replicate it. BACKUP_EVERY are seconds, BACKUPS_KEPT base backups.
set -eu
umask 077
: "${BACKUPS:?the folder of the backups}"
every=${BACKUP_EVERY:-86400}
kept=${BACKUPS_KEPT:-7}
slot=roundlog_backup
if [ -n "${PGPASSWORD_FILE:-}" ]; then
	PGPASSWORD=$(cat "$PGPASSWORD_FILE")
	export PGPASSWORD
fi

bases() { # their names are the moments at which they were made, the oldest first
	find "$BACKUPS/base" -mindepth 1 -maxdepth 1 -type d -name '2*Z' -exec basename {} \; | sort
}

ask() {
	psql --no-psqlrc --quiet --tuples-only --no-align --field-separator=' ' 'dbname=postgres replication=true' --command="$1"
}

identity() { # of the server, and of the timeline that it writes: one that was brought back goes on along another
	ask IDENTIFY_SYSTEM | awk '{ print $1 "/" $2 }'
}

require_own() {
	own=$(identity)
	[ -n "$own" ]
	if [ ! -e "$BACKUPS/server" ]; then # whole or not at all: whoever was interrupted would find a mark that is nobody's
		echo "$own" >"$BACKUPS/server.new"
		mv "$BACKUPS/server.new" "$BACKUPS/server"
	fi
	if [ "$(cat "$BACKUPS/server")" != "$own" ]; then
		echo "backup.sh: $BACKUPS has backups of another server, or of this one before it was brought back: keep these in another folder" >&2
		exit 1
	fi
}

make_base() {
	rm -rf "$BACKUPS/base/unfinished"
	pg_basebackup --pgdata="$BACKUPS/base/unfinished" --format=tar --gzip --checkpoint=fast --wal-method=stream
	# Nothing follows it where the receiver has ended, as it does beside another process that keeps backups of this server.
	kill -0 "$receiving" 2>/dev/null || wait "$receiving"
	name=$(date -u +%Y-%m-%dT%H%M%SZ)
	mv "$BACKUPS/base/unfinished" "$BACKUPS/base/$name"
	echo "backed up: $name"
}

forget_old() {
	bases | head -n "-$kept" | while read -r old; do
		rm -rf "$BACKUPS/base/$old"
		echo "forgotten: $old"
	done
	oldest=$(bases | head -n 1)
	first=$(tar -xzOf "$BACKUPS/base/$oldest/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p')
	# What is received right now stays, also where the receiver is not there yet: it would end.
	newest=$(find "$BACKUPS/wal" -name '????????????????????????*' -exec basename {} .partial \; | sort | tail -n 1)
	if [ -n "$newest" ]; then
		pg_archivecleanup "$BACKUPS/wal" "$(printf '%s\n' "$first" "$newest" | sort | head -n 1)"
	fi
}

is_due() { # a restart makes none before its time
	newest=$(bases | tail -n 1)
	[ -z "$newest" ] || [ -n "$(find "$BACKUPS/base/$newest" -maxdepth 0 -mmin "+$((every / 60))")" ]
}

keep() {
	mkdir -p "$BACKUPS/base" "$BACKUPS/wal"
	require_own
	# The server keeps what was not fetched yet, from now on: not only from when the receiver says what it has, since the checkpoint
	# of the first base backup takes away what nobody has asked for by then.
	case "$(ask "READ_REPLICATION_SLOT $slot")" in
	physical*) ;;
	*) ask "CREATE_REPLICATION_SLOT $slot PHYSICAL RESERVE_WAL" >/dev/null ;;
	esac
	pg_receivewal --directory="$BACKUPS/wal" --slot="$slot" --no-loop &
	receiving=$!
	trap 'kill "$receiving" 2>/dev/null; wait "$receiving"; exit 0' INT TERM
	while kill -0 "$receiving" 2>/dev/null; do
		if is_due; then
			make_base
			forget_old
		fi
		sleep 5 &
		wait $! || true
	done
	wait "$receiving" || { # and ends as it did, to be started again
		code=$?
		echo "backup.sh: nothing is received any more. What was received stays; start this again once the server is there, or nobody else keeps its backups" >&2
		exit "$code"
	}
}

restore() {
	folder=$1
	at=${2:-}
	if [ -e "$folder" ] && [ -n "$(ls -A "$folder")" ]; then
		echo "backup.sh: $folder is not empty: move it away first" >&2
		exit 1
	fi
	limit=$(printf %s "${at:-9999}" | tr -d ':')
	base=$(bases | awk -v limit="$limit" '$0 <= limit' | tail -n 1)
	if [ -z "$base" ]; then
		oldest=$(bases | head -n 1)
		if [ -z "$oldest" ]; then
			echo "backup.sh: $BACKUPS has no whole base backup" >&2
		else
			echo "backup.sh: no backup in $BACKUPS is from before $at: the oldest is $oldest" >&2
		fi
		exit 1
	fi
	mkdir -p "$folder"
	tar --no-same-owner -xzf "$BACKUPS/base/$base/base.tar.gz" -C "$folder"
	tar --no-same-owner -xzf "$BACKUPS/base/$base/pg_wal.tar.gz" -C "$folder/pg_wal"
	mkdir "$folder/kept"
	cp "$BACKUPS/wal"/* "$folder/kept"
	# A server that was brought back itself still says up to when, and so does whatever is a backup of it.
	sed -i -e '/^restore_command/d' -e '/^recovery_end_command/d' -e '/^recovery_target/d' "$folder/postgresql.auto.conf"
	{
		echo "restore_command = 'cp \"kept/%f\" \"%p\" || cp \"kept/%f.partial\" \"%p\"'"
		echo "recovery_end_command = 'rm -r kept'"
		echo "recovery_target_timeline = 'latest'"
		echo "recovery_target_action = 'promote'"
		if [ -n "$at" ]; then echo "recovery_target_time = '${at%Z}+00'"; fi
	} >>"$folder/postgresql.auto.conf"
	touch "$folder/recovery.signal"
	chmod 700 "$folder"
	echo "restored from $base: the next start of the server brings it to ${at:-the last second that was kept}"
}

case "${1:-}" in
keep) keep ;;
restore) shift && restore "$@" ;;
*) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
