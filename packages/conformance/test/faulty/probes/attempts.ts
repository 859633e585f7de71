import type { Actors } from '../actors.ts'
import type { attempts } from '../faults/attempts.ts'
import type { Probe } from '../probe.ts'
import { oddReceiver } from '../receiver.ts'
import { type Context, cancelled, context, counted, transferred, verified, WEBHOOK } from './deliveries.ts'

const LATER = 6_000

/** Causes an event, and waits beyond the second attempt. */
async function retried(it: Context): Promise<void> {
  await cancelled(it)
  const { clock, worker } = it.as.world.app
  await worker.moveTo(clock.now() + LATER)
  await worker.idle()
}

const attempted = (status: number): Probe[0] => counted(retried, { status })

/** What the second attempt differs by from the first, and whether it verifies. */
const second = context(
  async (it) => {
    await retried(it)
    const [first, again] = it.got
    const isNew = first?.headers['webhook-timestamp'] !== again?.headers['webhook-timestamp']
    return [isNew, await verified({ ...it, got: it.got.slice(1) }, it.secret)]
  },
  { status: 500 },
)

/** Where a receiver that answers in some way is told, the second attempt counted in. */
const told = (manner: Parameters<typeof oddReceiver>[0]) => async (as: Actors) => {
  await using it = await oddReceiver(manner)
  const { body } = await as.partner(`POST ${WEBHOOK}`, { type: 'all', url: it.url })
  await retried({ as, id: body.id, secret: body.secret, url: it.url, got: it.got })
  await as.world.run('UPDATE webhooks SET deleted_at = 1 WHERE id = ?', [body.id])
  return it.got.map(({ path }) => path)
}

/** How many deliveries there are after a deletion, to a receiver that fails. */
const afterDeletion = counted(
  async (it) => {
    await transferred(it)
    await it.as.partner(`DELETE ${WEBHOOK}/${it.id}`)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
  },
  { status: 500 },
)

/** What shows each fault of attempts. */
export const attemptsProbes: Record<keyof typeof attempts, Probe> = {
  'timestamp-of-the-first-attempt': [second, [true, 'right'], [false, 'right']],
  'second-attempt-signed-as-the-first': [second, [true, 'right'], [true, 'signature-mismatch']],
  'not-retried-after-429': [attempted(429), 2, 1],
  'not-retried-after-4xx': [attempted(404), 2, 1],
  'not-retried-after-503': [attempted(503), 2, 1],
  'not-retried-without-an-answer': [told('broken off'), ['/pix', '/pix'], ['/pix']],
  'redirect-taken-as-done': [attempted(302), 2, 1],
  'redirect-followed': [told('redirect'), ['/pix', '/pix'], ['/pix', '/elsewhere']],
  'retried-after-202': [attempted(202), 1, 2],
  'slow-receiver-given-up': [told('slow'), ['/pix'], ['/pix', '/pix']],
  'retried-after-deletion': [afterDeletion, 1, 2],
}
