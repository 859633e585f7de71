import { calculateAmountDue, findCharge } from '../causes/codes.ts'
import { isForbidden } from '../causes/index.ts'
import { findEarlierTransfers, isRejected, isSettled, isShownAgain } from '../causes/once.ts'
import { findTransfersOfCode, readCustomerField } from '../causes/payments.ts'
import { MORE_THAN_ANY_ACCOUNT } from '../causes/transfers.ts'
import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, isSameValue, stringAt, valueAt } from '../contract/json.ts'
import { findState } from '../contract/kinds.ts'
import type { ShownBalances } from '../history.ts'
import { centavosOf, reaisOf } from '../model/amounts.ts'
import { type Exchange, isValid, nameOf } from '../model/exchange.ts'
import { compareOwner, type KnownRecord } from '../model/records.ts'
import type { Model } from '../model.ts'
import type { Report } from '../report/report.ts'
import { classifyAmountDifference } from './difference.ts'
import {
  ALL_BUT_REQUEST_HEADERS,
  cite,
  citeStatement,
  quote,
  type Rule,
  type RuleContext,
  withArticle,
} from './rule.ts'

const { invariants, refusals, resources } = behaviour

const moneyDue: Rule = {
  id: 'money-due',
  says: 'The amount of a charge follows its deduction, discount, fine and interest on each day until it expires.',
  advice:
    "Follow annex III of the central bank's manual: each part truncated to centavos, days of Brazil's time.",
  settles: ['final-amount/'],
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Compares the amounts that the check of a charge shows, such as `fine` and `final_amount`, with those
   * that follow from the request that created the charge.
   */
  read(exchange, model, report) {
    if (exchange.operation?.id !== 'checkCode' || exchange.outcome !== 'accepted') return

    const record = findCharge(stringAt(exchange.requestBody, '/emv') ?? '', { exchange, model })
    const created = record?.created
    // The contract does not say what is due of a charge that should have been refused.
    if (!created || !isValid(created) || isForbidden({ exchange: created, model })) return

    const parts = calculateAmountDue(record, { exchange, model })
    if (!parts) return

    for (const [name, due] of Object.entries(parts)) {
      const shown = valueAt(exchange.responseBody, `/${name}`)
      if (typeof shown !== 'string' || !isDecimal(shown)) continue

      const centavos = centavosOf(shown)
      report.expect(
        centavos === due,
        {
          evidence: exchange,
          cites: { question: 'final-amount' },
          about: `${name} ${centavos === undefined ? 'form' : classifyAmountDifference(due, centavos)}`,
          impact: 'high',
        },
        () =>
          `checkCode shows ${name} of ${describeCharge(name, created)} as ${shown}; expected ${reaisOf(due)}.`,
      )
    }
  },
}

function isDecimal(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text)
}

/** Such as `a charge with a discount of modality 2`. */
function describeCharge(part: string, created: Exchange): string {
  const { modality } = fieldsOf(valueAt(created.requestBody, `/amount/${part}`))
  if (modality === undefined) return 'a charge'
  return `a charge with ${withArticle(part)} of modality ${modality}`
}

const moneyAccounts: Rule = {
  id: 'money-accounts',
  says: 'A transfer is paid from the account of its token, and shows who owns it.',
  advice: 'Take the payer from the token.',
  needs: ['responseBody'],
  /** Judges the account and the payer that the response to a transfer shows, by the identity that sent it. */
  read(exchange, model, report) {
    const { operation, outcome, identity } = exchange
    if (operation?.id !== 'createTransfer' || outcome !== 'accepted' || !identity) return
    // A service that accepts a one-time value again may show the transfer of another identity.
    if (model.values.isRepeated(exchange)) return

    const isOfPartner = resources.transfer.owner === 'partner'
    expectOwnAccount(isOfPartner ? identity.partner : nameOf(identity), { exchange, model, report })
    expectAccountOfCustomer({ exchange, model, report })
    expectPayer({ exchange, model, report })
  },
}

/** Reads the account from which a transfer was paid. */
function readAccount({ responseBody }: Exchange): string {
  return stringAt(responseBody, '/data/account_id') ?? ''
}

/**
 * Expects that no other identity has paid before from the account that a transfer is paid from.
 *
 * @param identity The name of the identity that sends the transfer.
 */
