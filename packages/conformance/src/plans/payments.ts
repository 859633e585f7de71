import { stringAt } from '../contract/json.ts'
import { OPEN } from '../contract/words.ts'
import type { ShownBalances } from '../history.ts'
import { centavosOf, reaisOf } from '../model/amounts.ts'
import { LAG_MS } from '../model.ts'
import type { Input, Outcome } from '../send/requests.ts'
import { validBody } from './bodies.ts'
import { findCustomer } from './customers.ts'
import type { Plan, PlanContext } from './plan.ts'
import { DUE_DATE_CODES, IMMEDIATE_CODES } from './records.ts'
import {
  createRecord,
  EXAMPLE,
  preparePartnerKeyPayment,
  prepareValidRequest,
  TOO_MUCH,
  withAmount,
} from './valid-requests.ts'
import { recordsOnPage } from './walk-list.ts'

/**
 * Pays keys and codes, and looks at the balances of a sandbox and at QR codes after each transfer.
 */
export const payments: Plan = {
  id: 'payments',
  wants: ['money-moved', 'money-covered', 'money-settled', 'money-accounts'],
  /**
   * Pays keys and codes, and amounts around the balance of the payer. Between payments it looks at the
   * balances, so that the rules about money can add up what was moved.
   */
  async run(context) {
    if (!context.isChosen('createTransfer')) return
    const balances = await waitForSettlement(context)
    const paid = await payKey(context, 'customer')
    await payKey(context, 'partner')
    await payTooMuch(context, paid)
    // A refusal takes nothing, so that the same payment is accepted as before.
    await payKey(context, 'customer')

    const parts = [
      ...CODE_EXAMPLES.map((example) => () => payCode(context, example)),
      () => context.sideBySide(AMOUNTS, (amount) => checkCodesOfAmount(context, amount)),
      () => payOneself(context),
    ]
    // Of several transfers between two looks at balances, nobody knows which one moved what.
    if (balances) for (const part of parts) await part()
    else await context.sideBySide<() => Promise<unknown>, unknown>(parts, (part) => part())
  },
}

/** The examples of createTransfer that pay codes. */
const CODE_EXAMPLES = [EXAMPLE.staticCode, EXAMPLE.immediateCode, EXAMPLE.dueDateCode]

/** Amounts with zeros and nines, which services lose by formatting and by floats. */
const AMOUNTS = ['0.01', '10.05', '1.10', '9999999999.99']

/** Creates a code of each kind with the amount `original`, such as `0.01`, and checks each. */
async function checkCodesOfAmount(context: PlanContext, original: string): Promise<void> {
  const amounts = {
    createStaticQrCode: original,
    createImmediateQrCode: { original },
    createDueDateQrCode: { original },
  }
  for (const [operation, amount] of Object.entries(amounts)) {
    const body = { ...validBody(context, operation), amount }
    const { emv } = await createRecord(context, operation, { body })
    if (emv !== undefined) await context.send('checkCode', { body: { emv } })
  }
}

const PAUSE_MS = 25
/** So often a run looks at the balances, until all transfers have settled. */
const MAX_LOOKS = 80

/**
 * Waits until each transfer is settled or rejected, since only then the balances are final. A sandbox
 * settles when its clock is moved. Returns the balances; undefined if the service shows none, or a
 * transfer stays pending.
 */
async function waitForSettlement({
  lookAtBalances,
  clock,
  wait,
}: PlanContext): Promise<ShownBalances | undefined> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const balances = await lookAtBalances()
    if (!balances?.isPending) return balances
    const isMoved = await clock.advance(1)
    if (!isMoved) await wait(PAUSE_MS)
  }
  return undefined
}

/** Sends a transfer, and waits until it has settled. Undefined if there is no request to send. */
async function pay(context: PlanContext, input: Input | undefined): Promise<Outcome | undefined> {
  const paid = input && (await context.send('createTransfer', input))
  await waitForSettlement(context)
  return paid
}

/** Pays the key of the example. Returns the outcome; undefined if its look-up was refused. */
async function payKey(
  context: PlanContext,
  by: 'partner' | 'customer',
): Promise<Outcome | undefined> {
  return pay(
    context,
    await prepareValidRequest(context, 'createTransfer', { example: EXAMPLE.key, by }),
  )
}

/**
 * Pays as a customer what its account does not hold: more than any account does and, if a sandbox shows
 * its balance, a centavo more than the balance. Then two payments that only together exceed it (two thirds
 * each), one after a refusal, and all that the account holds.
 *
 * @param paid A transfer of the customer, which shows its account.
 */
async function payTooMuch(context: PlanContext, paid: Outcome | undefined): Promise<void> {
  // No account has the empty id, so that no balance is found for it.
  const accountId = stringAt(paid?.json, '/data/account_id') ?? ''
  const balance = await readBalance(context, accountId)
  const input = await prepareValidRequest(context, 'createTransfer', {
    example: EXAMPLE.key,
    by: 'customer',
  })
  if (!paid?.isAccepted || !input) return

  const amounts = [...TOO_MUCH]
  if (balance !== undefined) amounts.push(reaisOf(balance + 1n))
  for (const amount of amounts) {
    const intent = { variantOf: paid.sentAt, edit: '/amount' }
    await pay(context, { ...withAmount(input, amount), intent })
  }

  if (balance === undefined) return
  await payTwiceBeyondBalance(context, reaisOf((balance * 2n) / 3n))
  await payAfterRefusal(context, reaisOf(balance + 1n))
  await payAll(context, accountId)
}

