import { createSecretKey, type KeyObject } from 'node:crypto'
import { type Clock, createClock } from './clock.ts'
import type { Context } from './context.ts'
import { type Attempted, createDeliveries, type Sent } from './deliveries/deliver.ts'
import { createPoster, type PosterOptions } from './deliveries/post.ts'
import { createTargetCheck } from './deliveries/target.ts'
import { docsPages } from './docs-pages.ts'
import { createWorker, type Worker } from './due/worker.ts'
import { createFailureLimit, createRateLimit } from './operation/limits.ts'
import { type Random, secretText, systemRandom } from './random.ts'
import { seed } from './seed/seed.ts'
import { createRouter } from './service/routes.ts'
import {
  createService,
  type Exchange,
  type HandledRequest,
  type Service,
  type ServiceOptions,
} from './service/service.ts'
import { openStore, type StoreOptions } from './store/open.ts'
import type { Queries, Store } from './store/store.ts'
import { nextSettlement, settleDue, shortenSettlements } from './transfers/settle.ts'

/** Options of a sandbox. Everything has a default. */
export interface SandboxOptions extends StoreOptions, Pick<ServiceOptions, 'checksResponses'> {
  /** Whether deliveries may go to this machine, also by http. Off by default. */
  readonly allowLoopback?: boolean
  /** Milliseconds between a transfer and its settlement; 100 by default. */
  readonly settleAfterMs?: number
  /** Maximum number of webhooks of a partner; 100 by default. Deleted ones do not count. */
  readonly maxWebhooks?: number
  /** Whether sign-ins and lookups are rate-limited. On by default. */
  readonly limitsRates?: boolean
  /** The base URL of the docs, to which the page and the `type` of each problem link. None by default. */
  readonly docs?: string | undefined
  /** The time source of the sandbox; the system's clock by default. */
  readonly now?: () => number
  /** The random source; the system's by default. */
  readonly random?: Random
  /** How deliveries are sent, for tests of the network. */
  readonly poster?: PosterOptions
  /** Which fault a request gets. By default none; in an app, the faults of the control API. */
  readonly disturb?: ServiceOptions['disturb']
  /** Whether the next delivery attempt fails without being sent. By default it does not. */
  readonly failsDelivery?: () => boolean
  /** Called for everything that happens. */
  readonly observe?: Observers
  /** Receives requests, responses and deliveries with their secrets. */
  readonly keep?: ExchangeObserver
}

/** Receives what was sent and received, with secrets. */
export interface ExchangeObserver {
  readonly request: (handled: HandledRequest, exchange: Exchange) => void
  readonly attempt: (attempted: Attempted, sent: Sent) => void
}

const GRACE_MS = 5_000

/** Callbacks for what happens in the sandbox. */
export interface Observers {
  readonly handled?: (handled: HandledRequest) => void
  readonly attempted?: (attempted: Attempted) => void
  /** How many transfers were settled or rejected. */
  readonly settled?: (count: number) => void
  /** Background work that failed, and is tried again. */
  readonly failed?: (error: unknown) => void
}

/** A sandbox that does not listen. */
export interface Sandbox {
  readonly service: Service
  readonly store: Store
  readonly clock: Clock
  readonly worker: Worker
  readonly context: Context
  /**
   * Validates requests against another version of the contract from now on. State and behaviour stay the same.
   *
   * @throws {ContractError} if it cannot be read; the old one stays in use
   */
  reload(contract: object): void
  /**
   * Finishes the work in progress, and closes the state. Deliveries still in progress after `graceMs` are abandoned.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Opens the state, writes the seed data if it is empty, and starts to settle and deliver.
 *
 * @example
 * const sandbox = await createSandbox()
 * const headers = { authorization: `Basic ${btoa('partner:secret')}` }
 * const url = 'http://localhost/mobile-bff/v1/auth/partner/token/'
 * console.log((await sandbox.service(new Request(url, { method: 'POST', headers }))).status) // 200
 * await sandbox.close()
 *
 * @throws {StoreError} if the state cannot be opened
 * @throws {TypeError} if `docs` is not an http or https URL
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { allowLoopback = false, observe = {}, random = systemRandom(), settleAfterMs = 100 } = options
  const errors = options.docs === undefined ? undefined : docsPages(options.docs).errors
  const store = await openStore(options)
  const clock = createClock(options.now)
  const poster = createPoster({ allowLoopback, ...options.poster })
  const means = {
    store,
    now: clock.now,
    random,
    poster,
    failsDelivery: options.failsDelivery,
    keep: options.keep?.attempt,
    ...(observe.attempted && { observe: observe.attempted }),
  }
  const worker = createWorker({
    clock,
    duties: [
      {
        run: () => settle(means, observe),
        next: () => store.read(nextSettlement),
        rewind: () => shortenSettlements({ ...means, settleAfterMs }),
      },
      createDeliveries(means),
    ],
    ...(observe.failed && { onError: observe.failed }),
  })
  const context: Context = {
    store,
    now: clock.now,
    random,
    sealingKey: await prepare(store, { now: clock.now, random }),
    settleAfterMs,
    maxWebhooks: options.maxWebhooks ?? 100,
    checkTarget: createTargetCheck({ allowLoopback, ...options.poster }),
    poke: worker.poke,
    limits: options.limitsRates === false ? UNLIMITED : limits(random),
  }
  let router = createRouter()
  const service = createService({
    context,
    router: (method, path) => router(method, path),
    ...(observe.handled && { observe: observe.handled }),
    keep: options.keep?.request,
    ...(options.disturb && { disturb: options.disturb }),
    checksResponses: options.checksResponses ?? false,
    errorCatalogue: errors,
  })
  worker.poke()
  return {
    service,
    store,
    clock,
    worker,
    context,
    reload(contract) {
      router = createRouter(contract)
    },
    async close(graceMs = GRACE_MS) {
      await Promise.all([worker.close(), poster.close(graceMs)])
      await store.close()
    },
  }
}

async function settle(means: Parameters<typeof settleDue>[0], { settled }: Observers): Promise<number> {
  const count = await settleDue(means)
  if (count > 0) settled?.(count)
  return count
}

/** Writes the seed data and the key that seals initiation ids. The first instance on a state creates both. */
function prepare(store: Store, means: Pick<Context, 'now' | 'random'>): Promise<KeyObject> {
  return store.write(async (queries) => {
    await seed(queries, means)
    return sealingKey(queries, means)
  })
}

async function sealingKey(queries: Queries, { random }: Pick<Context, 'random'>): Promise<KeyObject> {
  const made = Buffer.from(random(32)).toString('base64')
  const insert = `INSERT INTO settings (name, value) VALUES ('sealing_key', ?) ON CONFLICT (name) DO NOTHING`
  await queries.run(insert, [made])
  const row = await queries.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'sealing_key'`)
  return createSecretKey(row?.value ?? made, 'base64')
}

/** High enough for a test suite, and far too low for guessing or scanning. */
function limits(random: Random): Context['limits'] {
  const failures = [
    { capacity: 30, refillPerSecond: 0.5 },
    { capacity: 300, refillPerSecond: 5 },
    { capacity: 300, refillPerSecond: 5 },
  ]
  return {
    signIns: createFailureLimit({ kinds: failures, salt: secretText(random) }),
    lookUps: createRateLimit({ capacity: 2_000, refillPerSecond: 100 }),
  }
}

const UNLIMITED: Context['limits'] = {
  signIns: { count: () => 0 },
  lookUps: { take: () => 0, charge: () => {} },
}
