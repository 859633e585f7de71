import { type CheckOptions, check, createFetchTransport, rules } from '../src/index.ts'

/** A finding, as far as a campaign of mutants looks at it. */
export interface Noticed {
  readonly id: string
  readonly kind: string
  readonly rule: string
  readonly operation: string | undefined
  readonly message: string
  /** Whether it was found in what the service delivers. */
  readonly isOfDeliveries: boolean
}

const phases = [...new Set(rules.map(({ phase }) => phase))]
const DELIVERIES = 'deliveries'

/** The rules of deliveries, which wait most of their time, and all the others. */
export const PARTS = { deliveries: [DELIVERIES], others: phases.filter((it) => it !== DELIVERIES) }

/** Milliseconds that a delivery may take, so that a machine with other work to do raises no alarm. */
const PATIENT = 20_000

/** Runs the checker on a service of this process. The names of the public API stand in this file alone. */
export async function noticedBy(
  service: Parameters<typeof createFetchTransport>[0],
  options: Omit<CheckOptions, 'url'>,
): Promise<Noticed[]> {
  const { findings, rules: results } = await check({
    ...options,
    url: 'http://127.0.0.1',
    transport: createFetchTransport(service),
    deliveryWithinMs: PATIENT,
  })
  const phaseOf = new Map(results.map(({ rule, phase }) => [rule, phase]))
  return findings.map(({ id, kind, rule, operation, message }) => {
    const isOfDeliveries = phaseOf.get(rule) === DELIVERIES || /^on[A-Z]/.test(operation ?? '')
    return { id, kind, rule, operation, message, isOfDeliveries }
  })
}
