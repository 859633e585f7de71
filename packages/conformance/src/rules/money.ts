import { chargeOf, partsOf } from '../causes/codes.ts'
import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, isSameValue, stringAt, valueAt } from '../contract/json.ts'
import { stateOf } from '../contract/kinds.ts'
import type { ShownBalances } from '../history.ts'
import { centavosOf, reaisOf } from '../model/amounts.ts'
import { type Exchange, isValid, nameOf } from '../model/exchange.ts'
import { owns, sureValue } from '../model/records.ts'
import { chargeUse } from '../model/values.ts'
import type { Model } from '../model.ts'
import type { Cites, Report } from '../report/report.ts'
import { earlierTransfers, isShownAgain } from './once.ts'
import { isForbidden } from './refusals.ts'
import { an, cited, judge, quoted, type Rule } from './rule.ts'

const { invariants, refusals, resources } = behaviour

const moneySums: Rule = {
  id: 'money-sums',
  says: 'The final amount of a code is the original one, less deduction and discount, plus interest and fine.',
  advice: 'Calculate with whole centavos.',
  settles: ['code-value-change/open'],
  read(exchange, _, report) {
    if (exchange.operation?.id !== 'checkCode' || exchange.outcome !== 'accepted') return
    const expect = expectInvariants(exchange, report)
    const [total, original, ...parts] = AMOUNTS.map((it) => centavosOf(valueAt(exchange.shown, it)))
    const isOpen = valueAt(exchange.shown, '/allow_value_change')
    const open = `allow_value_change is ${isOpen} for an original_amount of ${stringAt(exchange.shown, '/original_amount')}.`
    if (original !== undefined && typeof isOpen === 'boolean')
      expect(
        'open-amount',
        isOpen === (original === 0n),
        open,
        original === 0n ? 'open' : undefined,
      )
    const [interest, fine, deduction, discount] = parts
    if (
      total === undefined ||
      original === undefined ||
      interest === undefined ||
      fine === undefined
    )
      return
    if (deduction === undefined || discount === undefined) return
    const isRight = total === original + interest + fine - deduction - discount
    expect('final-amount', isRight, 'final_amount is another sum than that of its parts.')
  },
}

const AMOUNTS = [
  '/final_amount',
  '/original_amount',
  '/interest',
  '/fine',
  '/deduction',
  '/discount',
]

/** Expects what the contract declares of every response. */
export function expectInvariants(exchange: Exchange, report: Report) {
  return (about: string, isRight: boolean, message: string, statement?: string) =>
    judge(report, exchange, {
      cites: { ...cited(invariants[about]), ...(statement && { statement }) } as Cites,
      message: !isRight && `${exchange.operation?.id}: ${message}`,
      about,
      impact: 'high',
    })
}

const moneyDue: Rule = {
  id: 'money-due',
  says: 'The amount of a charge follows its deduction, discount, fine and interest on each day until it expires.',
  advice:
    "Follow annex III of the central bank's manual: each part truncated to centavos, days of Brazil's time.",
  settles: ['final-amount/'],
  read(exchange, model, report) {
    if (exchange.operation?.id !== 'checkCode' || exchange.outcome !== 'accepted') return
    const record = chargeOf(stringAt(exchange.sent, '/emv') ?? '', { exchange, model })
    const created = record?.created
    const isRight = created && isValid(created) && !isForbidden({ exchange: created, model })
    const parts = isRight ? partsOf(record, { exchange, model }) : undefined
    for (const [name, due] of Object.entries(parts ?? {})) {
      const shown = valueAt(exchange.shown, `/${name}`)
      if (typeof shown !== 'string' || !/^\d+(\.\d+)?$/.test(shown)) continue
      const { modality } = fieldsOf(valueAt(created?.sent, `/amount/${name}`))
      const words =
        modality === undefined ? 'a charge' : `a charge with ${an(name)} of modality ${modality}`
      const message = `checkCode shows ${name} of ${words} as ${shown}; expected ${reaisOf(due)}.`
      const cites = { question: 'final-amount' }
      const isDue = centavosOf(shown) === due
      judge(report, exchange, { cites, message: !isDue && message, about: name, impact: 'high' })
    }
  },
}

const moneyTransfers: Rule = {
  id: 'money-transfers',
  says: 'The parts of a transfer agree: its ids, its status, its times and its payer.',
  advice: 'Show a transfer by one function.',
  read(exchange, model, report) {
    if (exchange.operation?.id !== 'createTransfer' || exchange.outcome !== 'accepted') return
    const expect = expectInvariants(exchange, report)
    const shown = (pointer: string) => stringAt(exchange.shown, pointer)
    expect('transfer-envelope', shown('/id') === shown('/data/id'), 'id differs from that in data.')
    const isSame = shown('/status') === shown('/data/status')
    expect('transfer-envelope-status', isSame, 'status differs from that in data.')
    for (const { about, isRight, message } of filledFields(valueAt(exchange.shown, '/data')))
      expect(about, isRight, message)
    const [id = '', ispb = ''] = ['/data/end_to_end_id', '/data/payer/ispb'].map(shown)
    const isId = id.startsWith(`E${ispb}`) && isMinuteOf(id, model.timeAt(exchange.completeAt))
    expect('end-to-end-id', isId, 'end_to_end_id names another institution or minute.')
  },
}

