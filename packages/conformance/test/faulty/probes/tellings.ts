import type { Actors } from '../actors.ts'
import type { tellings } from '../faults/tellings.ts'
import type { Probe } from '../probe.ts'
import { receiver } from '../receiver.ts'
import { type Context, context, counted, RIGHT, transferred, verified, WEBHOOK } from './deliveries.ts'

const HOUR = 3_600_000
const DUE_DATE = '/pix/qrcode/dynamic/due-date'
const IMMEDIATE = '/pix/qrcode/dynamic/immediate'
const payer = { name: 'Fulano de Tal' }

async function settled({ world }: Actors): Promise<void> {
  await world.app.worker.moveTo(world.app.clock.now() + 1_000)
}

async function cancelledDueDate({ as }: Context): Promise<void> {
  const { id } = (await as.dueDate({ payer })).body
  await as.partner(`DELETE ${DUE_DATE}/${id}`)
  await as.world.app.worker.idle()
}

const paid =
  (kind: 'dueDate' | 'immediate') =>
  async ({ as }: Context) => {
    await as.pay((await as[kind]()).body.emv, '35.90')
    await settled(as)
  }

async function cancelledTwice({ as, got }: Context): Promise<number> {
  const { id } = (await as.immediate()).body
  for (let i = 0; i < 2; i++) {
    await as.partner(`DELETE ${IMMEDIATE}/${id}`)
    await as.world.app.worker.idle()
  }
  // What is sent beside the service takes a moment.
  for (let turn = 0; turn < 200 && got.length < 2; turn++) await new Promise((done) => setImmediate(done))
  return new Set(got.map(({ headers }) => headers['webhook-id'])).size
}

const told = (
  cause: (it: Context) => Promise<unknown>,
  see: (event: ReturnType<typeof JSON.parse>) => unknown,
) =>
  context(async (it) => {
    await cause(it)
    return see(JSON.parse(it.got[0]?.body ?? '{}'))
  })

/** Whether the old secret signs two hours after a rotation. */
const oldSecret = context(async (it) => {
  await it.as.partner(`PATCH ${WEBHOOK}/${it.id}/secret`)
  const { clock, worker } = it.as.world.app
  // What other looks left to be delivered would be tried again on the way.
  await it.as.world.run('UPDATE deliveries SET due_at = NULL')
  await worker.moveTo(clock.now() + 2 * HOUR)
  const ask = it.as.by(await it.as.world.bearer('partner'))
  const charge = { dict_key: '12ABC34501DE35', tx_id: crypto.randomUUID().replaceAll('-', '') }
  const { body } = await ask(`POST ${IMMEDIATE}`, { ...charge, amount: { original: '1.00' } })
  await ask(`DELETE ${IMMEDIATE}/${body.id}`)
  await worker.idle()
  return (await verified(it, it.secret)) === RIGHT
})

async function atQuery(as: Actors): Promise<string | undefined> {
  await using it = await receiver()
  const { body } = await as.partner(`POST ${WEBHOOK}`, { type: 'all', url: `${it.url}?loja=1` })
  const { id } = (await as.immediate()).body
  await as.partner(`DELETE ${IMMEDIATE}/${id}`)
  await as.world.app.worker.idle()
  await as.world.run('UPDATE webhooks SET deleted_at = 1 WHERE id = ?', [body.id])
  return it.got[0]?.path
}

/** What shows each fault of tellings. */
export const tellingsProbes: Record<keyof typeof tellings, Probe> = {
  'due-date-cancellation-not-told': [counted(cancelledDueDate), 1, 0],
  'due-date-payment-not-told': [counted(paid('dueDate'), { type: 'qrcode' }), 1, 0],
  'settlement-by-code-not-told': [counted(paid('immediate'), { type: 'transfer' }), 1, 0],
  'transfers-of-customers-not-told': [counted(transferred), 1, 0],
  'second-cancellation-told': [context(cancelledTwice), 1, 2],
  'settled-tomorrow': [
    told(transferred, ({ timestamp, data }) => Date.parse(data.settled_at) - Date.parse(timestamp) > HOUR),
    false,
    true,
  ],
  'due-date-event-without-payer': [told(cancelledDueDate, ({ data }) => data.payer), payer, null],
  'old-secret-ends-after-an-hour': [oldSecret, true, false],
  'query-of-url-not-sent': [atQuery, '/pix?loja=1', '/pix'],
}
