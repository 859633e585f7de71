import { Hono } from 'hono'
import type { LimitOf } from './control/clock.ts'
import { type Control, createControl } from './control/control.ts'
import { createFaults } from './control/faults/faults.ts'
import { createRecorder } from './control/recorder.ts'
import { createStreams } from './control/streams.ts'
import { docsPages } from './docs-pages.ts'
import type { Fetch } from './listen.ts'
import { logging, together } from './operation/log.ts'
import { createMetrics } from './operation/metrics.ts'
import { createOperation } from './operation/readiness.ts'
import { createPage } from './page/page.ts'
import { problemOf } from './problems.ts'
import { alphanumeric, systemRandom } from './random.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
import { createHostCheck } from './service/host.ts'

/** Options of a sandbox with its page and its control API. Everything has a default. */
export interface AppOptions extends SandboxOptions {
  /** Whether to serve the page and `/_sandbox/`. On by default. Health and metrics are always served. */
  readonly control?: boolean
  /** Host names to accept besides localhost and IP addresses. None by default. */
  readonly allowedHosts?: readonly string[]
  /** Whether to log requests and deliveries on stderr, as one line of JSON each. Off by default. */
  readonly verbose?: boolean
  /** Creates the signal that limits how long the control API waits. Tests replace it. */
  readonly limitOf?: LimitOf
}

/** A sandbox with everything that it serves over HTTP. */
export interface App extends Sandbox {
  readonly fetch: Fetch
  /** Reports the sandbox as not ready, and ends what would keep a server open: streams and delayed responses. */
  drain(): void
}

/**
 * Creates a sandbox with its page and its control API. It does not listen: call `fetch` with a `Request`.
 *
 * @example
 * const app = await createApp({ settleAfterMs: 0 })
 * const response = await app.fetch(new Request('http://localhost/_sandbox/clock'))
 * console.log(await response.json())
 * await app.close()
 *
 * @throws {StoreError} when the state cannot be opened
 * @throws {TypeError} when an allowed host is not a host name, or `docs` is not an http or https URL
 */
export async function createApp(options: AppOptions = {}): Promise<App> {
  const { control = true, allowedHosts = [], verbose = false, observe = {} } = options
  const { limitOf = (ms) => AbortSignal.timeout(ms) } = options
  const checkHost = createHostCheck(allowedHosts)
  const recorder = createRecorder()
  const streams = createStreams()
  // The page shows what happens.
  const showing = { handled: streams.announce, attempted: streams.announce, settled: streams.announce }
  const faults = createFaults(options.random ?? systemRandom(), () => sandbox.clock.now())
  const { counting, registry } = createMetrics()
  const log = verbose ? [logging((line) => process.stderr.write(line))] : []
  const sandbox: Sandbox = await createSandbox({
    ...(control && { disturb: faults.disturb, failsDelivery: faults.failsDelivery, keep: recorder }),
    ...options,
    observe: together([observe, ...(control ? [showing] : []), counting, ...log]),
  })
  const operation = createOperation(sandbox.store, registry)
  const hono = new Hono().route('/_sandbox', operation.endpoints)
  const storage = storageOf(options)
  const docs = options.docs === undefined ? null : docsPages(options.docs)
  const parts = { sandbox, recorder, streams, faults, limitOf, storage, docs }
  if (control) hono.route('/_sandbox', createControl(parts)).route('/', createPage())
  hono.notFound(({ req }) => sandbox.service(req.raw))
  const drain = () => {
    operation.drain()
    streams.close()
    faults.close()
  }
  return {
    ...sandbox,
    async fetch(request) {
      try {
        checkHost(request)
      } catch (error) {
        return problemOf(error, `req_${alphanumeric(sandbox.context.random, 20)}`)
      }
      return isBeside(request.url) ? hono.fetch(request) : sandbox.service(request)
    },
    drain,
    async close() {
      drain()
      await sandbox.close()
    },
  }
}

/**
 * Whether a path belongs to the page or the control API. All other requests go straight to the service, whose router is
 * the contract.
 */
function isBeside(url: string): boolean {
  return /^[a-z]+:\/\/[^/]*\/(_sandbox\/|assets\/|(\?|$))/.test(url)
}

function storageOf({ databaseUrl, file }: AppOptions): Control['storage'] {
  if (databaseUrl) return 'postgres'
  return file === undefined ? 'memory' : 'file'
}
