import { stringAt } from '../contract/json.ts'
import { OPEN } from '../contract/words.ts'
import type { ShownBalances } from '../history.ts'
import { centavosOf, reaisOf } from '../model/amounts.ts'
import { LAG_MS } from '../model.ts'
import type { Input, Outcome } from '../send/requests.ts'
import { validBody } from './bodies.ts'
import { findCustomer } from './customers.ts'
import { payBetweenLooks } from './pay-between-looks.ts'
import type { Plan, PlanContext } from './plan.ts'
import { type CodeKind, DUE_DATE_CODES, IMMEDIATE_CODES } from './records.ts'
import { sendValidRequest } from './send-valid.ts'
import {
  createRecord,
  EXAMPLE,
  preparePartnerKeyPayment,
  preparePaymentToOwner,
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

    // Undefined of a service that shows no balances, which is any but a sandbox.
    const balances = await waitForSettlement(context)
    const paid = await payKey(context, 'customer')
    await payKey(context, 'partner')
    await payTooMuch(context, paid)
    // A refusal takes nothing, so that the same payment is accepted as before.
    await payKey(context, 'customer')

    const parts: (() => Promise<unknown>)[] = [
      () => payCodeTwice(context, EXAMPLE.staticCode),
      () => payAndCancelCode(context, EXAMPLE.immediateCode, IMMEDIATE_CODES),
      () => payAndCancelCode(context, EXAMPLE.dueDateCode, DUE_DATE_CODES),
      () => context.sideBySide(AMOUNTS, (amount) => checkCodesOfAmount(context, amount)),
      () => payOneself(context),
    ]
    if (!balances) {
      await context.sideBySide(parts, (part) => part())
      await payBetweenLooks(context)
      return
    }

    // Of several transfers between two looks at balances, nobody knows which one moved what.
    for (const part of parts) await part()
  },
}

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

/** Sends a transfer, and waits until it has settled. */
async function pay(context: PlanContext, input: Input): Promise<Outcome> {
  const paid = await context.send('createTransfer', input)
  await waitForSettlement(context)
  return paid
}

/** Pays the key of the example, that of somebody else. Returns the outcome; undefined if its look-up was refused. */
async function payKey(
  context: PlanContext,
  by: 'partner' | 'customer',
): Promise<Outcome | undefined> {
  const input = await prepareKeyPayment(context, by)
  return input && pay(context, input)
}

/** Builds a payment of the key of the example. Undefined if its look-up was refused. */
function prepareKeyPayment(
  context: PlanContext,
  by: 'partner' | 'customer',
): Promise<Input | undefined> {
  return prepareValidRequest(context, 'createTransfer', { example: EXAMPLE.key, by })
}

/**
 * Pays as a customer more than any account holds. If a sandbox shows the balance of the customer, such as 90.00, also
 * pays 90.01, then 60.00 twice, a code after a refusal, and at last all that the account holds. Does nothing if `paid`
 * was refused.
 *
 * @param paid A transfer of the customer, which shows its account.
 */
async function payTooMuch(context: PlanContext, paid: Outcome | undefined): Promise<void> {
  if (!paid?.isAccepted) return

  const accountId = stringAt(paid.json, '/data/account_id')
  const balance = accountId === undefined ? undefined : await readBalance(context, accountId)
  const amounts = [...TOO_MUCH]
  if (balance !== undefined) amounts.push(reaisOf(balance + 1n))

  const input = await prepareKeyPayment(context, 'customer')
  if (!input) return

  for (const amount of amounts) {
    const intent = { variantOf: paid.sentAt, edit: '/amount' }
    await pay(context, { ...withAmount(input, amount), intent })
  }

  if (accountId === undefined || balance === undefined) return
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
 * partner, so that the customer can pay in other plans. Does nothing if it could not be paid back.
 */
async function payAll(context: PlanContext, accountId: string): Promise<void> {
  // Looked up before, so that it is certain.
  const customer = await findCustomer(context, 'partner')
  const paymentBack = await preparePaymentToOwner(context, customer)
  if (!paymentBack) return

  const balance = await readBalance(context, accountId)
  const input = await prepareKeyPayment(context, 'customer')
  if (balance === undefined || !input) return

  const amount = reaisOf(balance)
  const paid = await pay(context, withAmount(input, amount))
  if (paid.isAccepted) await pay(context, withAmount(paymentBack, amount))
}

/**
 * Sends two payments of which the customer can cover only one: the second right after the first, which may
 * still be pending. Then waits until both are settled or rejected.
 */
async function payTwiceBeyondBalance(context: PlanContext, amount: string): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const input = await prepareKeyPayment(context, 'customer')
    if (input) await context.send('createTransfer', withAmount(input, amount))
  }
  await waitForSettlement(context)
}

