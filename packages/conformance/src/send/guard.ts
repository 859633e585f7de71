import type { Contract, FoundOperation } from '../contract/contract.ts'
import { fieldsOf, parsedJson, stringAt } from '../contract/json.ts'
import type { SentRequest } from '../history.ts'

/** The kind of service, which decides what may be sent to it. */
export type Target = 'sandbox' | 'mock' | 'live'

export interface GuardOptions {
  readonly target: Target
  /** Allows transfers on a live service, each up to this amount. */
  readonly allowPayments?: { readonly maxAmount: string } | undefined
}

/** Operations that create a record which the run can end again. */
export const ENDS: Readonly<Record<string, string>> = {
  createWebhook: 'deleteWebhook',
  createImmediateQrCode: 'cancelImmediateQrCode',
  createDueDateQrCode: 'cancelDueDateQrCode',
}
const HARMLESS = ['signIn', 'impersonate', 'checkCode', 'checkKey']

/** Limits on a live service: records that exist at the same time, and that are created in total. */
const MOST_AT_A_TIME = 50
const MOST_IN_ALL = 500

/** The last check before a request is sent, whichever plan builds it. */
export function createGuard(contract: Contract, { target, allowPayments }: GuardOptions) {
  const own = new Set<string>()
  const ended = new Set<string>()
  let underWay = 0
  let inAll = 0
  const find = ({ method, path }: SentRequest) => contract.find(method, path.split('?', 1)[0] ?? '')
  const creates = (request: SentRequest) => ENDS[find(request)?.operation.id ?? ''] !== undefined

  function changeReason(
    { operation, parameters }: FoundOperation,
    request: SentRequest,
  ): string | undefined {
    const ids = Object.values(parameters)
    const { id } = operation
    if (id === 'createTransfer') return paymentReason(request, allowPayments?.maxAmount)
    if (HARMLESS.includes(id)) return undefined
    if (ids.length > 0)
      return ids.every((it) => own.has(it))
        ? undefined
        : 'not sent: on a live service, only records of this run may be changed'
    if (ENDS[id] === undefined) return 'not sent: its effect on a live service could not be undone'
    const isFull = own.size - ended.size + underWay >= MOST_AT_A_TIME || inAll >= MOST_IN_ALL
    return isFull
      ? 'not sent: the limit of created records on a live service is reached'
      : undefined
  }

  return {
    /**
     * Why a request must not be sent; undefined if it may be. A live service gets reads, creations
     * that can be undone, and changes of records that this run has created; transfers only if they
     * are allowed.
     */
    forbiddenReason(request: SentRequest): string | undefined {
      if (target !== 'live') return undefined
      const { method, headers, body } = request
      // Another method in a header would make a read a change.
      if (Object.keys(headers).some((it) => it.toLowerCase().includes('method')))
        return 'not sent: on a live service, it may be taken as a request of another method'
      if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)) return undefined
      const found = find(request)
      if (!found) return 'not sent: on a live service, it may match an operation that is not known'
      const isUnreadable = method === 'POST' && body === UNREADABLE
      return isUnreadable ? undefined : changeReason(found, request)
    },
    /** Counts a creation that is sent. */
    begin(request: SentRequest): void {
      if (!creates(request)) return
      underWay++
      inAll++
    },
    /** Learns from the response; without one, a record may have been created. */
    end(request: SentRequest, status: number, json: unknown): void {
      const [id] = Object.values(find(request)?.parameters ?? {})
      if (request.method === 'DELETE' && id !== undefined && own.has(id) && isGone(status))
        ended.add(id)
      if (!creates(request)) return
      // Without a response, a record may be there, and counts to the end.
      if (status > 0) underWay--
      if (status >= 400 && status < 500) inAll--
      const created = stringAt(json, '/id')
      if (status >= 200 && status < 300 && created !== undefined) own.add(created)
    },
  }
}

/** A body that no service can execute: it has no amount, key or URL. */
export const UNREADABLE = '{'

/** Whether a record is ended, or needs no end: one that is gone, or that was paid. */
export function isGone(status: number): boolean {
  return (status >= 200 && status < 300) || [404, 409, 410].includes(status)
}

function paymentReason(
  { body = '' }: SentRequest,
  maxAmount: string | undefined,
): string | undefined {
  if (maxAmount === undefined) return 'not sent: payments on a live service need --allow-payments'
  const sent = parsedJson(body)
  const [amount, most] = [stringAt(sent, '/amount'), maxAmount].map(centavos)
  // A service may read another one of two amounts than we do.
  const isOnly = JSON.stringify(fieldsOf(sent)) === body
  const isAllowed = isOnly && amount !== undefined && most !== undefined && amount <= most
  return isAllowed ? undefined : `not sent: the payment is above ${maxAmount}`
}

/** An amount that cannot be parsed exactly is none. */
function centavos(amount = ''): bigint | undefined {
  return /^\d{1,12}\.\d{2}$/.test(amount) ? BigInt(amount.replace('.', '')) : undefined
}
