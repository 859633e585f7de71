import { createSecretKey, type KeyObject } from 'node:crypto'
import { type Clock, createClock } from './clock.ts'
import type { Context } from './context.ts'
import { type Attempted, createDeliveries, type Sent } from './deliveries/deliver.ts'
import { createPoster, type PosterOptions } from './deliveries/post.ts'
import { createTargetCheck } from './deliveries/target.ts'
import { createWorker, type Worker } from './due/worker.ts'
import { createFailureLimit } from './operation/failure-limit.ts'
import { createRateLimit } from './operation/rate-limit.ts'
import { type WatchedStore, watched } from './operation/readiness.ts'
import { type Random, secretText, systemRandom } from './random.ts'
import { seed } from './seed/seed.ts'
import { createRouter } from './service/routes.ts'
import {
  type Answered,
  createService,
  type Exchange,
  type Service,
  type ServiceOptions,
} from './service/service.ts'
import { openStore, type StoreOptions } from './store/open.ts'
import type { Queries, Store } from './store/store.ts'
import { nextSettlement, settleDue, shortenSettlements } from './transfers/settle.ts'

/** What a sandbox is made of. Everything has a default. */
export interface SandboxOptions
  extends StoreOptions,
    Pick<ServiceOptions, 'checksAnswers' | 'errorCatalogue'> {
  /** Whether deliveries may go to this machine, by http too. Off by default. */
  readonly allowLoopback?: boolean
  /** Milliseconds between a transfer and its settlement; 100 by default. */
  readonly settleAfterMs?: number
  /** Whether sign-ins and look-ups are limited; they are by default. */
  readonly limitsRates?: boolean
  /** The time that the sandbox begins with, and runs on by; the system's by default. */
  readonly now?: () => number
  /** The system's by default. */
  readonly random?: Random
  /** How deliveries leave; for tests of what happens on the way. */
  readonly poster?: PosterOptions
  /** What is to go wrong with a request; nothing by default, and what the control was told in an app. */
  readonly disturb?: ServiceOptions['disturb']
  /** Whether the next attempt of a delivery is to fail without being made; it is not by default. */
  readonly failsDelivery?: () => boolean
  /** Who is told what happens; nobody by default. */
  readonly observe?: Observers
  /** Who keeps what was sent and received, with its secrets; nobody by default. */
  readonly keep?: Keepers
}

/** Who keeps what was sent and received. */
export interface Keepers {
  readonly request: (answered: Answered, exchange: Exchange) => void
  readonly attempt: (attempted: Attempted, sent: Sent) => void
}

const GRACE_MS = 5_000

/** Who is told what happens. */
export interface Observers {
  readonly answered?: (answered: Answered) => void
  readonly attempted?: (attempted: Attempted) => void
  /** So many transfers were settled, or rejected. */
  readonly settled?: (count: number) => void
  /** What failed in the background, and is tried again. */
  readonly failed?: (error: unknown) => void
}

/** A sandbox, not listening anywhere. */
export interface Sandbox {
  readonly service: Service
  readonly store: WatchedStore
  readonly clock: Clock
  readonly worker: Worker
  readonly context: Context
  /**
   * Holds requests to another version of the contract from now on. The state and the meaning stay.
   *
   * @throws {ContractError} where it cannot be read; then the old one stays.
   */
  reload(contract: object): void
  /** Finishes what is under way, and closes the state; deliveries that are not taken after `graceMs` are left. */
  close(graceMs?: number): Promise<void>
}

/**
 * Opens the state, writes the world into it where there is none, and starts to settle and to deliver.
 *
 * @example
 * const sandbox = await createSandbox()
 * const headers = { authorization: `Basic ${btoa('partner:secret')}` }
 * const url = 'http://localhost/mobile-bff/v1/auth/partner/token/'
 * console.log((await sandbox.service(new Request(url, { method: 'POST', headers }))).status) // 200
 * await sandbox.close()
 *
 * @throws {StoreError} when the state cannot be opened.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { allowLoopback = false, observe = {}, random = systemRandom(), settleAfterMs = 100 } = options
  const store = watched(await openStore(options))
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
    checkTarget: createTargetCheck({ allowLoopback, ...options.poster }),
    poke: worker.poke,
    limits: options.limitsRates === false ? UNLIMITED : limits(random),
  }
  let router = createRouter()
  const service = createService({
    context,
    router: (method, path) => router(method, path),
    ...(observe.answered && { observe: observe.answered }),
    keep: options.keep?.request,
    ...(options.disturb && { disturb: options.disturb }),
    checksAnswers: options.checksAnswers ?? false,
    errorCatalogue: options.errorCatalogue,
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

/** The world, and the key that seals initiation ids: made once, by the first instance on a state. */
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

/** Enough for a suite of tests, and for one who guesses or scans far too little. */
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
