import type { Contract, OperationMatch } from '../contract/contract.ts'
import { fieldsOf, parsedJson, stringAt } from '../contract/json.ts'
import type { SentRequest } from '../history.ts'

/** The kind of service, which decides what may be sent to it. */
export type Target = 'sandbox' | 'mock' | 'live'

export interface GuardOptions {
  readonly target: Target
  /** Allows transfers on a live service, each up to this amount. */
  readonly allowPayments?: { readonly maxAmount: string } | undefined
  /** Whom a live service may be asked about. Default: nobody. */
  readonly named?: NamedPeople | undefined
}

/** The keys and the customer that the user names. */
export interface NamedPeople {
  readonly keys: ReadonlySet<string>
  readonly customer: { readonly user_id: string; readonly customer_id: string } | undefined
}

/** Operations that create a record which the run can end again. */
export const ENDS: Readonly<Record<string, string>> = {
  createWebhook: 'deleteWebhook',
  createImmediateQrCode: 'cancelImmediateQrCode',
  createDueDateQrCode: 'cancelDueDateQrCode',
}
/** Operations that are no reads by their method, and leave nothing that would have to be undone. */
const HARMLESS: ReadonlySet<string> = new Set([
  'signIn', // issues a token, which expires
  'impersonate', // issues a token, which expires
  'checkCode', // shows a code
  'checkKey', // shows a key, with a value that expires
])

/** Limits on a live service: records that exist at the same time, and creations in total. */
const MAX_EXISTING = 50
const MAX_CREATIONS = 500

/** The last check before a request is sent, whichever plan builds it. */
export function createGuard(contract: Contract, { target, allowPayments, named }: GuardOptions) {
  /** The ids of the records that this run has created, and of those that are ended. */
  const created = new Set<string>()
  const ended = new Set<string>()
  /** Creations that have no response, each of which may have created a record. */
  let pendingCreations = 0
  let allCreations = 0

  /** The operation of a request, with its ids. */
  function find({ method, path }: SentRequest): OperationMatch | undefined {
    const [withoutQuery = ''] = path.split('?', 1)
    return contract.find(method, withoutQuery)
  }

  function isCreation(request: SentRequest): boolean {
    return ENDS[find(request)?.operation.id ?? ''] !== undefined
  }

  /** Whether a limit of created records is reached. */
  function isFull(): boolean {
    const existing = created.size - ended.size + pendingCreations
    return existing >= MAX_EXISTING || allCreations >= MAX_CREATIONS
  }

  /**
   * Finds why a request that may change something on a live service must not be sent, as a sentence for the
   * result. Undefined if it may be sent: it does no harm, or it concerns records of this run alone.
   */
  function findForbiddenChangeReason(
    found: OperationMatch,
    request: SentRequest,
  ): string | undefined {
    const { operation, parameters } = found
    const { id } = operation
    if (id === 'createTransfer')
      return findForbiddenPaymentReason(request, allowPayments?.maxAmount)
    if (id === 'checkKey' || id === 'impersonate')
      return findForbiddenLookUpReason(found, request, named)
    if (HARMLESS.has(id)) return undefined

    // The ids in the path of the request.
    const namedRecords = Object.values(parameters)
    if (namedRecords.length > 0) {
      const isOfThisRun = namedRecords.every((record) => created.has(record))
      if (isOfThisRun) return undefined
      return 'not sent: on a live service, only records of this run may be changed'
    }

    if (ENDS[id] === undefined) return 'not sent: its effect on a live service could not be undone'
    if (isFull()) return 'not sent: the limit of created records on a live service is reached'
    return undefined
  }

  return {
    /**
     * Finds why a request must not be sent; undefined if it may be. A live service gets reads, creations
     * that can be undone, and changes of records that this run has created; transfers only if they
     * are allowed.
     */
    findForbiddenReason(request: SentRequest): string | undefined {
      if (target !== 'live') return undefined
      const { method, headers, body } = request
      // Another method in a header would make a read a change.
      if (Object.keys(headers).some((name) => name.toLowerCase().includes('method')))
        return 'not sent: on a live service, it may be taken as a request of another method'
      if (isSafe(request)) return undefined

      const match = find(request)
      if (!match) return 'not sent: on a live service, it may match an operation that is not known'
      // A body that is no JSON changes nothing.
      const isUnreadable = method === 'POST' && body === UNREADABLE
      return isUnreadable ? undefined : findForbiddenChangeReason(match, request)
    },
    /** Counts a creation that is sent. */
    begin(request: SentRequest): void {
      if (!isCreation(request)) return
      pendingCreations++
      allCreations++
    },
    /**
     * Learns from the response to a request which records this run has created and ended, and how many
     * creations count towards the limit. Without a response, a record may have been created.
     */
    end(request: SentRequest, status: number, json: unknown): void {
      const [namedRecord] = Object.values(find(request)?.parameters ?? {})
      const isOfThisRun = namedRecord !== undefined && created.has(namedRecord)
      if (request.method === 'DELETE' && isOfThisRun && isGone(status)) ended.add(namedRecord)

      if (!isCreation(request)) return
      // Without a response, a record may be there, and counts to the end.
      if (status > 0) pendingCreations--
      // A refusal has created nothing.
      if (status >= 400 && status < 500) allCreations--
      const newRecord = stringAt(json, '/id')
      if (isSuccess(status) && newRecord !== undefined) created.add(newRecord)
    },
  }
}

