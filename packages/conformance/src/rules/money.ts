import { calculateAmountDue, findCharge } from '../causes/codes.ts'
import { isForbidden } from '../causes/index.ts'
import { findEarlierTransfers, isRejected, isSettled, isShownAgain } from '../causes/once.ts'
import { findTransfersOfCode, readCustomerField } from '../causes/payments.ts'
import { MORE_THAN_ANY_ACCOUNT } from '../causes/transfers.ts'
import { behaviour } from '../contract/behaviour.ts'
import { fieldsOf, findOnlyItem, stringAt, valueAt } from '../contract/json.ts'
import { findState, type ShownRecord } from '../contract/kinds.ts'
import { PAID } from '../contract/words.ts'
import type { ShownBalances } from '../history.ts'
import { centavosOf, readSentAmount, reaisOf } from '../model/amounts.ts'
import { type Exchange, isValid, listTransferIds, nameOf } from '../model/exchange.ts'
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
import { isSameOrMasked } from './tax-ids.ts'

const { invariants, refusals, resources } = behaviour

const moneyDue: Rule = {
  id: 'money-due',
  says: 'The amount of a charge follows its deduction, discount, fine and interest on each day until it expires.',
  advice:
    "Follow annex III of the central bank's manual: each part truncated to centavos, days of Brazil's time.",
  settles: [
    'final-amount/deduction',
    'final-amount/discount',
    'final-amount/fine',
    'final-amount/interest',
  ],
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Compares the amounts that the check of a charge shows, such as `fine` and `final_amount`, with those that follow
   * from the request that created the charge: of 100.00 and a fine of 2 percent, 2.00 after the due date.
   */
  read(exchange, model, report) {
    const emv = stringAt(exchange.requestBody, '/emv')
    const isCheck = exchange.operation?.id === 'checkCode' && exchange.outcome === 'accepted'
    if (!isCheck || emv === undefined) return

    const record = findCharge(emv, { exchange, model })
    const creation = record?.created
    // The contract does not say what is due of a charge that should have been refused.
    if (!creation || !isValid(creation) || isForbidden({ exchange: creation, model })) return

    // Only what is certain: `{ original_amount: 10000n, fine: 200n }`.
    const parts = calculateAmountDue(record, { exchange, model }) ?? {}
    for (const [name, due] of Object.entries(parts))
      expectAmountOfPart(name, due, creation, { exchange, report })
  },
}

/**
 * Expects that the check of a charge shows the right amount of one part.
 *
 * @param name Such as `fine`.
 * @param due What it must be, in centavos.
 * @param creation The request that created the charge.
 */
function expectAmountOfPart(
  name: string,
  due: bigint,
  creation: Exchange,
  { exchange, report }: Omit<RuleContext, 'model'>,
): void {
  const shown = stringAt(exchange.responseBody, `/${name}`)
  if (shown === undefined || !isDecimal(shown)) return

  const centavos = centavosOf(shown)
  // An amount with fractions of a centavo has none.
  const difference = centavos === undefined ? 'form' : classifyAmountDifference(due, centavos)
  report.expect(
    centavos === due,
    {
      evidence: exchange,
      cites: citeStatement({ question: 'final-amount' }, findStatement(name, due)),
      about: `${name} ${difference}`,
      impact: 'high',
    },
    () =>
      `checkCode shows ${name} of ${describeCharge(name, creation)} as ${shown}; expected ${reaisOf(due)}.`,
  )
}

/** The parts that change an amount. Each is a statement of the open question how the final amount is calculated. */
const CHANGING_PARTS: readonly string[] = ['deduction', 'discount', 'fine', 'interest']

/** The statement that the amount of a part is a case of, such as `fine`. None if no fine is due, as on the due date. */
function findStatement(name: string, due: bigint): string | undefined {
  return CHANGING_PARTS.includes(name) && due > 0n ? name : undefined
}

function isDecimal(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text)
}

/** Describes a charge for a message: `a charge with a discount of modality 2`. */
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
  /**
   * Judges the account and the payer that the response to a transfer shows: they must be those of the identity that
   * sent it, a partner or a customer.
   */
  read(exchange, model, report) {
    const { operation, outcome, identity } = exchange
    if (operation?.id !== 'createTransfer' || outcome !== 'accepted' || !identity) return
    // A service that accepts a one-time value again may show the transfer of another identity.
    if (model.values.isRepeated(exchange)) return

    // By the contract, either each customer has an account, or the partner has one for all.
    const isOfPartner = resources.transfer.owner === 'partner'
    const accountHolder = isOfPartner ? identity.partner : nameOf(identity)
    expectOwnAccount(accountHolder, { exchange, model, report })
    expectAccountOfCustomer({ exchange, model, report })
    expectPayer({ exchange, model, report })
  },
}

