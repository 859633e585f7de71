import { decode, encode } from '@partner-payments/brcode'
import type { Call } from '../call.ts'
import type { Faults } from '../fault.ts'
import { KEYS } from '../fixtures.ts'
import { at, change, type Json, set } from '../json.ts'
import type { TestSandbox } from '../sandbox.ts'
import { changeSuccess, retry, type Wrap } from '../wrap.ts'

const today = ['charge-amounts'] as const
const late = ['charge-amounts'] as const
const COPIES = ['copies'] as const
const decodes = ['invariants'] as const

/** Charges with wrong amounts, and codes that differ from their record. */
export const charges: Faults = {
  'discount-until-a-date-ignored': {
    operation: 'checkCode',
    elsewhere: ['createDueDateQrCode'],
    rule: today,
    describe: 'A discount that holds until a date is not given.',
    service: part('discount', ({ modality }, it) => (modality === '1' ? 0 : it)),
  },
  'discount-of-percent-as-a-value': {
    operation: 'checkCode',
    elsewhere: ['createDueDateQrCode'],
    rule: today,
    describe: 'A discount of percent is taken off as reais.',
    service: part('discount', ({ modality, fixedDateDiscount }, it) =>
      modality === '2' && it > 0 ? centavos(at(fixedDateDiscount, '/0/amount')) : it,
    ),
  },
  'discount-after-its-date': {
    operation: 'checkCode',
    elsewhere: ['createDueDateQrCode'],
    rule: today,
    describe: 'Of discounts until several dates, the first one is given whatever the day.',
    service: part('discount', ({ modality, fixedDateDiscount }, it) =>
      modality === '1' ? centavos(at(fixedDateDiscount, '/0/amount')) : it,
    ),
  },
  'discount-of-one-day': {
    operation: 'checkCode',
    elsewhere: ['createDueDateQrCode'],
    rule: today,
    describe: 'A discount for each day before the due date is given once.',
    service: part('discount', ({ modality, amount }, it) => (modality === '3' ? centavos(amount) : it)),
  },
  'discount-of-percent-for-one-day': {
    operation: 'checkCode',
    elsewhere: ['createDueDateQrCode'],
    rule: today,
    describe: 'A discount of percent for each day before the due date is given once.',
    service: part('discount', ({ modality, amount }, it, base) =>
      modality === '5' ? Math.floor((base * centavos(amount)) / 10_000) : it,
    ),
  },
  'deduction-rounded': {
    operation: 'checkCode',
    elsewhere: ['createDueDateQrCode'],
    rule: today,
    describe: 'A deduction of percent is rounded.',
    service: part('deduction', ({ modality, amount }, it, base) =>
      modality === '2' ? Math.round((base * centavos(amount)) / 10_000) : it,
    ),
  },
  'fine-of-a-value-as-percent': {
    operation: 'checkCode',
    rule: late,
    describe: 'A fine of reais is charged as percent.',
    service: part('fine', ({ modality, amount }, it, base) =>
      modality === '1' && it > 0 ? Math.floor((base * centavos(amount)) / 10_000) : it,
    ),
  },
  'interest-of-a-month-by-the-day': {
    operation: 'checkCode',
    rule: late,
    describe: 'Interest of a month is charged for each day.',
    service: part('interest', ({ modality }, it) => (modality === '3' ? it * 30 : it)),
  },
  'interest-of-a-year-by-the-month': {
    operation: 'checkCode',
    rule: late,
    describe: 'Interest of a year is charged by the month.',
    service: part('interest', ({ modality }, it) => (modality === '4' ? it * 12 : it)),
  },
  'interest-of-interest': {
    operation: 'checkCode',
    rule: late,
    describe: 'Interest of a day is compound.',
    service: part('interest', ({ modality, amount }, it, base) => {
      const rate = centavos(amount) / 10_000
      const days = Math.round(it / (base * rate))
      return modality === '2' && it > 0 ? Math.floor(base * ((1 + rate) ** days - 1)) : it
    }),
  },
  'interest-before-the-deduction': {
    operation: 'checkCode',
    rule: late,
    describe: 'Interest and fine are of the original amount, not of what the deduction leaves.',
    success: ofOriginal,
  },
  'static-code-without-its-amount': {
    operation: 'createStaticQrCode',
    elsewhere: ['checkCode'],
    rule: decodes,
    describe: 'A static code leaves the amount to its payer, which it was made with.',
    success: change('/emv', without('amount')),
  },
  'static-code-without-its-message': {
    operation: 'createStaticQrCode',
    elsewhere: ['checkCode'],
    rule: [...decodes, 'copies'],
    describe: 'A static code lacks the message that it was made with.',
    success: change('/emv', without('message')),
  },
  'static-code-of-another-tx-id': {
    operation: 'createStaticQrCode',
    elsewhere: ['checkCode'],
    rule: decodes,
    describe: 'The tx_id of a static code is another than in its record.',
    success: change('/tx_id', (it) => [...String(it)].reverse().join('')),
  },
  'code-too-long-by-one': {
    operation: 'createDueDateQrCode',
    elsewhere: ['checkCode'],
    rule: decodes,
    describe: 'An object of a code says that it is one character longer.',
    success: change('/emv', (it) => String(it).replace(/5802BR/, '5803BR')),
  },
  'image-of-another-charge': {
    operation: 'createImmediateQrCode',
    elsewhere: ['listImmediateQrCodes'],
    rule: ['invariants'],
    describe: 'The image of a charge shows the code of the charge before it.',
    service: imageBefore,
  },
  'code-of-the-charge-before': {
    operation: 'createDueDateQrCode',
    elsewhere: ['checkCode', 'createTransfer'],
    rule: ['copies', 'charge-amounts'],
    describe: 'A due-date charge has the code of the one before it.',
    service: codeBefore,
  },
  'beneficiary-of-a-check-another': {
    operation: 'checkCode',
    rule: COPIES,
    describe: 'The check of a code shows somebody else as its beneficiary.',
    success: set('/beneficiary/dict_key', KEYS.padaria),
  },
  'check-without-message': {
    operation: 'checkCode',
    rule: COPIES,
    describe: 'The check of a code has no message.',
    success: set('/message', null),
  },
  'check-of-another-due-date': {
    operation: 'checkCode',
    rule: COPIES,
    describe: 'The check of a code shows the day after its due date.',
    success: change('/due_date', (it) => (it === null ? it : dayAfter(String(it)))),
  },
  'check-expires-later': {
    operation: 'checkCode',
    rule: ['charge-amounts'],
    describe: 'The check of a code shows an end that is an hour late.',
    success: change('/expiration', (it) =>
      it === null ? it : new Date(Date.parse(String(it)) + 3_600_000).toISOString(),
    ),
  },
  'charge-to-a-foreign-key': {
    operation: 'createImmediateQrCode',
    rule: ['refusals'],
    describe: 'An immediate charge may name the key of somebody else.',
    service: retry('createImmediateQrCode', ['invalid_charge'], toOwnKey),
  },
  'static-code-to-a-foreign-key': {
    operation: 'createStaticQrCode',
    rule: ['refusals'],
    describe: 'A static code may name the key of somebody else.',
    service: retry('createStaticQrCode', ['invalid_charge'], toOwnKey),
  },
  'immediate-charge-of-nothing': {
    operation: 'createImmediateQrCode',
    rule: ['refusals'],
    describe: 'An immediate charge may ask for nothing.',
    service: retry('createImmediateQrCode', ['invalid_charge'], (call) =>
      at(call.json, '/amount/original') === '0.00'
        ? bodied(call, set('/amount/original', '0.01')(call.json) as Json)
        : undefined,
    ),
  },
}

