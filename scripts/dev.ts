/**
 * `pnpm dev`: serves the mock, a sandbox in memory and the docs, and rebuilds them when a file of spec/ or docs/ changes.
 * Exit codes: 0 stopped, 1 a port is in use, 2 the command line is wrong.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const spec = fileURLToPath(new URL('../spec', import.meta.url))
const docs = fileURLToPath(new URL('../docs', import.meta.url))

const USAGE = `
  --docs-port N     serve the docs on port N, 0 for a free one (4000)
  --mock-port N     serve the mock on port N (4010)
  --sandbox-port N  serve the sandbox on port N (4020)
  --help`

const ports = readPorts()
// The next start loads the same files.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
// Loaded here, because wrong flags do not need it and it takes most of the start.
const { startDev } = await import('./start-dev.ts')
const dev = await startDev({ spec, docs, ...ports, say }).catch((error: Error) => stopWith(1, error))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void dev.close().then(() => process.exit(0)))
}

function readPorts() {
  try {
    const port = { type: 'string' } as const
    const { values } = parseArgs({
      options: { 'mock-port': port, 'sandbox-port': port, 'docs-port': port, help: { type: 'boolean' } },
    })
    if (values.help) {
      process.stdout.write(`Usage: pnpm dev [flags]\n${USAGE}\n`)
      process.exit(0)
    }
    return {
      mockPort: portOf(values['mock-port'] ?? '4010'),
      sandboxPort: portOf(values['sandbox-port'] ?? '4020'),
      docsPort: portOf(values['docs-port'] ?? '4000'),
    }
  } catch (error) {
    return stopWith(2, new Error(`${(error as Error).message}\n${USAGE}`))
  }
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new Error(`a port must be an integer from 0 to 65535, got "${text}"`)
}

function stopWith(code: number, error: Error): never {
  say(`dev: ${error.message}`)
  process.exit(code)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