/** Reads the account from which a transfer was paid, as its response shows it. A refusal shows none. */
function readAccount({ responseBody }: Exchange): string | undefined {
  return stringAt(responseBody, '/data/account_id')
}

/**
 * Expects that no other identity has paid before from the account that a transfer is paid from. The first one that
 * paid from an account counts as its owner. Does nothing if the response shows no account, or a new one.
 *
 * @param identity The name of the identity that sends the transfer.
 */
function expectOwnAccount(identity: string, { exchange, model, report }: RuleContext): void {
  const account = readAccount(exchange)
  const owner = account === undefined ? undefined : model.ledger.findOwner(account)
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
    isSameOrMasked('/payer/tax_id', expected, payer),
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
   * Compares the balances of all accounts before and after a transfer. If it was paid, it must have moved its amount,
   * and otherwise nothing. Does nothing unless exactly one transfer came between the two looks at the balances.
   */
  readBalances(after, model, report) {
    const { lastBalances: before, transfersSince } = model.ledger
    const [transfer, ...otherTransfers] = transfersSince
    if (!before || !transfer?.operation) return
    // Nobody knows which of several transfers moved what, nor what a pending one will move.
    if (otherTransfers.length > 0 || after.isPending || transfer.outcome === 'unknown') return

    const payer = readAccount(transfer)
    const moves = compareBalances(before, after)
    const change: BalanceChange = { transfer, payer, before, after, moves, model, report }

    const result = classifyTransfer(change)
    if (result === 'paid') expectAmountMoved(change)
    else if (result === 'shown again') expectNoSecondPayment(change)
    else expectNothingMoved(result, change)
  },
}

/** What became of a transfer that is alone between two looks at the balances. */
type TransferResult = 'paid' | 'shown again' | 'refused' | 'rejected' | 'paid to oneself'

/**
 * Says what became of a transfer: `rejected` after it was accepted, or `shown again` if its response only repeats
 * that of an earlier transfer.
 */
function classifyTransfer(change: BalanceChange): TransferResult {
  const { transfer, after, model } = change
  if (transfer.outcome === 'refused') return 'refused'
  if (wasRejected(transfer, after)) return 'rejected'
  if (isPaidToOneself(change)) return 'paid to oneself'
  if (isShownAgain({ exchange: transfer, model })) return 'shown again'
  return 'paid'
}

/** The balances before and after a transfer, the only one between two looks. */
interface BalanceChange {
  readonly transfer: Exchange
  /** The account that pays; undefined of a refusal. */
  readonly payer: string | undefined
  readonly before: ShownBalances
  readonly after: ShownBalances
  /** The accounts whose balance moved, and by how many centavos. */
  readonly moves: ReadonlyMap<string, bigint>
  readonly model: Model
  readonly report: Report
}

/** Calculates the centavos that the payer has lost. */
function calculateCentavosTaken({ payer, moves }: BalanceChange): bigint {
  const gained = payer === undefined ? undefined : moves.get(payer)
  return gained === undefined ? 0n : -gained
}

/**
 * Whether a transfer paid a charge or a key of the identity that sent it, so that no balance moves. A key is known
 * as that of an identity once it has created a QR code with it.
 */
function isPaidToOneself(change: BalanceChange): boolean {
  if (findOwnCharge(change)) return true

  const { transfer, model } = change
  const key = stringAt(transfer.requestBody, '/dict_key')
  if (key === undefined || !transfer.identity) return false
  return model.ledger.hasKey(transfer.identity, key)
}

/** Whether a transfer was rejected, as the balances after it show. */
function wasRejected(transfer: Exchange, { rejected }: ShownBalances): boolean {
  return listTransferIds(transfer).some((id) => rejected.includes(id))
}

/** Finds the charge that a transfer of its owner pays; undefined if it is that of another one. */
function findOwnCharge({ transfer, model }: BalanceChange): KnownRecord | undefined {
  const [charge] = model.records.findByCode(stringAt(transfer.requestBody, '/emv'))
  return charge && compareOwner(transfer.identity, charge) === 'same' ? charge : undefined
}

/**
 * Expects that a transfer that was refused, rejected later, or paid to its own payer has moved no balance: it took
 * nothing from the payer, and gave nothing to another account.
 *
 * @param how What happened to it, for the message.
 */
