import { fieldsOf, stringAt } from '../contract/json.ts'
import type { Plan, PlanContext } from './plan.ts'
import { validBody } from './valid.ts'

/** Each operation with each example of the contract, in an order in which all are accepted. */
export const examples: Plan = {
  id: 'examples',
  says: 'Sends the examples of the contract to each operation, and uses what they return.',
  wants: ['responses-shape', 'records-shown', 'records-kept', 'codes-copied', 'once-issued'],
  async run(context) {
    await tryUsers(context)
    await tryWebhook(context)
    for (const kind of ['ImmediateQrCode', 'DueDateQrCode'] as const) await tryQrCode(context, kind)
    await tryStaticCode(context)
    await tryKeys(context)
  },
}

async function tryUsers({ send }: PlanContext): Promise<void> {
  const list = await send('listUsers')
  const user_id = stringAt(list.json, '/users/0/id')
  if (user_id === undefined) return
  const user = await send('getUser', { path: { user_id } })
  const customer_id = stringAt(user.json, '/customers/0/id')
  await send('impersonate', { body: { user_id, customer_id } })
}

async function tryWebhook({ send, contract }: PlanContext): Promise<void> {
  for (const body of contract.examples('createWebhook')) {
    const webhook_id = stringAt((await send('createWebhook', { body })).json, '/id')
    if (webhook_id === undefined) continue
    const path = { webhook_id }
    await send('getWebhook', { path })
    await send('listWebhooks')
    for (const body of contract.examples('updateWebhook')) await send('updateWebhook', { path, body })
    await send('getWebhook', { path })
    await send('rotateWebhookSecret', { path })
    await send('deleteWebhook', { path })
    await send('getWebhook', { path })
  }
}

/** One QR code is paid by a customer, and another one is cancelled. */
async function tryQrCode(context: PlanContext, kind: 'ImmediateQrCode' | 'DueDateQrCode'): Promise<void> {
  const { send, contract } = context
  for (const example of contract.examples(`create${kind}`).keys()) {
    const create = () => send(`create${kind}`, { body: validBody(context, `create${kind}`, example) })
    const [paid, cancelled] = [await create(), await create()]
    const emv = stringAt(paid.json, '/emv')
    const check = await send('checkCode', { body: { emv }, by: 'customer' })
    const amount = stringAt(check.json, '/final_amount')
    await send('createTransfer', { body: { type: 'emv', amount, emv }, by: 'customer' })
    await send(`list${kind}s`)
    const id = stringAt(cancelled.json, '/id')
    if (id !== undefined) await send(`cancel${kind}`, { path: { id } })
    await send(`list${kind}s`)
  }
}

async function tryStaticCode(context: PlanContext): Promise<void> {
  const { send, contract } = context
  for (const body of contract.examples('createStaticQrCode')) {
    // Another charge shows that the partner may use the key.
    const { dict_key } = fieldsOf(body)
    await send('createImmediateQrCode', {
      body: { ...validBody(context, 'createImmediateQrCode'), dict_key },
    })
    const emv = stringAt((await send('createStaticQrCode', { body })).json, '/emv')
    const check = await send('checkCode', { body: { emv }, by: 'customer' })
    const amount = stringAt(check.json, '/final_amount')
    await send('createTransfer', { body: { type: 'emv', amount, emv }, by: 'customer' })
  }
}

async function tryKeys({ send, contract }: PlanContext): Promise<void> {
  for (const body of contract.examples('checkKey')) {
    await send('checkKey', { body, by: 'customer' })
    const { json } = await send('checkKey', { body })
    const [initiation_id, dict_key] = ['/initiation_id', '/dict_key'].map((it) => stringAt(json, it))
    await send('createTransfer', { body: { type: 'dict', amount: '1.00', initiation_id, dict_key } })
  }
}
