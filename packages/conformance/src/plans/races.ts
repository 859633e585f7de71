import { stringAt } from '../contract/json.ts'
import { ACTIVE } from '../contract/words.ts'
import { validBody } from './bodies.ts'
import type { Plan, PlanContext } from './plan.ts'
import { CODE_KINDS, type CodeKind, isAnyChosen, isKindChosen, WEBHOOKS } from './records.ts'
import {
  createRecord,
  prepareValidRequest,
  type ValidOptions,
  withAmount,
} from './valid-requests.ts'

/** Sends requests with one value or about one record at once, and again afterwards. */
export const races: Plan = {
  id: 'races',
  wants: ['once-unique', 'once-used', 'once-issued'],
  /**
   * Sends requests that compete for one record or one value at the same time: only one of them may
   * win. Leaves out races whose operations are not checked in this run.
   */
  async run(context) {
    const races: (() => Promise<void>)[] = []
    const isCodeChosen = CODE_KINDS.some((kind) => isKindChosen(context, kind))
    if (isCodeChosen) races.push(() => repeatTxIds(context))
    if (context.isChosen('createTransfer')) races.push(() => repeatPayments(context))
    if (isAnyChosen(context, WEBHOOKS)) races.push(() => raceForWebhooks(context))
    for (const kind of CODE_KINDS) {
      if (context.isChosen(kind.cancel)) races.push(() => raceToCancel(context, kind))
    }
    await context.sideBySide(races, (race) => race())
  },
}

/** So many requests compete. */
const TIMES = 3

/** Sends several requests at the same time, each with its index from 0. Returns their outcomes. */
function atOnce<T>(times: number, send: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, i) => send(i)))
}

/**
 * Creates several codes with the same tx_id at once, and one more after that. Only one of them may be accepted. Three
 * rounds: three immediate codes, three with a due date, and one of each.
 */
async function repeatTxIds(context: PlanContext): Promise<void> {
  const { send, sideBySide } = context
  // The kinds of the codes that compete, by round.
  const rounds = [...CODE_KINDS.map((kind) => [kind, kind, kind]), CODE_KINDS]
  await sideBySide(rounds, (kinds) => createWithOneTxId(context, kinds))
  await sideBySide(CODE_KINDS, ({ list }) => send(list))
}

/** Creates a code of each of these kinds at once, all with one tx_id, and the first one once more. */
async function createWithOneTxId(context: PlanContext, kinds: readonly CodeKind[]): Promise<void> {
  const tx_id = context.uniqueText()
  const creations = kinds.map(({ create }) => {
    const body = { ...validBody(context, create), tx_id }
    return () => context.send(create, { body })
  })
  await Promise.all(creations.map((create) => create()))
  await creations[0]?.()
}

/**
 * Sends the payment of each example several times at once, and once more after that. No money may move twice. Pays
 * codes, and keys as the partner; the last key also as a customer.
 */
async function repeatPayments(context: PlanContext): Promise<void> {
  const examples = context.contract.examples('createTransfer')
  const payments: ValidOptions[] = examples.map((_, example) => ({ example }))
  const lastByCustomer: ValidOptions = { ...payments.at(-1), by: 'customer' }
  await context.sideBySide([...payments, lastByCustomer], (payment) =>
    repeatPayment(context, payment),
  )
}

/** Sends one payment three times at once, once more after that, and a payment of a key with another amount too. */
async function repeatPayment(context: PlanContext, payment: ValidOptions): Promise<void> {
  const { send } = context
  const input = await prepareValidRequest(context, 'createTransfer', payment)
  if (!input) return

  await atOnce(TIMES, () => send('createTransfer', input))
  await send('createTransfer', input)

  // Its `initiation_id` is used up, also for another amount.
  const isToKey = stringAt(input.body, '/initiation_id') !== undefined
  if (isToKey) await send('createTransfer', withAmount(input, '0.02'))
}

/**
 * Creates, reads, updates and deletes webhooks, with several requests of the same sort at once. First each
 * has a webhook of its own, then all compete for one.
 */
async function raceForWebhooks(context: PlanContext): Promise<void> {
  const { send, sideBySide } = context
  const body = { status: ACTIVE, ...validBody(context, 'createWebhook') }
  const bodies = ['all', 'transfer', 'qrcode'].map((type) => ({ ...body, type }))
  const records = await atOnce(TIMES, () => createRecord(context, 'createWebhook', { body }))
  const paths = records.map(({ id = '' }) => ({ webhook_id: id }))
  const [contested] = paths
  const readInTurn = (i: number) => send('getWebhook', { path: paths[i % TIMES] })

  // Each request is about another webhook, and none may get the fields of another one.
  await atOnce(TIMES, readInTurn)
  await atOnce(TIMES, (i) => send('updateWebhook', { path: paths[i], body: bodies[i] }))
  await atOnce(2 * TIMES, readInTurn)

  // All are about the first webhook.
  await atOnce(TIMES, (i) => send('updateWebhook', { path: contested, body: bodies[i] }))
  await send('getWebhook', { path: contested })
  await send('listWebhooks')
  await context.repeatLaggingReads()
  await atOnce(TIMES, () => send('deleteWebhook', { path: contested }))
  await sideBySide(paths, (path) => send('getWebhook', { path }))
  await send('listWebhooks')
}

/** Cancels one code several times at once, and reads the list. */
async function raceToCancel(context: PlanContext, kind: CodeKind): Promise<void> {
  const input = await prepareValidRequest(context, kind.cancel)
  if (input) await atOnce(TIMES, () => context.send(kind.cancel, input))
  await context.send(kind.list)
}
