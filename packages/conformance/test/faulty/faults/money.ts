import { crc16, decode, encode, tryDecode } from '@partner-payments/brcode'
import { type Call, withBody } from '../call.ts'
import type { Faults } from '../fault.ts'
import { STATIC_CODE } from '../fixtures.ts'
import { at, change, type Json, set } from '../json.ts'
import { bodyOf, withJson } from '../responses.ts'
import type { TestSandbox } from '../sandbox.ts'
import { retry, type Wrap } from '../wrap.ts'
import { lookedUp } from './look-up.ts'

const sum = ['invariants'] as const
const decodes = ['invariants'] as const

/** Money that moves twice, to the wrong account, or in the wrong amount. */
export const money: Faults = {
  'initiation-used-twice': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['one-time-values'],
    describe: 'An initiation_id pays a second time.',
    service: retry('createTransfer', ['initiation_used'], lookedUp),
  },
  'initiation-used-at-once': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['one-time-values'],
    describe: 'An initiation_id pays as often as it is used at the same moment.',
    service: racing,
  },
  'initiation-of-another-key': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['refusals'],
    describe: 'An initiation_id pays another key than the one that was looked up.',
    service: unbound(({ isOwn, isSameKey }) => isOwn && !isSameKey),
  },
  'initiation-of-another-caller': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['refusals'],
    describe: 'An initiation_id pays for somebody who did not look the key up.',
    service: unbound(({ isOwn, isSameKey }) => !isOwn && isSameKey),
  },
  'initiation-unchecked': {
    operation: 'createTransfer',
    elsewhere: ['checkKey'],
    rule: ['refusals'],
    describe: 'An initiation_id that was never issued pays.',
    service: retry('createTransfer', ['initiation_invalid'], lookedUp),
  },
  'code-unchecked': {
    operation: 'checkCode',
    rule: ['refusals'],
    describe: 'A text that is no payment code is checked with success.',
    service: retry('checkCode', ['invalid_code'], (call) => withBody(call, { emv: STATIC_CODE })),
  },
  'checksum-unchecked': {
    operation: 'checkCode',
    rule: ['refusals'],
    describe: 'A code whose checksum is wrong is checked with success.',
    request: change('/emv', (emv) => withChecksum(emv)),
  },
  'checksum-unchecked-when-paid': {
    operation: 'createTransfer',
    rule: ['refusals'],
    describe: 'A code whose checksum is wrong is paid.',
    request: (body) => (body.type === 'emv' ? change('/emv', (emv) => withChecksum(emv))(body) : body),
  },
  'checksum-wrong': {
    operation: 'createStaticQrCode',
    elsewhere: ['checkCode'],
    rule: decodes,
    describe: 'The checksum of a code that is created is wrong.',
    success: change('/emv', (emv) => spoiled(String(emv))),
  },
  'code-of-another-amount': {
    operation: 'createStaticQrCode',
    elsewhere: ['checkCode'],
    rule: decodes,
    describe: 'A static code asks for a centavo more than it was made for.',
    success: change('/emv', (emv) => another(emv, 'amount')),
  },
  'code-of-another-key': {
    operation: 'createStaticQrCode',
    elsewhere: ['checkCode'],
    rule: decodes,
    describe: 'A static code pays another key than it was made for.',
    success: change('/emv', (emv) => another(emv, 'key')),
  },
  'code-of-another-charge': {
    operation: 'createImmediateQrCode',
    elsewhere: ['checkCode'],
    rule: decodes,
    describe: 'The code of a charge leads to another place than its url.',
    success: change('/url', (url) => `${url}0`),
  },
  'image-of-another-code': {
    operation: 'createStaticQrCode',
    rule: ['invariants'],
    describe: 'The image shows another code.',
    success: async (body, { headers }, sandbox) => {
      const asked = { dict_key: body.dict_key, amount: '1.00' }
      const authorization = headers.get('authorization')
      const { qrcode_image } = await sandbox.send('POST', '/pix/qrcode/static/', {
        authorization,
        body: asked,
      })
      return { ...body, qrcode_image }
    },
  },
  'final-amount-a-centavo-more': {
    operation: 'checkCode',
    rule: sum,
    describe: 'The final amount is a centavo more than its parts.',
    success: change('/final_amount', (it) => plus(it, 1)),
  },
  'discount-not-taken-off': {
    operation: 'checkCode',
    rule: sum,
    describe: 'The discount is shown, and not taken off the final amount.',
    success: (it) => ({
      ...it,
      final_amount: plus(it.final_amount, centavos(it.discount)),
    }),
  },
  'fine-not-added': {
    operation: 'checkCode',
    rule: sum,
    describe: 'The fine is shown, and not added to the final amount.',
    success: (it) => ({
      ...it,
      final_amount: plus(it.final_amount, -centavos(it.fine)),
    }),
  },
  'final-amount-of-a-float': {
    operation: 'checkCode',
    rule: sum,
    describe: 'The final amount carries what a binary fraction leaves behind.',
    success: change('/final_amount', (it) => `${it}0000000000004`),
  },
  'charge-read-as-cheaper': {
    operation: 'checkCode',
    elsewhere: ['createImmediateQrCode'],
    rule: ['charge-amounts', 'invariants', 'record-shown'],
    describe: 'A charge is read as a centavo less than it was made for.',
    success: (it) =>
      it.qrcode_type === 'Immediate'
        ? { ...it, original_amount: plus(it.original_amount, -1), final_amount: plus(it.final_amount, -1) }
        : it,
  },
  'any-amount-for-a-code': {
    operation: 'createTransfer',
    elsewhere: ['checkCode'],
    rule: ['refusals'],
    describe: 'A code that fixes its amount is paid with another one.',
    service: payingAnything,
  },
  'charge-paid-twice': {
    operation: 'createTransfer',
    elsewhere: ['checkCode', 'createImmediateQrCode', 'createDueDateQrCode'],
    rule: ['one-time-values'],
    describe: 'A charge is paid a second time.',
    service: retry('createTransfer', ['code_paid'], reopened),
  },
  'cancelled-charge-paid': {
    operation: 'createTransfer',
    elsewhere: ['cancelImmediateQrCode', 'cancelDueDateQrCode'],
    rule: ['refusals'],
    describe: 'A charge that was cancelled is paid.',
    service: retry('createTransfer', ['code_cancelled'], reopened),
  },
  'cancelled-charge-checked': {
    operation: 'checkCode',
    elsewhere: ['cancelImmediateQrCode', 'cancelDueDateQrCode'],
    rule: ['refusals'],
    describe: 'The code of a charge that was cancelled is checked with success.',
    service: retry('checkCode', ['code_cancelled'], reopened),
  },
  'expired-charge-paid': {
    operation: 'createTransfer',
    rule: ['refusals'],
    describe: 'A charge whose time is over is paid.',
    service: retry('createTransfer', ['code_expired'], prolonged),
  },
  'more-than-the-balance': {
    operation: 'createTransfer',
    rule: ['refusals'],
    describe: 'More is paid than the account holds.',
    service: retry('createTransfer', ['insufficient_funds'], async (call, sandbox) => {
      await sandbox.run(`UPDATE accounts SET balance = balance + 1000000000000 WHERE standing = 'own'`)
      return call
    }),
  },
  'centavos-cut-off': {
    operation: 'createTransfer',
    rule: ['record-shown'],
    describe: 'A transfer is of whole reais.',
    success: change('/data/amount', (it) => String(it).replace(/\.\d\d$/, '.00')),
  },
  'end-to-end-id-of-nobody': {
    operation: 'createTransfer',
    rule: ['invariants'],
    describe: 'The end-to-end id does not begin with the ISPB of the payer, and its month is the thirteenth.',
    success: change('/data/end_to_end_id', (it) => thirteenth(String(it))),
  },
}