/** The fields of a transfer that are filled in one state alone, with the invariants that say so. */
export function filledFields(data: unknown) {
  return (['settled-at', 'rejection-message'] as const).map((about) => {
    const { field, is } = invariants[about].filledWhen
    const [text, status] = [field, '/status'].map((it) => stringAt(data, it))
    const isKnown = status !== undefined && Object.hasOwn(resources.transfer.states, status)
    const isExpected = isKnown && is['/status'].includes(status)
    const isRight = text === undefined || !isKnown || isFilled(text) === isExpected
    const message = `${field.slice(1)} of a ${status} transfer must be ${isExpected ? 'filled' : 'empty'}.`
    return { about, isRight, message }
  })
}

/** Whether a service does not show a word for nothing in place of a value. */
export function isFilled(text: string): boolean {
  return !/^(-+|n\/a|none|nil|null|0001-01-01t00:00:00z)?$/i.test(text)
}

/** Whether an end_to_end_id names a minute near a time, in UTC: less far than Brazilian time is. */
function isMinuteOf(id: string, time: number): boolean {
  const [, year, month, day, hour, minute] =
    /^E.{8}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)[A-Za-z0-9]{11}$/.exec(id) ?? []
  return Math.abs(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) - time) < 90 * 60_000
}

const moneyAccounts: Rule = {
  id: 'money-accounts',
  says: 'A transfer is paid from the account of its token, shows who owns it, and has an end_to_end_id of its own.',
  advice: 'Take the payer from the token, and draw the end_to_end_id at random.',
  read(exchange, model, report) {
    const { operation, outcome, shown, by } = exchange
    if (operation?.id !== 'createTransfer' || outcome !== 'accepted' || !by) return
    if (model.values.isRepeated(exchange)) return
    const [account = '', payer, id] = ['account_id', 'payer/tax_id', 'end_to_end_id'].map((it) =>
      stringAt(shown, `/data/${it}`),
    )
    const known = model.ledger.payer(account)
    const owner = { ...cited(resources.transfer.ownership), statement: 'account' }
    const foreign =
      known?.owner !== nameOf(by) && 'createTransfer pays from the account of another identity.'
    if (known)
      judge(report, exchange, { cites: owner, message: foreign, about: 'account', impact: 'high' })
    const own = ofCustomer('account_id', exchange, model)
    const wrong = 'createTransfer shows another account_id than the customer that pays.'
    if (own !== undefined) {
      const cites = cited({ question: 'customer-fields' })
      judge(report, exchange, { cites, message: own !== account && wrong, about: 'account_id' })
    }
    const expected = ofCustomer('tax_id', exchange, model) ?? known?.taxId
    const isPayer = isSameValue(expected, payer)
    const other = `createTransfer shows the payer ${quoted(payer)} for an account of ${quoted(expected)}.`
    const cites = cited(invariants['transfer-payer'])
    if (payer !== undefined && expected !== undefined)
      judge(report, exchange, { cites, message: !isPayer && other, about: 'payer', impact: 'high' })
    if (!id) return
    const again =
      model.ledger.isEndToEndId(id) &&
      'createTransfer shows the end_to_end_id of an earlier transfer.'
    const unique = cited(invariants['end-to-end-id-unique'])
    judge(report, exchange, {
      cites: unique,
      message: again,
      about: 'end_to_end_id',
      impact: 'high',
    })
  },
}

