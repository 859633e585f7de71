import { tryDecode } from '@partner-payments/brcode'
import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { identifyCode } from './code-identity.ts'
import type { Exchange } from './exchange.ts'

/** The earlier exchanges that have shown what a later request uses: codes, look-ups and lists. */
export class Sources {
  /** The last exchange by what happened in it: `created <emv>`, `looked up <initiation_id>`. */
  readonly #lastByEvent = new Bounded<string, Exchange>(2_000)

  /**
   * The earlier exchanges whose values this response must repeat:
   *
   * - of a payment code, its creation and its last check
   * - of the check of a code, the last look-up of the key of the code
   * - of an `initiation_id`, the look-up that issued it
   * - of a user, the list of users
   */
  listSources({ requestBody, operation, identity }: Exchange): readonly Exchange[] {
    // Each event is the key under which `fold` has stored the last exchange of its sort.
    const events: string[] = []

    const emv = stringAt(requestBody, '/emv')
    if (emv !== undefined)
      events.push(`created ${identifyCode(emv)}`, `checked ${identifyCode(emv)}`)

    const isCheck = operation?.id === 'checkCode' && emv !== undefined
    if (isCheck) events.push(`looked up key ${this.#keyOfCode(emv)}`)

    const initiationId = stringAt(requestBody, '/initiation_id')
    if (initiationId !== undefined) events.push(`looked up ${initiationId}`)

    if (operation?.id === 'getUser' && identity) events.push(`listed ${identity.partner}`)

    return events.flatMap((event) => this.#lastByEvent.get(event) ?? [])
  }

  /** The last accepted check of the code that a request names; undefined if there is none. */
  findCheck({ requestBody }: Pick<Exchange, 'requestBody'>): Exchange | undefined {
    const emv = stringAt(requestBody, '/emv')
    return emv === undefined ? undefined : this.#lastByEvent.get(`checked ${identifyCode(emv)}`)
  }

  /** The last accepted look-up of a key. */
  findKeyLookUp(key: string): Exchange | undefined {
    return this.#lastByEvent.get(`looked up key ${key}`)
  }

  /** The last look-up that issued an initiation_id. */
  findIssuingLookUp(initiationId: string): Exchange | undefined {
    return this.#lastByEvent.get(`looked up ${initiationId}`)
  }

  /** The key that a code pays: the one that its creation names, or that a static code has in it. */
  #keyOfCode(emv: string): string | undefined {
    const created = this.#lastByEvent.get(`created ${identifyCode(emv)}`)
    if (created) return stringAt(created.requestBody, '/dict_key')

    const decoded = tryDecode(emv, { profile: 'lenient' })
    return decoded.ok && decoded.code.kind === 'static' ? decoded.code.key : undefined
  }

  /**
   * Takes in the next exchange: stores an accepted one under the event that it is, such as `created <code>`,
   * for comparison with later responses.
   */
  fold(exchange: Exchange): void {
    const { outcome, operation, requestBody, unknown } = exchange
    if (outcome !== 'accepted' || unknown.requestBody.length > 0) return
    const event = buildSourceKey(exchange)
    if (event !== undefined) this.#lastByEvent.set(event, exchange)

    if (operation?.id === 'checkKey')
      this.#lastByEvent.set(`looked up key ${stringAt(requestBody, '/dict_key')}`, exchange)
  }
}

/**
 * The key under which an exchange is stored, since later responses must repeat its values: `checked
 * <code>`, `looked up <initiation_id>`, `listed <partner>` or `created <code>`. Undefined for others.
 */
function buildSourceKey({
  requestBody,
  responseBody,
  operation,
  identity,
}: Exchange): string | undefined {
  if (operation?.id === 'checkCode') {
    const checkedCode = stringAt(requestBody, '/emv')
    return checkedCode === undefined ? undefined : `checked ${identifyCode(checkedCode)}`
  }
  if (operation?.id === 'checkKey') {
    const initiationId = stringAt(responseBody, '/initiation_id')
    return initiationId === undefined ? undefined : `looked up ${initiationId}`
  }
  if (operation?.id === 'listUsers') return identity ? `listed ${identity.partner}` : undefined
  // Of the other operations, only the creation of a payment code shows a new code; a read repeats it.
  if (operation?.method !== 'POST') return undefined

  const createdCode = stringAt(responseBody, '/emv')
  return createdCode === undefined ? undefined : `created ${identifyCode(createdCode)}`
}