/** The same code with a valid checksum. */
function withChecksum(emv: unknown): unknown {
  if (typeof emv !== 'string' || !/6304[\dA-F]{4}$/i.test(emv)) return emv
  const text = emv.slice(0, -4)
  const fixed = text + crc16(text).toString(16).toUpperCase().padStart(4, '0')
  return tryDecode(fixed, { profile: 'lenient' }).ok ? fixed : emv
}

function spoiled(emv: string): string {
  return emv.slice(0, -1) + (emv.endsWith('0') ? '1' : '0')
}

/** A code with another value. */
function another(emv: unknown, field: 'amount' | 'key'): string {
  const { objects: _, ...code } = decode(String(emv))
  const amount = 'amount' in code ? code.amount : undefined
  const changed = field === 'amount' ? { amount: plus(amount, 1) } : { key: '12345678909' }
  // The decoded code is static. Only one field is changed.
  return encode({ ...code, ...changed } as Parameters<typeof encode>[0])
}

function centavos(amount: unknown): number {
  return Math.round(Number(amount) * 100)
}

function plus(amount: unknown, by: number): string {
  return ((centavos(amount) + by) / 100).toFixed(2)
}

function thirteenth(id: string): string {
  return `E00000000${id.slice(9, 13)}13${id.slice(15)}`
}

