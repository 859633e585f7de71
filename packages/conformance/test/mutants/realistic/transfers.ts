import { withBody } from '../../faulty/call.ts'
import { KEYS } from '../../faulty/fixtures.ts'
import { isJson } from '../../faulty/json.ts'
import { bodyOf, problem, remade } from '../../faulty/responses.ts'
import { retry } from '../../faulty/wrap.ts'
import type { Mutants } from '../mutant.ts'
import {
  amountOf,
  BRAZIL,
  callerOf,
  centavosOf,
  chargeOf,
  isRefused,
  jsonOf,
  refusalAt,
  remembering,
  rowOf,
  rowsOf,
  todayOf,
} from '../tools.ts'
import { IMMEDIATE, immediate, LOOK_UP, PAY, payCode, payKey } from './orders.ts'

const accents = /\p{Mark}/gu
const KNOWN = [
  'type',
  'amount',
  'description',
  'emv',
  'dict_key',
  'initiation_id',
  'payment_date',
  'beneficiary',
]

export const transfers: Mutants = {
  'transfer-amount-in-floats': {
    describe: 'The amount of a transfer to a key goes through a float and is cut: 1.15 becomes 1.14.',
    operation: 'createTransfer',
    expects: 'data.amount of createTransfer differs from the amount that was sent, by a centavo.',
    request: (body) =>
      body.type === 'dict' && typeof body.amount === 'string' && /^\d{1,10}\.\d\d$/.test(body.amount)
        ? { ...body, amount: (Math.trunc(Number(body.amount) * 100) / 100).toFixed(2) }
        : body,
  },
  'transfer-description-cut': {
    describe: 'A description is cut to 100 characters, the width of its column.',
    operation: 'createTransfer',
    expects: 'data.description of createTransfer lacks the end of a description of 101 to 140 characters.',
    request: (body) =>
      typeof body.description === 'string' && body.description.length <= 140
        ? { ...body, description: body.description.slice(0, 100) }
        : body,
  },
  'transfer-description-without-accents': {
    describe: 'A description loses its accents: Almoço becomes Almoco.',
    operation: 'createTransfer',
    expects: 'data.description of createTransfer differs from what was sent (Almoço).',
    request: (body) =>
      typeof body.description === 'string'
        ? { ...body, description: body.description.normalize('NFD').replaceAll(accents, '') }
        : body,
  },
  'transfer-description-emoji-500': {
    describe: 'A description with an emoji does not fit the character set of the column: 500.',
    operation: 'createTransfer',
    expects: 'createTransfer responds 500 to a description with an emoji.',
    refuse: [
      ({ description }) => /[\u{10000}-\u{10ffff}]/u.test(String(description)),
      [500, 'internal_error'],
    ],
  },
  'transfer-empty-description-refused': {
    describe: 'An empty description is refused.',
    operation: 'createTransfer',
    expects: 'createTransfer refuses the valid description "".',
    refuse: [({ description }) => description === '', [400, 'invalid_request']],
  },
  'transfer-unknown-field-refused': {
    describe: 'A transfer with a field that the contract does not name is refused.',
    operation: 'createTransfer',
    expects: 'createTransfer refuses a field that should be ignored.',
    refuse: [(body) => Object.keys(body).some((it) => !KNOWN.includes(it)), [400, 'invalid_request']],
  },
  'transfer-initiation-again-after-rejection': {
    describe: 'An initiation_id whose transfer was rejected pays again.',
    operation: 'createTransfer',
    expects: 'createTransfer takes an initiation_id a second time after the first transfer was rejected.',
    state: [
      `CREATE TRIGGER mutant AFTER UPDATE OF status ON transfers WHEN NEW.status = 'rejected' BEGIN
        UPDATE transfers SET initiation = NULL WHERE id = NEW.id; END`,
    ],
    shows: async ({ partner, wait }) => {
      const dict_key = 'ac03@reject.example.com'
      const { initiation_id } = (await partner(LOOK_UP, { dict_key })).body
      const order = { type: 'dict', amount: '25.00', dict_key, initiation_id }
      await partner(PAY, order)
      await wait(5)
      return (await partner(PAY, order)).status
    },
  },
  'transfer-code-paid-again-while-pending': {
    describe: 'A dynamic code can be paid a second time as long as the first payment has not settled.',
    operation: 'createTransfer',
    expects: 'createTransfer succeeds twice for one dynamic code, sent one right after the other.',
    service: retry('createTransfer', ['code_paid'], async (call, sandbox) => {
      const found = await chargeOf(sandbox, call.json?.emv)
      if (found?.status !== 'ATIVA') return undefined
      await sandbox.run('UPDATE transfers SET qrcode_id = NULL WHERE qrcode_id = ?', [found.id])
      await sandbox.run('UPDATE qrcodes SET transfer_id = NULL WHERE id = ?', [found.id])
      return call
    }),
  },
  'transfer-of-the-whole-balance-refused': {
    describe: 'A transfer of exactly what the account holds is refused: less than was meant as no more than.',
    operation: 'createTransfer',
    expects: 'createTransfer refuses (insufficient_funds) the amount that the account holds.',
    service: (sandbox) => async (call, next) => {
      const caller = call.operation === 'createTransfer' ? await callerOf(call, sandbox) : undefined
      const sql = 'SELECT balance FROM accounts WHERE id = ?'
      const row = caller && (await rowOf<{ balance: bigint }>(sandbox, sql, [caller.account_id]))
      const isAll = row && row.balance === centavosOf(/^\d+\.\d\d$/.exec(String(call.json?.amount))?.[0])
      return isAll ? refusalAt(422, 'insufficient_funds', '/amount') : next(call)
    },
    shows: async ({ customer, sandbox }) => {
      const sql = `SELECT balance FROM accounts WHERE name = 'Fulano de Tal' AND standing = 'own'`
      const row = await rowOf<{ balance: bigint }>(sandbox, sql)
      return (await payKey(customer, { amount: amountOf(row?.balance ?? 0n) })).status
    },
  },
  'transfer-rejected-keeps-the-money': {
    describe: 'The amount of a rejected transfer stays set aside, and the payer does not get it again.',
    operation: 'createTransfer',
    expects: 'The balance of the payer is lower after a rejected transfer.',
    state: [
      `CREATE TRIGGER mutant AFTER UPDATE OF status ON transfers WHEN NEW.status = 'rejected' BEGIN
        UPDATE accounts SET balance = balance - NEW.amount WHERE id = NEW.account_id;
        UPDATE accounts SET balance = balance + NEW.amount
          WHERE id = (SELECT held_id FROM accounts WHERE id = NEW.account_id); END`,
    ],
    shows: async ({ partner, wait, sandbox }) => {
      await payKey(partner, {}, 'ac03@reject.example.com')
      await wait(5)
      const rows = await rowsOf<{ balance: bigint }>(
        sandbox,
        `SELECT balance FROM accounts WHERE standing = 'own'`,
      )
      return rows.map(({ balance }) => String(balance))
    },
  },
  'transfer-tx-id-stars': {
    describe: 'A transfer that paid a code without a tx_id shows the three stars of the code.',
    operation: 'createTransfer',
    expects: 'data.tx_id must be empty for a static code whose tx_id is ***.',
    success: (body) => {
      const data = jsonOf(body.data)
      const isBare = data.initiation_type === 'QRES' && data.tx_id === ''
      return isBare ? { ...body, data: { ...data, tx_id: '***' } } : body
    },
    shows: async ({ partner }) => {
      const { encode } = await import('@partner-payments/brcode')
      const emv = encode({
        key: KEYS.padaria,
        amount: '1.00',
        merchantName: 'Padaria',
        merchantCity: 'BRASILIA',
      })
      return jsonOf((await payCode(partner, emv, '1.00')).body.data).tx_id
    },
  },
  'transfer-of-due-date-code-is-static': {
    describe: 'A transfer that paid a due-date code says QRES, the kind of a static code.',
    operation: 'createTransfer',
    expects: 'data.initiation_type is QRES instead of QRDN for a due-date code.',
    success: async (body, { json }, sandbox) => {
      const found = await chargeOf(sandbox, json?.emv)
      const data = { ...jsonOf(body.data), initiation_type: 'QRES' }
      return found?.kind === 'DueDate' ? { ...body, data } : body
    },
  },
  'transfer-beneficiary-account-type-unchecked': {
    describe: 'The account_type of the beneficiary is not compared with that of the owner.',
    operation: 'createTransfer',
    expects: 'createTransfer succeeds with a wrong beneficiary.account_type.',
    request: (body) => {
      if (!isJson(body.beneficiary)) return body
      const { account_type, ...beneficiary } = body.beneficiary
      const isValid = ['CACC', 'SVGS', 'SLRY', 'TRAN'].includes(String(account_type))
      return isValid ? { ...body, beneficiary } : body
    },
  },
  'transfer-payer-is-the-partner': {
    describe:
      'The payer of a transfer for a customer is shown as the partner; the money comes from the right account.',
    operation: 'createTransfer',
    expects: 'data.payer of a transfer with an impersonated token names the partner.',
    success: async (body, call, sandbox) => {
      const caller = await callerOf(call, sandbox)
      if (!caller?.customer_id) return body
      const sql = `SELECT a.type AS account_type, a.ispb, a.name, a.tax_id
        FROM partners p JOIN accounts a ON a.id = p.account_id WHERE p.id = ?`
      const payer = await rowOf(sandbox, sql, [caller.partner_id])
      return { ...body, data: { ...jsonOf(body.data), payer } }
    },
  },
  'transfer-initiation-for-a-sibling-key': {
    describe: 'An initiation_id pays any key of the owner who was looked up, not only the key itself.',
    operation: 'createTransfer',
    expects:
      'createTransfer succeeds with the initiation_id of one key and another dict_key of the same owner.',
    service: (sandbox) => async (call, next) => {
      const response = await next(call)
      if (call.operation !== 'createTransfer' || !(await isRefused(response, 'initiation_invalid')))
        return response
      const sql = `SELECT b.dict_key FROM keys a JOIN keys b ON b.account_id = a.account_id
        WHERE a.dict_key = ? AND b.dict_key <> a.dict_key`
      for (const row of await rowsOf<{ dict_key: string }>(sandbox, sql, [String(call.json?.dict_key)])) {
        const again = await next(withBody(call, { ...call.json, ...row }))
        if (again.ok) return again
      }
      return response
    },
    shows: async ({ partner }) => {
      const { initiation_id } = (await partner(LOOK_UP, { dict_key: KEYS.beltrana })).body
      return (await partner(PAY, { type: 'dict', amount: '1.00', initiation_id, dict_key: '11144477735' }))
        .status
    },
  },
  'transfer-refused-uses-initiation': {
    describe: 'A transfer that is refused for its amount uses the initiation_id up.',
    operation: 'createTransfer',
    expects:
      'createTransfer refuses (initiation_used) the initiation_id of a transfer that was refused before.',
    service: remembering(
      () => new Set<unknown>(),
      async (used, call, next) => {
        const id = call.operation === 'createTransfer' ? call.json?.initiation_id : undefined
        if (id !== undefined && used.has(id)) return refusalAt(409, 'initiation_used', '/initiation_id')
        const response = await next(call)
        if (id && (await isRefused(response, 'insufficient_funds', 'amount_not_allowed'))) used.add(id)
        return response
      },
    ),
  },
  'transfer-static-code-paid-once': {
    describe: 'A static code is paid once, as if it were a dynamic one.',
    operation: 'createTransfer',
    expects: 'createTransfer refuses (code_paid) the second payment of a static code.',
    service: remembering(
      () => new Set<unknown>(),
      async (paid, call, next, sandbox) => {
        const emv = call.operation === 'createTransfer' ? call.json?.emv : undefined
        if (emv === undefined || (await chargeOf(sandbox, emv))) return next(call)
        const response = await next(call)
        if (!response.ok) return response
        if (paid.has(emv)) return refusalAt(409, 'code_paid', '/emv')
        paid.add(emv)
        return response
      },
    ),
  },
  'transfer-refusal-is-plain-json': {
    describe: 'The refusal of a transfer above the balance is application/json.',
    operation: 'createTransfer',
    expects: 'The 422 insufficient_funds of createTransfer must be application/problem+json.',
    response: async (response) =>
      (await isRefused(response, 'insufficient_funds'))
        ? remade(response, { headers: { 'content-type': 'application/json' } })
        : response,
  },
  'transfer-today-by-utc': {
    describe:
      'payment_date is compared with the day in UTC: from 21:00 in Brazil on, today is refused and tomorrow taken.',
    operation: 'createTransfer',
    expects: 'createTransfer refuses the payment_date of today between 21:00 and midnight in Brazil.',
    request: ({ payment_date, ...body }, _, sandbox) => {
      if (!/^\d{4}-\d\d-\d\d$/.test(String(payment_date)))
        return { ...body, ...(payment_date !== undefined && { payment_date }) }
      return payment_date === todayOf(sandbox).utc ? body : { ...body, payment_date: '2000-01-03' }
    },
    shows: async (stage) => {
      await stage.waitUntil('01:30')
      return (await payKey(stage.partner, { payment_date: todayOf(stage.sandbox).here })).status
    },
  },
  'transfer-end-to-end-id-in-local-time': {
    describe: 'The minute in end_to_end_id is in Brazilian time instead of UTC.',
    operation: 'createTransfer',
    expects: 'end_to_end_id of createTransfer names another minute than the one of the transfer in UTC.',
    success: (body, _, { app }) => {
      const data = jsonOf(body.data)
      const minute = new Date(app.clock.now() + BRAZIL * 3_600_000).toISOString().replaceAll(/[-T:]/g, '')
      const id = String(data.end_to_end_id)
      const end_to_end_id = id.slice(0, 9) + minute.slice(0, 12) + id.slice(21)
      return { ...body, data: { ...data, end_to_end_id } }
    },
  },
  'transfer-race-for-one-initiation': {
    describe: 'Two transfers with one initiation_id that come at the same moment are both made.',
    operation: 'createTransfer',
    expects: 'createTransfer succeeds twice with one initiation_id, where both are sent at once.',
    service: remembering(
      () => new Map<unknown, number>(),
      async (under, call, next) => {
        const id = call.operation === 'createTransfer' ? call.json?.initiation_id : undefined
        if (id === undefined) return next(call)
        const isRace = (under.get(id) ?? 0) > 0
        under.set(id, (under.get(id) ?? 0) + 1)
        try {
          // A moment between check and write, as in a service that checks first.
          await new Promise((resolve) => setTimeout(resolve, 5))
          const response = await next(call)
          if (!isRace || !(await isRefused(response, 'initiation_used'))) return response
          const look = { ...call, operation: 'checkKey' as const, url: new URL('../dict/check/', call.url) }
          const found = await bodyOf(await next(withBody(look, { dict_key: call.json?.dict_key })))
          return next(withBody(call, { ...call.json, initiation_id: found?.initiation_id }))
        } finally {
          under.set(id, (under.get(id) ?? 1) - 1)
        }
      },
    ),
  },
  'transfer-takes-expired-code': {
    describe: 'An immediate charge can be paid for an hour after it has expired; its check refuses it.',
    operation: 'createTransfer',
    expects: 'createTransfer pays an immediate charge after its expiration.',
    service: retry('createTransfer', ['code_expired'], async (call, sandbox) => {
      const found = await chargeOf(sandbox, call.json?.emv)
      if (found?.kind !== 'Immediate') return undefined
      const sql = `UPDATE qrcodes SET charge = json_set(charge, '$.calendar.expiration',
        json_extract(charge, '$.calendar.expiration') + 3600) WHERE id = ?`
      await sandbox.run(sql, [found.id])
      return call
    }),
  },
  'transfer-to-own-partner-refused': {
    describe: 'A customer cannot pay a charge of the partner that it belongs to.',
    operation: 'createTransfer',
    expects: 'createTransfer refuses a payment from the customer of a partner to a charge of that partner.',
    service: (sandbox) => async (call, next) => {
      const caller =
        call.operation === 'createTransfer' && call.json?.emv ? await callerOf(call, sandbox) : undefined
      const sql = 'SELECT partner_id FROM qrcodes WHERE emv = ?'
      const row =
        caller?.customer_id && (await rowOf<{ partner_id: string }>(sandbox, sql, [String(call.json?.emv)]))
      return row && row.partner_id === caller?.partner_id ? problem(422, 'invalid_code') : next(call)
    },
    shows: async ({ partner, customer }) => {
      const { emv } = (await partner(IMMEDIATE, immediate())).body
      return (await payCode(customer, emv, '35.90')).status
    },
  },
}
