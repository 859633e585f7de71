import type { RefusalCode } from '../../behaviour.ts'
import { Refusal } from '../../problems.ts'
import type { Disturbance } from '../../service/service.ts'
import { cutting } from './cut.ts'
import { type Sleep, slowed } from './slow.ts'

/** A fault that affects one request. Times are in milliseconds, at most 60,000. */
export type Fault =
  | { readonly kind: 'latency'; readonly ms: number; readonly after: boolean }
  | { readonly kind: 'status'; readonly status: number; readonly after: boolean }
  | { readonly kind: 'lose_response' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'reject_transfer' }
  | { readonly kind: 'slow_body'; readonly ms: number }

/** Turns a fault into what the service does with the request. */
export function disturbanceOf(fault: Fault, sleep: Sleep): Disturbance {
  switch (fault.kind) {
    case 'latency':
      return fault.after
        ? { after: (response) => sleep(fault.ms).then(() => response) }
        : { before: () => sleep(fault.ms).then(() => undefined) }
    case 'status':
      return fault.after ? { after: () => refused(fault.status) } : { before: () => refused(fault.status) }
    case 'lose_response':
      return { after: async () => cutting('end') }
    case 'reset':
      return { before: async () => cutting('reset') }
    case 'reject_transfer':
      return { rejection: 'DS04' }
    case 'slow_body':
      return { after: (response) => slowed(response, fault.ms, sleep) }
  }
}

async function refused(status: number): Promise<never> {
  const headers = status === 429 || status === 503 ? { 'retry-after': '1' } : {}
  throw new Refusal(codeOf(status), {
    status,
    headers,
    detail: 'A fault rule or header of the sandbox caused this response.',
  })
}

/** The refusal code of a status. A status outside the contract gets the nearest code. */
function codeOf(status: number): RefusalCode {
  return CODES[status] ?? (status < 500 ? 'invalid_request' : 'unavailable')
}

const CODES: Readonly<Record<number, RefusalCode>> = {
  401: 'invalid_token',
  403: 'wrong_token_kind',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  500: 'internal_error',
}
