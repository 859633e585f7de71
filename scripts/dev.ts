/**
 * `pnpm dev`: the mock on 4010 and the docs on 4000, both made again when a file of spec/ or docs/ changes.
 * Everything runs in this process, so that nothing can be left behind.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildDocs, serveDocs } from '@partner-payments/docs/build'
import { serve } from '@partner-payments/mock'
import { buildSpec, printProblems } from '@partner-payments/spec/build'
import { watchFolders } from './watch.ts'

const SPEC = fileURLToPath(new URL('../spec', import.meta.url))
const DOCS = fileURLToPath(new URL('../docs', import.meta.url))
const MOCK_PORT = 4010
const DOCS_PORT = 4000

const mock = await serve({ contract: await builtContract(), port: MOCK_PORT }).catch(portInUse)
const docs = await serveDocs({ root: `${DOCS}/dist`, port: DOCS_PORT, live: true }).catch(portInUse)
const watcher = watchFolders([SPEC, DOCS], rebuild)
say(`
  docs  ${docs.url}
  mock  ${mock.url}

  Try:  curl -u key:secret -X POST ${mock.url}/mobile-bff/v1/auth/partner/token/

  Edit a file of spec/ or docs/ and both follow. Ctrl-C stops.
`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)

async function rebuild(): Promise<void> {
  const started = performance.now()
  const { problems } = await buildSpec()
  if (problems.length > 0) {
    printProblems(problems)
    return say('The contract has problems; the mock and the docs stay as they were.')
  }
  const contract = await builtContract()
  await mock.reload(contract)
  await buildDocs()
  docs.reload()
  say(`Rebuilt in ${Math.round(performance.now() - started)} ms.`)
}

async function builtContract() {
  return JSON.parse(await readFile(`${SPEC}/dist/openapi.json`, 'utf8'))
}

async function stop(): Promise<void> {
  watcher.close()
  await Promise.all([mock.close(), docs.close()])
  process.exit(0)
}

function portInUse(error: Error): never {
  say(error.message)
  process.exit(1)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
