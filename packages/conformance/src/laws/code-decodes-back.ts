import { tryDecode } from '@partner-payments/brcode'
import { nodeOf } from '../contract/document.ts'
import type { Law } from '../law.ts'
import { isSuccess } from '../run/scene.ts'

export const codeDecodesBack: Law = {
  id: 'code-decodes-back',
  phase: 'every answer',
  atStake: true,
  title: 'A payment code in an answer can be read, and says what the record beside it says.',
  advice:
    'Make the code of the record, with object 63 computed last (Manual de Padrões para Iniciação do Pix, 2).',
  everyAnswer: (exchange) => {
    const body = nodeOf(exchange.body)
    if (!isSuccess(exchange) || typeof body.emv !== 'string') return undefined
    const departure = departureOf(body, body.emv)
    return departure
      ? [{ operation: exchange.view?.id, contract: exchange.view?.pointer ?? '', ...departure }]
      : []
  },
}

type Shown = Readonly<Record<string, unknown>>

/** What the code does not say as the record does, and the words for it. */
interface Departure {
  readonly about: string
  readonly message: string
}

function departureOf(record: Shown, emv: string): Departure | undefined {
  const result = tryDecode(emv)
  if (!result.ok) {
    const message = `Expected a code that can be read, and object ${result.error.path || 'none'} of it is wrong.`
    return { about: 'unreadable', message }
  }
  const { code } = result
  const about = code.kind === 'static' ? departingIn(code, record) : departingFrom(code, record)
  const message = `Expected the code to hold the ${about} of the record, and it does not.`
  return about === undefined ? undefined : { about, message }
}

type Code = Extract<ReturnType<typeof tryDecode>, { ok: true }>['code']
type Static = Extract<Code, { kind: 'static' }>

function departingIn({ key, amount, message, txid }: Static, record: Shown): string | undefined {
  if (key !== record.dict_key) return 'key'
  if (exactOf(amount) !== exactOf(record.amount)) return 'amount'
  if (message === undefined && typeof record.message === 'string' && record.message !== '') return 'message'
  return txid === record.tx_id ? undefined : 'tx_id'
}

function departingFrom(code: Code, { url }: Shown): string | undefined {
  const location = 'location' in code ? code.location : undefined
  return typeof url !== 'string' || url === location ? undefined : 'url'
}

/** An amount in one form, without zeros that say nothing; undefined where the payer chooses it, as nothing and zero say. */
function exactOf(amount: unknown): string | undefined {
  const [, whole, part = ''] = /^0*(\d+)(?:\.(\d*?)0*)?$/.exec(String(amount ?? '')) ?? []
  if (whole === undefined) return amount ? String(amount) : undefined
  return whole === '0' && part === '' ? undefined : `${whole}.${part}`
}
