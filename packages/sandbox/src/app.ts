import { createSecretKey, type KeyObject } from 'node:crypto'
import { Hono } from 'hono'
import {
  type Declared as DeclaredBehaviour,
  declaredMaxWebhooks,
  useBehaviour,
} from './behaviour.ts'
import { type Clock, createClock } from './clock.ts'
import type { Context } from './context.ts'
import type { LimitOf } from './control/clock.ts'
import { type Control, createControl } from './control/control.ts'
import { createFaults } from './control/faults/faults.ts'
import { createRecorder } from './control/recorder.ts'
import { createStreams, type Streams } from './control/streams.ts'
import { SETTLE_AFTER_MS } from './defaults.ts'
import { releaseLeftClaims } from './deliveries/claim.ts'
import { createDeliveries, type DeliveryDependencies } from './deliveries/deliver.ts'
import { createPoster, type PosterOptions } from './deliveries/post.ts'
import { createTargetCheck } from './deliveries/target.ts'
import { readDocsPages } from './docs-pages.ts'
import type { Duty } from './due/loop.ts'
import { createWorker, type Worker } from './due/worker.ts'
import type { Fetch } from './listen.ts'
import { createFailureLimit, createRateLimit } from './operation/limits.ts'
import { createLog, notifyAll, type Observers } from './operation/log.ts'
import { createMetrics } from './operation/metrics.ts'
import { createOperation } from './operation/readiness.ts'
import { createPage } from './page/page.ts'
import { createProblemResponse } from './problems.ts'
import { alphanumeric, type Random, secretText, systemRandom } from './random.ts'
import { seed } from './seed/seed.ts'
import { createCors } from './service/cors.ts'
import { createHostGuard } from './service/host.ts'
import { splitUrl } from './service/request-url.ts'
import { createRouter } from './service/routes.ts'
import { createService, type Service, type ServiceOptions } from './service/service.ts'
import { openStore, type StoreOptions } from './store/open.ts'
import { insertStatement, type Queries, type Store } from './store/store.ts'
import { nextSettlement, settleDue, shortenSettlements } from './transfers/settle.ts'

/** Options of a sandbox. Everything has a default. */
export interface AppOptions extends StoreOptions, Pick<ServiceOptions, 'checksResponses'> {
  /**
   * Whether to serve the page and `/_sandbox/`. On by default. Health and metrics are always
   * served.
   */
  readonly control?: boolean
  /** Host names to accept besides localhost and IP addresses. None by default. */
  readonly allowedHosts?: readonly string[]
  /**
   * Origins whose pages may call the operations, besides those of this machine (localhost). None by
   * default. No page may call `/_sandbox/`.
   */
  readonly allowedOrigins?: readonly string[]
  /** Whether to log requests and deliveries on stderr, as one line of JSON each. Off by default. */
  readonly verbose?: boolean
  /** Whether deliveries may go to this machine, also by http. Off by default. */
  readonly allowLoopback?: boolean
  /** Milliseconds between a transfer and its settlement; 100 by default. */
  readonly settleAfterMs?: number
  /** Maximum number of webhooks of a partner; 100 by default. Deleted ones do not count. */
  readonly maxWebhooks?: number
  /** Whether sign-ins and lookups are rate-limited. On by default. */
  readonly limitsRates?: boolean
  /**
   * The base URL of the docs, to which the page and the `type` of each problem link. None by
   * default.
   */
  readonly docs?: string | undefined
  /** The time source of the sandbox; the system's clock by default. */
  readonly now?: () => number
  /** The random source; the system's by default. */
  readonly random?: Random
  /** Called for everything that happens. */
  readonly observe?: Observers
  /** How deliveries are sent, for tests of the network. */
  readonly poster?: PosterOptions
  /** Creates the signal that limits how long the control API waits. Tests replace it. */
  readonly limitOf?: LimitOf
}

