import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, isValid } from './exchange.ts'

/** The status and the code with which a service refuses requests that do not match the contract. */
export class Refusals {
  readonly #forms = new Bounded<string, true>(1_000)

  /** Whether a refusal looks like those of invalid requests of its operation. */
  isOfInvalid(exchange: Exchange): boolean {
    return this.#forms.has(buildRefusalKey(exchange))
  }

  /**
   * Takes in the next exchange: if it refuses an invalid request for its content, remembers the status and the code,
   * such as `createWebhook 400 invalid_request`.
   */
  fold(exchange: Exchange): void {
    const { outcome, operation, status } = exchange
    // Other refusals, such as 401 or 429, do not concern the content of the request.
    const isReasonInRequest = status === 400 || status === 404 || status === 422
    if (outcome !== 'refused' || !operation || !isReasonInRequest) return

    // To compare a request with the contract takes time, so that a known form is not looked at again.
    const key = buildRefusalKey(exchange)
    if (!this.#forms.has(key) && !isValid(exchange)) this.#forms.set(key, true)
  }
}

/** The operation, the status and the code of a refusal: `createWebhook 400 invalid_request`. */
function buildRefusalKey({ operation, status, responseBody }: Exchange): string {
  return `${operation?.id} ${status} ${stringAt(responseBody, '/code') ?? ''}`
}
