import { encode } from '@partner-payments/brcode'
import { withBody } from '../services/call.ts'
import { paysAnybody, staticIn } from '../services/codes.ts'
import { bodyOf, codeOf, isJson, type Json, withJson } from '../services/responses.ts'
import { handle, onRequest, onSuccess, refuse, type Service, together } from '../services/wrap.ts'
import { findService } from '../variations/variations.ts'
import { CANCELLED, eventBody, jsonOf, type Mutant, onField, trigger } from './tools.ts'

/** Changes the payment of a QR code when it is stored; its event shows the right one. */
function storedPayment(place: string, expression: string): Service {
  return trigger(
    'AFTER UPDATE OF payment ON qrcodes WHEN NEW.payment IS NOT NULL',
    `UPDATE qrcodes SET payment = json_set(NEW.payment, '${place}', ${expression}) WHERE id = NEW.id`,
  )
}

/** Drops deliveries of credits. */
function untold(condition: string): Service {
  return trigger(
    `AFTER INSERT ON deliveries WHEN (SELECT type FROM events WHERE id = NEW.event_id) =
      'transfer.received' AND ${condition}`,
    `UPDATE deliveries SET status = 'dropped', due_at = NULL WHERE position = NEW.position`,
  )
}

const CODE_OF_CREDIT = `(SELECT body ->> '$.data.qrcode.kind' FROM events WHERE id = NEW.event_id)`

/** Another end_to_end_id with the same beginning. */
const otherId = (id: string) => `substr(${id}, 1, 21) || substr(hex(randomblob(6)), 1, 11)`

/** Accepts a charge that was refused, by another amount, and stores the one that was sent. */
function acceptCharge(other: (amount: Json) => Json | undefined): Service {
  return handle(async (call, next, { run }) => {
    const response = await next(call)
    const sent = jsonOf(call.json?.amount)
    const amount = other(sent)
    const isRefused = (await codeOf(response)) === 'invalid_charge'
    if (!isRefused || !amount) return response

    const again = await next(withBody(call, { ...call.json, amount }))
    if (!again.ok) return response
    const body = await bodyOf(again)
    const store = `UPDATE qrcodes SET charge = json_set(charge, '$.amount', json(?)) WHERE id = ?`
    await run(store, JSON.stringify(sent), body?.id)
    return withJson(again, { ...body, amount: sent })
  })
}

const WHOLE: Readonly<Record<string, string>> = { '***.444.777-**': '11144477735' }
const unmasked = (taxId: unknown) => WHOLE[String(taxId)] ?? taxId

function isMasked({ beneficiary }: Json): boolean {
  return String(jsonOf(beneficiary).tax_id).startsWith('*')
}

/** Pays a code that is shown as cancelled. */
const paysCancelled: Service = handle(async (call, next, { run }) => {
  const response = await next(call)
  if ((await codeOf(response)) !== 'code_cancelled') return response
  const setStatus = 'UPDATE qrcodes SET status = ? WHERE emv = ?'
  await run(setStatus, 'ATIVA', call.json?.emv)
  const again = await next(call)
  if (!again.ok) await run(setStatus, CANCELLED, call.json?.emv)
  return again
})

