import { tryDecode } from '@partner-payments/brcode'
import type { Law } from '../law.ts'
import { nodeOf } from '../run/document.ts'
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
    const message = departure(body, body.emv)
    return message
      ? [
          {
            operation: exchange.view?.id,
            contract: exchange.view?.pointer ?? '',
            message,
            about: message.slice(0, 24),
          },
        ]
      : []
  },
}

function departure(record: Readonly<Record<string, unknown>>, emv: string): string | undefined {
  const result = tryDecode(emv)
  if (!result.ok)
    return `Expected a code that can be read, and object ${result.error.path || 'none'} of it is wrong.`
  const { code } = result
  if (code.kind === 'static') {
    if (code.key !== record.dict_key) return 'Expected the code to hold the key of the record, got another.'
    if (exactOf(code.amount) !== exactOf(record.amount))
      return `Expected the code to hold the amount of the record, got ${code.amount ? 'another' : 'none'}.`
    if (code.message === undefined && typeof record.message === 'string' && record.message !== '')
      return 'Expected the code to hold the message of the record, and it has none.'
    return code.txid === record.tx_id
      ? undefined
      : 'Expected the code to hold the tx_id of the record, got another.'
  }
  const location = 'location' in code ? code.location : undefined
  return typeof record.url !== 'string' || record.url === location
    ? undefined
    : 'Expected the code to hold the url of the record, got another.'
}

/** An amount in one form, without zeros that say nothing; undefined where the payer chooses it, as nothing and zero say. */
function exactOf(amount: unknown): string | undefined {
  const [, whole, part = ''] = /^0*(\d+)(?:\.(\d*?)0*)?$/.exec(String(amount ?? '')) ?? []
  if (whole === undefined) return amount ? String(amount) : undefined
  return whole === '0' && part === '' ? undefined : `${whole}.${part}`
}