function expectNothingMoved(
  how: 'refused' | 'rejected' | 'paid to oneself',
  change: BalanceChange,
): void {
  const { transfer, report } = change
  // That nothing moves follows from who owns the charge, if it is the payer's own, and else from the transfer. After a
  // rejection, the owner does not matter.
  const ownCharge = how === 'rejected' ? undefined : findOwnCharge(change)
  report.expect(
    !hasMovedBalance(change),
    {
      evidence: transfer,
      cites: ownCharge ? cite(ownCharge.kind.resource.ownership) : citeOperation(transfer),
      about: how,
      impact: 'high',
    },
    () => `A transfer that was ${how} moved a balance.`,
  )
}

/**
 * Whether a transfer took money from its payer, or gave money to another account: `{ payer: -1000n }` or
 * `{ other: 1000n }`. The other way round, the money is of another payment.
 */
function hasMovedBalance({ payer, moves }: BalanceChange): boolean {
  // A refusal shows no payer, so that any move counts.
  if (payer === undefined) return moves.size > 0

  for (const [account, centavos] of moves) {
    const isTaken = account === payer && centavos < 0n
    const isGiven = account !== payer && centavos > 0n
    if (isTaken || isGiven) return true
  }
  return false
}

/** Expects that a response which only shows an earlier transfer again has taken nothing from the payer. */
function expectNoSecondPayment(change: BalanceChange): void {
  const { transfer, report } = change
  const centavosTaken = calculateCentavosTaken(change)
  report.expect(
    centavosTaken === 0n,
    {
      evidence: transfer,
      cites: citeOperation(transfer),
      about: 'again',
      impact: 'critical',
    },
    () => `A transfer that was shown again took ${reaisOf(centavosTaken)} from the payer.`,
  )
}

/**
 * Expects that an accepted transfer takes its amount from the payer, and, if it pays a code that this history shows,
 * gives it to the receiver. Does nothing for a transfer that should have been refused, which other rules judge.
 */
function expectAmountMoved(change: BalanceChange): void {
  const { transfer, payer, before, model } = change
  if (payer === undefined) return

  const amount = readSentAmount(transfer)
  const balance = centavosOf(before.accounts[payer])
  if (!amount || balance === undefined) return

  // The rule money-covered judges a payment of more than the balance.
  if (amount > balance) return
  // Other rules judge the second use of an initiation_id, or of the code of a charge.
  const transfersWithSameValue = findEarlierTransfers({ exchange: transfer, model })
  if (transfersWithSameValue.length > 0) return

  expectTaken(amount, change)

  // The receiver of a code of this history has its account here.
  const [charge] = model.records.findByCode(stringAt(transfer.requestBody, '/emv'))
  if (charge) expectReceived(amount, change)
}

/** Expects that the payer has lost the amount of a transfer, and not twice as much. */
function expectTaken(amount: bigint, change: BalanceChange): void {
  const { transfer, report } = change
  const centavosTaken = calculateCentavosTaken(change)
  const isTakenTwice = centavosTaken >= 2n * amount
  report.expect(
    centavosTaken === amount,
    {
      evidence: transfer,
      cites: citeOperation(transfer),
      // Of its own, so that a baseline that accepts a fee does not accept this.
      about: isTakenTwice ? 'payer, taken twice' : 'payer',
      impact: isTakenTwice ? 'critical' : 'high',
    },
    () => `A transfer of ${reaisOf(amount)} took ${reaisOf(centavosTaken)} from the payer.`,
  )
}

