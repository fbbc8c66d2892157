/** Starts a count of this process's processor time, in milliseconds. A clock would also count what else the machine does. */
export function cpuTimer(): () => number {
  const from = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1_000;
  };
}
