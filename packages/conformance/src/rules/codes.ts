import { tryDecode } from '@partner-payments/brcode'
import type { Copies } from '@partner-payments/spec/behaviour'
import { marginOf, type Requested } from '../causes/cause.ts'
import { chargeOf, endOf } from '../causes/codes.ts'
import { behaviour } from '../contract/behaviour.ts'
import { isSameValue, stringAt, valueAt } from '../contract/json.ts'
import { actionOf, fieldName } from '../contract/kinds.ts'
import { centavosOf } from '../model/amounts.ts'
import type { Exchange } from '../model/exchange.ts'
import { isBeside, sureValue } from '../model/records.ts'
import { imageProblem } from './code-image.ts'
import { isFilled } from './money.ts'
import { isForbidden } from './refusals.ts'
import { cited, judge, quoted, type Rule } from './rule.ts'

const { copies, invariants } = behaviour

const codesEncoded: Rule = {
  id: 'codes-encoded',
  says: 'A payment code decodes to the location, or to the key, the amount and the tx_id, that its record shows.',
  advice: 'Encode the code from the record, with a new checksum.',
  read(exchange, _, report) {
    for (const { fields, kind } of exchange.records) {
      const emv = stringAt(fields, '/emv')
      if (emv === undefined) continue
      const read = tryDecode(emv)
      const isRight = read.ok && isCodeOf(read.code, (name) => stringAt(fields, `/${name}`))
      const name = kind.name === 'staticQrCode' ? 'code-of-static' : 'code-of-immediate'
      const cites = cited(invariants[name])
      const message = `${exchange.operation?.id} shows a payment code with other values than its record.`
      judge(report, exchange, { cites, message: !isRight && message, impact: 'high' })
    }
  },
}

type Code = Extract<ReturnType<typeof tryDecode>, { ok: true }>['code']

/** A code may leave out an amount of zero. */
function isCodeOf(code: Code, shown: (name: string) => string | undefined): boolean {
  if (code.kind !== 'static')
    return !('location' in code) || shown('url') === undefined || code.location === shown('url')
  const isMessage = code.message !== undefined || !isFilled(shown('message') ?? '')
  const isAmount = (centavosOf(code.amount) ?? 0n) === (centavosOf(shown('amount')) ?? 0n)
  const isTxId = (code.txid ?? '') === (shown('tx_id') ?? '')
  return isAmount && isMessage && isTxId && code.key === shown('dict_key')
}

const codesImages: Rule = {
  id: 'codes-images',
  says: 'The image of a QR code is a PNG that holds its payment code.',
  advice: 'Draw the image from the payment code that the response shows.',
  settles: ['static-qrcode-image/'],
  read(exchange, model, report) {
    for (const { fields, kind } of exchange.records) {
      const [image, emv] = ['/qrcode_image', '/emv'].map((it) => stringAt(fields, it))
      const isNew = actionOf(kind, exchange.operation?.id) === 'create'
      if (image === undefined || emv === undefined || !isNew) continue
      if (model.records.of(kind).length >= MOST_IMAGES) continue
      const problem = imageProblem(image, emv)
      const message = problem && `${exchange.operation?.id} shows an image that ${problem}.`
      judge(report, exchange, { cites: cited(invariants['image-of-code']), message })
    }
  },
}

/** Reading an image takes time, so the first records of a kind stand for all. */
const MOST_IMAGES = 4

const codesExpiration: Rule = {
  id: 'codes-expiration',
  says: 'The check of an immediate code shows when it expires, and that of another code shows null.',
  advice: 'Add the seconds of the charge to the time of its creation, in UTC.',
  settles: ['code-expiration/'],
  read(exchange, model, report) {
    const { operation, outcome, shown, differences } = exchange
    const expiration = valueAt(shown, '/expiration')
    if (operation?.id !== 'checkCode' || outcome !== 'accepted' || expiration === undefined) return
    const record = chargeOf(stringAt(exchange.sent, '/emv') ?? '', { exchange, model })
    const end = record?.kind.name === 'immediateQrCode' ? endOf(record) : null
    if (
      !record ||
      end === undefined ||
      differences.some(({ pointer }) => pointer === '/expiration')
    )
      return
    const isRight =
      end === null
        ? expiration === null
        : Math.abs(Date.parse(String(expiration)) - end) <= ROUNDING
    const words = end === null ? 'null' : new Date(end).toISOString()
    const message = `checkCode shows expiration as ${quoted(expiration)}; expected ${words}.`
    judge(report, exchange, {
      cites: { question: 'code-expiration' },
      message: !isRight && message,
    })
  },
}

