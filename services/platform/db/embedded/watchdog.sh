# Stops the embedded PostgreSQL when the process that owns it has gone without doing so: its end of our standard input
# is then closed, however it went. $1 is the data directory. Standard input has the process id of each server that the
# owner starts, a line each, and "stopped" when it has stopped the last one itself.
server=
while read -r word; do
  [ "$word" = stopped ] && exit 0
  server=$word
done

cd "$1" || exit 0
stopping=
for attempt in $(seq 600); do # of 0.1 s each
  pid=$(head -n 1 postmaster.pid 2>/dev/null)
  # The number may be another process's by now: a server's working directory is its data directory.
  if [ -n "$pid" ] && { [ ! -d /proc/self ] || [ "$(readlink "/proc/$pid/cwd")" = "$(pwd -P)" ]; }; then
    server=${server:-$pid}            # the owner went before it could say which
    [ "$pid" = "$server" ] || exit 0  # the next owner's: ours is gone
    [ -n "$stopping" ] || kill -INT "$pid"    # fast shutdown
    [ "$attempt" = 300 ] && kill -QUIT "$pid" # immediate shutdown
    stopping=yes
  elif [ -n "$stopping" ] || [ "$attempt" -gt 20 ]; then
    exit 0 # it is gone, or was never started
  fi
  sleep 0.1
done
