import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Violation } from '../../engine/violation.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { isDeclaredSuccess, successesOf, successStatuses } from '../../model/statuses.ts'
import { sendableOperations } from '../common/valid-requests.ts'
import { refusalCause } from '../refusals/refusal-cause.ts'
import { tryEquivalentRequests } from './equivalent-requests.ts'

export const exampleAccepted: Rule = {
  id: 'example-accepted',
  phase: 'valid requests',
  cites: 'contract',
  isTraffic: true,
  title: 'Every request example of the contract is accepted with a declared success.',
  advice: 'Accept the request, or correct the example of the contract.',
  run: async (context) => {
    const views = sendableOperations(context)
    for (const { brokenExamples } of views)
      for (let i = 0; i < brokenExamples; i++) context.inconclusive(BROKEN)
    const cases = views.flatMap((view) =>
      [...(view.examples.length > 0 ? view.examples.keys() : [0])].map((example) => ({ view, example })),
    )
    const isSignIn = ({ view }: Case) => view === context.contract.signIn
    // First, and alone: a service may end earlier sessions when somebody signs in.
    for (const it of cases.filter(isSignIn)) await context.each([it], (it) => tryExample(context, it))
    await context.each(
      cases.filter((it) => !isSignIn(it)),
      (it) => tryExample(context, it),
    )
  },
}

interface Case {
  readonly view: OperationView
  readonly example: number
}

async function tryExample(context: Context, { view, example }: Case): Promise<void> {
  const input = await context.builder.inputOf(view, { identity: 'partner', example, isExample: true })
  // A request that this one depends on was refused, which has its own finding.
  if (!input) return context.inconclusive()
  const exchange = await context.send(view, input)
  const { status } = exchange.response
  if (isSuccess(exchange) && example === 0) await tryEquivalentRequests(context, view)
  if (isDeclaredSuccess(view, status)) return context.passed()
  if (successesOf(view.statuses).length === 0) return context.inconclusive(NO_SUCCESS)
  if (isAboutItsData(context, view, status)) return context.inconclusive()
  const message = `Expected ${successStatuses(view)} for an example of the contract, got ${status}.`
  const cause = isRefusal(exchange, [404]) ? await causeOf(context, exchange) : {}
  context.expect(exchange, message, { about: `${example} ${status}`, ...cause })
}

/** What a refusal deviates from: the permissions of tokens, if a customer may send the request, or a field of the request. */
async function causeOf(context: Context, exchange: Exchange): Promise<Partial<Violation>> {
  const { view, input, response } = exchange
  if (view && response.status === 403) {
    await context.becomeCustomer()
    const isAllowed = context.identities.has('customer')
    const other = isAllowed && (await context.send(view, input, { identity: 'customer' }))
    if (other && isSuccess(other)) return { cites: { convention: 'tokenKinds' } }
  }
  return refusalCause(context, exchange)
}

/** The reason why an example is not sent: the error is in the contract. */
const BROKEN = 'the example in the contract does not match its own schema'
/** The reason why no response can pass. */
const NO_SUCCESS = 'the contract declares no success for the operation'

/** Only a mock and this project's sandbox have the records and permissions that the examples of the contract assume. */
function isAboutItsData({ target, clock }: Context, { statuses }: OperationView, status: number): boolean {
  if (target === 'mock' || clock.isControlled) return false
  return [404, 409, 422].includes(status) || (status === 403 && statuses.includes('403'))
}
