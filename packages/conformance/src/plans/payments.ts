import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import type { ShownBalances } from '../history.ts'
import { centavosOf, reaisOf } from '../model/amounts.ts'
import type { Input, Outcome } from '../send/sender.ts'
import { customerOf } from './identities.ts'
import { KINDS } from './lifecycles.ts'
import { created, type Plan, type PlanContext, validBody, validRequest } from './plan.ts'

/**
 * Pays keys and codes, and looks at the balances of a sandbox and at QR codes after each transfer.
 */
export const payments: Plan = {
  id: 'payments',
  wants: ['money-moved', 'money-covered', 'money-settled', 'money-accounts', 'money-transfers'],
  async run(context) {
    if (!context.isChosen('createTransfer')) return
    await rest(context)
    const paid = await payKey(context, 'customer')
    await payKey(context, 'partner')
    await payTooMuch(context, paid)
    for (const example of [0, 1, 2]) await payCode(context, example)
    for (const amount of AMOUNTS) await checkAmount(context, amount)
    await payOneself(context)
  },
}

/** With zeros and nines, of which formatting and floats lose some. */
const AMOUNTS = ['0.01', '10.05', '1.10', '9999999999.99']

async function checkAmount(context: PlanContext, original: string): Promise<void> {
  const amounts = {
    createStaticQrCode: original,
    createImmediateQrCode: { original },
    createDueDateQrCode: { original },
  }
  for (const [operation, amount] of Object.entries(amounts)) {
    const { emv } = await created(context, operation, {
      body: { ...validBody(context, operation), amount },
    })
    if (emv !== undefined) await context.send('checkCode', { body: { emv } })
  }
}

/** Milliseconds between two looks, and the most looks until all transfers have settled. */
const PAUSE = 25
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
    if (!(await clock.advance(1))) await wait(PAUSE)
  }
  return undefined
}

async function pay(context: PlanContext, input: Input | undefined): Promise<Outcome | undefined> {
  const paid = input && (await context.send('createTransfer', input))
  await rest(context)
  return paid
}

async function payKey(
  context: PlanContext,
  by: 'partner' | 'customer',
): Promise<Outcome | undefined> {
  return pay(context, await validRequest(context, 'createTransfer', { example: 3, by }))
}

/** More than any account holds, and a centavo more than that of the customer. */
async function payTooMuch(context: PlanContext, paid: Outcome | undefined): Promise<void> {
  const account = stringAt(paid?.json, '/data/account_id') ?? ''
  const shown = await rest(context)
  const balance = centavosOf(shown?.accounts[account])
  const input = await validRequest(context, 'createTransfer', { example: 3, by: 'customer' })
  if (!paid?.isAccepted || !input) return
  const amounts = ['9999999999.99', ...(balance === undefined ? [] : [reaisOf(balance + 1n)])]
  for (const amount of amounts)
    await pay(context, {
      ...input,
      body: { ...fieldsOf(input.body), amount },
      intent: { variantOf: paid.sentAt, edit: '/amount' },
    })
  if (balance === undefined) return
  await payTwice(context, reaisOf((balance * 2n) / 3n))
  await payAfterRefusal(context, reaisOf(balance + 1n))
  await payAll(context, account)
}

/** The customer pays all that it holds, and gets it back by its tax ID, which is often its key. */
async function payAll(context: PlanContext, accountId: string): Promise<void> {
  const { taxId: dict_key, account } = await customerOf(context, 'partner')
  const { json } = await context.send('checkKey', { body: { dict_key } })
  const [initiation_id, number] = ['/initiation_id', '/account_number'].map((it) =>
    stringAt(json, it),
  )
  if (number !== account) return
  const balance = centavosOf((await rest(context))?.accounts[accountId])
  const input = await validRequest(context, 'createTransfer', { example: 3, by: 'customer' })
  if (initiation_id === undefined || balance === undefined || !input) return
  const amount = reaisOf(balance)
  const paid = await pay(context, { ...input, body: { ...fieldsOf(input.body), amount } })
  if (paid?.isAccepted)
    await pay(context, { body: { type: 'dict', amount, initiation_id, dict_key } })
}

/**
 * Two payments of which the customer can cover one. The second is sent while the first may be
 * pending.
 */
async function payTwice(context: PlanContext, amount: string): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const input = await validRequest(context, 'createTransfer', { example: 3, by: 'customer' })
    if (input)
      await context.send('createTransfer', { ...input, body: { ...fieldsOf(input.body), amount } })
  }
  await rest(context)
}

/**
 * A code that the customer cannot cover, which another partner then pays: a refusal leaves it open.
 */
async function payAfterRefusal(context: PlanContext, amount: string): Promise<void> {
  if (!context.identities.has('other')) return
  const body = { ...validBody(context, 'createImmediateQrCode'), amount: { original: amount } }
  const { emv } = await created(context, 'createImmediateQrCode', { body })
  for (const by of ['customer', 'other'] as const)
    if (emv !== undefined) await pay(context, { body: { type: 'emv', emv, amount }, by })
}

/** Pays a code twice; then its QR code shows that, and cannot be cancelled. */
async function payCode(context: PlanContext, example: number): Promise<void> {
  const input = await validRequest(context, 'createTransfer', { example, by: 'customer' })
  const paid = await pay(context, input)
  if (!paid?.isAccepted) return
  await pay(context, input)
  const kind = [undefined, ...KINDS][example]
  const id = kind && (await paidId(context, `list${kind}s`, stringAt(input?.body, '/emv')))
  if (id !== undefined) await context.send(`cancel${kind}`, { path: { id } })
}

/** The id of a code in its list, which may lag behind the payment. */
async function paidId(context: PlanContext, list: string, emv = ''): Promise<string | undefined> {
  let record: unknown
  for (let look = 0; look < 6; look++) {
    const { json } = await context.send(list)
    const records = valueAt(json, '/data')
    record = Array.isArray(records) ? records.find((it) => stringAt(it, '/emv') === emv) : undefined
    if (record === undefined || stringAt(record, '/status') !== 'ATIVA') break
    await context.wait(1_100)
  }
  return stringAt(record, '/id')
}

/**
 * The partner pays its own key twice, and its own code, which a service may reject; then a customer
 * pays that code.
 */
async function payOneself(context: PlanContext): Promise<void> {
  const { dict_key } = validBody(context, 'createStaticQrCode')
  const { json } = await context.send('checkKey', { body: { dict_key } })
  const initiation_id = stringAt(json, '/initiation_id')
  const own = { body: { type: 'dict', amount: '1.00', initiation_id, dict_key } }
  for (let i = 0; i < 2 && initiation_id !== undefined; i++) await pay(context, own)
  const input = await validRequest(context, 'createTransfer', { example: 1, by: 'partner' })
  await pay(context, input)
  await context.send('listImmediateQrCodes')
  await pay(context, input && { ...input, by: 'customer' })
}
