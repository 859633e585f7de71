import { createValidator } from '@partner-payments/validator'
import { verify } from '@partner-payments/webhooks'
import { type Actors, HOOK } from '../actors.ts'
import type { deliveries } from '../faults/deliveries.ts'
import type { Probe } from '../probe.ts'
import { type Received, receiver } from '../receiver.ts'

export interface Context {
  readonly as: Actors
  readonly id: string
  readonly secret: string
  readonly url: string
  readonly got: readonly Received[]
}

export const WEBHOOK = '/partner/webhook'
const validator = createValidator()

/** Registers a receiver, causes events, and looks at what came; nothing is registered afterwards. */
export const context =
  (see: (context: Context) => Promise<unknown>, { type = 'all', status = 204 } = {}) =>
  async (as: Actors) => {
    await using it = await receiver(status)
    const { body } = await as.partner(`POST ${WEBHOOK}`, { ...HOOK, type, url: it.url })
    try {
      return await see({ as, id: body.id, secret: body.secret, url: it.url, got: it.got })
    } finally {
      await as.world.run('UPDATE webhooks SET deleted_at = 1 WHERE id = ?', [body.id])
    }
  }

/** Makes a transfer, and waits until it was told. */
export async function transferred({ as }: Context, amount = '1.50'): Promise<void> {
  await as.transfer({ amount })
  const { clock, worker } = as.world.app
  await worker.moveTo(clock.now() + 1_000)
}

export async function cancelled({ as }: Context): Promise<void> {
  const { body } = await as.immediate()
  await as.partner(`DELETE /pix/qrcode/dynamic/immediate/${body.id}`)
  await as.world.app.worker.idle()
}

/** What is wrong with the signature of the first delivery. */
export const signature = context(async (it) => {
  await transferred(it)
  return verified(it, it.secret)
})

export async function verified({ as, got }: Context, secret: string): Promise<string> {
  const [first] = got
  if (!first) return 'nothing came'
  const now = () => as.world.app.clock.now()
  return verify(first.body, first.headers, secret, { now }).then(
    () => 'right',
    ({ code }: { code: string }) => code,
  )
}

/** The secrets, of the one shown first and the one shown at a rotation, that the first delivery is signed with. */
export const rotated = context(async (it) => {
  const { body } = await it.as.partner(`PATCH ${WEBHOOK}/${it.id}/secret`)
  await transferred(it)
  return [await verified(it, it.secret), await verified(it, body.secret)]
})

/** The places in which the first delivery breaks the contract. */
const broken = context(async (it) => {
  await transferred(it)
  const [{ headers, body } = { headers: {}, body: '{}' }] = it.got
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const findings = validator.validateDelivery({
    name: 'transfer.settled',
    headers: sent,
    body: JSON.parse(body),
  })
  return findings.map(({ place, pointer }) => place + pointer)[0]
})

export const counted = (
  cause: (context: Context) => Promise<void>,
  options?: { type?: string; status?: number },
) =>
  context(async (it) => {
    await cause(it)
    return it.got.length
  }, options)

export const RIGHT = 'right'
export const MISMATCH = 'signature-mismatch'

/** What shows each fault of this kind. */
export const deliveriesProbes: Record<keyof typeof deliveries, Probe> = {
  'signed-with-another-secret': [signature, RIGHT, MISMATCH],
  'body-written-anew': [signature, RIGHT, MISMATCH],
  'members-in-another-order': [signature, RIGHT, MISMATCH],
  'signed-with-the-old-secret': [rotated, [RIGHT, RIGHT], [RIGHT, MISMATCH]],
  'old-secret-dropped-at-once': [rotated, [RIGHT, RIGHT], [MISMATCH, RIGHT]],
  'rotated-secret-not-used': [rotated, [RIGHT, RIGHT], [RIGHT, MISMATCH]],
  'timestamp-not-signed': [signature, RIGHT, MISMATCH],
  'id-not-signed': [signature, RIGHT, MISMATCH],
  'timestamp-of-an-hour-ago': [signature, RIGHT, 'timestamp-too-old'],
  'timestamp-in-milliseconds': [signature, RIGHT, 'timestamp-invalid'],
  'signature-in-hex': [signature, RIGHT, MISMATCH],
  'no-delivery-id': [signature, RIGHT, 'id-missing'],
  'delivery-called-text': [broken, undefined, 'media-type'],
  'event-without-timestamp': [broken, undefined, 'body/timestamp'],
  'event-of-an-unknown-type': [broken, undefined, 'body/type'],
  'event-with-a-number': [broken, undefined, 'body/data/amount'],
  'event-without-envelope': [broken, undefined, 'body/type'],
  'not-retried': [
    counted(
      async (it) => {
        await transferred(it)
        const { clock, worker } = it.as.world.app
        await worker.moveTo(clock.now() + 6_000)
      },
      { status: 500 },
    ),
    2,
    1,
  ],
  'retried-under-another-id': [
    context(
      async (it) => {
        await transferred(it)
        const { clock, worker } = it.as.world.app
        await worker.moveTo(clock.now() + 6_000)
        return new Set(it.got.map(({ headers }) => headers['webhook-id'])).size
      },
      { status: 500 },
    ),
    1,
    2,
  ],
  'delivered-after-deletion': [
    counted(async (it) => {
      await it.as.partner(`DELETE ${WEBHOOK}/${it.id}`)
      await transferred(it)
    }),
    0,
    1,
  ],
  'delivered-while-inactive': [
    context(async (it) => {
      const body = { type: 'all', url: it.url, status: 'inactive' }
      await it.as.partner(`PATCH ${WEBHOOK}/${it.id}`, body)
      await transferred(it)
      const { status } = (await it.as.partner(`GET ${WEBHOOK}/${it.id}`)).body
      return [status, it.got.length]
    }),
    ['inactive', 0],
    ['inactive', 1],
  ],
  'delivered-to-every-type': [
    context(
      async (it) => {
        await transferred(it)
        const { type } = (await it.as.partner(`GET ${WEBHOOK}/${it.id}`)).body
        return [type, it.got.length]
      },
      { type: 'qrcode' },
    ),
    ['qrcode', 0],
    ['qrcode', 1],
  ],
  'cancellation-not-told': [counted(cancelled), 1, 0],
  'rejection-not-told': [counted((it) => transferred(it, '9990.01')), 1, 0],
  'settlement-told-twice': [counted(transferred), 1, 2],
}
