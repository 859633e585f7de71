import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import type { ShownBalances } from '../history.ts'
import { centavosOf, reaisOf } from '../model/amounts.ts'
import { LAG_MS } from '../model.ts'
import type { Input, Outcome } from '../send/sender.ts'
import { validBody } from './bodies.ts'
import { findCustomer } from './identities.ts'
import type { Plan, PlanContext } from './plan.ts'
import { DUE_DATE_CODES, IMMEDIATE_CODES } from './records.ts'
import { createRecord, findPayer, prepareValidRequest } from './valid-requests.ts'

/**
 * Pays keys and codes, and looks at the balances of a sandbox and at QR codes after each transfer.
 */
export const payments: Plan = {
  id: 'payments',
  wants: ['money-moved', 'money-covered', 'money-settled', 'money-accounts'],
  async run(context) {
    if (!context.isChosen('createTransfer')) return
    await rest(context)
    const paid = await payKey(context, 'customer')
    await payKey(context, 'partner')
    await payTooMuch(context, paid)
    for (const example of [0, 1, 2]) await payCode(context, example)
    await context.sideBySide(AMOUNTS, (amount) => checkAmount(context, amount))
    await payOneself(context)
  },
}

/** With zeros and nines, of which formatting and floats lose some. */
const AMOUNTS = ['0.01', '10.05', '1.10', '9999999999.99']

/** Creates a code of each kind with an amount, and checks it. */
async function checkAmount(context: PlanContext, original: string): Promise<void> {
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

/** Milliseconds between two looks. */
const PAUSE_MS = 25
/** Looks until all transfers have settled. */
const MOST_LOOKS = 80

/** Waits until no transfer is pending, as the balances show. Moves the clock of a sandbox. */
async function rest({
  lookAtBalances,
  clock,
  wait,
}: PlanContext): Promise<ShownBalances | undefined> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const shown = await lookAtBalances()
    if (!shown?.isPending) return shown
    const isMoved = await clock.advance(1)
    if (!isMoved) await wait(PAUSE_MS)
  }
  return undefined
}

/** Pays, and waits until the transfer has settled. Undefined without a request. */
async function pay(context: PlanContext, input: Input | undefined): Promise<Outcome | undefined> {
  const paid = input && (await context.send('createTransfer', input))
  await rest(context)
  return paid
}

async function payKey(
  context: PlanContext,
  by: 'partner' | 'customer',
): Promise<Outcome | undefined> {
  return pay(context, await prepareValidRequest(context, 'createTransfer', { example: 3, by }))
}

/** More than any account holds, and a centavo more than that of the customer. */
async function payTooMuch(context: PlanContext, paid: Outcome | undefined): Promise<void> {
  const account = stringAt(paid?.json, '/data/account_id') ?? ''
  const shown = await rest(context)
  const balance = centavosOf(shown?.accounts[account])
  const input = await prepareValidRequest(context, 'createTransfer', { example: 3, by: 'customer' })
  if (!paid?.isAccepted || !input) return

  const amounts = ['9999999999.99']
  if (balance !== undefined) amounts.push(reaisOf(balance + 1n))
  for (const amount of amounts) {
    const intent = { variantOf: paid.sentAt, edit: '/amount' }
    await pay(context, { ...withAmount(input, amount), intent })
  }

  if (balance === undefined) return
  await payTwice(context, reaisOf((balance * 2n) / 3n))
  await payAfterRefusal(context, reaisOf(balance + 1n))
  await payAll(context, account)
}

/** A valid transfer with another amount. */
function withAmount(input: Input, amount: string): Input {
  return { ...input, body: { ...fieldsOf(input.body), amount } }
}

