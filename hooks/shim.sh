# Queues this event and starts the indexer in the background, unless it runs already. It neither delays nor fails the
# git command; what it misses, the next search catches up. The log is socraticode/log.jsonl in the git directory.
(
  set +eu
  # Background jobs of somebody else's script must not keep a caller's extra pipes open either.
  [ -n "${ZSH_VERSION-}" ] || exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
  # A checkout of single files is no news.
  case $socraticode_event in post-checkout | post-event-3) [ "${3-}" != 0 ] || exit 0 ;; esac
  if [ -n "$(command -v git-socraticode)" ]; then
    socraticode_program=git-socraticode socraticode_node=
  else
    # What installed the hook, where PATH lacks it (programs started from a desktop).
    [ -f "$socraticode_program" ] && [ -x "$socraticode_node" ] || exit 0
  fi
  unset CDPATH
  socraticode_common() { cd -- "$(git rev-parse --git-common-dir)" && pwd -P; }
  here=$(socraticode_common)
  # git points hooks at this repository through variables; a worker that outlives the hook must find it by itself.
  for name in $(git rev-parse --local-env-vars); do unset "$name"; done
  [ -n "$here" ] && [ "$(socraticode_common)" = "$here" ] || exit 0

  state=$here/socraticode
  # Whoever packed this repository must not choose where we write: no symbolic links, nothing but plain files.
  plain() { [ ! -h "$1" ] && { [ -f "$1" ] || [ ! -e "$1" ]; }; }
  [ ! -h "$state" ] && { [ -d "$state" ] || mkdir -p "$state"; } || exit 0
  plain "$state/hook.queue" && plain "$state/hook.lock" || exit 0
  # A minute old: whoever seems to run may be another process with the number of a dead one.
  waiting=
  [ -f "$state/hook.queue" ] && waiting=$(find "$state/hook.queue" -mmin +1)
  printf '\0%s %s %s\n%s\0' "$socraticode_event" "${socraticode_pusher-0}" "${1-}" "$(pwd -P)" >>"$state/hook.queue" || exit 0

  # Starting node for each commit of a rebase costs more than indexing them: one worker serves the whole queue.
  pid=
  [ -f "$state/hook.lock" ] && read -r pid <"$state/hook.lock"
  pid=${pid#*'"pid":'}
  pid=${pid%%[!0-9]*}
  # A killed worker that nobody has waited for (containers without an init) still has its number.
  state_of_worker=
  [ -r "/proc/$pid/stat" ] && read -r state_of_worker <"/proc/$pid/stat"
  case ${state_of_worker##*)} in ' Z'*) pid= ;; esac
  [ -n "$pid" ] && [ -z "$waiting" ] && kill -0 "$pid" && exit 0
  if ! mkdir "$state/hook.starting"; then
    # Somebody is starting one, or died doing so.
    [ -n "$(find "$state/hook.starting" -prune -mmin +1)" ] && rmdir "$state/hook.starting" || exit 0
    mkdir "$state/hook.starting" || exit 0
  fi

  # Out of the terminal's reach where that is possible.
  detach=nohup
  [ -n "$(command -v setsid)" ] && detach=setsid
  # The worker has a log of its own: this is for what node says where it cannot even begin. Made anew, never followed.
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