/** The balance of an account in centavos, once no transfer is pending. Undefined if it is not shown. */
async function readBalance(context: PlanContext, accountId: string): Promise<bigint | undefined> {
  const balances = await waitForSettlement(context)
  return centavosOf(balances?.accounts[accountId])
}

/**
 * Pays as the customer all that its account holds, which must be accepted, and then pays it back as the
 * partner. Done only if the tax ID of the customer is its key, so that it can get the money back.
 */
async function payAll(context: PlanContext, accountId: string): Promise<void> {
  const { taxId: dict_key, account } = await findCustomer(context, 'partner')
  const { json } = await context.send('checkKey', { body: { dict_key } })
  const initiation_id = stringAt(json, '/initiation_id')
  const isKeyOfCustomer = stringAt(json, '/account_number') === account
  if (!isKeyOfCustomer) return

  const balance = await readBalance(context, accountId)
  const input = await prepareValidRequest(context, 'createTransfer', {
    example: EXAMPLE.key,
    by: 'customer',
  })
  if (initiation_id === undefined || balance === undefined || !input) return

  // The initiation_id for the payment back is there before the account is empty.
  const amount = reaisOf(balance)
  const paid = await pay(context, withAmount(input, amount))
  if (paid?.isAccepted)
    await pay(context, { body: { type: 'dict', amount, initiation_id, dict_key } })
}

/**
 * Sends two payments of which the customer can cover only one: the second right after the first, which may
 * still be pending. Then waits until both are settled or rejected.
 */
async function payTwiceBeyondBalance(context: PlanContext, amount: string): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const input = await prepareValidRequest(context, 'createTransfer', {
      example: EXAMPLE.key,
      by: 'customer',
    })
    if (input) await context.send('createTransfer', withAmount(input, amount))
  }
  await waitForSettlement(context)
}

/**
 * Pays a code as a customer that cannot cover its amount, and then as another partner. The refusal of the
 * first payment must leave the code open for the second.
 */
async function payAfterRefusal(context: PlanContext, amount: string): Promise<void> {
  if (!context.identities.has('other')) return
  const body = { ...validBody(context, 'createImmediateQrCode'), amount: { original: amount } }
  const { emv } = await createRecord(context, 'createImmediateQrCode', { body })
  if (emv === undefined) return
  for (const by of ['customer', 'other'] as const)
    await pay(context, { body: { type: 'emv', emv, amount }, by })
}

/**
 * Pays a code, then pays it again while the payment may be pending and once it has settled, and at last
 * cancels it. The service must refuse all but the first payment.
 */
async function payCode(context: PlanContext, example: number): Promise<void> {
  const input = await prepareValidRequest(context, 'createTransfer', { example, by: 'customer' })
  const paid = await pay(context, input)
  if (!paid?.isAccepted) return
  await pay(context, input)

  // A static code has neither a list nor an end.
  const kind = KIND_OF_EXAMPLE[example]
  if (kind === undefined) return
  const id = await findPaidCode(context, kind.list, stringAt(input?.body, '/emv'))
  // Now the first payment has settled. Before, it may have been refused only since that was pending.
  await pay(context, input)
  if (id !== undefined) await context.send(kind.cancel, { path: { id } })
}

/** The kinds of the codes that the first examples of createTransfer pay. */
const KIND_OF_EXAMPLE = [undefined, IMMEDIATE_CODES, DUE_DATE_CODES]

/** A list that lags is read so often, every 1.1 seconds: together longer than a list may lag. */
const LAG_PAUSE_MS = 1_100
const MAX_LAGGING_READS = 1 + Math.ceil(LAG_MS / LAG_PAUSE_MS)

/**
 * Finds the id of a paid code in its list. Reads the list again while it shows the code as open, since the
 * list may lag behind the payment. Undefined if the list does not show the code.
 */
async function findPaidCode(
  context: PlanContext,
  list: string,
  emv = '',
): Promise<string | undefined> {
  let record: unknown
  for (let read = 0; read < MAX_LAGGING_READS; read++) {
    const { json } = await context.send(list)
    record = recordsOnPage(json).find((code) => stringAt(code, '/emv') === emv)
    // A list that lags may not show the newest code yet. If the service sorts it in another direction than
    // declared, which the run has learned before, the code is on a later page, and waiting is no use.
    const hasOtherDirection = context.form.findDirection(list) !== undefined
    const isAwaited = record === undefined && !hasOtherDirection
    const isStillOpen = record !== undefined && stringAt(record, '/status') === OPEN
    if (!isAwaited && !isStillOpen) break
    await context.wait(LAG_PAUSE_MS)
  }
  return stringAt(record, '/id')
}

/**
 * Pays as the partner its own key twice, and its own code once. A service may reject a payment to oneself,
 * so that a customer then pays the code, which must still be open.
 */
async function payOneself(context: PlanContext): Promise<void> {
  const toOwnKey = await preparePartnerKeyPayment(context)
  if (toOwnKey) {
    const paidTwice = withAmount(toOwnKey, '1.00')
    await pay(context, paidTwice)
    await pay(context, paidTwice)
  }

  const input = await prepareValidRequest(context, 'createTransfer', {
    example: EXAMPLE.immediateCode,
    by: 'partner',
  })
  await pay(context, input)
  await context.send('listImmediateQrCodes')
  await pay(context, input && { ...input, by: 'customer' })
}
