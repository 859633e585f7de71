import { Hono } from 'hono'
import { type Changes, createChanges } from './control/changes.ts'
import { type Control, createControl } from './control/control.ts'
import { createFaults } from './control/faults/faults.ts'
import { type LimitOf, limitOf as systemLimit } from './control/limit.ts'
import { createReconciliation } from './control/reconciliation.ts'
import { createRecorder } from './control/recorder.ts'
import { createStreams } from './control/streams.ts'
import { handlers } from './handlers.ts'
import type { Fetch } from './listen.ts'
import { createOperation } from './operation/endpoints.ts'
import { createLog } from './operation/log.ts'
import { createMetrics } from './operation/metrics.ts'
import { counting, logging, together } from './operation/observers.ts'
import { createPage } from './page/page.ts'
import { problemOf } from './problems.ts'
import { alphanumeric, systemRandom } from './random.ts'
import { createSandbox, type Observers, type Sandbox, type SandboxOptions } from './sandbox.ts'
import { createHostCheck } from './service/host.ts'

/** What a sandbox with its page and its control is made of. Everything has a default. */
export interface AppOptions extends SandboxOptions {
  /** Whether the page and `/_sandbox/` are served; they are by default. Health and metrics always are. */
  readonly control?: boolean
  /** Names that requests may be for, besides localhost and IP addresses; none by default. */
  readonly allowedHosts?: readonly string[]
  /** Whether requests and deliveries are logged on stderr, a line of JSON each. Off by default. */
  readonly verbose?: boolean
  /** Aborts after so many milliseconds, by which the control limits its waits; for tests. */
  readonly limitOf?: LimitOf
}

/** A sandbox with all that it serves over HTTP. */
export interface App extends Sandbox {
  readonly fetch: Fetch
  /** Says not ready from now on, and ends what would keep a server from closing: streams, and late answers. */
  drain(): void
}

/**
 * A sandbox with its page and its control, from `Request` to `Response`, not listening anywhere.
 *
 * @example
 * const app = await createApp({ settleAfterMs: 0 })
 * const answer = await app.fetch(new Request('http://localhost/_sandbox/clock'))
 * console.log(await answer.json())
 * await app.close()
 *
 * @throws {StoreError} when the state cannot be opened
 * @throws {TypeError} where an allowed host is not a name
 */
export async function createApp(options: AppOptions = {}): Promise<App> {
  const { control = true, allowedHosts = [], verbose = false, observe = {}, limitOf = systemLimit } = options
  const checkHost = createHostCheck(allowedHosts)
  const recorder = createRecorder()
  const changes = createChanges()
  const streams = createStreams(changes)
  const faults = createFaults(options.random ?? systemRandom(), () => sandbox.clock.now())
  const metrics = createMetrics({ operations: Object.keys(handlers) })
  const log = verbose ? [logging(createLog((line) => process.stderr.write(line)))] : []
  const sandbox: Sandbox = await createSandbox({
    ...(control && { disturb: faults.disturb, failsDelivery: faults.failsDelivery, keep: recorder }),
    ...options,
    observe: together([observe, ...(control ? [showing(changes)] : []), counting(metrics), ...log]),
  })
  const operation = createOperation(sandbox.store, metrics)
  const hono = new Hono().route('/_sandbox', operation.endpoints)
  const reconciliation = createReconciliation(sandbox.store)
  const storage = storageOf(options)
  const parts = { sandbox, recorder, changes, streams, faults, reconciliation, limitOf, storage }
  if (control) hono.route('/_sandbox', createControl(parts)).route('/', createPage())
  hono.notFound(({ req }) => sandbox.service(req.raw))
  const drain = () => {
    operation.drain()
    streams.close()
    faults.close()
    reconciliation.close()
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

/** What is not the service's. The rest goes straight there: it is most of what comes, and its router is the contract. */
function isBeside(url: string): boolean {
  return /^[a-z]+:\/\/[^/]*\/(_sandbox\/|assets\/|(\?|$))/.test(url)
}

function storageOf({ databaseUrl, file }: AppOptions): Control['storage'] {
  if (databaseUrl) return 'postgres'
  return file === undefined ? 'memory' : 'file'
}

/** Tells the page what happens. */
function showing({ announce }: Changes): Observers {
  return {
    answered: announce,
    attempted: announce,
    settled: announce,
  }
}
