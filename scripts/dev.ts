/**
 * `pnpm dev [--mock-port 4010] [--sandbox-port 4020] [--docs-port 4000]`: the mock, a sandbox in memory and the docs,
 * made again when a file of spec/ or docs/ changes. Exit codes: 0 stopped, 1 a port is in use, 2 the command line is wrong.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const spec = fileURLToPath(new URL('../spec', import.meta.url))
const docs = fileURLToPath(new URL('../docs', import.meta.url))

const ports = readPorts()
// Not loaded above: wrong flags need none of it, and it takes most of the start.
const { startDev } = await import('./start-dev.ts')
const dev = await startDev({ spec, docs, ...ports, say }).catch((error: Error) => stopWith(1, error))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void dev.close().then(() => process.exit(0)))
}

function readPorts() {
  try {
    const port = { type: 'string' } as const
    const { values } = parseArgs({ options: { 'mock-port': port, 'sandbox-port': port, 'docs-port': port } })
    return {
      mockPort: portOf(values['mock-port'] ?? '4010'),
      sandboxPort: portOf(values['sandbox-port'] ?? '4020'),
      docsPort: portOf(values['docs-port'] ?? '4000'),
    }
  } catch (error) {
    return stopWith(2, error as Error)
  }
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new Error(`a port must be a whole number from 0 to 65535, got "${text}"`)
}

function stopWith(code: number, error: Error): never {
  say(`dev: ${error.message}`)
  process.exit(code)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