/** A field of the customer that a token acts for, as the look-up of its user showed it. */
function ofCustomer(
  name: 'tax_id' | 'account_id',
  { by }: Exchange,
  { records }: Model,
): string | undefined {
  const customer = records.find({ name: 'customer' }, by?.customer ?? '')
  const value = customer && sureValue(customer, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Only a sandbox shows balances: no operation of the contract does. */
const moneyMoved: Rule = {
  id: 'money-moved',
  says: 'A transfer takes its amount once, from the account of its token; a refused one takes nothing.',
  advice:
    'Write both sides of a transfer in one transaction, and roll it back where one of them is refused.',
  readBalances(after, model, report) {
    const { ledger, records } = model
    const { atRest: before, since } = ledger
    const [transfer, other] = since
    if (
      !before ||
      after.isPending ||
      !transfer?.operation ||
      other ||
      transfer.outcome === 'unknown'
    )
      return
    const moves = movesOf(before, after)
    const cites = { pointer: transfer.operation.of.pointer }
    const expect = (about: string, isRight: boolean, message: string, isTwice = false) =>
      judge(report, transfer, {
        ...{ cites, message: !isRight && message, about },
        impact: isTwice ? 'critical' : 'high',
      })
    const [id = '', payer = ''] = ['/id', '/data/account_id'].map((it) =>
      stringAt(transfer.shown, it),
    )
    const [record] = records.withCode(stringAt(transfer.sent, '/emv'))
    const key = stringAt(transfer.sent, '/dict_key') ?? ''
    const isToOneself =
      (record && owns(transfer.by, record) === true) ||
      (transfer.by && ledger.hasKey(transfer.by, key))
    const isReturned = after.rejected.includes(id) || isToOneself
    if (transfer.outcome === 'refused' || isReturned) {
      const words = transfer.outcome === 'refused' ? 'refused' : 'rejected'
      // What came to the payer, or went from another account, is somebody else's.
      const isMoved = [...moves].some(
        ([account, by]) => payer === '' || (account === payer ? by < 0n : by > 0n),
      )
      return expect(words, !isMoved, `A transfer that was ${words} moved a balance.`)
    }
    const [sum = 0n, balance = 0n] = [
      stringAt(transfer.sent, '/amount'),
      before.accounts[payer],
    ].map(centavosOf)
    const taken = -(moves.get(payer) ?? 0n)
    const requested = { exchange: transfer, model }
    const again = `A transfer that was shown again took ${reaisOf(taken)} from the payer.`
    if (isShownAgain(requested)) return expect('again', taken === 0n, again, true)
    // More than the balance is a matter of its own, and so is a transfer that was accepted before.
    if (sum === 0n || sum > balance || earlierTransfers(requested).length > 0) return
    const received = [...moves.values()].reduce((all, it) => all + it, taken)
    const words = `A transfer of ${reaisOf(sum)}`
    expect(
      'payer',
      taken === sum,
      `${words} took ${reaisOf(taken)} from the payer.`,
      taken >= 2n * sum,
    )
    // The receiver of a code of this history has its account here.
    if (record)
      expect('receiver', received === sum, `${words} gave ${reaisOf(received)} to the receiver.`)
  },
}

const moneyCovered: Rule = {
  id: 'money-covered',
  says: 'The transfers that are accepted from an account take no more than it holds, also while they are pending.',
  advice: 'Set the amount of a pending transfer aside, and compare the next one with what is left.',
  readBalances(after, { ledger }, report) {
    const { atRest: before, since } = ledger
    if (!before || after.isPending || since.some(({ outcome }) => outcome === 'unknown')) return
    const kept = since.filter(
      ({ outcome, shown }) =>
        outcome === 'accepted' && !after.rejected.includes(stringAt(shown, '/id') ?? ''),
    )
    const [account = '', ...others] = new Set(
      kept.map(({ shown }) => stringAt(shown, '/data/account_id')),
    )
    const balance = centavosOf(before.accounts[account])
    const last = kept.at(-1)
    // One that is refused shows that the others were counted.
    if (!last || balance === undefined || since.length < 2 || others.length > 0) return
    const sum = kept.reduce(
      (all, { sent }) => all + (centavosOf(stringAt(sent, '/amount')) ?? 0n),
      0n,
    )
    const message = `createTransfer accepted transfers of ${reaisOf(sum)} from a balance of ${reaisOf(balance)}.`
    const cites = cited(refusals.insufficient_funds)
    judge(report, last, { cites, message: sum > balance && message, impact: 'high' })
  },
}

/** The accounts whose balance moved, and by how much. */
function movesOf(before: ShownBalances, after: ShownBalances): Map<string, bigint> {
  const moves = Object.entries(after.accounts).map(([id, balance]) => {
    const [old = 0n, now = 0n] = [before.accounts[id] ?? balance, balance].map(centavosOf)
    return [id, now - old] as const
  })
  return new Map(moves.filter(([, by]) => by !== 0n))
}

const moneySettled: Rule = {
  id: 'money-settled',
  says: 'A QR code that a settled transfer has paid is shown as paid.',
  advice: 'Change the state of the QR code in the transaction that settles its transfer.',
  read(exchange, { records, ledger, values, lagMs }, report) {
    const rested = ledger.atRest?.sentAt ?? 0
    for (const { kind, id, fields } of exchange.records) {
      const [emv, before] = ['/emv', '/status'].map((it) => stringAt(fields, it))
      if (emv === undefined || before === undefined || !records.find(kind, id)?.created) continue
      const { accepted = [] } = values.known(chargeUse(emv), exchange) ?? {}
      const paid = accepted.find((it) => it.completeAt < rested && !ledger.isRejected(it))
      const state = stateOf(kind, before)
      const to = state?.on?.pay?.to
      if (!paid || (to !== undefined && exchange.sentAt - paid.completeAt < lagMs)) continue
      const message = `${exchange.operation?.id} shows a QR code that was paid as ${before}; expected ${to}.`
      judge(report, exchange, { cites: cited(state), message: to && message, impact: 'high' })
    }
  },
}

export const moneyRules = [
  moneySums,
  moneyDue,
  moneyTransfers,
  moneyAccounts,
  moneyMoved,
  moneyCovered,
  moneySettled,
]