/** The customer pays all that it holds, and gets it back by its tax ID, which is often its key. */
async function payAll(context: PlanContext, accountId: string): Promise<void> {
  const { taxId: dict_key, account } = await findCustomer(context, 'partner')
  const { json } = await context.send('checkKey', { body: { dict_key } })
  const initiation_id = stringAt(json, '/initiation_id')
  const isKeyOfCustomer = stringAt(json, '/account_number') === account
  if (!isKeyOfCustomer) return

  const shown = await rest(context)
  const balance = centavosOf(shown?.accounts[accountId])
  const input = await prepareValidRequest(context, 'createTransfer', { example: 3, by: 'customer' })
  if (initiation_id === undefined || balance === undefined || !input) return

  const amount = reaisOf(balance)
  const paid = await pay(context, withAmount(input, amount))
  if (paid?.isAccepted)
    await pay(context, { body: { type: 'dict', amount, initiation_id, dict_key } })
}

/**
 * Two payments of which the customer can cover one. The second is sent while the first may be
 * pending.
 */
async function payTwice(context: PlanContext, amount: string): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const input = await prepareValidRequest(context, 'createTransfer', {
      example: 3,
      by: 'customer',
    })
    if (input) await context.send('createTransfer', withAmount(input, amount))
  }
  await rest(context)
}

/**
 * A code that the customer cannot cover, which another partner then pays: a refusal leaves it open.
 */
async function payAfterRefusal(context: PlanContext, amount: string): Promise<void> {
  if (!context.identities.has('other')) return
  const body = { ...validBody(context, 'createImmediateQrCode'), amount: { original: amount } }
  const { emv } = await createRecord(context, 'createImmediateQrCode', { body })
  if (emv === undefined) return
  for (const by of ['customer', 'other'] as const)
    await pay(context, { body: { type: 'emv', emv, amount }, by })
}

/** Pays a code twice; then its QR code shows that, and cannot be cancelled. */
async function payCode(context: PlanContext, example: number): Promise<void> {
  const input = await prepareValidRequest(context, 'createTransfer', { example, by: 'customer' })
  const paid = await pay(context, input)
  if (!paid?.isAccepted) return
  await pay(context, input)

  const kind = KIND_OF_EXAMPLE[example]
  // A static code has neither a list nor an end.
  if (kind === undefined) return
  const id = await paidId(context, kind.list, stringAt(input?.body, '/emv'))
  if (id !== undefined) await context.send(kind.cancel, { path: { id } })
}

/** The kinds of the codes that the first examples of transfers pay. */
const KIND_OF_EXAMPLE = [undefined, IMMEDIATE_CODES, DUE_DATE_CODES]

/** Looks at a list that lags, one every 1.1 seconds: together longer than a list may lag. */
const LAG_PAUSE_MS = 1_100
const MOST_LAGGING_LOOKS = 1 + Math.ceil(LAG_MS / LAG_PAUSE_MS)

/** The id of a code in its list, which may lag behind the payment. */
async function paidId(context: PlanContext, list: string, emv = ''): Promise<string | undefined> {
  let record: unknown
  for (let look = 0; look < MOST_LAGGING_LOOKS; look++) {
    const { json } = await context.send(list)
    record = recordsOf(json).find((shown) => stringAt(shown, '/emv') === emv)
    const isStillOpen = record !== undefined && stringAt(record, '/status') === 'ATIVA'
    if (!isStillOpen) break
    await context.wait(LAG_PAUSE_MS)
  }
  return stringAt(record, '/id')
}

function recordsOf(list: unknown): readonly unknown[] {
  const records = valueAt(list, '/data')
  return Array.isArray(records) ? records : []
}

/**
 * The partner pays its own key twice, and its own code, which a service may reject; then a customer
 * pays that code.
 */
async function payOneself(context: PlanContext): Promise<void> {
  const { dict_key } = validBody(context, 'createStaticQrCode')
  const by = findPayer(context)
  const { json } = await context.send('checkKey', { body: { dict_key }, by })
  const initiation_id = stringAt(json, '/initiation_id')
  const own = { by, body: { type: 'dict', amount: '1.00', initiation_id, dict_key } }
  for (let i = 0; i < 2 && initiation_id !== undefined; i++) await pay(context, own)
  const input = await prepareValidRequest(context, 'createTransfer', { example: 1, by: 'partner' })
  await pay(context, input)
  await context.send('listImmediateQrCodes')
  await pay(context, input && { ...input, by: 'customer' })
}
