import { readCustomerField } from '../../causes/payments.ts'
import { behaviour } from '../../contract/behaviour.ts'
import { findOnlyItem, stringAt } from '../../contract/json.ts'
import { SETTLED } from '../../contract/words.ts'
import { readSentAmount, reaisOf } from '../../model/amounts.ts'
import {
  type BalanceLook,
  type RefusedOverdraft,
  readShownBalances,
} from '../../model/balance-history.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { Model } from '../../model.ts'
import type { Cites } from '../../report/report.ts'
import { cite, citeEarlier, type RuleContext } from '../rule.ts'
import { listAmountsIn } from './comparisons.ts'

/**
 * Expects that the balances of customers, which a service need not show, move as its transfers say. A balance is judged
 * only if it was shown in the last ten minutes, and a single transfer was sent since then.
 */
export function expectConsistentBalances(context: RuleContext): void {
  const { exchange, model } = context
  // Others may pay or be paid meanwhile.
  if (!model.isComplete) return

  for (const { accountId, account, centavos } of readShownBalances(exchange)) {
    const before = model.balances.findLook(accountId, exchange.sentAt)
    const transfer = before && findOnlyTransfer(before, context)
    if (!before || !transfer) continue

    const change: BalanceChange = {
      ...context,
      before,
      transfer,
      gained: centavos - before.centavos,
    }
    if (transfer.outcome === 'refused') reportRefusedPayment(change)
    else if (readPayer(transfer) === accountId) judgePayer(change)
    else if (findPayeeAccount(transfer, model) === account) expectReceived(change)
  }
}

/** How a balance has moved, and the only transfer that was sent since it was shown before. */
interface BalanceChange extends RuleContext {
  readonly before: BalanceLook
  readonly transfer: Exchange
  /** In centavos; less than zero if the account has lost money. */
  readonly gained: bigint
}

/**
 * Finds the only transfer since a balance was shown. Undefined if there are several, if its outcome is not known, or
 * if another request may be one that is on its way.
 */
function findOnlyTransfer(
  before: BalanceLook,
  { exchange, model }: RuleContext,
): Exchange | undefined {
  const isAnyBeside = exchange.beside.some(({ request }) => request.method === 'POST')
  if (isAnyBeside) return undefined

  const transfer = findOnlyItem(model.balances.listTransfersSince(before))
  return transfer?.outcome === 'unknown' ? undefined : transfer
}

/** Reports a refused payment whose amount its payer has lost all the same. */
function reportRefusedPayment(change: BalanceChange): void {
  const { before, transfer, gained, model, report } = change
  const amount = readSentAmount(transfer)
  const isOfAccount = findOwnAccount(transfer, model) === before.accountId
  if (amount === undefined || !isOfAccount || gained !== -amount) return

  if (mayBeTakenByEarlier(amount, change)) return

  const message = `createTransfer refused a payment of ${reaisOf(amount)}, and the balance of its payer has fallen by that amount.`
  report.failed(transfer, citeBalance(change), message, { about: 'balance after refusal' })
}

/** Judges what an accepted payment has taken from its payer. */
function judgePayer(change: BalanceChange): void {
  expectNoMoreTaken(change)
  reportOverdraft(change)
}

/** Expects that a settled payment has taken its amount from its payer, and no more than its response shows. */
function expectNoMoreTaken(change: BalanceChange): void {
  const { before, transfer, gained, model, report } = change
  const amount = readSentAmount(transfer)
  if (!amount || !isSettledAtOnce(transfer)) return

  const lost = -gained
  if (showsWhatWasTaken(transfer, { amount, lost })) return

  const unsettled = model.balances.findUnsettled(before.accountId)
  const mayBeFeeOfEarlier = unsettled > 0n && lost !== 2n * amount
  // With a fee each time, or more often, it is more than twice the amount.
  const isTakenTwice = lost >= 2n * amount
  report.expect(
    lost <= amount + unsettled,
    {
      evidence: transfer,
      cites: citeBalance(change),
      about: nameLoss({ isTakenTwice, mayBeFeeOfEarlier }),
      // The response to an earlier payment, which may have settled meanwhile, may have shown a fee.
      ...(mayBeFeeOfEarlier && { impact: 'high' }),
    },
    () =>
      `After a payment of ${reaisOf(amount)}, the balance of its payer has fallen by ${reaisOf(lost)}.`,
  )
}

/** Names a loss for the id of its finding. Each kind has its own, so that a baseline that accepts one accepts no other. */
function nameLoss(loss: { readonly isTakenTwice: boolean; readonly mayBeFeeOfEarlier: boolean }) {
  if (loss.mayBeFeeOfEarlier) return 'balance of payer, with earlier'
  return loss.isTakenTwice ? 'balance of payer, taken twice' : 'balance of payer'
}

/** What the names of fields with a fee, or with the sum of amount and fee, have in them: in English and Portuguese. */
const FEE_WORDS = ['fee', 'tarif', 'taxa']
const TOTAL_WORDS = ['total']

