/** Something to time: it does its work `times` times. */
export type Work = (times: number) => unknown

/**
 * Operations a second of each work: the median of interleaved rounds, so that what else the machine does falls on all
 * of them alike.
 */
export function opsPerSecond(
  works: Record<string, Work>,
  { rounds = 9, ms = 60 } = {},
): Record<string, number> {
  const names = Object.keys(works)
  const samples = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const sample = sampleOf(works[name] as Work, ms)
      if (round >= 0) samples.get(name)?.push(sample)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])]))
}

function sampleOf(work: Work, ms: number): number {
  const batch = 200
  const start = performance.now()
  let done = 0
  while (performance.now() - start < ms) {
    work(batch)
    done += batch
  }
  return (done / (performance.now() - start)) * 1000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
