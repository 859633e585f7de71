import fc from 'fast-check'
import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Violation } from '../../engine/violation.ts'
import type { InvalidVariant } from '../../generate/schema/schemas.ts'
import { NotSent } from '../../model/errors.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { resourcesOf } from '../../model/resources.ts'
import { canStep, doStep } from '../common/record-steps.ts'
import { refusalCause } from '../refusals/refusal-cause.ts'
import { isSchemaRefusal } from '../refusals/refusal-kind.ts'

/** Most requests per operation, for valid and for invalid ones each. */
const RUNS = 2_000
/** Operations that are tried at once. */
const LANES = 4

/** Generates random requests from schemas, and shrinks a failing one to the smallest that fails. */
export const randomRequests: Rule = {
  id: 'random-requests',
  phase: 'random',
  cites: 'contract',
  repeats: ['boundary-accepted', 'break-refused'],
  title:
    'A random request that matches its schema is not refused as invalid, and one that does not match is refused.',
  advice: 'Reproduce the request of the finding, the smallest that fails, and correct how it is validated.',
  run: async (context) => {
    const views = context.contract.operations.filter(
      (it) => it.bodyPointer !== undefined && context.isIncluded(it) && context.canSend(it),
    )
    const turns = views.map((view) => ({ view, seeds: [seedOf(context), seedOf(context)] as const }))
    const ms = context.timeMs / (2 * Math.ceil(views.length / LANES))
    const lanes = Array.from({ length: LANES }, (_, lane) => turns.filter((_, i) => i % LANES === lane))
    await Promise.all(
      lanes.map(async (lane) => {
        // One at a time: a request that must not be sent ends the cases of its operation.
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
  const { remove } = resourcesOf(context.contract).find(({ create }) => create === view) ?? {}
  const pointer = view.bodyPointer ?? ''
  // The ids of examples may belong to somebody: the request uses a record that this run created.
  const valid = await context.builder.inputOf(view, { identity: 'partner' })
  if (!valid) return context.inconclusive()
  const send: Send = async (body) => {
    const exchange = await context.send(view, { ...valid, body })
    // An owner may have only so many records.
    if (remove && isSuccess(exchange) && canStep(remove, exchange)) await doStep(context, remove, exchange)
    return exchange
  }
  const isForm = (exchange: Exchange) => isSchemaRefusal(context, { exchange, valid })
  await tryAll(context, arbitraryOf(pointer), { seed: seeds[0], ms }, (body) => tryValid(send, isForm, body))
  await tryAll(context, brokenArbitraryOf(pointer), { seed: seeds[1], ms }, (variant) =>
    tryInvalid(send, variant),
  )
}

type Send = (body: unknown) => Promise<Exchange>

/** The outcome of a case. A 5xx is a finding of no-server-error. */
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

/** The refusal of an invalid variant counts only if the valid request is accepted. */
async function tryInvalid(send: Send, { accepted, body, change }: InvalidVariant): Promise<Outcome> {
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

async function tryAll<Request>(
  context: Context,
  requests: fc.Arbitrary<Request> | undefined,
  { seed, ms }: { readonly seed: number; readonly ms: number },
  outcomeOf: (it: Request) => Promise<Outcome>,
): Promise<void> {
  if (!requests) return

  let last: Exclude<Outcome, string> | undefined
  let unsent: NotSent | undefined
  let isOver = false
  const property = fc.asyncProperty(requests, async (it) => {
    // What follows will not be sent either: there is no finding, and nothing to shrink.
    if (unsent) return true
    try {
      const outcome = await outcomeOf(it)
      // The time is over, and other operations are tried meanwhile.
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
  // Reports one inconclusive case and ends the operation.
  if (unsent) throw unsent
}
