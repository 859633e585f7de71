/** Seconds of CPU time since `process.cpuUsage()` was called, with one decimal. */
export function secondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return Math.round((user + system) / 100_000) / 10
}