/**
 * Pays a code as a customer that cannot cover its amount, and then as another partner. The refusal of the
 * first payment must leave the code open for the second. Does nothing if the run has no other partner.
 */
async function payAfterRefusal(context: PlanContext, amount: string): Promise<void> {
  if (!context.identities.has('other')) return

  const body = { ...validBody(context, 'createImmediateQrCode'), amount: { original: amount } }
  const { emv } = await createRecord(context, 'createImmediateQrCode', { body })
  if (emv === undefined) return

  for (const by of ['customer', 'other'] as const) {
    await pay(context, { body: { type: 'emv', emv, amount }, by })
  }
}

/**
 * Pays a code, and pays it again, which the service must refuse unless the code is static. Returns the payment;
 * undefined if it was refused at first. Where the run sees no balances, the first one may still be pending then.
 */
async function payCodeTwice(context: PlanContext, example: number): Promise<Input | undefined> {
  const paid = await sendValidRequest(context, 'createTransfer', { example, by: 'payer' })
  await waitForSettlement(context)
  if (!paid?.isAccepted) return undefined

  await pay(context, paid.input)
  return paid.input
}

/**
 * Pays a code twice. Once the payment has settled, checks the code, pays it once more, and cancels it. The
 * service must refuse all but the first payment.
 */
async function payAndCancelCode(
  context: PlanContext,
  example: number,
  kind: CodeKind,
): Promise<void> {
  const input = await payCodeTwice(context, example)
  if (!input) return

  const emv = stringAt(input.body, '/emv')
  const id = await findPaidCode(context, kind.list, emv)
  // By now, the first payment has settled. The second one may have been refused only since the first was pending.
  await context.send('checkCode', { body: { emv }, by: 'payer' })
  await pay(context, input)
  if (id !== undefined) await context.send(kind.cancel, { path: { id } })
}

/** A list that lags is read so often, every 1.1 seconds: together longer than a list may lag. */
const LAG_PAUSE_MS = 1_100
const MAX_LAGGING_READS = 1 + Math.ceil(LAG_MS / LAG_PAUSE_MS)

/**
 * Finds the id of a paid code in its list. Reads the list up to six times, while it may lag behind the payment.
 * Undefined if the list does not show the code.
 */
async function findPaidCode(
  context: PlanContext,
  list: string,
  emv: string | undefined,
): Promise<string | undefined> {
  let record: unknown
  for (let read = 0; read < MAX_LAGGING_READS; read++) {
    const { json } = await context.send(list)
    record = recordsOnPage(json).find((code) => stringAt(code, '/emv') === emv)
    if (!isListBehind(context, list, record)) break
    await context.wait(LAG_PAUSE_MS)
  }
  return stringAt(record, '/id')
}

/**
 * Whether a list may not show a payment yet: the paid code is still open there, or missing.
 *
 * @param paidCode What the list shows of the code; undefined if it is not on the first page.
 */
function isListBehind({ form }: PlanContext, list: string, paidCode: unknown): boolean {
  if (paidCode !== undefined) return stringAt(paidCode, '/status') === OPEN

  // Newest first, as declared, unless the run has learned another direction. Oldest first, the code is on a later page,
  // and waiting is no use.
  const isNewestFirst = form.findDirection(list) === undefined
  return isNewestFirst
}

/**
 * Pays as the partner its own key twice, and its own code once. A service may reject a payment to oneself,
 * so that somebody else then pays the code, which must still be open.
 */
async function payOneself(context: PlanContext): Promise<void> {
  const toOwnKey = await preparePartnerKeyPayment(context)
  if (toOwnKey) {
    const paidTwice = withAmount(toOwnKey, '1.00')
    await pay(context, paidTwice)
    await pay(context, paidTwice)
  }

  const options = { example: EXAMPLE.immediateCode, by: 'partner' } as const
  const toOwnCode = await prepareValidRequest(context, 'createTransfer', options)
  if (!toOwnCode) return

  await pay(context, toOwnCode)
  await context.send('listImmediateQrCodes')
  await pay(context, { ...toOwnCode, by: 'payer' })
}
