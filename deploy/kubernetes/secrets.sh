#!/bin/sh
# Gives the passwords to the cluster that kubectl talks to, as Secrets of the namespace `roundlog`: those of deploy/secrets.sh, the
# key of captains, and the password by which the brokers know each other. What is in the folder already stays.
set -eu
folder=${1:-secrets}
sh "$(dirname "$0")/../secrets.sh" "$folder"
umask 077

keep() {
	mv "$folder/.unfinished" "$folder/$1"
}

if [ ! -s "$folder/captains.pem" ]; then
	openssl genpkey -algorithm ed25519 -out "$folder/.unfinished"
	keep captains.pem
fi
if [ ! -s "$folder/routes.conf" ]; then
	password=$(head -c 24 /dev/urandom | base64 | tr '+/' '-_' | tr -d '\n')
	{
		printf 'ROUTES_PASSWORD: "%s"\nROUTES: [\n' "$password"
		for number in 0 1 2; do
			printf '  "nats://routes:%s@nats-%s.nats-routes:6222"\n' "$password" "$number"
		done
		echo ']'
	} >"$folder/.unfinished"
	keep routes.conf
fi

give() { # or change
	name=$1
	shift
	kubectl --namespace=roundlog create secret generic "$name" "$@" --dry-run=client --output=yaml | kubectl apply --filename=-
}

kubectl apply --filename="$(dirname "$0")/namespace.yaml"
give administrator --type=kubernetes.io/basic-auth --from-literal=username=postgres --from-file="password=$folder/postgres"
give backup --from-file="password=$folder/backup"
give nats --from-file="passwords.conf=$folder/nats-passwords.conf" --from-file="routes.conf=$folder/routes.conf"
give captains --from-file="captains.pem=$folder/captains.pem"
for service in registration pairing results standings; do
	give "$service" --from-file="database=$folder/$service-database" --from-file="nats=$folder/$service-nats"
done
