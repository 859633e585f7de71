import type { Contract, Operation, OperationMatch } from '../contract/contract.ts'
import { fieldsOf, listItems, parsedJson, stringAt, valueAt } from '../contract/json.ts'
import { nameRecord } from '../contract/kinds.ts'
import type { SentRequest } from '../history.ts'
import { isRefusalStatus } from './requests.ts'

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

const NOBODY: NamedPeople = { keys: new Set(), customer: undefined }

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
export function createGuard(contract: Contract, options: GuardOptions) {
  const { target, allowPayments, named = NOBODY } = options
  /** The records that this run has created, and those that are ended, as `nameRecordOf` names them. */
  const created = new Set<string>()
  const ended = new Set<string>()
  /** Those that were there before, which a creation may return instead of a new one. */
  const existing = new Set<string>()
  /** Creations without a response, so far or at all, or with a success without an id: each may have made a record. */
  let creationsWithoutRecord = 0
  /** All creations that were sent, without those that were refused. */
  let creationsNotRefused = 0

  /** The operation of a request, with its ids. */
  function find({ method, path }: SentRequest): OperationMatch | undefined {
    const [withoutQuery = ''] = path.split('?', 1)
    return contract.find(method, withoutQuery)
  }

  function isCreation(request: SentRequest): boolean {
    const match = find(request)
    return match !== undefined && ENDS[match.operation.id] !== undefined
  }

  /** Finds the record of this run that a request names in its path. */
  function findNamedRecord(request: SentRequest): string | undefined {
    const match = find(request)
    const [id] = Object.values(match?.parameters ?? {})
    if (!match || id === undefined) return undefined
    const record = nameRecordOf(match.operation, id)
    return created.has(record) ? record : undefined
  }

  /** Whether a limit of created records is reached. */
  function isFull(): boolean {
    const ownCount = created.size - ended.size + creationsWithoutRecord
    return ownCount >= MAX_EXISTING || creationsNotRefused >= MAX_CREATIONS
  }

  /** Notes that the record which a request names is ended, if the request deleted it. */
  function noteEnded(request: SentRequest, status: number): void {
    const record = findNamedRecord(request)
    const isDeleted = request.method === 'DELETE' && isGone(status)
    if (record !== undefined && isDeleted) ended.add(record)
  }

  /** Notes what the response to a creation shows: the new record, or that there is none. */
  function noteCreated(operation: Operation, status: number, json: unknown): void {
    if (isRefusalStatus(status)) creationsNotRefused--

    const id = isSuccess(status) ? stringAt(json, '/id') : undefined
    if (id !== undefined) addCreated(nameRecordOf(operation, id))

    // A service may fail at each invalid request: its errors do not count as records.
    const hasFailed = status > 0 && !isSuccess(status)
    if (hasFailed || id !== undefined) creationsWithoutRecord--
  }

  /** Adds the record that a creation has made or, as a service may do, has returned again. */
  function addCreated(record: string): void {
    if (!existing.has(record)) created.add(record)
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
    if (id === 'checkKey') return findForbiddenLookUpReason(found, request, named)
    if (id === 'impersonate') return findForbiddenImpersonationReason(found, request, named)
    if (HARMLESS.has(id)) return undefined

    // A change of a record, such as `deleteWebhook`.
    const idsInPath = Object.values(parameters)
    if (idsInPath.length > 0) {
      const areOfThisRun = idsInPath.every((recordId) =>
        created.has(nameRecordOf(operation, recordId)),
      )
      if (areOfThisRun) return undefined
      return 'not sent: on a live service, only records of this run may be changed'
    }

    // A creation, such as `createWebhook`.
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
      // Another method in a header would make a read a change.
      if (hasMethodInHeader(request))
        return 'not sent: on a live service, it may be taken as a request of another method'
      if (isSafe(request)) return undefined

      const match = find(request)
      if (!match) return 'not sent: on a live service, it may match an operation that is not known'
      // The body `{`, which plans send to see how it is refused, is no JSON and so changes nothing.
      const isUnreadable = request.method === 'POST' && request.body === UNREADABLE
      return isUnreadable ? undefined : findForbiddenChangeReason(match, request)
    },
    /** Counts a creation that is sent. */
    begin(request: SentRequest): void {
      if (!isCreation(request)) return
      creationsWithoutRecord++
      creationsNotRefused++
    },
    /**
     * Learns from the response to a request which records this run has created and ended.
     *
     * @param status 0 if no response arrived.
     */
    end(request: SentRequest, status: number, json: unknown): void {
      noteEnded(request, status)
      const match = find(request)
      if (match && isCreation(request)) noteCreated(match.operation, status, json)
    },
    /** Learns which records were there before the run created the first one of their kind, from a list of them. */
    noteExisting(operation: Operation, shown: unknown): void {
      for (const record of listItems(valueAt(shown, '/data'))) {
        const id = stringAt(record, '/id')
        if (id !== undefined) existing.add(nameRecordOf(operation, id))
      }
    },
    /** Whether the response to a creation shows a record that was there before. */
    isExisting(operation: Operation, shown: unknown): boolean {
      const id = stringAt(shown, '/id')
      return id !== undefined && existing.has(nameRecordOf(operation, id))
    },
    /**
     * Learns of a record that the response to a creation shows elsewhere than the contract says. Only what it shows
     * beside the id proves that this is the id of the new record, and not that of an account around it.
     *
     * @param sent The body of the request.
     * @param shown The body of the response in the form of the contract.
     */
    learnCreated(operation: Operation, sent: unknown, shown: unknown): void {
      const id = stringAt(shown, '/id')
      const isNewRecord = ENDS[operation.id] !== undefined && showsNewRecord(sent, shown)
      if (!isNewRecord || id === undefined) return

      const record = nameRecordOf(operation, id)
      if (created.has(record)) return
      creationsWithoutRecord--
      addCreated(record)
    },
  }
}

