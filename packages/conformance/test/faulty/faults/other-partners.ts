import { by, type OperationId } from '../call.ts'
import type { Faults } from '../fault.ts'
import { USERS } from '../fixtures.ts'
import type { Json } from '../json.ts'
import { bodyOf, problem, withJson } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { asOwner, changeSuccess, isCustomer, itemsOfAll, type Wrap } from '../wrap.ts'

const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const lists = ['foreign-list-hidden'] as const
const linked = ['foreign-link-refused', 'foreign-record-hidden'] as const
const records = ['foreign-record-untouched', 'foreign-record-hidden'] as const

/** Callers who can access resources of others. */
export const otherPartners: Faults = {
  'foreign-due-date-code-cancelled': {
    operation: 'cancelDueDateQrCode',
    elsewhere: ['listDueDateQrCodes'],
    rule: records,
    describe: 'A due-date code is cancelled for another partner.',
    service: asOwner('cancelDueDateQrCode'),
  },
  'foreign-due-date-codes-listed': {
    operation: 'listDueDateQrCodes',
    rule: lists,
    describe: 'The list of due-date codes has those of other partners.',
    service: withOthers('listDueDateQrCodes', DUE_DATE, () => true),
  },
  'foreign-codes-by-status': {
    operation: 'listImmediateQrCodes',
    rule: lists,
    describe: 'Filtered by status, the list of codes has those of other partners.',
    service: withOthers('listImmediateQrCodes', IMMEDIATE, ({ searchParams }) => searchParams.has('status')),
  },
  'foreign-codes-on-page-two': {
    operation: 'listImmediateQrCodes',
    rule: lists,
    describe: 'From the second page on, the list of codes has those of other partners.',
    service: withOthers('listImmediateQrCodes', IMMEDIATE, ({ searchParams }) => searchParams.has('cursor')),
  },
  'codes-of-the-partner-listed': {
    operation: 'listImmediateQrCodes',
    rule: lists,
    describe: 'A token that acts for a customer lists the codes of the partner.',
    service: forCustomers('listImmediateQrCodes'),
  },
  'code-of-the-partner-cancelled': {
    operation: 'cancelImmediateQrCode',
    rule: records,
    describe: 'A token that acts for a customer cancels a code of the partner.',
    service: forCustomers('cancelImmediateQrCode'),
  },
  'account-of-the-partner-pays': {
    operation: 'createTransfer',
    rule: ['money-moves'],
    describe: 'A token that acts for a customer pays from the account of the partner.',
    service: payingAsPartner,
  },
  'foreign-customer-of-an-own-user': {
    operation: 'impersonate',
    rule: linked,
    describe: 'A partner may act for the customer of another, beside a user of its own.',
    service: halfForeign,
  },
  'foreign-user-forbidden': {
    operation: 'getUser',
    rule: linked,
    describe: 'A user of another partner gets 403, which reveals that it exists.',
    service: responding('getUser', () => problem(403, 'wrong_token_kind')),
  },
  'foreign-webhook-coded': {
    operation: 'getWebhook',
    rule: ['foreign-record-hidden'],
    describe: 'A webhook of another partner gets its own error code, which reveals that it exists.',
    service: responding('getWebhook', () => problem(404, 'not_yours')),
  },
}

/** Adds the resources of others to some lists. */
function withOthers(id: OperationId, path: string, test: (url: URL) => boolean): Wrap {
  return changeSuccess(id, async (body, { url }, sandbox) => {
    if (!test(url)) return body
    const own = body.data as Json[]
    const others = (await itemsOfAll(sandbox, path)).filter((it) => isOf(url, it))
    return { ...body, data: [...own, ...others.filter((it) => !own.some(({ id }) => id === it.id))] }
  })
}

function isOf({ searchParams }: URL, { status }: Json): boolean {
  return !searchParams.has('status') || searchParams.get('status') === status
}

/** Treats a customer as its partner. */
function forCustomers(id: OperationId): Wrap {
  return (sandbox) => async (call, next) => {
    const isTaken = call.operation === id && (await isCustomer(call, sandbox))
    return next(isTaken ? by(call, await sandbox.bearer('partner')) : call)
  }
}

const ACCOUNT = `UPDATE tokens SET account_id = (SELECT account_id FROM partners p WHERE p.id = tokens.partner_id)`

/** Tokens of customers pay from the account of the partner. */
function payingAsPartner(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    if (call.operation === 'impersonate' && response.ok) await sandbox.run(ACCOUNT)
    return response
  }
}

/** Checks that the user belongs to the partner, but not the customer. */
function halfForeign(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    const isOwn = call.json?.user_id === USERS.partner.user_id
    if (call.operation !== 'impersonate' || response.status !== 404 || !isOwn) return response
    const isThere = call.json?.customer_id === USERS.other.customer_id
    if (!isThere) return response
    const authorization = await sandbox.bearer('other')
    const tokens = await sandbox.send('POST', '/auth/partner/impersonate/', {
      authorization,
      body: USERS.other,
    })
    return new Response(JSON.stringify(tokens), {
      headers: { 'content-type': 'application/json', 'x-request-id': 'req_half' },
    })
  }
}

/** Returns another response if the resource belongs to another caller. */
function responding(id: OperationId, instead: () => Response): Wrap {
  return (sandbox) => async (call, next) => {
    const response = await next(call)
    if (call.operation !== id || response.status !== 404) return response
    const isThere = (await asOwner(id)(sandbox)(call, next)).ok
    if (!isThere) return response
    const made = instead()
    const { request_id: _, ...body } = (await bodyOf(made)) ?? {}
    return withJson(made, { ...body, request_id: made.headers.get('x-request-id') })
  }
}
