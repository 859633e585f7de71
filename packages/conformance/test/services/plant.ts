import type { Call, OperationId } from './call.ts'
import { remade } from './responses.ts'
import type { Relay, TestSandbox } from './sandbox.ts'
import {
  after,
  ask,
  before,
  changeResponse,
  changeSuccess,
  type Next,
  refuse,
  type Test,
  type Wrap,
  wrapped,
} from './wrap.ts'

/** How a fault changes the correct service. One of these is enough. */
export interface Plant {
  /** Wraps the service. */
  readonly service?: Wrap | undefined
  /** Handles deliveries between the service and the receivers. */
  readonly relay?: Relay | undefined
}

/** How a fault changes its own operation, without naming it again. */
export interface OwnPlant extends Plant {
  /** Changes the body of each request, as `ask` does. */
  readonly request?: Parameters<typeof ask>[1]
  /** Changes the body of each success. */
  readonly success?: Parameters<typeof changeSuccess>[1]
  /** Changes the status, headers or text of each success. */
  readonly remake?: Parameters<typeof remade>[1]
  /** Changes each response. */
  readonly response?: Parameters<typeof changeResponse>[1]
  /** Changes each call. */
  readonly call?: Parameters<typeof before>[1]
  /** Runs after each success. */
  readonly afterwards?: Parameters<typeof after>[1]
  /** Handles each call. */
  readonly handle?: (call: Call, next: Next, sandbox: TestSandbox) => Promise<Response>
  /** Refuses valid requests. */
  readonly refuse?: readonly [test: Test, refusal: Parameters<typeof refuse>[2]]
}

/** The wrap of a fault, from any of its forms. */
export function plantOf(id: OperationId | undefined, own: OwnPlant): Plant {
  return { service: own.service ?? (id && wrapOf(id, own)), relay: own.relay }
}

function wrapOf(id: OperationId, own: OwnPlant): Wrap | undefined {
  const { handle } = own
  if (handle)
    return (sandbox) => (call, next) => (call.operation === id ? handle(call, next, sandbox) : next(call))
  if (own.request) return ask(id, own.request)
  if (own.success) return changeSuccess(id, own.success)
  if (own.remake) {
    const changes = own.remake
    return changeResponse(id, (response) => (response.ok ? remade(response, changes) : response))
  }
  if (own.response) return changeResponse(id, own.response)
  if (own.call) return before(id, own.call)
  if (own.afterwards) return after(id, own.afterwards)
  return own.refuse && refuse(id, ...own.refuse)
}

/** The service with a fault, as a fetch function. */
export function planted(
  sandbox: TestSandbox,
  { service, relay }: Plant,
): (request: Request) => Promise<Response> {
  sandbox.relay = relay
  return service ? wrapped(sandbox, service) : sandbox.app.fetch
}
