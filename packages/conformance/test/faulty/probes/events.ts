import { HOOK } from '../actors.ts'
import type { events } from '../faults/events.ts'
import type { Probe } from '../probe.ts'
import { receiver } from '../receiver.ts'
import {
  type Context,
  cancelled,
  context,
  counted,
  MISMATCH,
  RIGHT,
  signature,
  transferred,
  verified,
  WEBHOOK,
} from './deliveries.ts'

const DAY = 86_400_000

const bodies = ({ got }: Context) => got.map(({ body }) => JSON.parse(body))

/** A part of the first event after a cancellation or a transfer. */
const told = (
  cause: (context: Context) => Promise<unknown>,
  see: (event: ReturnType<typeof JSON.parse>) => unknown,
  type = 'all',
) =>
  context(
    async (it) => {
      await cause(it)
      return see(bodies(it)[0])
    },
    { type },
  )

async function update({ as, id, url }: Context, members: object): Promise<void> {
  await as.partner(`PATCH ${WEBHOOK}/${id}`, { url, type: 'all', status: 'active', ...members })
}

/** How many deliveries come for a transfer after some updates. */
const after = (...updates: readonly object[]) =>
  counted(async (it) => {
    for (const members of updates) await update(it, members)
    await transferred(it)
  })

/** How many deliveries come where another webhook was created after this one. */
async function besideNewer(it: Context): Promise<void> {
  await using newer = await receiver()
  const { body } = await it.as.partner(`POST ${WEBHOOK}`, { ...HOOK, url: newer.url })
  await cancelled(it)
  await it.as.partner(`DELETE ${WEBHOOK}/${body.id}`)
}

/** How many deliveries come for what the partner does, to a webhook of the other partner. */
const foreign = context(async (it) => {
  await using stranger = await receiver()
  const { body } = await it.as.other(`POST ${WEBHOOK}`, { ...HOOK, url: stranger.url })
  await cancelled(it)
  await it.as.other(`DELETE ${WEBHOOK}/${body.id}`)
  return stranger.got.length
})

async function paidCode(it: Context): Promise<void> {
  const { emv } = (await it.as.immediate()).body
  await it.as.pay(emv, '35.90')
  const { clock, worker } = it.as.world.app
  await worker.moveTo(clock.now() + 1_000)
}

/** Whether the old secret signs two days after a rotation. */
const oldSecret = context(async (it) => {
  await it.as.partner(`PATCH ${WEBHOOK}/${it.id}/secret`)
  const { clock, worker } = it.as.world.app
  // What other looks left to be delivered would be tried again on the way.
  await it.as.world.run('UPDATE deliveries SET due_at = NULL')
  await worker.moveTo(clock.now() + 2 * DAY)
  const ask = it.as.by(await it.as.world.bearer('partner'))
  const charge = { dict_key: '12ABC34501DE35', tx_id: crypto.randomUUID().replaceAll('-', '') }
  const { body } = await ask('POST /pix/qrcode/dynamic/immediate', {
    ...charge,
    amount: { original: '1.00' },
  })
  await ask(`DELETE /pix/qrcode/dynamic/immediate/${body.id}`)
  await worker.idle()
  return verified(it, it.secret)
})

/** What shows each fault of events. */
export const eventsProbes: Record<keyof typeof events, Probe> = {
  'told-to-another-partner': [foreign, 0, 1],
  'one-id-for-all-events': [
    context(async (it) => {
      await cancelled(it)
      await cancelled(it)
      return new Set(it.got.map(({ headers }) => headers['webhook-id'])).size
    }),
    2,
    1,
  ],
  'transfers-told-to-type-qrcode': [counted(transferred, { type: 'qrcode' }), 0, 1],
  'type-of-creation-stays': [after({ type: 'qrcode' }), 0, 1],
  'told-to-the-old-url': [
    context(async (it) => {
      await update(it, { url: `${it.url}/outra` })
      await cancelled(it)
      return it.got[0]?.path
    }),
    '/pix/outra',
    '/pix',
  ],
  'silent-once-inactive': [after({ status: 'inactive' }, {}), 1, 0],
  'update-changes-the-secret': [
    context(async (it) => {
      await update(it, {})
      await cancelled(it)
      return verified(it, it.secret)
    }),
    RIGHT,
    MISMATCH,
  ],
  'newest-webhook-alone-told': [counted(besideNewer), 1, 0],
  'payment-of-a-code-not-told': [counted(paidCode, { type: 'qrcode' }), 1, 0],
  'cancellation-told-as-paid': [told(cancelled, ({ type }) => type), 'qrcode.cancelled', 'qrcode.paid'],
  'rejection-told-as-settled': [
    told(
      (it) => transferred(it, '9990.01'),
      ({ type }) => type,
    ),
    'transfer.rejected',
    'transfer.settled',
  ],
  'event-of-the-state-before': [
    told(cancelled, ({ data }) => data.status),
    'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    'ATIVA',
  ],
  'event-of-another-amount': [told(transferred, ({ data }) => data.amount), '1.50', '1.51'],
  'event-of-1970': [told(cancelled, ({ timestamp }) => timestamp.startsWith('1970')), false, true],
  'settlement-without-moment': [told(transferred, ({ data }) => data.settled_at === ''), false, true],
  'old-secret-signs-for-good': [oldSecret, MISMATCH, RIGHT],
  'rotation-of-all-secrets': [
    context(async (it) => {
      const id = await it.as.webhook()
      await it.as.partner(`PATCH ${WEBHOOK}/${id}/secret`)
      await cancelled(it)
      return verified(it, it.secret)
    }),
    RIGHT,
    MISMATCH,
  ],
  'signature-in-base64url': [
    context(async (it) => {
      await cancelled(it)
      return /=$/.test(String(it.got[0]?.headers['webhook-signature']))
    }),
    true,
    false,
  ],
  'signed-with-the-text-of-the-secret': [signature, RIGHT, MISMATCH],
}
