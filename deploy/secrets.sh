#!/bin/sh
# Makes the passwords that docker-compose.yml gives to its services: a file for each, in the folder `secrets`.
# What is there already stays. The folder is closed to everybody else; the files in it are not, since each is
# shown to one container, whose user has another number than you.
set -eu
folder=${1:-secrets}
mkdir -p "$folder"
chmod 700 "$folder"
umask 022

password() {
	if [ ! -s "$folder/$1" ]; then
		head -c 24 /dev/urandom | base64 | tr '+/' '-_' | tr -d '\n' >"$folder/.unfinished"
		mv "$folder/.unfinished" "$folder/$1"
	fi
}

password postgres
password backup
: >"$folder/.passwords.conf"
for service in registration pairing results standings; do
	password "$service-database"
	password "$service-nats"
	name=$(printf %s "$service" | tr '[:lower:]' '[:upper:]')
	printf '%s: "%s"\n' "$name" "$(cat "$folder/$service-nats")" >>"$folder/.passwords.conf"
done
mv "$folder/.passwords.conf" "$folder/nats-passwords.conf"
