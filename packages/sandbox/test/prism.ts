import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const PRISM = fileURLToPath(new URL('../node_modules/.bin/prism', import.meta.url))
const CONTRACT = fileURLToPath(import.meta.resolve('@partner-payments/spec/openapi.json'))

/** A Prism proxy between a client and a service. */
export interface RunningProxy {
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts `prism proxy --errors` in front of a service. A request or response that breaks the contract becomes an error.
 */
export async function proxy(target: string): Promise<RunningProxy> {
  const port = await freePort()
  const child = spawn(PRISM, ['proxy', '--errors', '--port', String(port), CONTRACT, target])
  await listening(child)
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`prism ended with ${code}`)))
    child.stdout?.on('data', (chunk) => String(chunk).includes('is listening') && resolve())
  })
}
