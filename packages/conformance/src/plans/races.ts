import { stringAt } from '../contract/json.ts'
import type { Outcome } from '../send/sender.ts'
import { isAnyChosen, KINDS } from './lifecycles.ts'
import type { Plan, PlanContext } from './plan.ts'
import { validBody, validRequest } from './valid.ts'

/** One value or one record in several requests, one after the other and at once. */
export const races: Plan = {
  id: 'races',
  says: 'Sends requests with one value or about one record at once, and again afterwards.',
  wants: ['once-unique', 'once-used', 'once-issued'],
  async run(context) {
    if (isAnyChosen(context, 'QrCode')) await repeatTxIds(context)
    if (context.isChosen('createTransfer')) await repeatPayments(context)
    if (isAnyChosen(context, 'Webhook')) await raceForWebhooks(context)
    for (const kind of KINDS) if (context.isChosen(`cancel${kind}`)) await raceToCancel(context, kind)
  },
}

/** Requests at once. */
const TIMES = 3

function atOnce<T>(times: number, send: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, i) => send(i)))
}

async function repeatTxIds(context: PlanContext): Promise<void> {
  const { send } = context
  for (const kinds of [...KINDS.map((it) => [it, it, it]), KINDS]) {
    const tx_id = context.fresh()
    const bodies = kinds.map((it) => ({ ...validBody(context, `create${it}`), tx_id }))
    await atOnce(kinds.length, (i) => send(`create${kinds[i]}`, { body: bodies[i] }))
    await send(`create${kinds[0]}`, { body: bodies[0] })
  }
  for (const kind of KINDS) await send(`list${kind}s`)
}

/** Each example of a payment: of codes, which a customer pays, and of keys, by the partner and by a customer. */
async function repeatPayments(context: PlanContext): Promise<void> {
  const { contract, send } = context
  const examples = contract.examples('createTransfer').map((_, example) => ({ example }))
  const byCustomer = contract.examples('createTransfer').length - 1
  for (const options of [...examples, { example: byCustomer, by: 'customer' as const }]) {
    const input = await validRequest(context, 'createTransfer', options)
    if (!input) continue
    await atOnce(TIMES, () => send('createTransfer', input))
    await send('createTransfer', input)
  }
}

async function raceForWebhooks(context: PlanContext): Promise<void> {
  const { send } = context
  const body = { status: 'active', ...validBody(context, 'createWebhook') }
  const created = await atOnce(TIMES, () => send('createWebhook', { body }))
  const ids = created.map(({ json }) => stringAt(json, '/id') ?? '')
  const read = (webhook_id: string) => send('getWebhook', { path: { webhook_id } })
  const types = ['all', 'transfer', 'qrcode']
  await atOnce(ids.length, (i) => read(ids[i] ?? ''))
  // Each its own, then all the first.
  await atOnce(ids.length, (i) => update(context, ids[i] ?? '', { ...body, type: types[i] }))
  await atOnce(2 * ids.length, (i) => read(ids[i % ids.length] ?? ''))
  await atOnce(ids.length, (i) => update(context, ids[0] ?? '', { ...body, type: types[i] }))
  await read(ids[0] ?? '')
  await send('listWebhooks')
  await context.lookAgain()
  await atOnce(TIMES, () => send('deleteWebhook', { path: { webhook_id: ids[0] ?? '' } }))
  for (const webhook_id of ids) await read(webhook_id)
  await send('listWebhooks')
}

function update({ send }: PlanContext, webhook_id: string, body: object): Promise<Outcome> {
  return send('updateWebhook', { path: { webhook_id }, body })
}

async function raceToCancel(context: PlanContext, kind: (typeof KINDS)[number]): Promise<void> {
  const input = await validRequest(context, `cancel${kind}`)
  if (input) await atOnce(TIMES, () => context.send(`cancel${kind}`, input))
  await context.send(`list${kind}s`)
}