/** A sandbox that does not listen. */
export interface App {
  /**
   * Serves everything: the operations, health and metrics, and if wanted, the page and the control
   * API.
   */
  readonly fetch: Fetch
  /** Serves the operations alone, for any host. */
  readonly service: Service
  readonly store: Store
  readonly clock: Clock
  readonly worker: Worker
  readonly context: Context
  /**
   * Validates requests against another version of the contract from now on, and takes the values of
   * what spec/behaviour declares. The state stays the same.
   *
   * @throws {ContractError} if it cannot be read; the old one stays in use
   */
  reload(contract: object, behaviour?: object): void
  /**
   * Reports the sandbox as not ready, and ends what would keep a server open: streams and delayed
   * responses.
   */
  drain(): void
  /**
   * Finishes the work in progress, and closes the state. Deliveries still in progress after
   * `graceMs` are abandoned.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Opens the state, writes the seed data if it is empty, and starts to settle and deliver. It does
 * not listen: call `fetch` with a `Request`.
 *
 * @example
 * const app = await createApp({ settleAfterMs: 0 })
 * const response = await app.fetch(new Request('http://localhost/_sandbox/clock'))
 * console.log(await response.json())
 * await app.close()
 *
 * @throws {StoreError} if the state cannot be opened
 * @throws {TypeError} if an allowed host is not a host name, an allowed origin is not an origin, or
 *   `docs` is not an http or https URL
 */
export async function createApp(options: AppOptions = {}): Promise<App> {
  const { control: hasControl = true, allowedHosts = [], random = systemRandom } = options
  const { allowLoopback = false, limitOf = (ms) => AbortSignal.timeout(ms) } = options
  // What is invalid is refused before the state is opened.
  const requireAllowedHost = createHostGuard(allowedHosts)
  const cors = createCors(options.allowedOrigins ?? [])
  const docs = options.docs === undefined ? null : readDocsPages(options.docs)

  const clock = createClock(options.now)
  const recorder = createRecorder()
  const streams = createStreams()
  const faults = createFaults(random, clock.now)
  const { counting, registry } = createMetrics()
  const observers = joinObservers(options, counting, streams)

  const store = await openStore(options)
  const poster = createPoster({ allowLoopback, ...options.poster })
  const dependencies = {
    store,
    now: clock.now,
    random,
    settleAfterMs: options.settleAfterMs ?? SETTLE_AFTER_MS,
  }
  const deliveryDependencies: WorkDependencies = {
    ...dependencies,
    poster,
    observe: observers.attempted,
    keep: hasControl ? recorder.attempt : undefined,
    failsDelivery: hasControl ? faults.failsDelivery : undefined,
  }
  const worker = createBackgroundWork(deliveryDependencies, clock, observers)
  const context = await createContext(options, dependencies, worker.wake)

  let router = createRouter()
  const serviceOptions: ServiceOptions = {
    context,
    router: (method, path) => router(method, path),
    observe: observers.handled,
    checksResponses: options.checksResponses ?? false,
    errorCatalogue: docs?.errors,
  }
  const withControl = { takeFault: faults.takeFault, keep: recorder.request }
  const service = createService(hasControl ? { ...serviceOptions, ...withControl } : serviceOptions)
  worker.wake()

  const operation = createOperation(store, registry)
  const control: Control = {
    clock,
    context,
    worker,
    recorder,
    streams,
    faults,
    limitOf,
    storage: describeStorage(store, options),
    docs,
  }
  const extras = createExtras(operation.endpoints, hasControl ? control : undefined)
  extras.notFound(({ req }) => service(req.raw))

  function drain(): void {
    operation.drain()
    streams.close()
    faults.close()
  }

  return {
    service,
    store,
    clock,
    worker,
    context,
    drain,
    /** Responds to every request that reaches the sandbox. Never rejects. */
    async fetch(request) {
      // Comes first: a page of another site must not reach the sandbox by a domain of its own.
      try {
        requireAllowedHost(request)
      } catch (error) {
        return createProblemResponse(error, `req_${alphanumeric(random, 20)}`)
      }
      // The page and the control API, which pages of other origins may not use.
      if (isExtra(request.url)) return extras.fetch(request)

      // The operations of the contract.
      return cors.preflight(request) ?? cors.expose(request, await service(request))
    },
    reload(contract, behaviour) {
      const next = createRouter(contract, behaviour)
      // The lint has checked its form, which the type leaves open.
      if (behaviour) useBehaviour(behaviour as DeclaredBehaviour)
      router = next
    },
    async close(graceMs = 5_000) {
      drain()
      await Promise.all([worker.close(), poster.close(graceMs)])
      await store.close()
    },
  }
}

/**
 * Returns one set of callbacks that notifies all observers of a sandbox: those of its options, its
 * page, its metrics and its log. `control: false` means that there is no page, and `verbose` that
 * there is a log.
 */
function joinObservers(
  { control: hasControl = true, verbose = false, observe = {} }: AppOptions,
  counting: Observers,
  { announce }: Streams,
): Required<Observers> {
  const observers = [observe]
  // The page shows what happens.
  if (hasControl) observers.push({ handled: announce, attempted: announce, settled: announce })
  observers.push(counting)
  if (verbose) observers.push(createLog((line) => process.stderr.write(line)))
  return notifyAll(observers)
}

/**
 * Serves what the contract does not name: health and metrics, and with `control` the page and the
 * control API.
 */
function createExtras(healthAndMetrics: Hono, control: Control | undefined): Hono {
  const hono = new Hono()
  hono.route('/_sandbox', healthAndMetrics)
  if (!control) return hono

  hono.route('/_sandbox', createControl(control))
  hono.route('/', createPage())
  return hono
}

/** Where the state is, for display. */
function describeStorage({ backend }: Store, { file }: AppOptions): Control['storage'] {
  if (backend === 'postgres') return 'postgres'
  return file === undefined ? 'memory' : 'file'
}

/**
 * Creates what every operation gets: the store, the clock, random bytes and the settings. Writes
 * the seed data first if the store is new.
 *
 * @param dependencies what the caller has already: the store, the clock and the source of random bytes
 * @param wakeWorker called after each change that gives the background work something to do
 */
async function createContext(
  {
    allowLoopback = false,
    maxWebhooks = declaredMaxWebhooks(),
    limitsRates = true,
    poster,
  }: AppOptions,
  dependencies: Pick<Context, 'store' | 'now' | 'random' | 'settleAfterMs'>,
  wakeWorker: Context['wakeWorker'],
): Promise<Context> {
  const { store } = dependencies
  // The first instance on a state creates both the seed data and the key.
  const sealingKey = await store.write(async (queries) => {
    await seed(queries, dependencies)
    // A file has one process at a time. Other instances may share a database.
    if (store.backend === 'sqlite') await releaseLeftClaims(queries)
    return findOrCreateSealingKey(queries, dependencies)
  })
  return {
    ...dependencies,
    sealingKey,
    maxWebhooks,
    wakeWorker,
    checkTarget: createTargetCheck({ allowLoopback, ...poster }),
    limits: limitsRates ? createLimits(dependencies.random) : UNLIMITED,
  }
}

type WorkDependencies = DeliveryDependencies & Pick<Context, 'random' | 'settleAfterMs'>

/**
 * Returns the worker of a sandbox: it settles or rejects the transfers whose time has come, and
 * then delivers their events. It calls `settled` with a number of transfers, and `failed` with an
 * error.
 */
function createBackgroundWork(
  dependencies: WorkDependencies,
  clock: Clock,
  { settled, failed }: Required<Observers>,
): Worker {
  const settling: Duty = {
    async run() {
      const count = await settleDue(dependencies)
      if (count > 0) settled(count)
      return count
    },
    next: () => dependencies.store.read(nextSettlement),
    onClockSetBack: () => shortenSettlements(dependencies),
  }
  return createWorker({
    clock,
    duties: [settling, createDeliveries(dependencies)],
    onError: failed,
  })
}

/**
 * Whether the extras serve a URL. All other requests go straight to the service, whose router is the
 * contract.
 */
function isExtra(url: string): boolean {
  const { path } = splitUrl(url)
  return path === '/' || path.startsWith('/_sandbox/') || path.startsWith('/assets/')
}

/**
 * Returns the key that encrypts initiation ids and cursors. The first instance on a state creates
 * it; later instances read it, so that each can decrypt what another encrypted.
 */
async function findOrCreateSealingKey(
  queries: Queries,
  { random }: Pick<Context, 'random'>,
): Promise<KeyObject> {
  const newKey = Buffer.from(random(32)).toString('base64')
  const row = { name: 'sealing_key', value: newKey }
  await queries.run(...insertStatement('settings', row, 'ON CONFLICT (name) DO NOTHING'))

  const sql = `SELECT value FROM settings WHERE name = 'sealing_key'`
  const stored = await queries.get<{ value: string }>(sql)
  if (!stored) throw new Error('the sealing key was not stored')
  return createSecretKey(stored.value, 'base64')
}

/**
 * Limits for failed sign-ins and for look-ups of keys: high enough for a test suite, and far too
 * low for guessing or scanning.
 */
function createLimits(random: Random): Context['limits'] {
  // A source is the address of a client.
  const failures = [
    { capacity: 30, refillPerSecond: 0.5 }, // of a source and a client key together
    { capacity: 300, refillPerSecond: 5 }, // of a source
    { capacity: 300, refillPerSecond: 5 }, // of a client key
  ]
  return {
    signIns: createFailureLimit({ kinds: failures, salt: secretText(random) }),
    // Of a partner.
    lookUps: createRateLimit<string>({ capacity: 2_000, refillPerSecond: 100 }),
  }
}

const UNLIMITED: Context['limits'] = {
  signIns: { count: () => 0 },
  lookUps: { take: () => 0, charge: () => {} },
}
