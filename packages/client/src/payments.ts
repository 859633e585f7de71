import type { CodeCheck, KeyCheck } from './generated/contract.ts'
import { operations } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'
import type { Operation } from './operation.ts'
import type { ActingFor, CallOptions } from './options.ts'
import { listOf } from './pages.ts'
import { checkedCode, checkedKey } from './payable.ts'
import { callOf } from './result.ts'
import { type Connection, type Transport, transportOf } from './transport.ts'
import { fillPath, queryOf } from './url.ts'

/** The operations of the contract by resource, acting as the partner or for a customer. */
export interface Payments extends Resources {
  /**
   * Returns the same operations for a customer of the partner. Cheap: it sends nothing, and calls with equal ids share a
   * token.
   */
  as(customer: ActingFor): Payments
  /** Shares the tokens: `createClient(payments)`, `createSafeFetch(payments)`. */
  readonly transport: Transport
}

/**
 * Creates the operations of the contract by resource, and the `pay` flows.
 *
 * Signs in when the first operation needs a token. Throws `ConfigError` if the options are invalid.
 *
 * @example
 * const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })
 * const payee = await payments.as({ customer_id, user_id }).keys.check('beltrana@example.com')
 * await payee.pay({ amount: '10.50' })
 */
export function createPayments(options: Connection): Payments {
  const transport = transportOf(options)
  const payments: Record<string, unknown> = {
    transport,
    as: (customer: ActingFor) => createPayments({ transport: transport.as(customer) }),
  }
  for (const [resource, rows] of Object.entries(operations)) {
    const methods: Record<string, Method> = {}
    payments[resource] = methods
    for (const [verb, row] of Object.entries(rows)) methods[verb] = methodOf(transport, row)
  }
  return payments as unknown as Payments
}

type Method = (...args: never[]) => unknown

function methodOf(transport: Transport, operation: Operation): Method {
  const { operationId, path, takes } = operation
  const call = (path: string, body: unknown, options?: CallOptions, read?: (data: unknown) => unknown) =>
    callOf(operation, transport.send(operation, path, body, options), read)
  if (operationId === 'checkCode') {
    return (emv: string, options) =>
      call(path, { emv }, options, (check) => checkedCode(transport, emv, check as CodeCheck))
  }
  if (operationId === 'checkKey') {
    return (dict_key: string, options) =>
      call(path, { dict_key }, options, (check) => checkedKey(transport, check as KeyCheck))
  }
  if (takes === 'query') {
    return listOf(operation, (query, options) => call(path + queryOf(query), undefined, options))
  }
  return (...args: unknown[]) => callOf(operation, sendAll(transport, operation, args))
}

/** The arguments are the path parameters, then the body if there is one, then the options. */
async function sendAll(transport: Transport, operation: Operation, args: unknown[]) {
  const path = fillPath(operation.path, () => args.shift(), operation)
  const body = operation.takes === 'body' ? args.shift() : undefined
  return transport.send(operation, path, body, args[0] as CallOptions | undefined)
}
