import { fieldsOf, stringAt } from '../contract/json.ts'
import { centavosOf, dayAt } from '../model/amounts.ts'
import { type Cause, excluded, met, type Requested, spanOf, those } from './cause.ts'
import { amountOf, codeCauses } from './codes.ts'
import { LIFETIME, unbound } from './once.ts'

/** Why a transfer may be refused. */
export function transferCauses(requested: Requested): Cause[] {
  const { sent } = requested.exchange
  const isCode = stringAt(sent, '/type') === 'emv'
  const isZero = centavosOf(stringAt(sent, '/amount')) === 0n
  return [
    ...dateCauses(requested),
    ...fundsCauses(requested),
    ...beneficiaryCauses(requested),
    ...(isCode
      ? [...codeCauses(requested), ...codeAmountCauses(requested)]
      : initiationCauses(requested)),
    ...those([[isZero, met('amount_not_allowed', 'an amount of zero', { question: 'bounds' })]]),
  ]
}

function codeAmountCauses(requested: Requested): Cause[] {
  const { sent } = requested.exchange
  const amount = centavosOf(stringAt(sent, '/amount'))
  const fixed = amountOf(stringAt(sent, '/emv') ?? '', requested)
  if (amount === undefined || fixed === undefined || amount === 0n) return []
  const applies = amount !== fixed
  const says = applies ? 'another amount than the code fixes' : 'the amount that the code fixes'
  return [{ code: 'amount_not_allowed', says, applies }]
}

function dateCauses(requested: Requested): Cause[] {
  const code = 'payment_date_not_allowed'
  const date = stringAt(requested.exchange.sent, '/payment_date')
  const { from, to } = spanOf(requested)
  const [day, other] = [dayAt(from), dayAt(to)]
  if (date !== undefined && day !== other) return []
  return date === undefined || date === day
    ? [excluded(code, 'a payment_date of today')]
    : [met(code, 'another payment_date than today')]
}

/** More than the account holds, as a sandbox shows it; or more than any account does. */
function fundsCauses({ exchange, model: { ledger } }: Requested): Cause[] {
  const amount = centavosOf(stringAt(exchange.sent, '/amount'))
  if (amount === undefined || !exchange.by) return []
  const account = ledger.payerOf(exchange.by)
  const balance = ledger.since.length === 0 ? ledger.atRest?.accounts[account ?? ''] : undefined
  const code = 'insufficient_funds'
  const isMore = amount > (centavosOf(balance) ?? MORE_THAN_ANY)
  return those([
    [isMore, met(code, 'more than the account holds')],
    [!isMore && balance !== undefined, excluded(code, 'what the account holds')],
  ])
}

/** A billion reais. */
const MORE_THAN_ANY = 100_000_000_000n

function initiationCauses({ exchange, model }: Requested): Cause[] {
  const use = model.values.usesIn(exchange).find(({ name }) => name === 'initiation')
  if (!use || exchange.beside.length > 0) return []
  const known = model.values.known(use, exchange)
  const code = 'initiation_invalid'
  const more = { isJudgedElsewhere: true } as const
  if (!known?.issued) {
    const isSure = model.isComplete && model.values.forgotten === 0
    const fact = { ...more, fact: 'key-then-transfer' }
    return those([[isSure, met(code, 'an initiation_id that was never issued', fact)]])
  }
  if (known.accepted.length > 0) return [met('initiation_used', 'a used initiation_id', more)]
  const found = unbound(known, { exchange, model }).map(([, words]) =>
    met(code, `an initiation_id ${words}`, more),
  )
  const isYoung = spanOf({ exchange, model }).to - known.issued.trace.time < LIFETIME
  if (found.length > 0 || known.unknown.length > 0 || !isYoung) return found
  return [excluded(code, 'a new initiation_id')]
}

/** The fields of a beneficiary that have another name in the look-up of a key. */
const OF_KEY: Readonly<Record<string, string>> = { name: 'owner_name', tax_id: 'owner_document' }

function beneficiaryCauses({ exchange, model }: Requested): Cause[] {
  const code = 'beneficiary_mismatch'
  const sent = Object.entries(fieldsOf(fieldsOf(exchange.sent).beneficiary))
  if (sent.length === 0) return [excluded(code, 'no beneficiary')]
  const source = model.sources
    .of(exchange)
    .findLast(({ operation }) => operation?.id === 'checkCode' || operation?.id === 'checkKey')
  const isOfKey = source?.operation?.id === 'checkKey'
  const shown = isOfKey ? source?.shown : fieldsOf(source?.shown).beneficiary
  const matches = sent.map(([name, value]) => {
    const at = isOfKey ? (OF_KEY[name] ?? name) : name
    return matchesShown(String(value), stringAt(shown, `/${at}`))
  })
  const other = sent[matches.indexOf(false)]
  if (other) return [met(code, `another ${other[0]} of the beneficiary`)]
  return those([[!matches.includes(undefined), excluded(code, 'the beneficiary')]])
}

/**
 * Whether a field equals what was shown, which may be masked by stars; undefined if that cannot be
 * compared, or if it is written in another way.
 */
function matchesShown(sent: string, shown: string | undefined): boolean | undefined {
  const plain = (it: string) => it.toLowerCase().replaceAll(/[^\p{L}\d*]|^0+(?=.)/gu, '')
  const [one, other] = [plain(sent), plain(shown ?? '')]
  if (one === '' || other === '' || /^\*+$/.test(other)) return undefined
  if (!other.includes('*')) return sent === shown || (one === other ? undefined : false)
  if (one.length !== other.length) return undefined
  return [...other].every((it, i) => it === '*' || it === one[i])
}
