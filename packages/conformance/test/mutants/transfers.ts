import { codeOf, isJson } from '../services/responses.ts'
import { callerOf, chargeOf, rowOf } from '../services/state.ts'
import { handle, initiationsFor, onRequest, onSuccess, refuse } from '../services/wrap.ts'
import { BRAZIL, jsonOf, type Mutants, refusalAt, trigger } from './tools.ts'

const KNOWN = /^(type|amount|description|emv|dict_key|initiation_id|payment_date|beneficiary)$/

/** Mutants of transfers. */
export const transfers: Mutants = {
  createTransfer: {
    'A transfer to a key pays 100 times the amount.': onRequest((body) =>
      body.type === 'dict' && typeof body.amount === 'string'
        ? { ...body, amount: `${body.amount.replace('.', '')}.00` }
        : body,
    ),
    'An initiation_id expires after 28 minutes.': initiationsFor(28 * 60_000),
    'The rejection of a transfer makes its initiation_id valid again.': trigger(
      `AFTER UPDATE OF status ON transfers WHEN NEW.status = 'rejected'`,
      `UPDATE transfers SET initiation = NULL WHERE id = NEW.id`,
    ),
    'An expired immediate code can be paid for five seconds.': handle(
      async (call, next, sandbox) => {
        const response = await next(call)
        if ((await codeOf(response)) !== 'code_expired') return response
        const emv = String(call.json?.emv)
        await sandbox.run('UPDATE qrcodes SET created_at = created_at + 5000 WHERE emv = ?', emv)
        const again = await next(call)
        await sandbox.run('UPDATE qrcodes SET created_at = created_at - 5000 WHERE emv = ?', emv)
        return again
      },
    ),
    'The amount of a transfer goes through a float and is cut.': onRequest((body) =>
      body.type === 'dict' &&
      typeof body.amount === 'string' &&
      /^\d{1,10}\.\d\d$/.test(body.amount)
        ? { ...body, amount: (Math.trunc(Number(body.amount) * 100) / 100).toFixed(2) }
        : body,
    ),
    'A transfer with an unknown field is refused.': refuse([400, 'invalid_request'], (body) =>
      Object.keys(body).some((it) => !KNOWN.test(it)),
    ),
    'A transfer that paid a due-date code says QRES.': onSuccess(
      async (body, { json }, sandbox) => {
        const found = await chargeOf(sandbox, json?.emv)
        const data = { ...jsonOf(body.data), initiation_type: 'QRES' }
        return found?.kind === 'DueDate' ? { ...body, data } : body
      },
    ),
    'The account_type of the beneficiary is not compared with that of the owner.': onRequest(
      (body) => {
        if (!isJson(body.beneficiary)) return body
        const { account_type, ...beneficiary } = body.beneficiary
        const isValid = ['CACC', 'SVGS', 'SLRY', 'TRAN'].includes(String(account_type))
        return isValid ? { ...body, beneficiary } : body
      },
    ),
    'The payer of a transfer for a customer is shown as the partner; the money comes from the right account.':
      onSuccess(async (body, call, sandbox) => {
        const caller = await callerOf(call, sandbox)
        if (!caller?.customer_id) return body
        const sql = `SELECT a.type AS account_type, a.ispb, a.name, a.tax_id
          FROM partners p JOIN accounts a ON a.id = p.account_id WHERE p.id = ?`
        const payer = await rowOf(sandbox, sql, caller.partner_id)
        return { ...body, data: { ...jsonOf(body.data), payer } }
      }),
    'A transfer that is refused for its amount uses initiation_id.': handle(
      async (call, next, { memory }) => {
        const id = call.json?.initiation_id
        if (id !== undefined && memory.has(id))
          return refusalAt(409, 'initiation_used', '/initiation_id')
        const response = await next(call)
        const isUsed = ['insufficient_funds', 'amount_not_allowed'].includes(await codeOf(response))
        if (id && isUsed) memory.set(id, true)
        return response
      },
    ),
    'A static code is paid once, as if it were a dynamic one.': handle(
      async (call, next, sandbox) => {
        const emv = call.json?.emv
        if (emv === undefined || (await chargeOf(sandbox, emv))) return next(call)
        const response = await next(call)
        if (response.ok && sandbox.memory.has(emv)) return refusalAt(409, 'code_paid', '/emv')
        if (response.ok) sandbox.memory.set(emv, true)
        return response
      },
    ),
    'The minute in end_to_end_id is in Brazilian time instead of UTC.': onSuccess(
      (body, _, { app }) => {
        const data = jsonOf(body.data)
        const minute = new Date(app.clock.now() + BRAZIL).toISOString().replaceAll(/[-T:]/g, '')
        const id = String(data.end_to_end_id)
        const end_to_end_id = id.slice(0, 9) + minute.slice(0, 12) + id.slice(21)
        return { ...body, data: { ...data, end_to_end_id } }
      },
    ),
  },
}
