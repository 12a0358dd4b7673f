#!/bin/sh
# Outlives its parent by a moment. Each line of input is the complete list of what has to be stopped, as SIGNAL:pid.
# When the input ends, the parent is gone: what the last line names gets its signal, and SIGKILL after ten seconds.
trap '' INT TERM HUP QUIT

is_running() {
  kill -0 "$1" 2>/dev/null || return 1
  [ -r "/proc/$1/stat" ] || return 0
  # A process that has ended can still be listed, until somebody collects it.
  { read -r _ _ state _ <"/proc/$1/stat"; } 2>/dev/null || return 1
  [ "$state" != Z ]
}

list=
while read -r line; do list=$line; done

for entry in $list; do kill -"${entry%%:*}" "${entry#*:}" 2>/dev/null; done

turn=0
while [ -n "$list" ] && [ $turn -lt 200 ]; do
  running=
  for entry in $list; do is_running "${entry#*:}" && running="$running $entry"; done
  list=$running
  turn=$((turn + 1))
  [ -z "$list" ] || sleep 0.05 2>/dev/null || sleep 1
done

for entry in $list; do kill -KILL "${entry#*:}" 2>/dev/null; done
exit 0
