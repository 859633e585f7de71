import fc from 'fast-check'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Violation } from '../../engine/violation.ts'
import type { InvalidVariant } from '../../generate/schema/schemas.ts'
import { NotSent } from '../../model/errors.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { isSchemaRefusal } from './refusal-forms.ts'
import { refusalCause } from './refusal-cause.ts'

/** Requests of one operation at most, valid and broken each. */
const RUNS = 2_000
/** Operations that are tried at a time. */
const LANES = 4

/** Random requests of the schema's own; what fails is shrunk to the smallest that does. */
export const randomRequests: Rule = {
  id: 'random-requests',
  phase: 'random',
  cites: 'contract',
  repeats: ['boundary-accepted', 'break-refused'],
  title: 'Whatever a schema allows is not refused as breaking it, and whatever breaks it is.',
  advice: 'Handle the request that is shown, which is the smallest that was found.',
  run: async (context) => {
    const views = context.contract.operations.filter(
      (it) => it.bodyPointer !== undefined && context.isIncluded(it) && context.canSend(it),
    )
    const turns = views.map((view) => ({ view, seeds: [seedOf(context), seedOf(context)] as const }))
    const ms = context.timeMs / (2 * Math.ceil(views.length / LANES))
    const lanes = Array.from({ length: LANES }, (_, lane) => turns.filter((_, i) => i % LANES === lane))
    await Promise.all(
      lanes.map(async (lane) => {
        // One at a time; what must not be sent ends with its operation.
        for (const turn of lane)
          await context.each([turn], ({ view, seeds }) => tryBoth(context, view, seeds, ms))
      }),
    )
  },
}

function seedOf({ random }: Context): number {
  return Math.floor(random() * 2 ** 31)
}

async function tryBoth(context: Context, view: OperationView, seeds: readonly [number, number], ms: number) {
  const { arbitraryOf, brokenArbitraryOf } = context.schemas
  const pointer = view.bodyPointer ?? ''
  // A record of the run's own: the one that the contract shows may be somebody's.
  const made = await context.builder.inputOf(view, { identity: 'partner' })
  if (!made) return context.inconclusive()
  const send: Send = (body) => context.send(view, { ...made, body })
  const isForm = (exchange: Exchange) => isSchemaRefusal(context, { exchange, base: made })
  await tryAll(context, arbitraryOf(pointer), { seed: seeds[0], ms }, (body) => tryValid(send, isForm, body))
  await tryAll(context, brokenArbitraryOf(pointer), { seed: seeds[1], ms }, (twin) => tryBroken(send, twin))
}

type Send = (body: unknown) => Promise<Exchange>

/** What became of a case. Where the service fails, the rule of failures tells it. */
type Outcome =
  | 'passed'
  | 'inconclusive'
  | { readonly exchange: Exchange; readonly failed: Omit<Violation, 'operation'> }

async function tryValid(
  send: Send,
  isForm: (exchange: Exchange) => Promise<boolean>,
  body: unknown,
): Promise<Outcome> {
  const exchange = await send(body)
  if (isSuccess(exchange)) return 'passed'
  if (!(await isForm(exchange))) return 'inconclusive'
  const { view, response } = exchange
  const message = `${view?.id} refused a request that matches its schema (${response.status}).`
  return { exchange, failed: { contract: view?.bodyPointer ?? '', message } }
}

/** To be refused tells of what is broken only where the twin without it is accepted. */
async function tryBroken(send: Send, { accepted, body, change }: InvalidVariant): Promise<Outcome> {
  const exchange = await send(body)
  const { status } = exchange.response
  if (isSuccess(exchange)) {
    const { contract, question } = change
    const message = `Expected a request that breaks its schema to be refused, got ${status}.`
    return { exchange, failed: { contract, message, question } }
  }
  if (status !== 400 && status !== 422) return 'inconclusive'
  return isSuccess(await send(accepted)) ? 'passed' : 'inconclusive'
}

async function tryAll<Tried>(
  context: Context,
  tried: fc.Arbitrary<Tried> | undefined,
  { seed, ms }: { readonly seed: number; readonly ms: number },
  outcomeOf: (it: Tried) => Promise<Outcome>,
): Promise<void> {
  if (!tried) return
  let last: Exclude<Outcome, string> | undefined
  let unsent: NotSent | undefined
  let isOver = false
  const property = fc.asyncProperty(tried, async (it) => {
    // Neither will be what follows: no finding, and nothing to be shrunk.
    if (unsent) return true
    try {
      const outcome = await outcomeOf(it)
      // What was under way when the time was up is no case any more: others are tried by now.
      if (isOver) return true
      if (outcome === 'passed') context.passed()
      else if (outcome === 'inconclusive') context.inconclusive()
      else last = outcome
      return typeof outcome === 'string'
    } catch (error) {
      if (!(error instanceof NotSent)) throw error
      unsent = error
      return true
    }
  })
  await fc.check(property, {
    seed,
    numRuns: RUNS,
    interruptAfterTimeLimit: ms,
    markInterruptAsFailure: false,
  })
  isOver = true
  // Shrinking ends with the smallest that failed.
  if (last) {
    const { exchange, failed } = last
    const cause = isSuccess(exchange) ? {} : await refusalCause(context, exchange)
    context.failed(exchange, { operation: exchange.view?.id, ...failed, ...cause })
  }
  // It masks one case, and ends the operation.
  if (unsent) throw unsent
}
