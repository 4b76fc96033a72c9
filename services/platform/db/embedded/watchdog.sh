# Stops the embedded PostgreSQL when the process that owns it has gone without doing so: its end of our standard input
# is then closed, however it went. $1 is the data directory.
read -r word && exit 0 # the owner has stopped it itself

cd "$1" || exit 0
seen=
for attempt in $(seq 600); do # of 0.1 s each
  pid=$(head -n 1 postmaster.pid 2>/dev/null)
  # The number may be another process's by now: a server's working directory is its data directory.
  if [ -n "$pid" ] && { [ ! -d /proc/self ] || [ "$(readlink "/proc/$pid/cwd")" = "$(pwd -P)" ]; }; then
    [ "$seen" = "$pid" ] || kill -INT "$pid" # fast shutdown
    [ "$attempt" = 300 ] && kill -QUIT "$pid" # immediate shutdown
    seen=$pid
  elif [ -n "$seen" ] || [ "$attempt" -gt 20 ]; then
    exit 0 # it is gone, or was never started
  fi
  sleep 0.1
done
