import { readBuilt, serveDocs, writePages } from '@partner-payments/docs/build'
import { serve } from '@partner-payments/mock'
import { serve as serveSandbox } from '@partner-payments/sandbox'
import { FIRST_PARTNER } from '@partner-payments/sandbox/first-partner'
import { testDataLines } from '@partner-payments/sandbox/test-data'
import { buildSpec, printProblems } from '@partner-payments/spec/build'
import { reloadAll } from './reload.ts'
import { watchFolders } from './watch.ts'

export interface DevOptions {
  /** Folders of the contract and the docs, both already built. */
  readonly spec: string
  readonly docs: string
  readonly mockPort: number
  readonly sandboxPort: number
  readonly docsPort: number
  readonly say: (text: string) => void
}

/**
 * Serves the mock, a sandbox in memory and the docs, and updates all of them when a file changes.
 * Starts all of it or nothing. Everything runs in this process, so no process is left behind.
 */
export async function startDev({ spec, docs, say, ...ports }: DevOptions) {
  const { contract, guide } = await writePages(docs, spec)
  await using starting = new AsyncDisposableStack()
  /** Closes it if a later start fails, or when the whole is closed. */
  const keep = <Server extends { close(): Promise<void> }>(server: Server) =>
    starting.adopt(server, () => server.close())

  const mock = keep(await serve({ contract: [contract, guide], port: ports.mockPort }))
  const sandbox = keep(
    await serveSandbox({
      port: ports.sandboxPort,
      allowLoopback: true,
      // The page of the sandbox and the docs link to each other.
      docs: `http://127.0.0.1:${ports.docsPort}`,
    }),
  )
  const site = keep(await serveDocs({ docs, sandbox: sandbox.url, port: ports.docsPort }))

  /**
   * Builds the contract again, and gives it to each part. Rejects if the contract has problems; the
   * parts then keep the old one.
   */
  async function followContract(): Promise<void> {
    const { problems } = await buildSpec({ spec })
    printProblems(problems)
    if (problems.length > 0) throw new Error('The contract has problems.')
    const { contract, guide, behaviour } = await readBuilt(spec)
    // The pages last: a contract that a guide does not follow yet can be tried already.
    const failures = await reloadAll([
      { name: 'mock', reload: () => mock.reload([contract, guide]) },
      { name: 'sandbox', reload: () => sandbox.reload(contract, behaviour) },
      { name: 'site', reload: () => writePages(docs, spec) },
    ])
    for (const failure of failures) say(failure)
  }

  const watchers = [
    watchFolders([spec], () => rebuild(followContract, say)),
    watchFolders([docs], () => rebuild(() => writePages(docs, spec), say)),
  ]
  await Promise.all(watchers.map((watcher) => keep(watcher).ready))

  const started = starting.move()
  return {
    mock: mock.url,
    sandbox: sandbox.url,
    docs: site.url,
    close: () => started.disposeAsync(),
  }
}

/** Runs a build, and says how long it took or why it failed. */
async function rebuild(build: () => Promise<unknown>, say: (text: string) => void): Promise<void> {
  const startedMs = performance.now()
  try {
    await build()
  } catch (error) {
    say(`${(error as Error).message}\n${NOT_BUILT}`)
    return
  }
  say(`Built again in ${Math.round(performance.now() - startedMs)} ms.`)
}

const NOT_BUILT = 'Not built; the mock, the sandbox and the docs stay as they were.'

/**
 * The text for the terminal once all parts are ready: their addresses, test data, and what to try.
 */
export function greet({
  mock,
  sandbox,
  docs,
}: Readonly<Record<'mock' | 'sandbox' | 'docs', string>>): string {
  const credentials = `${FIRST_PARTNER.client_key}:${FIRST_PARTNER.client_secret}`
  return `
  docs     ${docs}
  mock     ${mock}   stateless
  sandbox  ${sandbox}   stateful, in memory; open it in a browser

${testDataLines()}

  Try:  curl -u ${credentials} -X POST ${sandbox}/mobile-bff/v1/auth/partner/token/

  Edit a file of spec/ or docs/, and all of them follow. Ctrl-C stops.
`
}
