import { refuse } from '../../problems.ts'
import type { Fault } from './fault.ts'

const NAME = 'x-sandbox-fault'

/**
 * Reads the fault that a request asks for: `status=503`, `latency=500`, `lose-response`, `reset` or `slow-body=50`.
 *
 * @throws {Refusal} `invalid_request` if the header has another value.
 */
export function faultOf({ headers }: Request): Fault | undefined {
  const text = headers.get(NAME)
  return text === null ? undefined : (parse(text) ?? refuse('invalid_request', NAME, EXPECTED))
}

const EXPECTED = `"${NAME}" must be status=400 to 599, latency=0 to 60000, lose-response, reset or slow-body=0 to 60000.`

function parse(text: string): Fault | undefined {
  const [, kind, digits] = /^(status|latency|slow-body)=(\d{1,5})$/.exec(text) ?? ['', text]
  const number = Number(digits)
  if (kind === 'status' && number >= 400 && number <= 599) return { kind, status: number, after: false }
  if (kind === 'latency' && number <= 60_000) return { kind, ms: number, after: false }
  if (kind === 'slow-body' && number <= 60_000) return { kind: 'slow_body', ms: number }
  if (kind === 'lose-response') return { kind: 'lose_response' }
  return kind === 'reset' ? { kind } : undefined
}