/** Names the record with an id that an operation is about. */
export function nameRecordOf({ resource = '' }: Pick<Operation, 'resource'>, id: string): string {
  return nameRecord({ kind: { name: resource }, id })
}

/** Whether an object is a new record: it has a payment code or a secret, or the tx_id that was sent. */
export function showsNewRecord(sent: unknown, shown: unknown): boolean {
  const isIssued = ['/emv', '/secret'].some((pointer) => stringAt(shown, pointer) !== undefined)
  const tx_id = stringAt(sent, '/tx_id')
  return isIssued || (tx_id !== undefined && stringAt(shown, '/tx_id') === tx_id)
}

/**
 * Finds why a key must not be looked up on a live service: it belongs to a real person. Undefined if the user
 * named the key, and for an invalid one, which belongs to nobody.
 */
function findForbiddenLookUpReason(
  match: OperationMatch,
  request: SentRequest,
  named: NamedPeople,
): string | undefined {
  if (isOfNobody(match, request, '/dict_key')) return undefined
  if (isNamedKey(parsedJson(request.body ?? ''), named)) return undefined
  return 'not sent: on a live service, only a key that you name is looked up: --set checkKey/dict_key=KEY'
}

/**
 * Finds why the run must not act for a customer of a live service, who is a real person. Undefined if the user
 * named the customer, and for an invalid id, which belongs to nobody.
 */
function findForbiddenImpersonationReason(
  match: OperationMatch,
  request: SentRequest,
  named: NamedPeople,
): string | undefined {
  if (isOfNobody(match, request, '/user_id')) return undefined
  if (isOfNobody(match, request, '/customer_id')) return undefined
  if (isNamedCustomer(parsedJson(request.body ?? ''), named)) return undefined
  return 'not sent: on a live service, the run acts only for a customer that you name: --set impersonate/user_id=ID --set impersonate/customer_id=ID'
}

/**
 * Whether a field of a request names nobody, because it is missing, or the contract does not allow its value,
 * such as an empty `dict_key`. The service can then only refuse the request.
 */
function isOfNobody(
  { operation }: OperationMatch,
  { method, path, headers, body = '' }: SentRequest,
  field: string,
): boolean {
  const sent = parsedJson(body)
  if (stringAt(sent, field) === undefined) return true
  const differences = operation.validator.validateRequest({ method, path, headers, body: sent })
  return differences.some(({ pointer }) => pointer === field)
}

function isNamedKey(sent: unknown, { keys }: NamedPeople): boolean {
  const key = stringAt(sent, '/dict_key')
  return key !== undefined && keys.has(key)
}

/** Whether the body of a request names the customer of `--set impersonate/…`, with the user that was named. */
function isNamedCustomer(sent: unknown, { customer }: NamedPeople): boolean {
  if (customer === undefined) return false
  const isSameUser = stringAt(sent, '/user_id') === customer.user_id
  const isSameCustomer = stringAt(sent, '/customer_id') === customer.customer_id
  return isSameUser && isSameCustomer
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Whether a header may name another method, such as `x-http-method-override`. */
function hasMethodInHeader({ headers }: SentRequest): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase().includes('method'))
}

/** Whether a request changes nothing. */
export function isSafe({ method }: Pick<SentRequest, 'method'>): boolean {
  return SAFE_METHODS.has(method)
}

/** A body that no service can execute: it has no amount, key or URL. */
export const UNREADABLE = '{'

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Whether the response to the end of a record says that it is gone. */
export function isGone(status: number): boolean {
  return isSuccess(status) || status === 404 || status === 410
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

  // In `{"amount":"1.00","amount":"900.00"}`, a service may read another amount than we do. Parsed and written again,
  // such a body has only one of them, so that its text differs.
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
