import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { connect, type Lane, requestsPerSecond, type Send } from './load.ts'

/** A server in its own process. */
export interface Server {
  readonly name: string
  readonly send: Send
  stop(): Promise<void>
}

/** Runs `server.ts` with arguments. */
export async function startServer(name: string, args: readonly string[]): Promise<Server> {
  const script = fileURLToPath(new URL('server.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const ended = exit.then(() => Promise.reject(new Error(`${name} did not start`)))
  const [line] = await Promise.race([once(child.stdout ?? child, 'data'), ended])
  const { send, close } = await connect(String(line).trim())
  return {
    name,
    send,
    async stop() {
      await close()
      child.kill()
      await exit
    },
  }
}

/** The requests per second of a server. */
export interface Rate {
  readonly name: string
  readonly value: number
}

/** Measures the servers in turns and returns medians, so that other load on the machine affects all alike. */
export async function ratesOf(
  lane: Lane,
  servers: readonly Server[],
  { rounds, ms }: { readonly rounds: number; readonly ms: number },
): Promise<Rate[]> {
  const samples = servers.map((): number[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [i, { send }] of servers.entries()) {
      const rate = await requestsPerSecond(send, lane, ms)
      // The first round warms up.
      if (round >= 0) samples[i]?.push(rate)
    }
  }
  return servers.map(({ name }, i) => ({ name, value: median(samples[i] ?? []) }))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
