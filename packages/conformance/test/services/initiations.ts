import { keepsContract } from './call.ts'
import { bodyOf, problem } from './responses.ts'
import { callerOf } from './state.ts'
import type { Wrap } from './wrap.ts'

/** Refuses an initiation_id this long after it was issued, earlier than the sandbox does. */
export function initiationsFor(ms: number): Wrap {
  return async (call, next, sandbox) => {
    const { app, memory } = sandbox
    const at = call.operation === 'createTransfer' ? memory.get(call.json?.initiation_id) : undefined
    const isLate = at !== undefined && app.clock.now() - Number(at) > ms && keepsContract(call)
    if (isLate && (await callerOf(call, sandbox))) return problem(422, 'initiation_invalid')
    const response = await next(call)
    if (call.operation === 'checkKey') memory.set((await bodyOf(response))?.initiation_id, app.clock.now())
    return response
  }
}