/** Milliseconds by which an end may be rounded. */
const ROUNDING = 1_000

const codesEnded: Rule = {
  id: 'codes-ended',
  says: 'A charge that has expired keeps its status.',
  advice: 'Show the status of the charge itself, whatever the time is.',
  read(exchange, model, report) {
    const { operation, records } = exchange
    for (const { kind, id, fields } of operation?.effect === 'read' ? records : []) {
      const record = model.records.find(kind, id)
      const end = kind.name === 'immediateQrCode' && record ? endOf(record) : undefined
      if (!record || end === undefined || model.timeAt(exchange.sentAt) < end + marginOf(model))
        continue
      const [before, after] = [sureValue(record, 'status'), stringAt(fields, '/status')]
      if (before !== 'ATIVA' || after === undefined || isBeside(exchange, record)) continue
      const message = `${operation?.id} shows a charge that has expired as ${after}; expected ATIVA.`
      judge(report, exchange, {
        cites: { question: 'qr-statuses' },
        message: after !== before && message,
      })
    }
  },
}

type Copy = Copies[string]

const codesCopied: Rule = {
  id: 'codes-copied',
  says: 'A check, a transfer and a look-up repeat the fields of what they use, as the contract declares.',
  advice: 'Read the fields from the record that the request names.',
  read(exchange, model, report) {
    if (exchange.outcome !== 'accepted' || isForbidden({ exchange, model })) return
    const id = exchange.operation?.id
    for (const source of model.sources.of(exchange)) {
      const from = source.operation?.id ?? ''
      const all = Object.entries<Copy>(copies).filter(
        ([, it]) => it.to === id && it.from.includes(from),
      )
      for (const [name, copy] of all)
        for (const { pointer, expected } of expectedBy(copy, { source, exchange, model })) {
          const shown = valueAt(exchange.shown, pointer)
          // The texts of a code are ASCII, so a service writes others in its own way.
          if (from === 'createStaticQrCode' && /[^ -~]/.test(String(expected))) continue
          const isDifferent = exchange.differences.some((it) => it.pointer === pointer)
          if (shown === undefined || isNet(pointer, source) || isDifferent) continue
          const message = `${id} shows ${pointer} as ${quoted(shown)}; expected ${quoted(expected)}, as in ${from}.`
          const isSame = isSameValue(expected, shown)
          const at = { about: `${name} ${pointer}`, impact: 'high' } as const
          judge(report, exchange, { cites: cited(copy), message: !isSame && message, ...at })
        }
    }
  },
}

/**
 * Whether a deduction is taken off an amount already is a question of its own, which money-due
 * judges.
 */
function isNet(pointer: string, { sent }: Exchange): boolean {
  return pointer === '/original_amount' && valueAt(sent, '/amount/deduction') !== undefined
}

interface Used extends Requested {
  readonly source: Exchange
}

/** The places of the response, with what each repeats. What has no value is not compared. */
function expectedBy({ sent = {}, fields = {}, always = {}, values }: Copy, used: Used) {
  const { source } = used
  const all = [
    ...Object.entries(sent).map(([from, pointer]) => ({
      pointer,
      expected: valueAt(source.sent, from),
    })),
    ...Object.entries(fields).map(([from, pointer]) => {
      const value = currentValue(from, used)
      return { pointer, expected: values ? values[String(value)] : value }
    }),
    ...Object.entries(always).map(([pointer, expected]) => ({ pointer, expected })),
  ]
  const isEmpty = (it: unknown) =>
    it === undefined || it === null || (Array.isArray(it) && it.length === 0)
  return all.filter(
    ({ expected, pointer }) => !isEmpty(expected) && (expected !== '' || pointer in always),
  )
}

/** What a record shows now, or else what the source showed. */
function currentValue(pointer: string, { source, exchange, model }: Used): unknown {
  const [shown] = source.records
  const record = shown && model.records.find(shown.kind, shown.id)
  if (!record) return valueAt(source.shown, pointer)
  const name = fieldName(pointer)
  return isBeside(exchange, record)
    ? undefined
    : valueAt({ [name]: sureValue(record, name) }, pointer)
}

export const codeRules = [codesEncoded, codesImages, codesExpiration, codesEnded, codesCopied]