function expectOwnAccount(identity: string, { exchange, model, report }: RuleContext): void {
  const owner = model.ledger.findOwner(readAccount(exchange))
  if (owner === undefined) return

  report.expect(
    owner === identity,
    {
      evidence: exchange,
      cites: citeStatement(resources.transfer.ownership, 'account'),
      about: 'account',
      impact: 'high',
    },
    () => 'createTransfer pays from the account of another identity.',
  )
}

/** Expects that a customer pays from the account that the look-up of its user showed. */
function expectAccountOfCustomer({ exchange, model, report }: RuleContext): void {
  const expected = readCustomerField('account_id', exchange.identity, model)
  if (expected === undefined) return

  report.expect(
    expected === readAccount(exchange),
    {
      evidence: exchange,
      cites: { question: 'customer-fields' },
      about: 'account_id',
      impact: 'high',
    },
    () => 'createTransfer shows another account_id than the customer that pays.',
  )
}

/** Expects that a transfer shows as its payer the tax ID that the look-up of a user showed of the customer. */
function expectPayer({ exchange, model, report }: RuleContext): void {
  const payer = stringAt(exchange.responseBody, '/data/payer/tax_id')
  const expected = readCustomerField('tax_id', exchange.identity, model)
  if (payer === undefined || expected === undefined) return

  report.expect(
    isSameValue(expected, payer),
    {
      evidence: exchange,
      cites: cite(invariants['transfer-payer']),
      about: 'payer',
      impact: 'high',
    },
    () =>
      `createTransfer shows the payer ${quote(payer)}; expected ${quote(expected)}, the customer that pays.`,
  )
}

/** Only a sandbox shows balances: no operation of the contract does. */
const moneyMoved: Rule = {
  id: 'money-moved',
  says: 'A transfer takes its amount once, from the account of its token; a refused one takes nothing.',
  advice:
    'Write both sides of a transfer in one transaction, and roll it back where one of them is refused.',
  /**
   * Compares the balances of all accounts before and after one transfer: an accepted transfer moves its
   * amount. One that was refused, rejected, paid to oneself, or is only shown again moves nothing.
   */
  readBalances(after, model, report) {
    const { lastBalances: before, transfersSince } = model.ledger
    const [transfer, ...otherTransfers] = transfersSince
    // With several transfers, or one that has not ended (`isPending`), nobody knows which of them moved what.
    if (!before || after.isPending || !transfer?.operation || otherTransfers.length > 0) return
    if (transfer.outcome === 'unknown') return

    const moves = compareBalances(before, after)
    const change: BalanceChange = { transfer, before, after, moves, model, report }
    if (transfer.outcome === 'refused') expectNothingMoved('refused', change)
    else if (wasRejected(change)) expectNothingMoved('rejected', change)
    else if (isPaidToOneself(change)) expectNothingMoved('paid to oneself', change)
    else if (isShownAgain({ exchange: transfer, model })) expectNoSecondPayment(change)
    else expectAmountMoved(change)
  },
}

/** The balances before and after a transfer, the only one between two looks. */
interface BalanceChange {
  readonly transfer: Exchange
  readonly before: ShownBalances
  readonly after: ShownBalances
  /** The accounts whose balance moved, and by how many centavos. */
  readonly moves: ReadonlyMap<string, bigint>
  readonly model: Model
  readonly report: Report
}

/** Reads the account that pays, as the response to the transfer shows it. */
function readPayerAccount({ transfer }: BalanceChange): string {
  return stringAt(transfer.responseBody, '/data/account_id') ?? ''
}

/** Calculates the centavos that the payer has lost. */
function calculateCentavosTaken(change: BalanceChange): bigint {
  return -(change.moves.get(readPayerAccount(change)) ?? 0n)
}

/** Whether a transfer paid a charge or a key of the identity that sent it, so that no balance moves. */
function isPaidToOneself(change: BalanceChange): boolean {
  const { transfer, model } = change
  if (findOwnCharge(change)) return true

  const key = stringAt(transfer.requestBody, '/dict_key') ?? ''
  return transfer.identity !== undefined && model.ledger.hasKey(transfer.identity, key)
}

/** Whether the transfer was rejected, as the balances after it show. */
function wasRejected({ transfer, after }: BalanceChange): boolean {
  const id = stringAt(transfer.responseBody, '/id') ?? ''
  return after.rejected.includes(id)
}

/** Finds the charge that a transfer of its owner pays; undefined if it is that of another one. */
function findOwnCharge({ transfer, model }: BalanceChange): KnownRecord | undefined {
  const [charge] = model.records.findByCode(stringAt(transfer.requestBody, '/emv'))
  return charge && compareOwner(transfer.identity, charge) === 'same' ? charge : undefined
}

