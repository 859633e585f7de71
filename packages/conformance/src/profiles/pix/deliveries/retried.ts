import { isSuccess, type Scene } from '../../../engine/context.ts'
import { eventually } from '../../../engine/eventually.ts'
import type { Law } from '../../../engine/rule.ts'
import { nodeOf } from '../../../model/document.ts'
import type { Exchange } from '../../../transport/exchange.ts'
import type { Answer, Answering, Delivery, Inbox } from '../../../transport/receiver.ts'
import { PAYING, transfer, transferToKey } from '../payments.ts'
import {
  about,
  answering,
  DELIVERING,
  isSignedBy,
  laterOf,
  place,
  type Registered,
  register,
  waiting,
} from './helpers.ts'

/** The second attempt comes after 5 seconds, by our answer to `delivery`; a busy service may take twice as long, and more. */
const RETRIED = 12_000

export const deliveryRetried: Law = {
  id: 'delivery-retried',
  phase: 'deliveries',
  question: 'delivery',
  needs: [...DELIVERING, ...PAYING],
  stateful: true,
  waits: 'time',
  title: 'A delivery that is not answered 2xx is sent again, with the same id and body, signed anew.',
  advice:
    'Try again on every answer but 2xx, by a schedule, with the id of the event and the time of the attempt.',
  run: async (scene) => {
    const [who, meant] = [waiting(scene), {} as { id?: unknown }]
    const elsewhere = scene.receiver?.open()
    const cases = await Promise.all(
      failuresOf(elsewhere).map(async ({ words, answer }) => {
        return {
          words,
          registered: await register(scene, {
            type: 'transfer',
            who,
            answer: answering(meant, failingFirst(answer)),
          }),
        }
      }),
    )
    const input = await transferToKey(scene, who)
    const paid = input && (await transfer(scene, input, who))
    if (!paid || !isSuccess(paid)) return scene.masked()
    meant.id = nodeOf(paid.body).id
    await Promise.all(cases.map(({ words, registered }) => tryFailure(scene, { words, registered, paid })))
    const followed = about(elsewhere?.deliveries ?? [], paid).length > 0
    const message = 'Expected a redirect not to be followed, and it was.'
    scene.expect(paid, followed ? message : undefined, { ...place(scene), about: 'redirect' })
  },
}

/** Answers that are no success. What 410 ends, Standard Webhooks leaves to the sender. */
function failuresOf(elsewhere: Inbox | undefined): { words: string; answer: Answer }[] {
  const statuses = [500, 503, 429, 404].map((answer) => ({ words: String(answer), answer }))
  const redirect = { status: 302, location: elsewhere?.url ?? '/' }
  return [
    ...statuses,
    { words: 'a redirect', answer: redirect },
    { words: 'a connection that breaks', answer: 'broken off' },
  ]
}

/** Fails the first attempt of each event, however often it comes. */
function failingFirst(answer: Answer): Answering {
  const firsts = new Map<string | undefined, Delivery>()
  return (delivery) => {
    const id = delivery.headers['webhook-id']
    const first = firsts.get(id) ?? delivery
    firsts.set(id, first)
    return laterOf([first, delivery]).length > 0 ? 204 : answer
  }
}

interface Case {
  readonly words: string
  readonly registered: Registered | undefined
  readonly paid: Exchange
}

async function tryFailure(scene: Scene, { words, registered, paid }: Case): Promise<void> {
  const all = registered ? await attempts(scene, registered.inbox, paid) : []
  const [[first], [second]] = [all, laterOf(all)]
  if (!first || !registered) return scene.masked()
  const where = { ...place(scene), about: `retry ${words}` }
  if (!second)
    return void scene.expect(paid, `Expected a second attempt after ${words}, and none came.`, where)
  const isSame = first.headers['webhook-id'] === second.headers['webhook-id'] && first.text === second.text
  const message = 'Expected the same id and body at the second attempt, got others.'
  scene.expect(paid, isSame ? undefined : message, { ...where, about: 'same' })
  await isSignedAnew(scene, paid, { first, second, secret: registered.secret })
}

interface Attempts {
  readonly first: Delivery
  readonly second: Delivery
  readonly secret: string
}

async function isSignedAnew(
  scene: Scene,
  paid: Exchange,
  { first, second, secret }: Attempts,
): Promise<void> {
  const [before, after] = [first, second].map(({ headers }) => Number(headers['webhook-timestamp']))
  const isNew = before !== undefined && after !== undefined && after > before
  const stale = 'Expected the timestamp of the second attempt, got that of the first.'
  scene.expect(paid, isNew ? undefined : stale, { ...place(scene), about: 'timestamp' })
  const isSigned = await isSignedBy(second, secret)
  const message = 'Expected a second attempt that verifies, got one that does not.'
  scene.expect(paid, isSigned ? undefined : message, { ...place(scene), about: 'signature' })
}

function attempts(
  scene: Scene,
  { deliveries, patienceMs }: Inbox,
  paid: Exchange,
): Promise<readonly Delivery[]> {
  return eventually(
    scene,
    () => about(deliveries, paid),
    (all) => laterOf(all).length > 0,
    RETRIED + patienceMs,
  )
}
