/** Calls a second of each subject: the median of rounds that take turns, so that noise meets all alike. */
export async function rates(
  subjects: Record<string, () => unknown>,
  inFlight: number,
): Promise<Record<string, number>> {
  const rounds = 11
  const results = Object.entries(subjects).map(([name, call]) => ({ name, call, measured: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { call, measured } of results) measured.push(await rate(call, inFlight))
  }
  return Object.fromEntries(results.map(({ name, measured }) => [name, median(measured)]))
}

/** As a server would: so many lanes, each awaiting its call before the next. */
async function rate(call: () => unknown, inFlight: number): Promise<number> {
  const calls = 480
  const lane = async () => {
    for (let i = 0; i < calls / inFlight; i++) await call()
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: inFlight }, lane))
  return Math.round((calls / (performance.now() - started)) * 1000)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
