import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Bench, Row } from '@partner-payments/bench'

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const ROUNDS = 5

/** How long the mock takes from its start to its first response. */
export const bench: Bench = {
  title: 'mock: start',
  run: async () => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await firstResponse())
    const value = (times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN) / 1000
    return [
      {
        figure: 'mock: first response',
        subject: 'Prism (packages/mock)',
        value,
        unit: 's',
        better: 'lower',
        ours: true,
      },
    ] satisfies Row[]
  },
}

/** Milliseconds from the start of the process to a response of 200. */
async function firstResponse(): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [CLI, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const url = await urlOf(child.stdout, child.stderr)
    const response = await fetch(`${url}/mobile-bff/v1/partner/user`, {
      headers: { authorization: 'Bearer any' },
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`the mock returned ${response.status}`)
    return performance.now() - began
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

/** The URL that the command prints. */
async function urlOf(...streams: readonly Readable[]): Promise<string> {
  const printed = streams.map((it) => once(it, 'data').then(([text]) => String(text)))
  const text = await Promise.race(printed)
  const [url] = /http:\/\/[\d.:]+/.exec(text) ?? []
  if (url === undefined) throw new Error(`the mock did not start: ${text}`)
  return url
}