/**
 * Expects that a transfer that was refused, was rejected later, or was paid to its payer takes nothing from
 * the payer, and gives nothing to another account.
 *
 * @param how What happened to it, for the message.
 */
function expectNothingMoved(
  how: 'refused' | 'rejected' | 'paid to oneself',
  change: BalanceChange,
): void {
  const { transfer, moves, report } = change
  const payer = readPayerAccount(change)
  // A payment of the payer's own charge moves nothing, since the owner of the charge is its receiver. After
  // a rejection, the owner does not matter.
  const charge = how === 'rejected' ? undefined : findOwnCharge(change)
  const hasMoved = [...moves].some(([account, centavos]) => {
    // A refusal shows no payer.
    if (payer === '') return true
    // Money that came to the payer, or left another account, is of another payment.
    return account === payer ? centavos < 0n : centavos > 0n
  })
  report.expect(
    !hasMoved,
    {
      evidence: transfer,
      cites: charge ? cite(charge.kind.resource.ownership) : citeOperation(transfer),
      about: how,
      impact: 'high',
    },
    () => `A transfer that was ${how} moved a balance.`,
  )
}

/** Expects that a response which only shows an earlier transfer again has taken nothing from the payer. */
function expectNoSecondPayment(change: BalanceChange): void {
  const { transfer, report } = change
  const taken = calculateCentavosTaken(change)
  report.expect(
    taken === 0n,
    {
      evidence: transfer,
      cites: citeOperation(transfer),
      about: 'again',
      impact: 'critical',
    },
    () => `A transfer that was shown again took ${reaisOf(taken)} from the payer.`,
  )
}

/**
 * Expects that an accepted transfer takes its amount from the payer, and, if it pays a code of this
 * history, gives it to the receiver.
 */
function expectAmountMoved(change: BalanceChange): void {
  const { transfer, before, model } = change
  const amount = centavosOf(stringAt(transfer.requestBody, '/amount'))
  const balance = centavosOf(before.accounts[readPayerAccount(change)])
  if (!amount || balance === undefined) return

  // Other rules judge a payment of more than the balance, and a one-time value that was used before.
  if (amount > balance) return
  const earlier = findEarlierTransfers({ exchange: transfer, model })
  if (earlier.length > 0) return

  expectTaken(amount, change)

  // The receiver of a code of this history has its account here.
  const [charge] = model.records.findByCode(stringAt(transfer.requestBody, '/emv'))
  if (charge) expectReceived(amount, change)
}

/** Expects that the payer has lost the amount of a transfer, and not twice as much. */
function expectTaken(amount: bigint, change: BalanceChange): void {
  const { transfer, report } = change
  const taken = calculateCentavosTaken(change)
  const isTakenTwice = taken >= 2n * amount
  report.expect(
    taken === amount,
    {
      evidence: transfer,
      cites: citeOperation(transfer),
      about: 'payer',
      impact: isTakenTwice ? 'critical' : 'high',
    },
    () => `A transfer of ${reaisOf(amount)} took ${reaisOf(taken)} from the payer.`,
  )
}

/** Expects that the accounts other than that of the payer have gained the amount of a transfer, together. */
function expectReceived(amount: bigint, change: BalanceChange): void {
  const { transfer, moves, report } = change
  const payer = readPayerAccount(change)
  let received = 0n
  for (const [account, centavos] of moves) if (account !== payer) received += centavos

  report.expect(
    received === amount,
    {
      evidence: transfer,
      cites: citeOperation(transfer),
      about: 'receiver',
      impact: 'high',
    },
    () => `A transfer of ${reaisOf(amount)} gave ${reaisOf(received)} to the receiver.`,
  )
}

/** Cites the operation of a transfer. */
function citeOperation({ operation }: Exchange) {
  return { pointer: operation?.declaration.pointer ?? '' }
}

