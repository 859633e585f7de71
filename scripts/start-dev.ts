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
  const { contract } = await readBuilt(spec)
  const mock = await serve({ contract, port: mockPort }).catch((error) => portInUse(error, '--mock-port'))
  const root = join(docs, 'dist')
  const site = await serveDocs({ root, port: docsPort, live: true }).catch(async (error) => {
    await mock.close()
    return portInUse(error, '--docs-port')
  })
  const watcher = watchFolders([spec, docs], () => rebuild().then(say, (error) => say(kept(error))))
  await watcher.ready
  say(greeting(mock.url, site.url))

  async function rebuild(): Promise<string> {
    const started = performance.now()
    const { problems } = await buildSpec({ spec })
    printProblems(problems)
    if (problems.length > 0) return NOT_BUILT
    const built = await readBuilt(spec)
    await buildDocs({ ...built, out: root })
    await mock.reload(built.contract)
    site.reload()
    return `Built again in ${Math.round(performance.now() - started)} ms.`
  }

  return {
    mock: mock.url,
    docs: site.url,
    async close() {
      await watcher.close()
      await Promise.all([mock.close(), site.close()])
    },
  }
}

const NOT_BUILT = 'Not built; the mock and the docs stay as they were.'

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

/** What is wrong with a guide or the register; a library's plea to report it elsewhere does not help. */
function kept(error: Error): string {
  return `${error.message.replace(/\nPlease report this to .*/, '')}\n${NOT_BUILT}`
}

function portInUse(error: NodeJS.ErrnoException & { port?: number }, flag: string): never {
  if (error.code !== 'EADDRINUSE') throw error
  const hint = `stop what listens there, or name another with ${flag}`
  throw new Error(`port ${error.port} is in use; ${hint}`, { cause: error })
}