function bodied(call: Call, json: Json): Call {
  const headers = new Headers(call.headers)
  headers.delete('content-length')
  return { ...call, json, headers, bytes: new TextEncoder().encode(JSON.stringify(json)) }
}

function toOwnKey(call: Call): Call | undefined {
  const isForeign = call.json?.dict_key !== KEYS.partner
  return isForeign ? bodied(call, { ...call.json, dict_key: KEYS.partner }) : undefined
}

function centavos(amount: unknown): number {
  return Math.round(Number(amount ?? 0) * 100)
}

function amountOf(of: number): string {
  return of === 0 ? '0' : (of / 100).toFixed(2)
}

/** The original amount and the adjustments of the charge behind a code. */
async function chargeOf({ json }: Call, sandbox: TestSandbox): Promise<Json> {
  const sql = 'SELECT charge FROM qrcodes WHERE emv = ?'
  const row = await sandbox.app.store.read((queries) =>
    queries.get<{ charge: string }>(sql, [String(json?.emv)]),
  )
  return JSON.parse(row?.charge ?? '{}')
}

type Part = 'deduction' | 'discount' | 'fine' | 'interest'

/** Changes one part of the amounts of a code, in centavos, and the total accordingly. */
function part(name: Part, edit: (adjustment: Json, centavos: number, base: number) => number): Wrap {
  return changeSuccess('checkCode', async (body, call, sandbox) => {
    const adjustment = at(await chargeOf(call, sandbox), `/amount/${name}`)
    if (!adjustment) return body
    const base = centavos(body.original_amount) - (name === 'deduction' ? 0 : centavos(body.deduction))
    return summed({ ...body, [name]: amountOf(edit(adjustment as Json, centavos(body[name]), base)) })
  })
}

function summed(body: Json): Json {
  const of = (name: string) => centavos(body[name])
  const final = of('original_amount') - of('deduction') - of('discount') + of('interest') + of('fine')
  return { ...body, final_amount: amountOf(final) }
}

function ofOriginal(body: Json): Json {
  const original = centavos(body.original_amount)
  const left = original - centavos(body.deduction)
  const larger = (name: Part) => amountOf(Math.floor((centavos(body[name]) * original) / (left || 1)))
  return summed({ ...body, fine: larger('fine'), interest: larger('interest') })
}

/** The same static code without a field. */
function without(field: 'amount' | 'message') {
  return (emv: unknown): string => {
    const { objects: _, ...code } = decode(String(emv))
    // The decoded code is static. Only one field is removed.
    return encode({ ...code, [field]: undefined } as unknown as Parameters<typeof encode>[0])
  }
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

function imageBefore(sandbox: TestSandbox): ReturnType<Wrap> {
  let last: unknown
  return changeSuccess('createImmediateQrCode', (body) => {
    const shown = last ?? body.qrcode_image
    last = body.qrcode_image
    return { ...body, qrcode_image: shown }
  })(sandbox)
}

function codeBefore(sandbox: TestSandbox): ReturnType<Wrap> {
  let last: Json | undefined
  return changeSuccess('createDueDateQrCode', (body) => {
    const { emv, url, qrcode_image } = last ?? body
    last = body
    return { ...body, emv, url, qrcode_image }
  })(sandbox)
}
