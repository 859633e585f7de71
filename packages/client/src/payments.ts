import type { Resources } from './generated/resources.ts'
import { type Operation, operationOf, operations } from './operation.ts'
import type { ActingFor, CallOptions, ClientOptions } from './options.ts'
import { listOf } from './pages.ts'
import { checkedCode, checkedKey } from './payable.ts'
import { callOf } from './result.ts'
import { type Transport, transportOf } from './transport.ts'
import { fillPath, queryOf } from './url.ts'

/** The operations of the contract by resource, acting as the partner or for a customer. */
export interface Payments extends Resources {
  /**
   * The same operations for a customer of the partner. Cheap, and the token is shared between equal pairs: call it
   * where it is needed. Nothing is sent before the first operation.
   */
  as(who: ActingFor): Payments
  /** What `createClient` takes to share tokens with this. */
  readonly transport: Transport
}

/**
 * The operations of the contract and the flows that pay, by resource.
 *
 * Signs in when the first operation needs it. Throws `ConfigError` where the options cannot work.
 *
 * @example
 * const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })
 * const payee = await payments.as({ customer_id, user_id }).keys.check('beltrana@example.com')
 * await payee.pay({ amount: '10.50' })
 */
export function createPayments(options: ClientOptions | Transport): Payments {
  const transport = transportOf(options)
  const payments: Record<string, unknown> = {
    transport,
    as: (who: ActingFor) => createPayments(transport.as(who)),
  }
  for (const [resource, rows] of Object.entries(operations)) {
    const methods = Object.entries(rows).map(([verb, row]) => [verb, methodOf(transport, operationOf(row))])
    payments[resource] = Object.fromEntries(methods)
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
      call(path, { emv }, options, (check) => checkedCode(transport, emv, check))
  }
  if (operationId === 'checkKey') {
    return (dict_key: string, options) =>
      call(path, { dict_key }, options, (check) => checkedKey(transport, check))
  }
  if (takes === 'query') {
    return listOf(operation, (query, options) => call(path + queryOf(query), undefined, options))
  }
  return (...args: unknown[]) => callOf(operation, sendAll(transport, operation, args))
}

/** Takes the parameters of the path, then the body if there is one, then the options. */
async function sendAll(transport: Transport, operation: Operation, args: unknown[]) {
  const path = fillPath(operation, () => args.shift())
  const body = operation.takes === 'body' ? args.shift() : undefined
  return transport.send(operation, path, body, args[0] as CallOptions | undefined)
}
