import { fieldsOf, stringAt } from '../contract/json.ts'
import { centavosOf, dayAt } from '../model/amounts.ts'
import { unbound } from '../rules/once.ts'
import { type Cause, type Requested, spanOf } from './cause.ts'
import { amountOf, codeCauses } from './codes.ts'

/** Why a transfer may be refused. */
export function transferCauses(requested: Requested): Cause[] {
  const { sent } = requested.exchange
  const isCode = stringAt(sent, '/type') === 'emv'
  return [
    ...dateCauses(requested),
    ...fundsCauses(requested),
    ...beneficiaryCauses(requested),
    ...(isCode ? [...codeCauses(requested), ...codeAmountCauses(requested)] : initiationCauses(requested)),
    ...(centavosOf(stringAt(sent, '/amount')) === 0n ? [NOTHING] : []),
  ]
}

const NOTHING: Cause = {
  code: 'amount_not_allowed',
  says: 'an amount of zero',
  applies: true,
  question: 'bounds',
}

function codeAmountCauses(requested: Requested): Cause[] {
  const { sent } = requested.exchange
  const amount = centavosOf(stringAt(sent, '/amount'))
  const fixed = amountOf(stringAt(sent, '/emv') ?? '', requested)
  if (amount === undefined || fixed === undefined || amount === 0n) return []
  const says = 'another amount than the code fixes'
  return [{ code: 'amount_not_allowed', says, applies: amount !== fixed }]
}

function dateCauses(requested: Requested): Cause[] {
  const date = stringAt(requested.exchange.sent, '/payment_date')
  const { from, to } = spanOf(requested)
  const [day, other] = [dayAt(from), dayAt(to)]
  if (date !== undefined && day !== other) return []
  const applies = date !== undefined && date !== day
  const says = applies ? 'another payment_date than today' : 'a payment_date of today'
  return [{ code: 'payment_date_not_allowed', says, applies }]
}

/** More than the account holds, as a sandbox shows it; or more than any account does. */
function fundsCauses({ exchange, model: { ledger } }: Requested): Cause[] {
  const amount = centavosOf(stringAt(exchange.sent, '/amount'))
  if (amount === undefined || !exchange.by) return []
  const account = ledger.payerOf(exchange.by)
  const balance = ledger.since.length === 0 ? ledger.atRest?.accounts[account ?? '']?.balance : undefined
  const most = centavosOf(balance) ?? MORE_THAN_ANY
  return amount > most
    ? [{ code: 'insufficient_funds', says: 'more than the account holds', applies: true }]
    : []
}

/** A billion reais. */
const MORE_THAN_ANY = 100_000_000_000n

function initiationCauses({ exchange, model }: Requested): Cause[] {
  const use = model.values.usesIn(exchange).find(({ name }) => name === 'initiation')
  const known = use && model.values.known(use, exchange)
  const code = 'initiation_invalid'
  const at = { code, isJudgedElsewhere: true } as const
  if (!use || exchange.beside.length > 0) return []
  if (!known?.issued) {
    const cause = { ...at, says: 'an initiation_id that was never issued', applies: true }
    const isSure = model.isComplete && model.values.forgotten === 0
    return isSure ? [{ ...cause, fact: 'key-then-transfer' }] : []
  }
  if (known.accepted.length > 0)
    return [{ ...at, code: 'initiation_used', says: 'a used initiation_id', applies: true }]
  const found = unbound(use, known, { exchange, model }).map(([, words]) => ({
    ...at,
    says: `an initiation_id ${words}`,
    applies: true,
  }))
  const isYoung = spanOf({ exchange, model }).to - known.issued.trace.time < LIFETIME
  if (found.length > 0 || known.perhaps.length > 0 || !isYoung) return found
  return [{ code, says: 'a new initiation_id', applies: false }]
}

const LIFETIME = 30 * 60_000

/** The fields of a beneficiary, and where a look-up of a key shows them. */
const OF_KEY = {
  account_number: 'account_number',
  account_type: 'account_type',
  branch: 'branch',
  ispb: 'ispb',
  name: 'owner_name',
  tax_id: 'owner_document',
} as const

function beneficiaryCauses({ exchange, model }: Requested): Cause[] {
  const code = 'beneficiary_mismatch'
  const sent = Object.entries(fieldsOf(fieldsOf(exchange.sent).beneficiary))
  if (sent.length === 0) return [{ code, says: 'no beneficiary', applies: false }]
  const source = model.sources
    .of(exchange)
    .findLast(({ operation }) => operation?.id === 'checkCode' || operation?.id === 'checkKey')
  const shown = source?.operation?.id === 'checkCode' ? fieldsOf(source.shown).beneficiary : source?.shown
  const matches = sent.map(([name, value]) => {
    const at = source?.operation?.id === 'checkKey' ? (OF_KEY[name as keyof typeof OF_KEY] ?? name) : name
    return matchesShown(String(value), stringAt(shown, `/${at}`))
  })
  const other = sent[matches.indexOf(false)]
  if (other) return [{ code, says: `another ${other[0]} of the beneficiary`, applies: true }]
  return matches.includes(undefined) ? [] : [{ code, says: 'the beneficiary', applies: false }]
}

/** Whether a field equals what was shown, which may be masked by stars; undefined if that cannot be compared. */
function matchesShown(sent: string, shown: string | undefined): boolean | undefined {
  const plain = (it: string) => it.toLowerCase().replaceAll(/[^\p{L}\d*]|^0+(?=.)/gu, '')
  const [one, other] = [plain(sent), plain(shown ?? '')]
  if (one === '' || other === '' || /^\*+$/.test(other)) return undefined
  if (!other.includes('*')) return one === other
  if (one.length !== other.length) return undefined
  return [...other].every((it, i) => it === '*' || it === one[i])
}
