import { isSameValue, stringAt } from '../contract/json.ts'
import type { ShownBalances } from '../history.ts'
import { centavosOf, reaisOf } from '../model/centavos.ts'
import type { Exchange } from '../model/exchange.ts'
import { nameOf } from '../model/identity.ts'
import { isAtRest } from '../model/ledger.ts'
import { owns, sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import { cited, judge, quoted, type Rule } from './rule.ts'

/** Only a sandbox shows balances: no operation of the contract does. */
export const moneyMoved: Rule = {
  id: 'money-moved',
  says: 'A transfer takes its amount once, from the account of its token; a refused one takes nothing.',
  advice: 'Write both sides of a transfer in one transaction, and roll it back where one of them is refused.',
  readBalances(after, { ledger, records, values }, report) {
    const [transfer, other] = ledger.since
    const before = ledger.atRest
    if (!before || !isAtRest(after) || !transfer?.operation || other || transfer.outcome === 'unknown') return
    const moves = movesOf(before, after)
    const cites = { pointer: transfer.operation.of.pointer }
    const expect = (about: string, isRight: boolean, message: string) =>
      judge(report, transfer, { cites, message: isRight ? undefined : message, about, impact: 'critical' })
    const [id = '', payer = '', amount, emv] = [
      stringAt(transfer.shown, '/id'),
      stringAt(transfer.shown, '/data/account_id'),
      stringAt(transfer.sent, '/amount'),
      stringAt(transfer.sent, '/emv'),
    ]
    const [record] = records.withCode(emv)
    const isReturned = after.rejected.includes(id) || (record && owns(transfer.by, record) === true)
    if (transfer.outcome === 'refused' || isReturned) {
      const words = transfer.outcome === 'refused' ? 'refused' : 'rejected'
      // What came to the payer, or went from another account, is somebody else's.
      const isMoved = [...moves].some(
        ([account, by]) => payer === '' || (account === payer ? by < 0n : by > 0n),
      )
      return expect(words, !isMoved, `A transfer that was ${words} moved a balance.`)
    }
    const [sum = 0n, balance = 0n] = [amount, before.accounts[payer]?.balance].map(centavosOf)
    // More than the balance is a matter of its own, and so is a transfer that was accepted before.
    if (sum === 0n || sum > balance || isAgain(transfer, values)) return
    const taken = -(moves.get(payer) ?? 0n)
    const given = [...moves.values()].reduce((all, it) => all + it, taken)
    const left = `A transfer of ${reaisOf(sum)} took ${reaisOf(taken)} from the payer.`
    const came = `A transfer of ${reaisOf(sum)} gave ${reaisOf(given)} to the receiver.`
    expect('payer', taken === sum, left)
    // The receiver of a code of this history has its account here.
    if (record) expect('receiver', given === sum, came)
  },
}

/** Whether an earlier transfer with the same one-time value was accepted. */
function isAgain(transfer: Exchange, values: Model['values']): boolean {
  return values.usesIn(transfer).some((use) => {
    const known = values.known(use, transfer)
    return known?.issued && known.accepted.some(({ completeAt }) => completeAt < transfer.completeAt)
  })
}

export const moneySettled: Rule = {
  id: 'money-settled',
  says: 'A QR code that a settled transfer has paid is shown as paid.',
  advice: 'Change the state of the QR code in the transaction that settles its transfer.',
  read(exchange, { records, ledger, values, lagMs }, report) {
    const rested = ledger.atRest?.sentAt ?? 0
    for (const shown of exchange.outcome === 'accepted' ? exchange.records : []) {
      const emv = stringAt(shown.fields, '/emv')
      const record = records.find(shown.kind, shown.id)
      const { states, status = '' } = shown.kind.resource
      const before = stringAt(shown.fields, status)
      if (emv === undefined || !record?.created || !states || before === undefined) continue
      const use = { name: 'charge', value: emv, kind: undefined, declared: undefined, pointer: '/emv' }
      const paid = values
        .known(use, exchange)
        ?.accepted.find((it) => it.completeAt < rested && !ledger.isRejected(it))
      const to = states[before]?.on?.pay?.to
      if (!paid || (to !== undefined && exchange.sentAt - paid.completeAt < lagMs)) continue
      const message = `${exchange.operation?.id} shows a QR code that was paid as ${before}; expected ${to}.`
      judge(report, exchange, { cites: cited(states[before]), message: to && message, impact: 'high' })
    }
  },
}

export const moneyAccounts: Rule = {
  id: 'money-accounts',
  says: 'A transfer is paid from the account of its token, shows who owns it, and has an end_to_end_id of its own.',
  advice: 'Take the payer from the token, and draw the end_to_end_id at random.',
  read(exchange, model, report) {
    const { operation, outcome, shown, by } = exchange
    if (operation?.id !== 'createTransfer' || outcome !== 'accepted' || !by) return
    if (model.values.isRepeated(exchange)) return
    const { invariants = {}, resources } = model.contract.behaviour
    const account = stringAt(shown, '/data/account_id')
    const known = account === undefined ? undefined : model.ledger.payer(account)
    if (known) {
      const message = 'createTransfer pays from the account of another identity.'
      const cites = { ...cited(resources?.transfer?.ownership), statement: 'account' }
      const isOwn = known.owner === nameOf(by)
      judge(report, exchange, {
        cites,
        message: isOwn ? undefined : message,
        about: 'account',
        impact: 'high',
      })
    }
    const [payer, expected] = [
      stringAt(shown, '/data/payer/tax_id'),
      taxIdOf(exchange, model) ?? known?.taxId,
    ]
    const message = `createTransfer shows the payer ${quoted(payer)} for an account of ${quoted(expected)}.`
    if (payer !== undefined && expected !== undefined)
      judge(report, exchange, {
        cites: cited(invariants['transfer-payer']),
        message: isSameValue(expected, payer) ? undefined : message,
        about: 'payer',
        impact: 'high',
      })
    const id = stringAt(shown, '/data/end_to_end_id')
    if (id === undefined || id === '') return
    const again = 'createTransfer shows the end_to_end_id of an earlier transfer.'
    judge(report, exchange, {
      cites: cited(invariants['end-to-end-id-unique']),
      message: model.ledger.isEndToEndId(id) ? again : undefined,
      about: 'end_to_end_id',
      impact: 'high',
    })
  },
}

/** The document of the customer that a token acts for, as the look-up of its user showed it. */
function taxIdOf({ by }: Exchange, { kinds, records }: Model): string | undefined {
  const kind = kinds.find(({ name }) => name === 'customer')
  const customer = kind && by?.customer !== undefined ? records.find(kind, by.customer) : undefined
  const taxId = customer && sureValue(customer, 'tax_id')
  return typeof taxId === 'string' && taxId !== '' ? taxId : undefined
}

/** The accounts whose balance moved, and by how much. */
function movesOf(before: ShownBalances, after: ShownBalances): Map<string, bigint> {
  const moves = Object.entries(after.accounts).map(([id, { balance }]) => {
    const [old = 0n, now = 0n] = [before.accounts[id]?.balance ?? balance, balance].map(centavosOf)
    return [id, now - old] as const
  })
  return new Map(moves.filter(([, by]) => by !== 0n))
}
