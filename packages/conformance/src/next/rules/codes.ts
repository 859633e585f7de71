import type { Behaviour } from '@partner-payments/spec/behaviour'
import { isSameValue, stringAt, valueAt } from '../contract/json.ts'
import { fieldName } from '../contract/kinds.ts'
import type { Exchange } from '../model/exchange.ts'
import { sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import { isForbidden } from './causes.ts'
import { isBeside } from './compared.ts'
import { cited, judge, quoted, type Rule } from './rule.ts'

type Copy = NonNullable<Behaviour['copies']>[string]

export const codesCopied: Rule = {
  id: 'codes-copied',
  says: 'A check, a transfer and a look-up repeat the fields of what they use, as the contract declares.',
  advice: 'Read the fields from the record that the request names.',
  read(exchange, model, report) {
    if (exchange.outcome !== 'accepted' || isForbidden({ exchange, model })) return
    const { copies = {} } = model.contract.behaviour
    for (const source of model.sources.of(exchange))
      for (const [name, copy] of Object.entries(copies).filter(([, it]) => isOf(it, source, exchange)))
        for (const { pointer, expected } of expectedBy(copy, { source, exchange, model })) {
          const shown = valueAt(exchange.shown, pointer)
          if (shown === undefined || exchange.differences.some((it) => it.pointer === pointer)) continue
          const message = `${exchange.operation?.id} shows ${pointer} as ${quoted(shown)}; expected ${quoted(expected)}, as in ${source.operation?.id}.`
          const isSame = isSameValue(expected, shown)
          const about = `${name} ${pointer}`
          judge(report, exchange, {
            cites: cited(copy),
            message: isSame ? undefined : message,
            about,
            impact: 'high',
          })
        }
  },
}

export const keysRepeated: Rule = {
  id: 'keys-repeated',
  says: 'The look-up of a key shows the key that was looked up.',
  advice: 'Show the key of the entry that was found.',
  read(exchange, _, report) {
    if (exchange.operation?.id !== 'checkKey' || exchange.outcome !== 'accepted') return
    const [sent, shown] = [exchange.sent, exchange.shown].map((it) => stringAt(it, '/dict_key'))
    const message = 'checkKey shows another dict_key than was looked up.'
    const isSame = shown === undefined || isSameValue(sent, shown)
    judge(report, exchange, { cites: { fact: 'key-repeated' }, message: isSame ? undefined : message })
  },
}

function isOf({ from, to }: Copy, source: Exchange, { operation }: Exchange): boolean {
  return to === operation?.id && from.includes(source.operation?.id ?? '')
}

interface Used {
  readonly source: Exchange
  readonly exchange: Exchange
  readonly model: Model
}

/** The places of the response, with what each repeats. What has no value is not compared. */
function expectedBy(
  { sent = {}, fields = {}, always = {}, values }: Copy,
  { source, exchange, model }: Used,
) {
  const all = [
    ...Object.entries(sent).map(([from, pointer]) => ({ pointer, expected: valueAt(source.sent, from) })),
    ...Object.entries(fields).map(([from, pointer]) => {
      const value = currentValue(from, { source, exchange, model })
      return { pointer, expected: values ? values[String(value)] : value }
    }),
    ...Object.entries(always).map(([pointer, expected]) => ({ pointer, expected })),
  ]
  const isEmpty = (it: unknown) => it === undefined || it === null || (Array.isArray(it) && it.length === 0)
  return all.filter(({ expected, pointer }) => !isEmpty(expected) && (expected !== '' || pointer in always))
}

/** What a record shows now, or else what the source showed. */
function currentValue(pointer: string, { source, exchange, model }: Used): unknown {
  const [shown] = source.records
  const record = shown && model.records.find(shown.kind, shown.id)
  if (!record) return valueAt(source.shown, pointer)
  const name = fieldName(pointer)
  return isBeside(exchange, record) ? undefined : valueAt({ [name]: sureValue(record, name) }, pointer)
}
