import { fieldsOf } from '../contract/json.ts'
import { mediaTypeOf } from '../history.ts'
import { Bounded } from './bounded.ts'
import type { Exchange, Responder, ResponseParts } from './exchange.ts'

/**
 * Statuses of a firewall (403), of a rate limit (429), or of a gateway that does not reach the
 * service. From 520 on, they are those of a content delivery network.
 */
const OF_GATEWAYS: ReadonlySet<number> = new Set([
  403, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530,
])

/**
 * Statuses with which a gateway refuses what it cannot read itself. The service has them too, so
 * that only a page is that of a gateway.
 */
const OF_PAGES: ReadonlySet<number> = new Set([400, 408, 413, 414, 431])

/** So many forms of refusals are remembered. */
const MAX_FORMS = 100

/**
 * Distinguishes the responses of a gateway from those of the service: they have another media type, or
 * other fields, than all refusals of which the content of a request is the reason.
 */
export class Responders {
  /** The forms in which the service itself refuses requests. */
  readonly #serviceForms = new Bounded<string, true>(MAX_FORMS)

  /**
   * Finds who sent a response. A 403, 429 or 503 may be of a gateway: it is of the service if it has the form of the
   * service's other refusals, such as the same media type and the same fields, or that of the contract. `unknown`
   * while no refusal of the service has been seen.
   */
  findResponder(parts: ResponseParts): Responder {
    if (!parts.response || !mayBeOfGateway(parts)) return 'service'

    const isSeenForm = this.#serviceForms.has(describeRefusalForm(parts))
    if (isSeenForm || hasDeclaredForm(parts)) return 'service'

    const wasAnyFormSeen = this.#serviceForms.size > 0
    return wasAnyFormSeen ? 'gateway' : 'unknown'
  }

  /** Takes in the next exchange: remembers the form of a refusal that only the service itself can have sent. */
  fold(exchange: Exchange): void {
    const { outcome, operation, status } = exchange
    if (outcome !== 'refused' || !operation || OF_GATEWAYS.has(status)) return

    // A gateway refuses with pages, so that these say nothing of the service.
    const isPage = fieldNames(exchange).length === 0
    if (!isPage) this.#serviceForms.set(describeRefusalForm(exchange), true)
  }
}

/** Whether a gateway may have sent a response, by its status and media type. */
function mayBeOfGateway(parts: ResponseParts): boolean {
  const { status } = parts
  const isPage = OF_PAGES.has(status) && mediaTypeOf(parts) === 'text/html'
  return isPage || OF_GATEWAYS.has(status)
}

/** Whether a response has the form that the contract assumes of refusals. */
function hasDeclaredForm(parts: ResponseParts): boolean {
  const type = mediaTypeOf(parts)
  if (type !== 'application/problem+json') return false
  // The response to a HEAD has no fields.
  return parts.response?.text === '' || fieldNames(parts).includes('code')
}

/** The form of a refusal as a text, its media type and the names of its fields: `application/problem+json code title`. */
function describeRefusalForm(parts: ResponseParts): string {
  return `${mediaTypeOf(parts)} ${fieldNames(parts).join(' ')}`
}

/**
 * The sorted names of the fields of a refusal, without lists of what is wrong, which only some refusals have:
 * `{ title, code, errors: [] }` gives `['code', 'title']`. Empty if the body is no JSON object.
 */
function fieldNames({ responseBody }: Pick<ResponseParts, 'responseBody'>): string[] {
  const fields = Object.entries(fieldsOf(responseBody)).filter(([name]) => name !== 'errors')
  const withoutLists = fields.filter(([, value]) => !Array.isArray(value))
  // If all fields are lists, as in `{ messages: [] }`, the form has only these.
  const fieldsOfAll = withoutLists.length > 0 ? withoutLists : fields
  return fieldsOfAll.map(([name]) => name).sort()
}
