import type { SentRequest } from './operation.ts'
import { readProperty } from './property.ts'
import { isBrowser } from './runtime.ts'

/** What the `fetch` of a runtime needs for the connection of a request. */
interface ConnectionInit {
  /** Node's: sends the requests. */
  readonly dispatcher?: object
  /** Deno's: has connections of its own. */
  readonly client?: object
  /** Bun's: false keeps the connection out of the pool, at its begin and at its end. */
  readonly keepalive?: false
  readonly headers?: { readonly connection: 'close' }
}

const CLOSING: ConnectionInit = { headers: { connection: 'close' } }

/**
 * Decides which connection a request gets: a GET or a look-up of a key one of the pool of `fetch`,
 * everything else, such as a payment, a fresh one of HTTP/1.1.
 *
 * A connection that was kept alive has two dangers. If the server ends it just then, nobody knows
 * whether the payment on it was carried out. If the server or a proxy wrote a response too many,
 * that would be taken for the response to the payment.
 */
export function chooseConnection(request: SentRequest): ConnectionInit {
  // A browser decides itself, and no page can change that.
  if (isBrowser()) return {}

  // What makes this runtime open a new connection, such as an agent without a pool.
  const fresh = freshConnection()
  // No way is known: every request closes its connection, reads too, so that a payment finds none in
  // the pool. workerd drops the header, and Workers have no other way.
  if (!fresh) return CLOSING
  if (needsFreshConnection(request)) return { ...fresh, ...CLOSING }
  return {}
}

/**
 * A payment is built on what other requests return: a token decides whose money moves, and the check
 * of a code how much, so neither must be a response that was written for somebody else. A GET, and a
 * look-up that repeats the key that was asked for, share connections: another response is noticed.
 */
function needsFreshConnection({ method, effect, echoes = [] }: SentRequest): boolean {
  if (method === 'GET') return false
  const isNoticed = effect !== 'once' && echoes.length > 0
  return !isNoticed
}

/** How this runtime opens a connection for one request; `undefined` if there is no known way. */
function freshConnection(): ConnectionInit | undefined {
  // The types of Node do not know the globals of the others.
  const runtime = globalThis as unknown as Runtime
  if (runtime.Deno) return freshInDeno(runtime.Deno)
  if (runtime.Bun) return { keepalive: false }
  return freshInNode(runtime)
}

/** The globals by which the runtimes are known. */
interface Runtime {
  readonly Deno?: Deno
  readonly Bun?: object
  readonly Response?: unknown
  readonly [NEWER]?: Dispatcher
  readonly [OLDER]?: Dispatcher
}

interface Dispatchers {
  readonly newer?: Dispatcher | undefined
  readonly older?: Dispatcher | undefined
}

interface Deno {
  createHttpClient?(options: { http2: false; poolMaxIdlePerHost: 0 }): object
}

let denoClient: object | undefined

/**
 * The option of `fetch` in Deno for a new connection: a client that keeps none, and that speaks no
 * HTTP/2, which has one connection for all requests (RFC 9113, section 8.2.2). It has the
 * certificates and the proxy of the others. `undefined` if Deno forbids it.
 */
function freshInDeno(deno: Deno): ConnectionInit | undefined {
  try {
    denoClient ??= deno.createHttpClient?.({ http2: false, poolMaxIdlePerHost: 0 })
  } catch {
    // A service that runs Deno may forbid it.
  }
  return denoClient && { client: denoClient }
}

// Where undici, the `fetch` of Node, keeps the dispatcher of all requests: version 8 and, beside
// it, those before.
const NEWER = Symbol.for('undici.globalDispatcher.2')
const OLDER = Symbol.for('undici.globalDispatcher.1')

/** A dispatcher of undici. */
interface Dispatcher {
  dispatch(...options: unknown[]): unknown
  readonly constructor: DispatcherClass
}

interface DispatcherClass {
  new (argument: object): Dispatcher
  readonly name: string
  readonly prototype: Dispatcher
}

/** The global dispatchers at the last request, and the agent created for them (`fresh`). */
let last: Dispatchers & { readonly fresh?: Dispatcher | undefined } = {}

/**
 * The option of Node's `fetch` for a new connection: `{ dispatcher }`, an agent of undici (which is
 * that `fetch`) without a pool of connections. Its class is taken from the global dispatcher, so that
 * undici need not be a dependency. `undefined` if somebody has set another dispatcher, such as a
 * proxy.
 */
function freshInNode(runtime: Runtime): ConnectionInit | undefined {
  // Reading it loads undici, which then sets its global dispatcher.
  void runtime.Response
  // Versions of undici keep the dispatcher under two names: one is newer, and one or both are set.
  const { [NEWER]: newer, [OLDER]: older } = runtime

  // A new agent only if somebody has set another dispatcher since the last request.
  const isSame = last.newer === newer && last.older === older
  if (!isSame) last = { newer, older, fresh: createFreshAgent({ newer, older }) }
  return last.fresh && { dispatcher: last.fresh }
}

/** Version 8 adapts its dispatchers to the `fetch` of versions before by this class. */
const ADAPTER = 'Dispatcher1Wrapper'

/**
 * Creates an agent of undici that opens a connection for each request: without a pool and without
 * HTTP/2. `undefined` if somebody set a global dispatcher, such as a ProxyAgent or a MockAgent, which
 * must stay.
 *
 * @param dispatchers the global ones, under the names that newer and older versions of undici use
 */
function createFreshAgent({ newer, older }: Dispatchers): Dispatcher | undefined {
  const current = newer ?? older
  if (!current || !isDefaultAgent(current)) return undefined

  const agent = new current.constructor({ pipelining: 0, allowH2: false })
  // Only one name is set, or both have the same dispatcher: the agent takes its place.
  const isShared = !newer || !older || newer === older
  if (isShared) return agent

  // Both are set by undici: a package of undici 8 is beside the `fetch` of Node 24, or one of undici 6
  // beside that of Node 26. The older one is an adapter of the newer one then, so the agent gets one.
  if (older.constructor.name === ADAPTER) return new older.constructor(agent)

  // Otherwise somebody has set one of the two.
  return undefined
}

/**
 * Whether a dispatcher is the one that undici creates by itself: an Agent whose options are those of
 * `new Agent({})`. Somebody has set any other one, such as an Agent with certificates.
 */
function isDefaultAgent(dispatcher: Dispatcher): boolean {
  const Agent = dispatcher.constructor
  if (Agent.name !== 'Agent') return false

  // `compose` gives an Agent another method.
  if (dispatcher.dispatch !== Agent.prototype.dispatch) return false

  const options = readOptions(dispatcher)
  const defaults = readOptions(new Agent({}))
  if (!options || !defaults) return false

  const names = Object.keys({ ...options, ...defaults })
  return names.every((name) => readProperty(options, name) === readProperty(defaults, name))
}

/** The options of an Agent, such as certificates. undici keeps them under a symbol of its own. */
function readOptions(agent: Dispatcher): object | undefined {
  const symbols = Object.getOwnPropertySymbols(agent)
  const symbol = symbols.find(({ description }) => description === 'options')
  // The type of a dispatcher has no symbols.
  return symbol && (agent as unknown as Readonly<Record<symbol, object>>)[symbol]
}
