import { serveDocs, writePages } from '@partner-payments/docs/build'
import { serve } from '@partner-payments/mock'
import { serve as serveSandbox } from '@partner-payments/sandbox'
import { buildSpec, printProblems } from '@partner-payments/spec/build'
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
 * Serves the mock, a sandbox in memory and the docs, and updates all of them when a file changes. Everything runs in
 * this process, so no process is left behind.
 */
export async function startDev({ spec, docs, say, ...ports }: DevOptions) {
  const { contract, guide } = await writePages(docs, spec)
  const { mock, sandbox, site, close } = await startServers([contract, guide], docs, ports)
  const watchers = [
    watchFolders([spec], () => rebuild(followContract)),
    watchFolders([docs], () => rebuild(() => writePages(docs, spec))),
  ]
  await Promise.all(watchers.map(({ ready }) => ready))

  async function followContract(): Promise<void> {
    const { problems } = await buildSpec({ spec })
    printProblems(problems)
    if (problems.length > 0) throw new Error('The contract has problems.')
    const { contract, guide } = await writePages(docs, spec)
    await mock.reload([contract, guide])
    sandbox.reload(contract)
  }

  async function rebuild(build: () => Promise<unknown>): Promise<void> {
    const started = performance.now()
    await build().then(
      () => say(`Built again in ${Math.round(performance.now() - started)} ms.`),
      (error) => say(`${error.message}\n${NOT_BUILT}`),
    )
  }

  return {
    mock: mock.url,
    sandbox: sandbox.url,
    docs: site.url,
    async close() {
      await Promise.all(watchers.map((it) => it.close()))
      await close()
    },
  }
}

type Ports = Pick<DevOptions, 'mockPort' | 'sandboxPort' | 'docsPort'>

/** Starts all servers, or none. */
async function startServers(contract: readonly object[], docs: string, ports: Ports) {
  const started = new AsyncDisposableStack()
  const keep = <Server extends { close(): Promise<void> }>(server: Server) =>
    started.adopt(server, () => server.close())
  try {
    const mock = keep(await serve({ contract, port: ports.mockPort }))
    // The page of the sandbox and the docs link to each other.
    const local = { port: ports.sandboxPort, allowLoopback: true, docs: `http://127.0.0.1:${ports.docsPort}` }
    const sandbox = keep(await serveSandbox(local))
    const site = keep(await serveDocs({ docs, sandbox: sandbox.url, port: ports.docsPort }))
    return { mock, sandbox, site, close: () => started.disposeAsync() }
  } catch (error) {
    await started.disposeAsync()
    throw error
  }
}

const NOT_BUILT = 'Not built; the mock, the sandbox and the docs stay as they were.'

/** What to say once all of it is ready. */
export function greet({
  mock,
  sandbox,
  docs,
}: Readonly<Record<'mock' | 'sandbox' | 'docs', string>>): string {
  return `
  docs     ${docs}
  mock     ${mock}   stateless
  sandbox  ${sandbox}   stateful, in memory; open it in a browser

  Try:  curl -u partner:secret -X POST ${sandbox}/mobile-bff/v1/auth/partner/token/

  Edit a file of spec/ or docs/, and all of them follow. Ctrl-C stops.
`
}
