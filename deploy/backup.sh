#!/bin/sh
# Keeps backups of the PostgreSQL server, all databases of one moment, from which it comes back as it was at any second:
#
#   backup.sh keep                  a base backup a day, the last seven, and what is written in between as it is written
#   backup.sh restore FOLDER [AT]   put the server's folder there as of AT (2026-11-22T20:15:00Z), or as of the last second
#
# BACKUPS is the folder that has them, one process at a time; PGHOST, PGPORT, PGUSER and PGPASSWORD, or PGPASSWORD_FILE, say
# where the server is, and who may replicate it. BACKUP_EVERY are seconds, BACKUPS_KEPT base backups, one or more.
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

give_up() {
	echo "backup.sh: $1" >&2
	exit 1
}

bases() { # their names are the moments at which they were made, the oldest first
	find "$BACKUPS/base" -mindepth 1 -maxdepth 1 -type d -name '2*Z' -exec basename {} \; | sort
}

pieces() { # of the server's log, in their order; of its timelines there is one here
	find "$BACKUPS/wal" -type f -name '????????????????????????*' | sed 's|.*/||' | sort
}

begins_in() { # which piece of the server's log the base backup begins in
	tar -xzOf "$BACKUPS/base/$1/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p'
}

ask() {
	psql --no-psqlrc --quiet --tuples-only --no-align --field-separator=' ' 'dbname=postgres replication=true' --command="$1"
}

# Of the server, of the timeline that it writes, and of the life that a restore has begun: two that were brought back from the same
# backups go on along timelines of the same number.
identity() {
	server=$(ask IDENTIFY_SYSTEM | awk '{ print $1 "/" $2 }')
	[ -n "$server" ]
	life=$(ask 'SHOW roundlog.life' 2>/dev/null) || [ $? -eq 1 ] # it has none; 2 is a server that is gone
	echo "$server${life:+/$life}"
}

require_alone() {
	exec 9>"$BACKUPS/lock"
	if command -v flock >/dev/null && ! flock -n 9; then # where there is none, the slot lets one receive at least
		give_up "somebody else keeps backups in $BACKUPS"
	fi
}

require_own() {
	own=$(identity)
	[ -n "$own" ]
	if [ ! -e "$BACKUPS/server" ]; then # whole or not at all: whoever was interrupted would find a mark that is nobody's
		echo "$own" >"$BACKUPS/server.new"
		mv "$BACKUPS/server.new" "$BACKUPS/server"
	fi
	if [ "$(cat "$BACKUPS/server")" != "$own" ]; then
		give_up "$BACKUPS has backups of another server, or of this one before it was brought back: keep these in another folder"
	fi
}

make_slot() {
	# The server keeps what was not fetched yet, from now on: not only from when the receiver says what it has, since the checkpoint
	# of the first base backup takes away what nobody has asked for by then.
	case "$(ask "READ_REPLICATION_SLOT $slot")" in
	physical*) ;;
	*) ask "CREATE_REPLICATION_SLOT $slot PHYSICAL RESERVE_WAL" >/dev/null ;;
	esac
}

unfilled() { # pieces that the receiver could not make room for, on a full disk or cut off: nothing is in them, and it would not go on
	find "$1" -name '*.partial' -size "-$((16 * 1024 * 1024))c"
}

# Both work beside this script, so that it hears at once when it has to end, and end with it.
receiving=
copying=
end_all() {
	for process in $copying $receiving; do
		kill "$process" 2>/dev/null || true
		wait "$process" 2>/dev/null || true
	done
}

receives() { kill -0 "$receiving" 2>/dev/null; }

make_base() {
	rm -rf "$BACKUPS/base/unfinished"
	pg_basebackup --pgdata="$BACKUPS/base/unfinished" --format=tar --gzip --checkpoint=fast --wal-method=stream 9>&- &
	copying=$!
	wait "$copying"
	copying=
	pg_verifybackup --no-parse-wal --quiet "$BACKUPS/base/unfinished"
	receives || return 0 # nothing follows it
	name=$(date -u +%Y-%m-%dT%H%M%SZ)
	while [ -e "$BACKUPS/base/$name" ]; do # the clock was set back
		sleep 1
		name=$(date -u +%Y-%m-%dT%H%M%SZ)
	done
	mv "$BACKUPS/base/unfinished" "$BACKUPS/base/$name"
	echo "backed up: $name"
}

forget_old() {
	bases | awk -v kept="$kept" '{ base[NR] = $0 } END { for (i = 1; i <= NR - kept; i++) print base[i] }' | while read -r old; do
		mv "$BACKUPS/base/$old" "$BACKUPS/base/forgotten" # as a whole: half a base backup is none
		rm -rf "$BACKUPS/base/forgotten"
		echo "forgotten: $old"
	done
	first=$(begins_in "$(bases | head -n 1)")
	# What is received right now stays, also where the receiver is not there yet: it would end.
	newest=$(pieces | cut -c1-24 | tail -n 1)
	if [ -n "$newest" ]; then
		pg_archivecleanup "$BACKUPS/wal" "$(printf '%s\n' "$first" "$newest" | sort | head -n 1)"
	fi
}

