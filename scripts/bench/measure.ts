import { once } from 'node:events'
import { builtinModules } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'

const ROUNDS = 11

/**
 * Measures the operations per second of each synchronous function: the median of alternating rounds, so that other load
 * affects all alike.
 */
export function opsPerSecond(works: Record<string, () => unknown>): Promise<Record<string, number>> {
  return interleaved(works, (work) => {
    const batch = 200
    const started = performance.now()
    let done = 0
    while (performance.now() - started < 60) {
      for (let i = 0; i < batch; i++) work()
      done += batch
    }
    return done / (performance.now() - started)
  })
}

/** The same for asynchronous functions with `inFlight` concurrent calls, as in a server. */
export function callsPerSecond(
  works: Record<string, () => unknown>,
  inFlight: number,
): Promise<Record<string, number>> {
  return interleaved(works, async (work) => {
    const calls = 480
    const lane = async () => {
      for (let i = 0; i < calls / inFlight; i++) await work()
    }
    const started = performance.now()
    await Promise.all(Array.from({ length: inFlight }, lane))
    return calls / (performance.now() - started)
  })
}

type Measure = (work: () => unknown) => number | Promise<number>

/** The medians per second. The first round is a warm-up and does not count. */
async function interleaved(works: Record<string, () => unknown>, perMillisecond: Measure) {
  const samples = Object.entries(works).map(([name, work]) => ({ name, work, measured: [] as number[] }))
  for (let round = -1; round < ROUNDS; round++) {
    for (const { work, measured } of samples) {
      const rate = (await perMillisecond(work)) * 1000
      if (round >= 0) measured.push(rate)
    }
  }
  return Object.fromEntries(samples.map(({ name, measured }) => [name, median(measured)]))
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/**
 * The size of a module in bytes: bundled, minified, gzip -9. `source` imports from `folder`. Imports from Node do not
 * count, in favour of the peer.
 */
export async function bundledSize(source: string, folder: string): Promise<number> {
  // Loaded here, because tests import the rest.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder, loader: 'ts' },
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    external: [...builtinModules],
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

/** A port on 127.0.0.1 that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

/** The sizes of modules by their subjects. */
export async function bundledSizes(sources: Readonly<Record<string, string>>, folder: string) {
  const sizes = Object.entries(sources).map(async ([subject, source]) => {
    return [subject, await bundledSize(source, folder)] as const
  })
  return Object.fromEntries(await Promise.all(sizes))
}