const moneyCovered: Rule = {
  id: 'money-covered',
  says: 'The transfers that are accepted from an account take no more than it holds, also while they are pending.',
  advice: 'Set the amount of a pending transfer aside, and compare the next one with what is left.',
  /** Reports each settled transfer of more than any account can hold. */
  end(model, report) {
    for (const { kind, exchange } of model.deliveries.changes) {
      const amount = centavosOf(stringAt(exchange.requestBody, '/amount')) ?? 0n
      const isTooMuch = kind.name === 'transfer' && amount > MORE_THAN_ANY_ACCOUNT
      if (!isTooMuch || !hasMovedMoney(exchange, model)) continue

      const message = `A transfer of ${reaisOf(amount)} has settled; expected that no account holds more than ${reaisOf(MORE_THAN_ANY_ACCOUNT)}.`
      report.failed(exchange, cite(refusals.insufficient_funds), message, {
        about: 'settled',
        impact: 'high',
      })
    }
  },
  /**
   * Expects that the accepted transfers between two reads of the balances add up to no more than the
   * balance of their one payer.
   */
  readBalances(after, { ledger }, report) {
    const { lastBalances: before, transfersSince } = ledger
    const isAnyUnknown = transfersSince.some(({ outcome }) => outcome === 'unknown')
    if (!before || after.isPending || isAnyUnknown) return

    const paidTransfers = transfersSince.filter((transfer) => wasKept(transfer, after))
    const lastTransfer = paidTransfers.at(-1)
    // One alone proves nothing. If the second one was refused, the service has counted the first one.
    if (!lastTransfer || transfersSince.length < 2) return

    const accounts = new Set(paidTransfers.map(readAccount))
    const [account = '', ...otherAccounts] = accounts
    const balance = centavosOf(before.accounts[account])
    if (balance === undefined || otherAccounts.length > 0) return

    let sum = 0n
    for (const { requestBody } of paidTransfers)
      sum += centavosOf(stringAt(requestBody, '/amount')) ?? 0n
    report.expect(
      sum <= balance,
      {
        evidence: lastTransfer,
        cites: cite(refusals.insufficient_funds),
        impact: 'high',
      },
      () =>
        `createTransfer accepted transfers of ${reaisOf(sum)} from a balance of ${reaisOf(balance)}.`,
    )
  },
}

/** Whether a transfer was accepted, and not rejected later. */
function wasKept({ outcome, responseBody }: Exchange, { rejected }: ShownBalances): boolean {
  return outcome === 'accepted' && !rejected.includes(stringAt(responseBody, '/id') ?? '')
}

/** Maps the accounts whose balance moved to how many centavos they gained: `{ a1: -1000n }`. */
function compareBalances(before: ShownBalances, after: ShownBalances): Map<string, bigint> {
  const moves = new Map<string, bigint>()
  for (const [id, balance] of Object.entries(after.accounts)) {
    // The balance of an account that was not shown before has not moved.
    const centavosBefore = centavosOf(before.accounts[id] ?? balance) ?? 0n
    const centavosAfter = centavosOf(balance) ?? 0n
    const move = centavosAfter - centavosBefore
    if (move !== 0n) moves.set(id, move)
  }
  return moves
}

const moneySettled: Rule = {
  id: 'money-settled',
  says: 'A QR code that a settled transfer has paid is shown as paid.',
  advice: 'Change the state of the QR code in the transaction that settles its transfer.',
  needs: ALL_BUT_REQUEST_HEADERS,
  /** Expects that a response does not show a QR code as open after a transfer of it has settled. */
  read(exchange, model, report) {
    for (const { kind, id, fields } of exchange.records) {
      const emv = stringAt(fields, '/emv')
      const status = stringAt(fields, '/status')
      if (emv === undefined || status === undefined) continue
      if (!model.records.find(kind, id)?.created) continue

      const payment = findSettledPayment(emv, model)
      if (!payment) continue

      // A state from which a payment leads to another one is open.
      const state = findState(kind, status)
      const paidState = state?.on?.pay?.to
      const isOpen = paidState !== undefined
      const isRecent = exchange.sentAt - payment.completeAt < model.lagMs
      if (isOpen && isRecent) continue

      report.expect(
        !isOpen,
        {
          evidence: exchange,
          cites: cite(state),
          impact: 'high',
        },
        () =>
          `${exchange.operation?.id} shows a QR code that was paid as ${status}; expected ${paidState}.`,
      )
    }
  },
}

/** Finds a transfer that has certainly paid a code; undefined if there is none. */
function findSettledPayment(emv: string, model: Model): Exchange | undefined {
  const { accepted = [] } = findTransfersOfCode(emv, model) ?? {}
  return accepted.find((transfer) => hasMovedMoney(transfer, model))
}

/** Whether a transfer has certainly moved money. */
function hasMovedMoney(transfer: Exchange, model: Model): boolean {
  return !isRejected(transfer, model) && isSettled(transfer, model)
}

export const moneyRules = [moneyDue, moneyAccounts, moneyMoved, moneyCovered, moneySettled]
