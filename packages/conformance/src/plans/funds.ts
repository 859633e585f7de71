import { stringAt } from '../contract/json.ts'
import { reaisOf } from '../model/amounts.ts'
import { NOT_SENT, type Outcome, provesRefusal } from '../send/requests.ts'
import { validBody } from './bodies.ts'
import { transferEvent } from './caused-events.ts'
import { readCodeReceiver } from './code-payers.ts'
import { lookAtCustomers } from './customer-balances.ts'
import type { Plan, PlanContext } from './plan.ts'
import { activate, createReceivingWebhook, waitForDeliveries } from './receiving-webhooks.ts'
import { createRecord, EXAMPLE, prepareValidRequest, withAmount } from './valid-requests.ts'

/**
 * Looks for an amount that an account does not hold, where no balances are shown, and pays a little more in other forms.
 * It is the last plan, since an account may owe money after it.
 */
export const funds: Plan = {
  id: 'funds',
  wants: [],
  /** Does nothing on a live service, and on one that shows balances, around which other plans pay. */
  async run(context) {
    const { mayPayWrongly, isChosen } = context
    if (!mayPayWrongly || !isChosen('createTransfer')) return
    if (await showsBalances(context)) return

    // Its events say whether a payment has settled.
    const webhook = await createReceivingWebhook(context)
    if (webhook) await activate(context, webhook)
    const accepted = await payBeyondFunds(context)
    if (webhook) await waitForDeliveries(context, [webhook], accepted.map(transferEvent))
  },
}

/** Whether a service shows balances, as a sandbox by its control API, or beside its customers. */
async function showsBalances(context: PlanContext): Promise<boolean> {
  if ((await context.lookAtBalances()) !== undefined) return true
  return (await lookAtCustomers(context)).length > 0
}

/** In centavos: more than any account holds, and then less. Few accounts hold a million. */
const LARGE_AMOUNTS = [999_999_999_00n, 99_999_999_00n, 9_999_999_00n, 999_999_00n]
/** Some partners hold a hundred thousand, which a payment of it would take. A customer seldom does. */
const AMOUNT_OF_CUSTOMER = 99_999_00n

/**
 * Pays large amounts as the customer, and then as the partner. Those of the customer are whole reais at first, and those
 * of the partner have centavos: a service may forget the balance in either form. Returns the large payments that were
 * accepted, at most one of each account.
 */
async function payBeyondFunds(context: PlanContext): Promise<readonly Outcome[]> {
  // Where these payments are accepted, only the amount can be wrong with the others.
  const ofCustomer = await payKey(context, { by: 'customer', centavos: 1n })
  const ofPartner = await payKey(context, { by: 'partner', centavos: 1n })
  const account = stringAt(ofCustomer.json, '/data/account_id')
  const isShared = account !== undefined && account === stringAt(ofPartner.json, '/data/account_id')

  const allAccepted: Outcome[] = []
  if (ofCustomer.isAccepted) {
    const amounts = isShared ? LARGE_AMOUNTS : [...LARGE_AMOUNTS, AMOUNT_OF_CUSTOMER]
    const accepted = await payLess(context, { by: 'customer', amounts, isShared })
    if (accepted) allAccepted.push(accepted)
    // The account pays nothing more.
    if (accepted && isShared) return allAccepted
  }

  if (ofPartner.isAccepted) {
    const amounts = LARGE_AMOUNTS.map((centavos) => centavos - 1n)
    const accepted = await payLess(context, { by: 'partner', amounts, isShared })
    if (accepted) allAccepted.push(accepted)
  }
  return allAccepted
}

type Payer = 'customer' | 'partner'

/** A payment by an identity, in centavos. */
interface Attempt {
  readonly by: Payer
  readonly centavos: bigint
}

interface Descent {
  readonly by: Payer
  /** The largest first. */
  readonly amounts: readonly bigint[]
  /** Whether the customer and the partner pay from one account. */
  readonly isShared: boolean
}

/**
 * Pays less and less. What exceeds a limit of each payment is refused for that, and a smaller amount for lack of funds:
 * where the refusal is another one than before, and at the end, pays a little more. Returns the first payment that was
 * accepted; ends too if one may have been made.
 */
async function payLess(
  context: PlanContext,
  { by, amounts, isShared }: Descent,
): Promise<Outcome | undefined> {
  let previous: Outcome | undefined
  for (const centavos of amounts) {
    const outcome = await payKey(context, { by, centavos })
    if (outcome.isAccepted) return outcome
    if (!provesRefusal(outcome)) return undefined

    const isOtherReason = previous !== undefined && !isRefusedAlike(outcome, previous)
    const isLast = centavos === amounts.at(-1)
    if (isOtherReason || isLast) {
      const larger = await payMore(context, { by, centavos }, isShared)
      if (larger) return larger
    }
    previous = outcome
  }
  return undefined
}

function isRefusedAlike(one: Outcome, other: Outcome): boolean {
  return (
    one.status === other.status && stringAt(one.json, '/code') === stringAt(other.json, '/code')
  )
}

/** How much more is paid than what was refused, in centavos. */
const INCREASES = [1n, 10n, 51n, 100n]

/**
 * Pays a refused amount again, and then more: with other centavos, by a code, and with the token of the other payer if
 * both have one account. Returns the first payment that was accepted.
 */
async function payMore(
  context: PlanContext,
  { by, centavos }: Attempt,
  isShared: boolean,
): Promise<Outcome | undefined> {
  // The same amount again shows that the reason for its refusal has not passed.
  const attempts = [0n, ...INCREASES].map(
    (increase) => () => payKey(context, { by, centavos: centavos + increase }),
  )
  const byOther = by === 'customer' ? 'partner' : 'customer'
  if (isShared) attempts.push(() => payKey(context, { by: byOther, centavos: centavos + 2n }))
  if (by === 'customer') attempts.push(() => payCode(context, centavos + 1n))

  for (const attempt of attempts) {
    const outcome = await attempt()
    if (outcome.isAccepted) return outcome
  }
  return undefined
}

/** Pays the key of the example, after a look-up for this payment. */
async function payKey(context: PlanContext, { by, centavos }: Attempt): Promise<Outcome> {
  const options = { example: EXAMPLE.key, by } as const
  const input = await prepareValidRequest(context, 'createTransfer', options)
  if (!input) return NOT_SENT
  return context.send('createTransfer', withAmount(input, reaisOf(centavos)))
}

/** Pays a static code of an amount as the customer, unless the code may be its own. */
async function payCode(context: PlanContext, centavos: bigint): Promise<Outcome> {
  const { send, codePayers } = context
  const amount = reaisOf(centavos)
  const body = { ...validBody(context, 'createStaticQrCode'), amount }
  const { emv } = await createRecord(context, 'createStaticQrCode', { body })
  if (emv === undefined) return NOT_SENT

  const by = 'customer'
  const { json } = await send('checkCode', { body: { emv }, by })
  const isOfOther = (await codePayers.compare(readCodeReceiver(json))) === 'different'
  if (!codePayers.isDefaultPayer || !isOfOther) return NOT_SENT
  return send('createTransfer', { body: { type: 'emv', emv, amount }, by })
}
