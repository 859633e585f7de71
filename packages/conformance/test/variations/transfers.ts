import { createHash } from 'node:crypto'
import { type Call, keepsContract, withBody } from '../services/call.ts'
import { refusesOneself } from '../services/oneself.ts'
import { bodyOf, codeOf, type Json, withJson } from '../services/responses.ts'
import type { TestSandbox } from '../services/sandbox.ts'
import { callerOf, dayAt } from '../services/state.ts'
import {
  initiationsFor,
  type Next,
  onSuccess,
  refuse,
  type Services,
  together,
} from '../services/wrap.ts'
import { access } from './access.ts'
import { asked, field, fields, type Scope, shown, words } from './kit.ts'

const TRANSFERS: Scope = new Set([
  'createTransfer',
  'transfer.settled',
  'transfer.rejected',
  'transfer.received',
])
const CREATE = 'createTransfer'
const HOUSE = {
  account_type: 'CACC',
  ispb: '99999010',
  name: 'Loja Exemplo Ltda',
  tax_id: '12ABC34501DE35',
}

export const transfers: Services = {
  'transfers-pending': { options: { settleAfterMs: 365 * 86_400_000 } },
  'envelope-id': {
    operations: CREATE,
    ...onSuccess((body) => ({ ...body, id: uuidOf(body.id) })),
  },
  'initiation-and-end-to-end': together(
    words('initiation_type', TRANSFERS, { DICT: 'KEY', QRES: 'STATIC', QRDN: 'DYNAMIC' }),
    field({ names: ['end_to_end_id'], show: uuidOf }),
  ),
  'tx-id-stars': field({
    names: ['tx_id'],
    scope: TRANSFERS,
    show: (value) => value || '***',
  }),
  'payer-is-partner': shown(
    TRANSFERS,
    fields((name, value, { account_id }) => {
      // The account of Fulano, a customer of the partner.
      const isOfCustomer = String(account_id).startsWith('a4c26fae')
      return name === 'payer' && isOfCustomer ? HOUSE : value
    }),
  ),
  'initiation-5-minutes': initiationsFor(5 * 60_000),
  'initiation-again': {
    prepare: ({ run }) =>
      run(`CREATE TRIGGER again AFTER INSERT ON transfers
        BEGIN UPDATE transfers SET initiation = NULL WHERE id = NEW.id; END`),
  },
  'beneficiary-required': {
    operations: CREATE,
    ...refuse([400, 'invalid_request'], ({ beneficiary }) => !beneficiary),
  },
  'transfer-type-any': asked(new Set([CREATE]), (body) => {
    if (typeof body.type !== 'string') return body
    return { ...body, type: 'emv' in body ? 'emv' : 'dict' }
  }),
  'transfer-scheduled': { operations: CREATE, wrap: scheduled, options: { settleAfterMs: 300 } },
  // Its one customer is the receiver of the codes, so that only the other partner can pay them.
  'oneself-refused': together(access['customers-pay'] ?? {}, refusesOneself),
  'overdraft-rejected': { operations: CREATE, wrap: overdrawn },
}

/** The same UUID for the same text. */
function uuidOf(text: unknown): string {
  const hex = createHash('sha256').update(String(text)).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

/** Accepts a later payment_date, on which the transfer settles. */
async function scheduled(call: Call, next: Next, { app, run }: TestSandbox): Promise<Response> {
  const { payment_date: day, ...rest } = call.json ?? {}
  const isLater = day && String(day) > dayAt(app.clock.now())
  if (!isLater || !keepsContract(call)) return next(call)
  const response = await next(withBody(call, rest))
  const body = response.ok ? await bodyOf(response) : undefined
  if (!body) return response
  const due = Date.parse(`${day}T15:00:00Z`)
  await run('UPDATE transfers SET due_at = ? WHERE id = ?', due, body.id)
  const status = 'scheduled'
  return withJson(response, { ...body, status, data: { ...(body.data as Json), status } })
}

/** Lends the account enough money, and rejects the transfer when it settles. */
async function overdrawn(call: Call, next: Next, sandbox: TestSandbox): Promise<Response> {
  const first = await next(call)
  const isShort = (await codeOf(first)) === 'insufficient_funds'
  const response = isShort ? await withLoan(call, next, sandbox) : first

  const isLarge = Number(call.json?.amount) > 1_000_000
  const body = isLarge && response.ok ? await bodyOf(response) : undefined
  if (body) await sandbox.run(`UPDATE transfers SET outcome = 'AM02' WHERE id = ?`, body.id)
  return response
}

async function withLoan(call: Call, next: Next, sandbox: TestSandbox): Promise<Response> {
  await lend(call, sandbox)
  return next(call)
}

async function lend(call: Call, sandbox: TestSandbox): Promise<void> {
  const { account_id = '' } = (await callerOf(call, sandbox)) ?? {}
  const url = new URL(`/_sandbox/accounts/${account_id}/deposit`, call.url)
  const deposit = new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"amount":"9999999999.99"}',
  })
  await sandbox.app.fetch(deposit)
}