/** Mutants of payments as their receivers see them, of the directory, and of what a charge leaves. */
export const payments: readonly Mutant[] = [
  {
    says: 'A cancelled code is paid. Transfers and QR codes take the token of a customer only, and nobody pays oneself.',
    places: ['createTransfer'],
    service: together(findService('oneself-refused'), {
      operations: 'createTransfer',
      ...paysCancelled,
    }),
  },
  {
    says: 'A discount by day may be as high as the amount.',
    places: ['createDueDateQrCode'],
    service: acceptCharge(({ discount, ...amount }) => {
      const isDaily = ['3', '4', '5', '6'].includes(String(jsonOf(discount).modality))
      const isAlone = isDaily && !amount.deduction
      return isAlone ? { ...amount, discount: { ...jsonOf(discount), amount: '0.01' } } : undefined
    }),
  },
  {
    says: 'A deduction and a discount are compared with the amount, but not their sum.',
    places: ['createDueDateQrCode'],
    service: acceptCharge(({ deduction, ...amount }) => {
      return deduction && amount.discount ? amount : undefined
    }),
  },
  {
    says: 'A due-date charge needs no payer.',
    places: ['createDueDateQrCode'],
    service: onRequest((body) => {
      const payer = { name: 'Consumidor', tax_id: '12345678909' }
      return 'payer' in body ? body : { ...body, payer }
    }),
  },
  {
    says: 'The payer of an immediate charge needs no tax ID.',
    places: ['createImmediateQrCode'],
    service: onRequest((body) => {
      const { payer } = body
      if (!isJson(payer) || 'tax_id' in payer) return body
      return { ...body, payer: { ...payer, tax_id: '12345678909' } }
    }),
  },
  {
    says: 'An amount beside the dates of a discount is dropped.',
    places: ['createDueDateQrCode'],
    service: onRequest((body) => {
      const amount = jsonOf(body.amount)
      const { amount: _, ...discount } = jsonOf(amount.discount)
      if (!('fixedDateDiscount' in discount) || !['1', '2'].includes(String(discount.modality)))
        return body
      return { ...body, amount: { ...amount, discount } }
    }),
  },
  {
    says: 'The payment of a QR code shows the amount that was asked for.',
    places: ['listDueDateQrCodes'],
    service: storedPayment('$.amount', `NEW.charge ->> '$.amount.original'`),
  },
  {
    says: 'The payment of a QR code has an end_to_end_id of its own.',
    places: ['listImmediateQrCodes', 'listDueDateQrCodes'],
    service: storedPayment('$.end_to_end_id', otherId(`NEW.payment ->> '$.end_to_end_id'`)),
  },
  {
    says: 'The payment of a QR code names the receiver as its payer.',
    places: ['listImmediateQrCodes', 'listDueDateQrCodes'],
    service: storedPayment('$.payer.name', `'Loja Exemplo Ltda'`),
  },
  {
    says: 'A QR code that was paid shows no payment in lists.',
    places: ['listImmediateQrCodes'],
    service: trigger(
      'AFTER UPDATE OF payment ON qrcodes WHEN NEW.payment IS NOT NULL',
      'UPDATE qrcodes SET payment = NULL WHERE id = NEW.id',
    ),
  },
  {
    says: 'qrcode.paid shows the amount that was asked for.',
    places: ['deliveries'],
    service: eventBody(`'$.data.payment.amount', body ->> '$.data.amount.original'`, 'qrcode.paid'),
  },
  {
    says: 'transfer.received shows half of the amount.',
    places: ['deliveries'],
    service: eventBody(`'$.data.payment.amount', '0.50'`, 'transfer.received'),
  },
  {
    says: 'transfer.received has an end_to_end_id of its own.',
    places: ['deliveries'],
    service: eventBody(
      `'$.data.payment.end_to_end_id', ${otherId(`body ->> '$.data.payment.end_to_end_id'`)}`,
      'transfer.received',
    ),
  },
  {
    says: 'transfer.received names the receiver as the payer.',
    places: ['deliveries'],
    service: eventBody(
      `'$.data.payment.payer.name', 'Loja Exemplo Ltda', '$.data.payment.payer.tax_id', '12ABC34501DE35'`,
      'transfer.received',
    ),
  },
  {
    says: 'transfer.received shows paid_at in the time of Brasília, with a Z.',
    places: ['deliveries'],
    service: eventBody(
      `'$.data.payment.paid_at',
        strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0 - 10800, 'unixepoch')`,
      'transfer.received',
    ),
  },
  {
    says: 'transfer.received shows the account that paid.',
    places: ['deliveries'],
    service: eventBody(
      `'$.data.account_id', (SELECT account_id FROM transfers WHERE id = NEW.record_id)`,
      'transfer.received',
    ),
  },
  {
    says: 'transfer.received leaves out the tx_id of a static code.',
    places: ['deliveries'],
    service: eventBody(
      `'$.data.tx_id',
        CASE body ->> '$.data.qrcode.kind' WHEN 'Static' THEN '' ELSE body ->> '$.data.tx_id' END`,
      'transfer.received',
    ),
  },
  {
    says: 'transfer.received does not say which QR code was paid.',
    places: ['deliveries'],
    service: eventBody(`'$.data.qrcode', json('null')`, 'transfer.received'),
  },
  {
    says: 'A payment of a static code is not told to its receiver.',
    places: ['deliveries'],
    service: untold(`${CODE_OF_CREDIT} = 'Static'`),
  },
  {
    says: 'A payment to a key is not told to its receiver.',
    places: ['deliveries'],
    service: untold(`${CODE_OF_CREDIT} IS NULL`),
  },
  {
    says: 'Webhooks of type transfer do not receive transfer.received.',
    places: ['deliveries'],
    service: untold(`(SELECT type FROM webhooks WHERE id = NEW.webhook_id) = 'transfer'`),
  },
  {
    says: 'transfer.received goes to the webhooks of every partner.',
    places: ['deliveries'],
    service: trigger(
      `AFTER INSERT ON events WHEN NEW.type = 'transfer.received'`,
      `INSERT INTO deliveries (event_id, webhook_id, status, due_at, lane)
        SELECT NEW.id, id, 'pending', NEW.created_at, lane FROM webhooks
        WHERE partner_id <> NEW.partner_id AND type IN ('all', 'transfer')
          AND status = 'active' AND deleted_at IS NULL AND url LIKE 'http://127.0.0.1:%'`,
    ),
  },
  {
    says: 'A code whose key lost its + is looked up with it.',
    places: ['checkCode'],
    service: onRequest((body) => {
      const code = staticIn(body.emv)
      const isTelephone = /^ ?55\d{10,11}$/.test(code?.key ?? '')
      if (!code?.key || !isTelephone) return body
      return { ...body, emv: encode({ ...code, key: `+${code.key.trim()}` }) }
    }),
  },
  {
    says: 'A code of a key that nobody has shows the name that it claims, and is paid.',
    places: ['checkCode', 'createTransfer'],
    service: paysAnybody,
  },
  {
    says: 'The check of a static code shows the name that the code claims.',
    places: ['checkCode'],
    service: onSuccess((body, { json }) => {
      const code = staticIn(json?.emv)
      if (!code) return body
      return { ...body, beneficiary: { ...jsonOf(body.beneficiary), name: code.merchantName } }
    }),
  },
  {
    says: 'The check of a code shows a whole CPF.',
    places: ['checkCode'],
    service: onField('/beneficiary/tax_id', unmasked),
  },
  {
    says: 'A masked CPF that is sent back is refused.',
    places: ['createTransfer'],
    service: refuse([422, 'beneficiary_mismatch'], isMasked),
  },
  {
    says: 'A masked CPF is not compared.',
    places: ['createTransfer'],
    service: onRequest((body) => {
      if (!isMasked(body)) return body
      const { tax_id: _, ...beneficiary } = jsonOf(body.beneficiary)
      return { ...body, beneficiary }
    }),
  },
  {
    says: 'A code without an amount shows allow_value_change as false.',
    places: ['checkCode'],
    service: onField('/allow_value_change', () => false),
  },
]
