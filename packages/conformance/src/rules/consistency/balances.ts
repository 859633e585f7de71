import { readCustomerField } from '../../causes/payments.ts'
import { stringAt } from '../../contract/json.ts'
import { SETTLED } from '../../contract/words.ts'
import { centavosOf, reaisOf } from '../../model/amounts.ts'
import type { Exchange } from '../../model/exchange.ts'
import { type BalanceLook, LAG_MS, readShownBalances } from '../../model/shown-balances.ts'
import type { Model } from '../../model.ts'
import { citeEarlier, type RuleContext } from '../rule.ts'

/**
 * Expects that the balances which a service shows of its own accord move as its transfers say. A balance is judged
 * only if one transfer alone may have moved it since it was shown.
 */
export function expectConsistentBalances(context: RuleContext): void {
  const { exchange, model } = context
  // Others may pay or be paid meanwhile.
  if (!model.isComplete) return

  for (const { accountId, account, centavos } of readShownBalances(exchange)) {
    const before = model.balances.findLook(accountId)
    const transfer = before && findOnlyTransfer(before, context)
    if (!before || !transfer) continue

    const change: BalanceChange = {
      ...context,
      before,
      transfer,
      gained: centavos - before.centavos,
    }
    if (transfer.outcome === 'refused') reportRefusedPayment(change)
    else if (readPayer(transfer) === accountId) reportOverpaid(change)
    else if (findPayeeAccount(transfer, model) === account) reportNotReceived(change)
  }
}

/** How a balance has moved, and the only transfer that may have moved it. */
interface BalanceChange extends RuleContext {
  readonly before: BalanceLook
  readonly transfer: Exchange
  /** In centavos; less than zero if the account has lost money. */
  readonly gained: bigint
}

/** Finds the only transfer since a balance was shown; undefined if there are several, or one is on its way. */
function findOnlyTransfer(
  before: BalanceLook,
  { exchange, model }: RuleContext,
): Exchange | undefined {
  const isAnyBeside = exchange.beside.some(({ request }) => request.method === 'POST')
  const [transfer, ...others] = model.balances.listTransfersSince(before)
  const isAlone = transfer !== undefined && others.length === 0 && !isAnyBeside
  return isAlone && transfer.outcome !== 'unknown' ? transfer : undefined
}

/** Reports a refused payment whose amount its payer has lost all the same. */
function reportRefusedPayment(change: BalanceChange): void {
  const { before, transfer, gained, model, report } = change
  const amount = readAmount(transfer)
  const isOfAccount = findOwnAccount(transfer, model) === before.accountId
  if (amount === undefined || !isOfAccount || gained !== -amount) return
  if (amount <= model.balances.findUnsettled(before.accountId)) return

  const message = `createTransfer refused a payment of ${reaisOf(amount)}, and the balance of its payer has fallen by that amount.`
  report.failed(transfer, citeBalance(change), message, { about: 'balance after refusal' })
}

/** Reports a settled payment after which its payer has lost more than its amount. */
function reportOverpaid(change: BalanceChange): void {
  const { before, transfer, gained, model, report } = change
  const amount = readAmount(transfer)
  if (!amount || !isSettledAtOnce(transfer)) return

  const lost = -gained
  report.expect(
    lost <= amount + model.balances.findUnsettled(before.accountId),
    {
      evidence: transfer,
      cites: citeBalance(change),
      about: 'balance of payer',
      // What is more than the amount may be a fee, which the document neither has nor excludes.
      ...(lost !== 2n * amount && { impact: 'high' }),
    },
    () =>
      `After a payment of ${reaisOf(amount)}, the balance of its payer has fallen by ${reaisOf(lost)}.`,
  )
}

/** Reports a settled payment that its receiver has not got, although the balance of the payer has moved. */
function reportNotReceived(change: BalanceChange): void {
  const { exchange, transfer, gained, model, report } = change
  const amount = readAmount(transfer)
  if (!amount || !isSettledAtOnce(transfer) || !model.balances.hasMoved) return

  const mayLag = exchange.sentAt - transfer.completeAt < LAG_MS
  if (gained === 0n && mayLag) return

  report.expect(
    gained !== 0n,
    { evidence: transfer, cites: citeBalance(change), about: 'balance of receiver' },
    () =>
      `After a settled payment of ${reaisOf(amount)}, the balance of its receiver is what it was.`,
  )
}

function citeBalance({ before }: Pick<BalanceChange, 'before'>) {
  return citeEarlier(
    before.by,
    `${before.by.operation} shows the balance ${reaisOf(before.centavos)}`,
  )
}

/** The account of who sends a transfer, as its transfers or its user have shown it. */
function findOwnAccount({ identity }: Exchange, model: Model): string | undefined {
  if (!identity) return undefined
  return model.ledger.findPayer(identity) ?? readCustomerField('account_id', identity, model)
}

function readPayer({ responseBody }: Exchange): string | undefined {
  return stringAt(responseBody, '/data/account_id')
}

function readAmount({ requestBody }: Exchange): bigint | undefined {
  return centavosOf(stringAt(requestBody, '/amount'))
}

/** Whether the response to a transfer shows it as settled, so that its money has moved. */
function isSettledAtOnce({ responseBody }: Exchange): boolean {
  return stringAt(responseBody, '/status') === SETTLED
}

/** The account that a payment of a key credits, as a check of the key has shown it. */
function findPayeeAccount({ requestBody }: Exchange, { ledger }: Model): string | undefined {
  const key = stringAt(requestBody, '/dict_key')
  return key === undefined ? undefined : ledger.findAccountOfKey(key)
}
