import { builtinModules } from 'node:module'
import { gzipSync } from 'node:zlib'

const ROUND_MS = 60
/** Looking at the clock after each call would measure the clock. */
const CALLS_PER_BATCH = 200

type Works = Readonly<Record<string, () => unknown>>

/** Measures the calls per second of synchronous functions. */
export function opsPerSecond(works: Works): Promise<Record<string, number>> {
  return medians(works, (work) => {
    const started = performance.now()
    let done = 0
    while (performance.now() - started < ROUND_MS) {
      for (let i = 0; i < CALLS_PER_BATCH; i++) work()
      done += CALLS_PER_BATCH
    }
    return (done * 1000) / (performance.now() - started)
  })
}

/**
 * Measures the calls per second of asynchronous functions, while `inFlight` calls run at a time, as
 * in a server.
 */
export function callsPerSecond(works: Works, inFlight: number): Promise<Record<string, number>> {
  return medians(works, async (work) => {
    const started = performance.now()
    let done = 0
    const callUntilEnd = async () => {
      while (performance.now() - started < ROUND_MS) {
        await work()
        done++
      }
    }
    await Promise.all(Array.from({ length: inFlight }, callUntilEnd))
    return (done * 1000) / (performance.now() - started)
  })
}

/**
 * Measures each subject in turns, so that other load affects all alike, and returns the medians by
 * name. A first round warms up, and does not count.
 */
export async function medians<Subject>(
  subjects: Readonly<Record<string, Subject>>,
  measure: (subject: Subject) => number | Promise<number>,
  rounds = 11,
): Promise<Record<string, number>> {
  const samples: Record<string, number[]> = {}
  const WARM_UP = -1
  for (let round = WARM_UP; round < rounds; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      const value = await measure(subject)
      samples[name] ??= []
      if (round !== WARM_UP) samples[name].push(value)
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * The sizes of modules in bytes, by name: bundled, minified, gzip -9. Each source imports from
 * `folder`. Imports from Node do not count, in favour of the peer.
 */
export async function bundledSizes(sources: Readonly<Record<string, string>>, folder: string) {
  // Loaded here, because tests import the rest.
  const { build } = await import('esbuild')
  const sizes = Object.entries(sources).map(async ([name, source]) => {
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: folder, loader: 'ts' },
      bundle: true,
      format: 'esm',
      minify: true,
      target: 'es2022',
      external: [...builtinModules],
      write: false,
    })
    const compressed = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 })
    return [name, compressed.length] as const
  })
  return Object.fromEntries(await Promise.all(sizes))
}
