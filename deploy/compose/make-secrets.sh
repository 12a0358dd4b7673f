#!/bin/sh
# Makes the secrets that docker-compose.yml names, in deploy/compose/secrets. What is there already stays as it is.
# Compose shows each container the files as they are here, so a container's user must be able to read them; that nobody
# else of this machine can is for the folder to see to.
set -eu
umask 077
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
chmod 0700 "$folder"

random() {
  od -A n -N 32 -t x1 /dev/urandom | tr -d ' \n'
}

keep() {
  [ -e "$folder/$1" ] && return
  printf '%s\n' "$2" >"$folder/$1.new"
  chmod 0444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "made $folder/$1"
}

keep postgres-password "$(random)"
keep migrator-database-url "postgres://migrator:$(random)@postgres:5432/tasks"
keep auth-server-database-url "postgres://auth_server_login:$(random)@postgres:5432/tasks"
keep resource-api-database-url "postgres://resource_api_login:$(random)@postgres:5432/tasks"
keep key-encryption-secret "$(random)"
if [ ! -e "$folder/redis-url" ] || [ ! -e "$folder/redis-users" ]; then
  password=$(random)
  rm -f "$folder/redis-url" "$folder/redis-users"
  keep redis-users "user default on >$password ~* &* +@all -@admin -@dangerous +info"
  keep redis-url "redis://:$password@redis:6379"
fi
