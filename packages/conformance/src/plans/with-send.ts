import type { Input, Outcome } from '../send/requests.ts'
import type { PlanContext } from './plan.ts'

/** A context that sends its requests by another function. What ends the records of the run stays the same. */
export function withSend(
  context: PlanContext,
  send: (id: string, input?: Input) => Promise<Outcome>,
): PlanContext {
  const { cleanUp } = context.send
  return { ...context, send: Object.assign(send, { cleanUp }) }
}
