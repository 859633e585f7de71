import { ConfigError } from './errors.ts'
import type {
  CheckCodeRequest,
  CheckKeyRequest,
  CodeCheck,
  KeyCheck,
} from './generated/contract.ts'
import { operations } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'
import type { Operation, ReadResponse } from './operation.ts'
import type { ActingFor, CallOptions } from './options.ts'
import { createList } from './pages.ts'
import {
  checkedCode,
  checkedKey,
  type PayableCode,
  type PayableKey,
  type PaymentCall,
  type PaymentOfCheck,
  payCheck,
} from './payable.ts'
import { tagOf } from './property.ts'
import { createCall } from './result.ts'
import { type Connection, resolveTransport, type Transport } from './transport.ts'
import { fillPath, serializeQuery } from './url.ts'

/** The operations of the contract by resource, acting as the partner or for a customer. */
export interface Payments extends Resources {
  /**
   * Returns the same operations for a customer of the partner. Cheap: it sends nothing, and calls
   * with equal ids share a token.
   */
  as(customer: ActingFor): Payments
  /**
   * Pays a check that was stored as plain data, such as the JSON of what `keys.check` or
   * `codes.check` returned in an earlier request. Validates it, and sends of it only `emv`, or
   * `dict_key` and `initiation_id`.
   *
   * Keep the check on your server: from a browser it lets the payer change the payee. And let the
   * row of the order guard the payment, since another process has the same check: this call pays
   * once for each object, not for each order.
   *
   * @example
   * const check = JSON.parse(order.check)
   * const transfer = await payments.pay(check, { amount: '25.00' })
   */
  pay(check: PayableCode | PayableKey, payment?: PaymentOfCheck, options?: CallOptions): PaymentCall
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
  const transport = resolveTransport(options)
  const payments: Record<string, unknown> = {
    transport,
    pay: (check: unknown, payment?: PaymentOfCheck, options?: CallOptions) =>
      payCheck(transport, check, payment, options),
    as: (customer: ActingFor) => createPayments({ transport: transport.as(customer) }),
  }
  for (const [resource, rows] of Object.entries(operations)) {
    payments[resource] = createMethods(transport, rows)
  }
  // The loop adds every resource of `Resources`, which is generated from the same table.
  return payments as unknown as Payments
}

/** The methods of one resource, from the rows of its operations: `{ check: (key) => … }` for keys. */
function createMethods(transport: Transport, rows: Readonly<Record<string, Operation>>) {
  const methods: Record<string, unknown> = {}
  for (const [verb, operation] of Object.entries(rows)) {
    methods[verb] = createMethod(transport, operation)
  }
  return methods
}

/** The method of one operation, which sends it. That of a paged list also iterates over all pages. */
function createMethod(transport: Transport, operation: Operation) {
  const method = (...args: unknown[]) =>
    createCall(operation, sendWithArguments(transport, operation, args))
  if (operation.isPaged) return createList(operation, method)
  return method
}

/**
 * Sends an operation with the arguments of its method: first the path parameters, then the body or
 * the query if there is one, then the options. Resolves with the response.
 */
async function sendWithArguments(
  transport: Transport,
  operation: Operation,
  args: unknown[],
): Promise<ReadResponse> {
  const path = fillPath(operation.path, () => args.shift(), operation)
  // `takes` is 'body' or 'query', or absent: then the next argument is the options.
  const input = operation.takes && args.shift()
  const options = args.shift() as CallOptions | undefined

  if (operation.takes === 'query') {
    const query = serializeQuery(input as object, operation)
    return transport.send(operation, path + query, undefined, options)
  }

  switch (operation.operationId) {
    case 'checkCode':
      return sendCodeCheck(transport, operation, input, options)
    case 'checkKey':
      return sendKeyCheck(transport, operation, input, options)
    default:
      return transport.send(operation, path, input, options)
  }
}

/** Sends `checkCode` with a code, from which it makes the body. The result has a method `pay`. */
async function sendCodeCheck(
  transport: Transport,
  operation: Operation,
  emv: unknown,
  options?: CallOptions,
): Promise<ReadResponse> {
  const body: CheckCodeRequest = { emv: requireText('emv', emv, operation) }
  const read = await transport.send(operation, operation.path, body, options)
  return { ...read, data: checkedCode(transport, body.emv, read.data as CodeCheck) }
}

/** Sends `checkKey` with a key, from which it makes the body. The result has a method `pay`. */
async function sendKeyCheck(
  transport: Transport,
  operation: Operation,
  dictKey: unknown,
  options?: CallOptions,
): Promise<ReadResponse> {
  const body: CheckKeyRequest = { dict_key: requireText('dict_key', dictKey, operation) }
  const read = await transport.send(operation, operation.path, body, options)
  return { ...read, data: checkedKey(transport, read.data as KeyCheck) }
}

/** Refuses the body of the operation, which these two methods do not take, and nothing. */
function requireText(name: string, value: unknown, operation: Operation): string {
  if (typeof value === 'string' && value !== '') return value
  const got = value === '' ? 'an empty one' : tagOf(value)
  throw new ConfigError(`"${name}" must be a string that is not empty, got ${got}`, operation)
}
