/**
 * `pnpm dev`: serves the mock, a sandbox in memory and the docs, and rebuilds them when a file of
 * spec/ or docs/ changes.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { PORT as MOCK_PORT } from '../packages/mock/src/defaults.ts'
import { PORT as SANDBOX_PORT } from '../packages/sandbox/src/defaults.ts'
import { build, prepare } from './prepare.ts'

const spec = fileURLToPath(new URL('../spec', import.meta.url))
const docs = fileURLToPath(new URL('../docs', import.meta.url))

// The next start loads the same files.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)))
const [docsPort = 0, mockPort = 0, sandboxPort = 0] = await prepare({
  name: 'dev',
  about:
    'Serves the docs, a mock and a sandbox, and rebuilds them when a file of spec/ or docs/ changes.',
  examples: ['', '--docs-port 4001 --mock-port 0'],
  ports: {
    'docs-port': ['docs', 4000],
    'mock-port': ['mock', MOCK_PORT],
    'sandbox-port': ['sandbox', SANDBOX_PORT],
  },
  packages: ['spec'],
  load: () => import('@partner-payments/docs/build'),
})
// Loaded here, because it needs what was just built.
const { greet, startDev } = await import('./start-dev.ts')
const starting = startDev({ spec, docs, docsPort, mockPort, sandboxPort, say }).catch(
  (error: Error) => {
    say(`dev: ${error.message}`)
    process.exit(1)
  },
)
// The client is for the first program of the README.
const [dev] = await Promise.all([starting, build(['client'])])
say(greet(dev))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void dev.close().then(() => process.exit(0)))
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
