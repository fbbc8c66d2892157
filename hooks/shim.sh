# Queues this event and starts the indexing worker in the background, unless one runs already. It neither delays nor
# fails the git command. The next search indexes whatever it misses. The log is socraticode/log.jsonl in the git directory.
# The shell does this itself, because starting node takes 65 to 75 ms of processor time for every event, and a rebase has
# one event per commit. These lines take 7 to 12 ms while a worker runs.
(
  set +eu
  # Closes inherited pipes: a background job that kept them open would make the caller of the surrounding script wait.
  [ -n "${ZSH_VERSION-}" ] || exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
  # Ignores checkouts of single files (third argument 0): they change no commit.
  case $socraticode_event in post-checkout | post-event-3) [ "${3-}" != 0 ] || exit 0 ;; esac
  if [ -n "$(command -v git-socraticode)" ]; then
    socraticode_program=git-socraticode socraticode_node=
  else
    # Falls back to the program that installed the hook. Programs started from a desktop often have a shorter PATH.
    [ -f "$socraticode_program" ] && [ -x "$socraticode_node" ] || exit 0
  fi
  unset CDPATH
  socraticode_common() { cd -- "$(git rev-parse --git-common-dir)" && pwd -P; }
  here=$(socraticode_common)
  # Clears git's variables for hooks, such as GIT_DIR: the worker outlives the hook and must find the repository itself.
  for name in $(git rev-parse --local-env-vars); do unset "$name"; done
  [ -n "$here" ] && [ "$(socraticode_common)" = "$here" ] || exit 0

  state=$here/socraticode
  # Refuses symbolic links and special files: a repository unpacked from an archive must not redirect our writes.
  plain() { [ ! -h "$1" ] && { [ -f "$1" ] || [ ! -e "$1" ]; }; }
  [ ! -h "$state" ] && { [ -d "$state" ] || mkdir -p "$state"; } || exit 0
  plain "$state/hook.queue" && plain "$state/hook.lock" || exit 0
  # A queue that waits for over a minute has no worker: the process with the recorded number is another one.
  waiting=
  [ -f "$state/hook.queue" ] && waiting=$(find "$state/hook.queue" -mmin +1)
  printf '\0%s %s %s\n%s\0' "$socraticode_event" "${socraticode_pusher-0}" "${1-}" "$(pwd -P)" >>"$state/hook.queue" || exit 0

  # One worker serves the whole queue: during a rebase, starting node per commit would cost more than indexing them.
  pid=
  [ -f "$state/hook.lock" ] && read -r pid <"$state/hook.lock"
  pid=${pid#*'"pid":'}
  pid=${pid%%[!0-9]*}
  # Ignores a zombie: in a container without an init process, a killed worker keeps its process number.
  state_of_worker=
  [ -r "/proc/$pid/stat" ] && read -r state_of_worker <"/proc/$pid/stat"
  case ${state_of_worker##*)} in ' Z'*) pid= ;; esac
  [ -n "$pid" ] && [ -z "$waiting" ] && kill -0 "$pid" && exit 0
  if ! mkdir "$state/hook.starting"; then
    # Another hook is starting a worker. After a minute it counts as failed, and the mark is removed.
    [ -n "$(find "$state/hook.starting" -prune -mmin +1)" ] && rmdir "$state/hook.starting" || exit 0
    mkdir "$state/hook.starting" || exit 0
  fi

  # Detaches the worker from the terminal, so that closing it does not end the worker.
  detach=nohup
  [ -n "$(command -v setsid)" ] && detach=setsid
  # Keeps what node prints if it fails to start; the worker itself writes to the log. The file is created anew (set -C
  # refuses an existing file or link).
  output=$state/hook.stderr
  [ ! -d "$output" ] && rm -f "$output"
  set -C
  true >"$output" || output=/dev/null
  set +C
  if [ -n "$socraticode_node" ]; then
    "$detach" "$socraticode_node" "$socraticode_program" -C "$here" hooks run >>"$output" 2>&1 &
  else
    "$detach" "$socraticode_program" -C "$here" hooks run >>"$output" 2>&1 &
  fi
) </dev/null >/dev/null 2>&1 &