/** Expects that the accounts other than that of the payer have gained the amount of a transfer, together. */
function expectReceived(amount: bigint, change: BalanceChange): void {
  const { transfer, payer, moves, report } = change
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
  /** Reports each settled transfer of more than any account can hold, which is half a billion reais. */
  end(model, report) {
    // Each accepted transfer is a change of a record.
    for (const { kind, exchange } of model.deliveries.changes) {
      if (kind.name !== 'transfer') continue

      const amount = readSentAmount(exchange)
      const isTooMuch = amount !== undefined && amount > MORE_THAN_ANY_ACCOUNT
      if (!isTooMuch || !hasMovedMoney(exchange, model)) continue

      const message = `A transfer of ${reaisOf(amount)} has settled; expected that no account holds more than ${reaisOf(MORE_THAN_ANY_ACCOUNT)}.`
      report.failed(exchange, cite(refusals.insufficient_funds), message, {
        about: 'settled',
        impact: 'high',
      })
    }
  },
  /**
   * Expects that the transfers that were accepted between two looks at the balances add up to no more than what
   * their payer had before. Does nothing if several accounts paid, or if a transfer may still be pending.
   */
  readBalances(after, { ledger }, report) {
    const { lastBalances: before, transfersSince } = ledger
    const isAnyUnknown = transfersSince.some(({ outcome }) => outcome === 'unknown')
    if (!before || after.isPending || isAnyUnknown) return
    // One alone proves nothing. Of two, the second may be refused, as it must be if the first took all the money.
    if (transfersSince.length < 2) return

    const paidTransfers = transfersSince.filter(
      (transfer) => transfer.outcome === 'accepted' && !wasRejected(transfer, after),
    )
    const lastTransfer = paidTransfers.at(-1)
    if (!lastTransfer) return

    const payer = findOnlyPayer(paidTransfers)
    const balance = payer === undefined ? undefined : centavosOf(before.accounts[payer])
    if (balance === undefined) return

    const sum = sumAmounts(paidTransfers)
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

/** Finds the account that has paid all of some transfers; undefined if several have, or none is shown. */
function findOnlyPayer(transfers: readonly Exchange[]): string | undefined {
  const payers = new Set(transfers.map(readAccount))
  return findOnlyItem([...payers])
}

/** Adds up the amounts of transfers, in centavos. */
function sumAmounts(transfers: readonly Exchange[]): bigint {
  let sum = 0n
  for (const transfer of transfers) sum += readSentAmount(transfer) ?? 0n
  return sum
}

/** Maps the accounts whose balance moved to how many centavos they gained: `{ a1: -1000n }`. */
function compareBalances(before: ShownBalances, after: ShownBalances): Map<string, bigint> {
  const moves = new Map<string, bigint>()
  for (const [account, balance] of Object.entries(after.accounts)) {
    const balanceBefore = before.accounts[account]
    // Of an account that was not shown before, nobody knows whether its balance has moved.
    if (balanceBefore === undefined) continue

    const centavosBefore = centavosOf(balanceBefore) ?? 0n
    const centavosAfter = centavosOf(balance) ?? 0n
    const move = centavosAfter - centavosBefore
    if (move !== 0n) moves.set(account, move)
  }
  return moves
}

const moneySettled: Rule = {
  id: 'money-settled',
  says: 'A QR code that a settled transfer has paid is shown as paid.',
  advice: 'Change the state of the QR code in the transaction that settles its transfer.',
  needs: ALL_BUT_REQUEST_HEADERS,
  /**
   * Expects that a response does not show a QR code as unpaid after a transfer of it has settled. Codes without a
   * settled transfer are not judged.
   */
  read(exchange, model, report) {
    for (const shownRecord of exchange.records) {
      const payment = findSettledPayment(shownRecord, model)
      if (payment) expectNotUnpaid(shownRecord, payment, { exchange, model, report })
    }
  },
}

/**
 * Finds a transfer that has certainly paid a QR code whose creation the history shows; undefined if there is none.
 */
function findSettledPayment({ kind, id, fields }: ShownRecord, model: Model): Exchange | undefined {
  const emv = stringAt(fields, '/emv')
  const isCreationShown = model.records.find(kind, id)?.created !== undefined
  if (emv === undefined || !isCreationShown) return undefined

  const { accepted = [] } = findTransfersOfCode(emv, model) ?? {}
  return accepted.find((transfer) => hasMovedMoney(transfer, model))
}

/**
 * Expects that a response does not show a paid QR code in another declared state than that of a paid one. Does
 * nothing if the payment is so new that the read may lag behind it, or if the code was cancelled before it.
 */
function expectNotUnpaid(
  shownRecord: ShownRecord,
  payment: Exchange,
  { exchange, model, report }: RuleContext,
): void {
  const { kind, fields } = shownRecord
  const status = stringAt(fields, '/status')
  if (status === undefined) return

  // A service may have a word of its own for the state.
  const state = findState(kind, status)
  const isUnpaid = state !== undefined && status !== PAID
  // So soon after the payment, a read may show the code as it was before.
  const mayLag = exchange.sentAt - payment.completeAt < model.lagMs
  if (isUnpaid && mayLag) return

  // The rule money-consistent judges the payment of a code that was cancelled before.
  const cancellation = model.consistency.findCancellation(shownRecord)
  if (cancellation && cancellation.by.sentAt <= payment.completeAt) return

  report.expect(
    !isUnpaid,
    {
      evidence: exchange,
      cites: cite(state),
      impact: 'high',
    },
    () => `${exchange.operation?.id} shows a QR code that was paid as ${status}; expected ${PAID}.`,
  )
}

/** Whether a transfer has certainly moved money. */
function hasMovedMoney(transfer: Exchange, model: Model): boolean {
  return !isRejected(transfer, model) && isSettled(transfer, model)
}

export const moneyRules = [moneyDue, moneyAccounts, moneyMoved, moneyCovered, moneySettled]
