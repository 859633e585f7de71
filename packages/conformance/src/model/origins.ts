import { fieldsOf } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import type { Answer, Exchange, Origin } from './exchange.ts'

/**
 * Statuses with which a firewall (403), a rate limit (429) or a gateway answers that does not reach
 * the service. From 520 on, they are those of a content delivery network.
 */
const OF_GATEWAYS: ReadonlySet<number> = new Set([
  403, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530,
])

/**
 * Statuses with which a gateway refuses what it cannot read itself. The service has them too, so
 * that only a page is that of a gateway.
 */
const OF_PAGES: ReadonlySet<number> = new Set([400, 408, 413, 414, 431])

/** Forms of refusals that are remembered. */
const MOST = 100

/**
 * Tells the answers of a gateway from those of the service: they have another media type, or other
 * fields, than all refusals of which the content of a request is the reason.
 */
export class Origins {
  readonly #own = new Bounded<string, true>(MOST)

  of(answer: Answer): Origin {
    if (!answer.response || !mayBeOfGateway(answer)) return 'service'
    if (this.#own.has(formOf(answer)) || isDeclared(answer)) return 'service'
    return this.#own.size > 0 ? 'gateway' : 'unknown'
  }

  fold(exchange: Exchange): void {
    const { outcome, operation, status } = exchange
    const isOwn = outcome === 'refused' && operation && !OF_GATEWAYS.has(status)
    // A gateway refuses with pages, so that these say nothing of the service.
    if (isOwn && fieldNames(exchange).length > 0) this.#own.set(formOf(exchange), true)
  }
}

function mayBeOfGateway(answer: Answer): boolean {
  const { status } = answer
  const isPage = OF_PAGES.has(status) && typeOf(answer) === 'text/html'
  return isPage || OF_GATEWAYS.has(status)
}

/** Whether an answer has the form that the contract assumes of refusals. */
function isDeclared(answer: Answer): boolean {
  const type = typeOf(answer)
  if (type !== 'application/problem+json') return false
  // The response to a HEAD has no fields.
  return answer.response?.text === '' || fieldNames(answer).includes('code')
}

function formOf(answer: Answer): string {
  return `${typeOf(answer)} ${fieldNames(answer).join(' ')}`
}

function typeOf({ response }: Answer): string {
  const [type = ''] = String(response?.headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** The names of the fields, apart from those that only some refusals have. */
function fieldNames({ shown }: Pick<Answer, 'shown'>): string[] {
  const names = Object.keys(fieldsOf(shown)).filter((name) => name !== 'errors')
  return names.sort()
}