/**
 * Whether the response to a transfer shows what its payer has lost beyond the amount, such as a fee, or the sum. Every
 * response shows the amount itself. So if just that was lost beyond it, only a field that says so shows it.
 */
function showsWhatWasTaken(
  { responseBody }: Exchange,
  { amount, lost }: { readonly amount: bigint; readonly lost: bigint },
): boolean {
  if (lost <= amount) return false

  const totals = listAmountsIn(responseBody, TOTAL_WORDS)
  const isTwice = lost === 2n * amount
  if (isTwice) {
    const fees = listAmountsIn(responseBody, FEE_WORDS)
    return fees.includes(amount) || totals.includes(lost)
  }

  const shownAmounts = listAmountsIn(responseBody)
  if (shownAmounts.includes(lost)) return true

  // The total of one amount and its fee shows no fee of that size: the second amount was taken with it.
  const fee = lost - amount
  const isTotalOfOne = totals.includes(fee) && shownAmounts.includes(fee - amount)
  return shownAmounts.includes(fee) && !isTotalOfOne
}

/**
 * Reports a settled payment of more than its account held, which owes money now. An overdraft may be what the service
 * sells. That it has refused a smaller payment for lack of funds contradicts it.
 */
function reportOverdraft(change: BalanceChange): void {
  const { before, transfer, gained, report } = change
  const amount = readSentAmount(transfer)
  if (!amount || !isSettledAtOnce(transfer) || gained !== -amount) return

  const after = before.centavos + gained
  if (after >= 0n || mayBeTakenByEarlier(amount, change)) return

  const paid = `createTransfer paid ${reaisOf(amount)} from a balance of ${reaisOf(before.centavos)}`
  const refused = findSmallerRefused(amount, change)
  if (!refused) {
    const message = `${paid}, which is ${reaisOf(after)} now.`
    const cites = cite(behaviour.refusals.insufficient_funds)
    report.failed(transfer, cites, message, { about: 'overdraft', impact: 'high' })
    return
  }

  const refusal = `refused ${reaisOf(refused.amount)} from ${reaisOf(refused.balance)} for lack of funds`
  const cites = citeEarlier(refused.by, `createTransfer ${refusal}`)
  report.failed(transfer, cites, `${paid}, although it had ${refusal}.`, { about: 'overdraft' })
}

/**
 * Finds an earlier payment from the same account that was refused for lack of funds, although it was not larger, and
 * would not have left the account with a larger debt: an overdraft up to a limit does not explain it.
 */
function findSmallerRefused(
  amount: bigint,
  { before, model }: BalanceChange,
): RefusedOverdraft | undefined {
  const refused = model.balances.findRefusedOverdraft(before.accountId)
  if (!refused || refused.amount > amount) return undefined

  const refusedDebt = refused.amount - refused.balance
  const debt = amount - before.centavos
  return refusedDebt <= debt ? refused : undefined
}

/** Expects that a settled payment has moved the balance of its receiver. */
function expectReceived(change: BalanceChange): void {
  const { exchange, transfer, gained, model, report } = change
  const amount = readSentAmount(transfer)
  // Without a payment that has moved a balance, those shown may be of yesterday.
  if (!amount || !isSettledAtOnce(transfer) || !model.balances.hasMoved) return

  const isSame = gained === 0n
  const mayLag = exchange.sentAt - transfer.completeAt < model.lagMs
  const isExplained = mayLag || mayBeTakenByEarlier(amount, change)
  if (isSame && isExplained) return

  report.expect(
    !isSame,
    { evidence: transfer, cites: citeBalance(change), about: 'balance of receiver' },
    () =>
      `After a settled payment of ${reaisOf(amount)}, the balance of its receiver is what it was.`,
  )
}

/** Whether an earlier transfer from the account, which has settled only since then, may have taken this amount. */
function mayBeTakenByEarlier(amount: bigint, { before, model }: BalanceChange): boolean {
  return amount <= model.balances.findUnsettled(before.accountId)
}

function citeBalance({ before }: BalanceChange): Cites {
  return citeEarlier(
    before.by,
    `${before.by.operation} shows the balance ${reaisOf(before.centavos)}`,
  )
}

/** Finds the account of the identity that sends a transfer, as its earlier transfers or its user have shown it. */
function findOwnAccount({ identity }: Exchange, model: Model): string | undefined {
  if (!identity) return undefined
  return model.ledger.findPayer(identity) ?? readCustomerField('account_id', identity, model)
}

function readPayer({ responseBody }: Exchange): string | undefined {
  return stringAt(responseBody, '/data/account_id')
}

/** Whether the response to a transfer shows it as settled, so that its money has moved. */
function isSettledAtOnce({ responseBody }: Exchange): boolean {
  return stringAt(responseBody, '/status') === SETTLED
}

/** Finds the account that a payment of a key credits, as a check of the key has shown it. */
function findPayeeAccount({ requestBody }: Exchange, { ledger }: Model): string | undefined {
  const key = stringAt(requestBody, '/dict_key')
  return key === undefined ? undefined : ledger.findAccountOfKey(key)
}
