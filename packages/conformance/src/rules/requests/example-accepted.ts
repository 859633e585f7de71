import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { isSuccess } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { isDeclaredSuccess, successesOf, successStatuses } from '../../model/statuses.ts'
import { tryOtherWays } from '../equivalent-requests.ts'
import { refusalCause } from './refusal-cause.ts'

export const exampleAccepted: Rule = {
  id: 'example-accepted',
  phase: 'valid requests',
  cites: 'contract',
  isTraffic: true,
  title: 'What the contract shows as a request is accepted, with the declared success.',
  advice: 'Accept the request, or correct the example of the contract.',
  run: async (context) => {
    const views = context.contract.operations.filter(
      (view) => context.isIncluded(view) && context.canSend(view),
    )
    for (const { brokenExamples } of views)
      for (let i = 0; i < brokenExamples; i++) context.inconclusive(BROKEN)
    await context.each(
      views.flatMap((view) =>
        [...(view.examples.length > 0 ? view.examples.keys() : [0])].map((example) => ({ view, example })),
      ),
      async ({ view, example }) => {
        const input = await context.builder.inputOf(view, { identity: 'partner', example, isExample: true })
        // What the request rests on was refused; that is told where it is asked for itself.
        if (!input) return context.inconclusive()
        const exchange = await context.send(view, input)
        const { status } = exchange.response
        if (isSuccess(exchange) && example === 0) await tryOtherWays(context, view)
        if (isDeclaredSuccess(view, status)) return context.passed()
        if (successesOf(view.statuses).length === 0) return context.inconclusive(NO_SUCCESS)
        if (isOfItsRecords(context, view, status)) return context.inconclusive()
        const message = `Expected ${successStatuses(view)} for the request that the contract shows, got ${status}.`
        const cause = isRefusal(exchange, [404]) ? await refusalCause(context, exchange) : {}
        context.expect(exchange, message, { about: `${example} ${status}`, ...cause })
      },
    )
  },
}

/** Why an example is not sent: the contract is wrong there, whatever the service does. */
const BROKEN = 'the contract shows a request that breaks its own schema'
/** Why a case is masked that no answer can hold. */
const NO_SUCCESS = 'the contract declares no success of it'

/**
 * Only a mock and our own sandbox have the records that the contract makes up; of any other service, what it knows, and
 * what it lets these credentials do, is its own matter.
 */
function isOfItsRecords({ target, clock }: Context, { statuses }: OperationView, status: number): boolean {
  if (target === 'mock' || clock.isControlled) return false
  return [404, 409, 422].includes(status) || (status === 403 && statuses.includes('403'))
}
