import { stringAt } from '../contract/json.ts'
import { Bounded } from './bounded.ts'
import { type Exchange, withoutResponse } from './exchange.ts'

/** A value that works once, and its uses. */
export interface UsedValue {
  /**
   * The exchange that issued it, without its response; undefined for a value that requests choose.
   */
  readonly issued: Exchange | undefined
  readonly accepted: readonly Exchange[]
  /** Uses whose outcome is unknown. */
  readonly unknown: readonly Exchange[]
  readonly refused: readonly Exchange[]
}

/** A use of a value that works once, by a request. */
export interface Use {
  /** A `tx_id` is unique among the QR codes of a partner. The others are one-time values. */
  readonly name: 'tx_id' | 'initiation' | 'charge'
  readonly value: string
  /** The pointer in the body of the request. */
  readonly pointer: string
}

/** The use of the payment code of a charge. */
export function chargeUse(value: string): Use {
  return { name: 'charge', value, pointer: '/emv' }
}

/** A value of a response, such as an id, a secret or a payment code. */
export interface IssuedValue {
  /** Values of one name are never issued twice. */
  readonly name: string
  readonly pointer: string
  readonly value: string
}

type Place<T extends { value: string }> = Omit<T, 'value'>

const TX_ID: Place<Use> = { name: 'tx_id', pointer: '/tx_id' }
const CHARGE: Place<Use> = { name: 'charge', pointer: '/emv' }
const INITIATION: Place<Use> = { name: 'initiation', pointer: '/initiation_id' }

/** The values that requests use, by their operations. */
const USED: Readonly<Record<string, readonly Place<Use>[]>> = {
  createImmediateQrCode: [TX_ID],
  createDueDateQrCode: [TX_ID],
  createTransfer: [INITIATION, CHARGE],
}

const ID: Place<IssuedValue> = { name: 'id', pointer: '/id' }
const SECRET: Place<IssuedValue> = { name: 'secret', pointer: '/secret' }

/** The values that responses issue, by their operations. */
const ISSUED: Readonly<Record<string, readonly Place<IssuedValue>[]>> = {
  checkKey: [INITIATION],
  createImmediateQrCode: [CHARGE, ID],
  createDueDateQrCode: [CHARGE, ID],
  createStaticQrCode: [ID],
  createTransfer: [{ name: 'id', pointer: '/data/id' }],
  createWebhook: [ID, SECRET],
  rotateWebhookSecret: [SECRET],
}

/** Values, and uses of each, that are remembered. */
const MOST = 10_000
const MOST_USES = 5
const UNUSED: UsedValue = { issued: undefined, accepted: [], unknown: [], refused: [] }

/**
 * The values that work once: those that responses issue, and those that are unique among records.
 */
export class Values {
  readonly #used = new Bounded<string, UsedValue>(MOST)
  /** What responses have issued, and what accepted requests have used. */
  readonly #issued = new Bounded<string, true>(5 * MOST)
  readonly #taken = new Bounded<string, true>(5 * MOST)

  /** Whether a response may have issued a value that the history does not show. */
  mayIssueUnseen = false

  get forgotten(): number {
    return this.#used.forgotten
  }

  usesIn({ operation, sent }: Exchange): readonly Use[] {
    return withValues(USED[operation?.id ?? ''], sent)
  }

  /** A `tx_id` is that of one partner, and a one-time value that of no partner. */
  known(use: Use, exchange: Pick<Exchange, 'by'>): UsedValue | undefined {
    return this.#used.get(keyOf(use, exchange))
  }

  /** Whether a request has a `tx_id` that a record has, or a one-time value that was used. */
  isRepeated(exchange: Exchange): boolean {
    return this.usesIn(exchange).some((use) => {
      const known = this.known(use, exchange)
      if (!known || known.accepted.length === 0) return false
      return use.name === 'tx_id' || known.issued !== undefined
    })
  }

  /** Whether any partner has used a value. */
  isUsed({ name, value }: Use): boolean {
    return this.#taken.has(`${name} ${value}`)
  }

  /** The values that a response issues. */
  issuedIn({ operation, outcome, shown }: Exchange): readonly IssuedValue[] {
    return outcome === 'accepted' ? withValues(ISSUED[operation?.id ?? ''], shown) : []
  }

  /** The values that a response should issue, and leaves empty. */
  emptyIn({ operation, outcome, shown }: Exchange): readonly Omit<IssuedValue, 'value'>[] {
    const places = outcome === 'accepted' ? (ISSUED[operation?.id ?? ''] ?? []) : []
    return places.filter(({ pointer }) => stringAt(shown, pointer) === '')
  }

  /** Whether an earlier response issued a value. */
  isIssued({ name, value }: IssuedValue): boolean {
    return this.#issued.has(`${name} ${value}`)
  }

  fold(exchange: Exchange): void {
    for (const use of this.usesIn(exchange)) this.#foldUse(use, exchange)
    for (const issued of this.issuedIn(exchange)) this.#foldIssued(issued, exchange)

    const issues = ISSUED[exchange.operation?.id ?? ''] !== undefined
    if (issues && exchange.outcome === 'unknown') this.mayIssueUnseen = true
  }

  #foldUse(use: Use, exchange: Exchange): void {
    const { outcome } = exchange
    const known = this.known(use, exchange) ?? UNUSED
    // Only the response to a transfer says whether it keeps its value used.
    const isTransfer = use.name !== 'tx_id'
    const isResponseKept = isTransfer && outcome === 'accepted'
    const kept = isResponseKept ? exchange : withoutResponse(exchange)

    const uses = [...known[outcome], kept].slice(-MOST_USES)
    this.#used.set(keyOf(use, exchange), { ...known, [outcome]: uses })
    if (outcome === 'accepted') this.#taken.set(`${use.name} ${use.value}`, true)
  }

  #foldIssued({ name, value }: IssuedValue, exchange: Exchange): void {
    this.#issued.set(`${name} ${value}`, true)
    if (name !== 'initiation' && name !== 'charge') return

    const key = keyOf({ name, value }, exchange)
    if (!this.#used.has(key)) this.#used.set(key, { ...UNUSED, issued: withoutResponse(exchange) })
  }
}

/** The places that have a value in a body. */
function withValues<P extends { readonly pointer: string }>(
  places: readonly P[] = [],
  body: unknown,
) {
  return places.flatMap((place) => {
    const value = stringAt(body, place.pointer)
    return value ? [{ ...place, value }] : []
  })
}

function keyOf({ name, value }: Pick<Use, 'name' | 'value'>, { by }: Pick<Exchange, 'by'>): string {
  const owner = name === 'tx_id' ? by?.partner : ''
  return `${owner} ${name} ${value}`
}
