import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildDocs, serveDocs } from '@partner-payments/docs/build'
import { serve } from '@partner-payments/mock'
import { buildSpec, printProblems } from '@partner-payments/spec/build'
import { watchFolders } from './watch.ts'

export interface DevOptions {
  /** Folders of the contract and of the docs; both are built already. */
  readonly spec: string
  readonly docs: string
  /** 0 takes a free port. */
  readonly mockPort: number
  readonly docsPort: number
  readonly say: (text: string) => void
}

/**
 * Serves the mock and the docs, and makes both again after each change of a file. Everything runs in this
 * process, so that nothing can be left behind.
 */
export async function startDev({ spec, docs, mockPort, docsPort, say }: DevOptions) {
  const built = await readBuilt(spec)
  const mock = await serve({ contract: built.contract, port: mockPort }).catch(portInUse)
  const site = await serveDocs({ root: join(docs, 'dist'), port: docsPort, live: true }).catch(
    async (error) => {
      await mock.close()
      return portInUse(error)
    },
  )
  say(greeting(mock.url, site.url))

  const watcher = watchFolders([spec, docs], async () => {
    const started = performance.now()
    const { problems } = await buildSpec({ spec })
    if (problems.length > 0) {
      printProblems(problems)
      return say('The contract was not built; the mock and the docs stay as they were.')
    }
    const next = await readBuilt(spec)
    await mock.reload(next.contract)
    await buildDocs({ ...next, out: join(docs, 'dist') })
    site.reload()
    say(`Built again in ${Math.round(performance.now() - started)} ms.`)
  })

  return {
    mock: mock.url,
    docs: site.url,
    async close() {
      await watcher.close()
      await Promise.all([mock.close(), site.close()])
    },
  }
}

async function readBuilt(spec: string) {
  const [contract, questions] = await Promise.all(
    ['openapi.json', 'open-questions.json'].map(async (name) =>
      JSON.parse(await readFile(join(spec, 'dist', name), 'utf8')),
    ),
  )
  return { contract, questions }
}

function greeting(mock: string, docs: string): string {
  return `
  docs  ${docs}
  mock  ${mock}

  Try:  curl -u key:secret -X POST ${mock}/mobile-bff/v1/auth/partner/token/

  Edit a file of spec/ or docs/, and both follow. Ctrl-C stops.
`
}

function portInUse(error: NodeJS.ErrnoException & { port?: number }): never {
  if (error.code !== 'EADDRINUSE') throw error
  throw new Error(`port ${error.port} is in use; stop what listens there, or name another port`, {
    cause: error,
  })
}
