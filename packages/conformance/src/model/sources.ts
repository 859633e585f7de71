import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { decodeStaticCode, identifyCode } from './code-identity.ts'
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
  listSources(exchange: Exchange): readonly Exchange[] {
    const { requestBody, operation, identity } = exchange
    const sources: (Exchange | undefined)[] = []

    const emv = stringAt(requestBody, '/emv')
    if (emv !== undefined) sources.push(this.#findCreation(emv), this.findCheck(exchange))

    const isCheck = operation?.id === 'checkCode'
    if (isCheck && emv !== undefined) sources.push(this.#findLookUpOfCode(emv))

    const initiationId = stringAt(requestBody, '/initiation_id')
    if (initiationId !== undefined) sources.push(this.findIssuingLookUp(initiationId))

    const isUserLookUp = operation?.id === 'getUser'
    if (isUserLookUp && identity) sources.push(this.#lastByEvent.get(`listed ${identity.partner}`))

    return sources.filter((source) => source !== undefined)
  }

  /** The creation of a code; undefined if there is none. */
  #findCreation(emv: string): Exchange | undefined {
    return this.#lastByEvent.get(`created ${identifyCode(emv)}`)
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

  /** The last look-up of the key that a code pays; undefined if there is none. */
  #findLookUpOfCode(emv: string): Exchange | undefined {
    const creation = this.#findCreation(emv)
    const key = creation ? stringAt(creation.requestBody, '/dict_key') : decodeStaticCode(emv)?.key
    return key === undefined ? undefined : this.findKeyLookUp(key)
  }

  /**
   * Takes in the next exchange: stores an accepted one under the events that it is, such as `created <code>`,
   * for comparison with later responses.
   */
  fold(exchange: Exchange): void {
    const { outcome, unknown } = exchange
    if (outcome !== 'accepted' || unknown.requestBody.length > 0) return
    for (const event of listEvents(exchange)) this.#lastByEvent.set(event, exchange)
  }
}

/**
 * Lists what happened in an accepted exchange that later responses must repeat: the look-up of a key gives
 * `['looked up key ana@example.com', 'looked up init_1']`. Empty for most exchanges.
 */
function listEvents(exchange: Exchange): readonly string[] {
  const { requestBody, responseBody, operation, identity } = exchange
  switch (operation?.id) {
    case 'checkCode': {
      const emv = stringAt(requestBody, '/emv')
      return emv === undefined ? [] : [`checked ${identifyCode(emv)}`]
    }
    case 'checkKey': {
      const key = stringAt(requestBody, '/dict_key')
      const initiationId = stringAt(responseBody, '/initiation_id')
      const lookUp = `looked up key ${key}`
      return initiationId === undefined ? [lookUp] : [lookUp, `looked up ${initiationId}`]
    }
    case 'listUsers':
      return identity ? [`listed ${identity.partner}`] : []
    default: {
      // Only the creation of a payment code shows a new code; a read repeats it.
      const emv = operation?.method === 'POST' ? stringAt(responseBody, '/emv') : undefined
      return emv === undefined ? [] : [`created ${identifyCode(emv)}`]
    }
  }
}