/** Accepts an initiation id again while another request uses it. */
function racing(sandbox: TestSandbox): ReturnType<Wrap> {
  const running = new Map<unknown, number>()
  return async (call, next) => {
    if (call.operation !== 'createTransfer' || call.json?.type !== 'dict') return next(call)
    const { initiation_id } = call.json
    const others = running.get(initiation_id) ?? 0
    running.set(initiation_id, others + 1)
    const response = await next(others > 0 ? await lookedUp(call, sandbox) : call)
    running.set(initiation_id, (running.get(initiation_id) ?? 1) - 1)
    return response
  }
}

interface Binding {
  readonly isOwn: boolean
  readonly isSameKey: boolean
}

/** Remembers who looked up which key, and accepts some initiation ids anyway. */
function unbound(test: (binding: Binding) => boolean): Wrap {
  return (sandbox) => {
    const known = new Map<unknown, { by: string | null; dict_key: unknown }>()
    const paid = retry('createTransfer', ['initiation_invalid'], (call) => {
      const issued = known.get(call.json?.initiation_id)
      const isOwn = issued?.by === call.headers.get('authorization')
      const isSameKey = issued?.dict_key === call.json?.dict_key
      return issued && test({ isOwn, isSameKey }) ? lookedUp(call, sandbox) : undefined
    })(sandbox)
    return async (call, next) => {
      if (call.operation !== 'checkKey') return paid(call, next)
      const response = await next(call)
      const { initiation_id, dict_key } = (await bodyOf(response)) ?? {}
      known.set(initiation_id, { by: call.headers.get('authorization'), dict_key })
      return response
    }
  }
}

/** Pays the fixed amount of the code, but returns the requested one. */
function payingAnything(sandbox: TestSandbox): ReturnType<Wrap> {
  return async (call, next) => {
    const response = await next(call)
    const isFixed = call.operation === 'createTransfer' && response.status === 422
    if (!isFixed || (await bodyOf(response))?.code !== 'amount_not_allowed') return response
    const authorization = call.headers.get('authorization')
    const body = { emv: call.json?.emv }
    const { final_amount: amount } = await sandbox.send('POST', '/pix/brcode/emv/', { authorization, body })
    const paid = await next(withBody(call, { ...call.json, amount }))
    return paid.ok ? withJson(paid, set('/data/amount', call.json?.amount)(await bodyOf(paid))) : response
  }
}

const BY_CODE = 'WHERE emv = ?'

/** Reopens a charge, as if it was not paid or cancelled. */
async function reopened(call: Call, sandbox: TestSandbox): Promise<Call> {
  const emv = String(call.json?.emv)
  // The transfer that pays it settles anyway.
  await sandbox.run(
    `UPDATE transfers SET qrcode_id = NULL WHERE qrcode_id = (SELECT id FROM qrcodes ${BY_CODE})`,
    [emv],
  )
  await sandbox.run(`UPDATE qrcodes SET status = 'ATIVA', transfer_id = NULL ${BY_CODE}`, [emv])
  return call
}

/** Makes a charge payable for longer than any test takes. */
async function prolonged(call: Call, sandbox: TestSandbox): Promise<Call> {
  const emv = String(call.json?.emv)
  const sql = `SELECT charge FROM qrcodes ${BY_CODE}`
  const row = await sandbox.app.store.read((queries) => queries.get<{ charge: string }>(sql, [emv]))
  const charge: Json = JSON.parse(row?.charge ?? '{}')
  const isDue = at(charge, '/calendar/due_date') !== undefined
  const longer = isDue ? set('/calendar/due_date', '2999-12-31') : set('/calendar/expiration', 99_999_999_999)
  await sandbox.run(`UPDATE qrcodes SET charge = ? ${BY_CODE}`, [JSON.stringify(longer(charge)), emv])
  return call
}