is_due() { # a restart makes none before its time; one from the future, by a clock that was wrong, is none
	newest=$(bases | awk -v now="$(date -u +%Y-%m-%dT%H%M%SZ)" '$0 <= now' | tail -n 1)
	[ -z "$newest" ] || [ -n "$(find "$BACKUPS/base/$newest" -maxdepth 0 -mmin "+$((every / 60))")" ]
}

keep() {
	[ "$kept" -ge 1 ] || give_up "BACKUPS_KEPT has to be 1 or more"
	mkdir -p "$BACKUPS/base" "$BACKUPS/wal"
	require_alone
	require_own
	make_slot
	rm -rf "$BACKUPS/base/forgotten"
	unfilled "$BACKUPS/wal" | while read -r piece; do rm "$piece"; done
	trap end_all EXIT
	trap 'exit 0' INT TERM
	pg_receivewal --directory="$BACKUPS/wal" --slot="$slot" --no-loop 9>&- &
	receiving=$!
	sleep 1 9>&- & # where somebody else receives it ends within it, before anything is copied
	wait $! || true
	while receives; do
		if is_due; then
			make_base
			receives || break
			forget_old
		fi
		sleep 5 9>&- &
		wait $! || true
	done
	give_up "nothing is received any more. What was received stays: start this again once the server is there, and nobody else \
keeps its backups. If a piece of its log has been removed, other backups of it were kept meanwhile: keep these in another folder"
}

needed() { # kilobytes that a base backup takes once it is unpacked, with what follows it, before and while the server reads that
	files=$(sed -n 's/.*"Size": \([0-9]*\),.*/\1/p' "$BACKUPS/base/$1/backup_manifest" | awk '{ bytes += $1 } END { printf "%.0f", bytes / 1024 }')
	following=$(pieces | awk -v first="$2" '$0 >= first' | wc -l)
	echo $((files + (following + 4) * 16 * 1024))
}

require_room() {
	place=$1
	while [ ! -d "$place" ]; do place=$(dirname "$place"); done
	free=$(df -Pk "$place" | awk 'NR == 2 { print $4 }')
	wanted=$(needed "$2" "$3")
	if [ "$free" -lt "$wanted" ]; then
		give_up "only $((free / 1024)) MB are free where $1 is to be, and $((wanted / 1024)) MB are needed: free some space first"
	fi
}

restore() {
	folder=$1
	at=${2:-}
	if [ -e "$folder" ] && [ -n "$(ls -A "$folder")" ]; then
		give_up "$folder is not empty: move it away first"
	fi
	limit=$(printf %s "${at:-9999}" | tr -d ':')
	base=$(bases | awk -v limit="$limit" '$0 < limit' | tail -n 1) # one is whole within the second that it is named by
	if [ -z "$base" ]; then
		oldest=$(bases | head -n 1)
		[ -n "$oldest" ] || give_up "$BACKUPS has no whole base backup"
		give_up "no backup in $BACKUPS is from before $at: the oldest is $oldest"
	fi
	first=$(begins_in "$base")
	require_room "$folder" "$base" "$first"
	mkdir -p "$folder"
	tar --no-same-owner -xzf "$BACKUPS/base/$base/base.tar.gz" -C "$folder"
	tar --no-same-owner -xzf "$BACKUPS/base/$base/pg_wal.tar.gz" -C "$folder/pg_wal"
	mkdir "$folder/kept"
	pieces | awk -v first="$first" '$0 >= first' | while read -r piece; do cp "$BACKUPS/wal/$piece" "$folder/kept"; done
	unfilled "$folder/kept" | while read -r piece; do rm "$piece"; done
	# A server that was brought back itself still says up to when, and so does whatever is a backup of it.
	mv "$folder/postgresql.auto.conf" "$folder/altered"
	{
		sed -e '/^restore_command/d' -e '/^recovery_end_command/d' -e '/^recovery_target/d' -e '/^roundlog.life/d' "$folder/altered"
		echo "restore_command = 'cp \"kept/%f\" \"%p\" || cp \"kept/%f.partial\" \"%p\"'"
		echo "recovery_end_command = 'rm -r kept'"
		echo "recovery_target_timeline = 'latest'"
		echo "recovery_target_action = 'promote'"
		echo "roundlog.life = '$(od -An -N8 -tx1 /dev/urandom | tr -d ' ')'"
		if [ -n "$at" ]; then echo "recovery_target_time = '${at%Z}+00'"; fi
	} >"$folder/postgresql.auto.conf"
	rm "$folder/altered"
	touch "$folder/recovery.signal"
	chmod 700 "$folder"
	echo "restored from $base: the next start of the server brings it to ${at:-the last second that was kept}"
}

case "${1:-}" in
keep) keep ;;
restore) shift && restore "$@" ;;
*) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
