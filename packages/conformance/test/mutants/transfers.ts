import { withBody } from '../services/call.ts'
import { bodyOf, codeOf, isJson, withJson } from '../services/responses.ts'
import { callerOf, chargeOf, rowOf } from '../services/state.ts'
import { handle, initiationsFor, onRequest, onSuccess, refuse } from '../services/wrap.ts'
import { BRAZIL_MS, jsonOf, type Mutant, refusalAt, trigger } from './tools.ts'

/** The fields of the requests for a transfer. */
const KNOWN: ReadonlySet<string> = new Set([
  'type',
  'amount',
  'description',
  'emv',
  'dict_key',
  'initiation_id',
  'payment_date',
  'beneficiary',
])

const ACCOUNT_TYPES: ReadonlySet<unknown> = new Set(['CACC', 'SVGS', 'SLRY', 'TRAN'])

/** Refusals for the amount of a transfer. */
const FOR_AMOUNT: ReadonlySet<string> = new Set(['insufficient_funds', 'amount_not_allowed'])

/** Mutants of transfers. */
export const transfers: readonly Mutant[] = [
  {
    says: 'A transfer to a key pays 100 times the amount.',
    places: ['createTransfer'],
    service: onRequest((body) => {
      if (body.type !== 'dict' || typeof body.amount !== 'string') return body
      return { ...body, amount: `${body.amount.replace('.', '')}.00` }
    }),
  },
  {
    says: 'A transfer of a negative amount is accepted, and shown as negative.',
    places: ['createTransfer'],
    service: handle(async (call, next) => {
      const amount = call.json?.amount
      const isNegative = typeof amount === 'string' && amount.startsWith('-')
      if (!isNegative) return next(call)

      const response = await next(withBody(call, { ...call.json, amount: amount.slice(1) }))
      const body = await bodyOf(response)
      if (!response.ok || !body) return response
      return withJson(response, { ...body, data: { ...jsonOf(body.data), amount } })
    }),
  },
  {
    says: 'An initiation_id expires after 28 minutes.',
    places: ['createTransfer'],
    service: initiationsFor(28 * 60_000),
  },
  {
    says: 'The rejection of a transfer makes its initiation_id valid again.',
    places: ['createTransfer'],
    service: trigger(
      `AFTER UPDATE OF status ON transfers WHEN NEW.status = 'rejected'`,
      `UPDATE transfers SET initiation = NULL WHERE id = NEW.id`,
    ),
  },
  {
    says: 'An expired immediate code can be paid for five seconds.',
    places: ['createTransfer'],
    service: handle(async (call, next, sandbox) => {
      const response = await next(call)
      if ((await codeOf(response)) !== 'code_expired') return response
      const emv = String(call.json?.emv)
      await sandbox.run('UPDATE qrcodes SET created_at = created_at + 5000 WHERE emv = ?', emv)
      const again = await next(call)
      await sandbox.run('UPDATE qrcodes SET created_at = created_at - 5000 WHERE emv = ?', emv)
      return again
    }),
  },
  {
    says: 'The amount of a transfer goes through a float and is cut.',
    places: ['createTransfer'],
    service: onRequest((body) => {
      if (body.type !== 'dict' || typeof body.amount !== 'string') return body
      const isAmount = /^\d{1,10}\.\d\d$/.test(body.amount)
      if (!isAmount) return body
      const centavos = Math.trunc(Number(body.amount) * 100)
      return { ...body, amount: (centavos / 100).toFixed(2) }
    }),
  },
  {
    says: 'A transfer with an unknown field is refused.',
    places: ['createTransfer'],
    service: refuse([400, 'invalid_request'], (body) =>
      Object.keys(body).some((name) => !KNOWN.has(name)),
    ),
  },
  {
    says: 'A transfer that paid a due-date code says QRES.',
    places: ['createTransfer'],
    service: onSuccess(async (body, { json }, sandbox) => {
      const code = await chargeOf(sandbox, json?.emv)
      if (code?.kind !== 'DueDate') return body
      return { ...body, data: { ...jsonOf(body.data), initiation_type: 'QRES' } }
    }),
  },
  {
    says: 'The account_type of the beneficiary is not compared with that of the owner.',
    places: ['createTransfer'],
    service: onRequest((body) => {
      if (!isJson(body.beneficiary)) return body
      const { account_type, ...beneficiary } = body.beneficiary
      const isValid = ACCOUNT_TYPES.has(account_type)
      return isValid ? { ...body, beneficiary } : body
    }),
  },
  {
    says: 'The payer of a transfer for a customer is shown as the partner; the money comes from the right account.',
    places: ['createTransfer'],
    service: onSuccess(async (body, call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      if (!caller?.customer_id) return body
      const sql = `SELECT a.type AS account_type, a.ispb, a.name, a.tax_id
        FROM partners p JOIN accounts a ON a.id = p.account_id WHERE p.id = ?`
      const payer = await rowOf(sandbox, sql, caller.partner_id)
      return { ...body, data: { ...jsonOf(body.data), payer } }
    }),
  },
  {
    says: 'A transfer that is refused for its amount uses initiation_id.',
    places: ['createTransfer'],
    service: handle(async (call, next, { memory }) => {
      const id = call.json?.initiation_id
      const isUsed = id !== undefined && memory.has(id)
      if (isUsed) return refusalAt(409, 'initiation_used', '/initiation_id')

      const response = await next(call)
      if (id && FOR_AMOUNT.has(await codeOf(response))) memory.set(id, true)
      return response
    }),
  },
  {
    says: 'A static code is paid once, as if it were a dynamic one.',
    places: ['createTransfer'],
    service: handle(async (call, next, sandbox) => {
      const emv = call.json?.emv
      if (emv === undefined) return next(call)
      const dynamicCode = await chargeOf(sandbox, emv)
      if (dynamicCode) return next(call)

      const response = await next(call)
      if (!response.ok) return response
      if (sandbox.memory.has(emv)) return refusalAt(409, 'code_paid', '/emv')
      sandbox.memory.set(emv, true)
      return response
    }),
  },
  {
    says: 'The minute in end_to_end_id is in Brazilian time instead of UTC.',
    places: ['createTransfer'],
    service: onSuccess((body, _, { app }) => {
      const data = jsonOf(body.data)
      const local = new Date(app.clock.now() + BRAZIL_MS).toISOString()
      const minute = local.replaceAll(/[-T:]/g, '')
      const id = String(data.end_to_end_id)
      const end_to_end_id = id.slice(0, 9) + minute.slice(0, 12) + id.slice(21)
      return { ...body, data: { ...data, end_to_end_id } }
    }),
  },
]