/**
 * Finds why a key must not be looked up on a live service, or why the run must not act for a customer:
 * they belong to real people. Undefined, so that it may be sent, if the user named the key or the customer,
 * and for an invalid value, which belongs to nobody.
 */
function findForbiddenLookUpReason(
  { operation: { id, validator } }: OperationMatch,
  { method, path, headers, body = '' }: SentRequest,
  named: NamedPeople | undefined,
): string | undefined {
  const sent = parsedJson(body)
  const differences = validator.validateRequest({ method, path, headers, body: sent })
  // A missing or invalid value cannot name a person, so that the service only gets to refuse it.
  const fields = id === 'checkKey' ? ['/dict_key'] : ['/user_id', '/customer_id']
  const isOfNobody = fields.some(
    (field) =>
      stringAt(sent, field) === undefined || differences.some(({ pointer }) => pointer === field),
  )
  if (isOfNobody) return undefined

  if (id === 'checkKey') {
    const isNamed = named?.keys.has(stringAt(sent, '/dict_key') ?? '')
    return isNamed
      ? undefined
      : 'not sent: on a live service, only a key that you name is looked up: --set checkKey/dict_key=KEY'
  }

  const isNamed =
    named?.customer !== undefined &&
    stringAt(sent, '/user_id') === named.customer.user_id &&
    stringAt(sent, '/customer_id') === named.customer.customer_id
  return isNamed
    ? undefined
    : 'not sent: on a live service, the run acts only for a customer that you name: --set impersonate/user_id=ID --set impersonate/customer_id=ID'
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Whether a request changes nothing. */
export function isSafe({ method }: SentRequest): boolean {
  return SAFE_METHODS.has(method)
}

/** A body that no service can execute: it has no amount, key or URL. */
export const UNREADABLE = '{'

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Refusals of an end after which the record needs none. */
const NEEDS_NO_END: ReadonlySet<number> = new Set([
  404, // it is gone
  409, // it was paid, or has ended already
  410, // it is gone
])

/** Whether a record is ended, or needs no end: one that is gone, or that was paid. */
export function isGone(status: number): boolean {
  return isSuccess(status) || NEEDS_NO_END.has(status)
}

/**
 * Finds why a payment must not be sent to a live service. Undefined if the user allows payments, and the
 * amount is not above the limit.
 *
 * @param maxAmount The limit; undefined if payments are not allowed.
 */
function findForbiddenPaymentReason(
  { body = '' }: SentRequest,
  maxAmount: string | undefined,
): string | undefined {
  if (maxAmount === undefined) return 'not sent: payments on a live service need --allow-payments'
  const tooMuch = `not sent: the payment is above ${maxAmount}`

  // In a body with two amounts, a service may read another one of them than we do.
  const sent = parsedJson(body)
  const hasEachFieldOnce = JSON.stringify(fieldsOf(sent)) === body
  if (!hasEachFieldOnce) return tooMuch

  const amount = parseCentavos(stringAt(sent, '/amount'))
  const limit = parseCentavos(maxAmount)
  if (amount === undefined || limit === undefined) return tooMuch
  return amount <= limit ? undefined : tooMuch
}

/** Reads the centavos of an amount with two decimals; undefined if it is written in any other way. */
function parseCentavos(amount = ''): bigint | undefined {
  if (!/^\d{1,12}\.\d{2}$/.test(amount)) return undefined
  return BigInt(amount.replace('.', ''))
}
