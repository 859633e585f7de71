import { faults } from '../faulty/faults.ts'
import { listen } from '../faulty/listen.ts'
import { planted } from '../faulty/plant.ts'
import { openTestSandbox } from '../faulty/sandbox.ts'
import { type Variant, tolerated as variants } from '../faulty/tolerated.ts'
import { fresh, openMutant, realistic } from '../mutants/realistic.ts'
import { partsOf } from './named.ts'

/** A service of this process, as a function and as a server. */
export interface OpenService {
  readonly fetch: (request: Request) => Promise<Response>
  listen(): Promise<string>
  close(): Promise<void>
}

/** A service that is wrong in one way. */
export interface Mutant {
  readonly id: string
  /** The operations at which a finding names it; empty if any does. */
  readonly operations: readonly string[]
  readonly isOfDeliveries: boolean
  /** Milliseconds within which it should respond, if that is what it does wrong. */
  readonly responseWithinMs?: number
  open(): Promise<OpenService>
}

const SECOND = 1_000

const seeded: readonly Mutant[] = faults.map(({ id, kind, operation, elsewhere = [], rule, plant }) => ({
  id: `faulty/${kind}/${id}`,
  operations: operation ? [operation, ...elsewhere] : [],
  isOfDeliveries: kind === 'deliveries',
  ...(rule.includes('time-budget') && { responseWithinMs: SECOND }),
  open: () => openPlanted(plant),
}))

const written: readonly Mutant[] = [
  ...realistic.map((mutant) => ({ mutant, id: `realistic/${mutant.id}` })),
  ...fresh.map((mutant) => ({ mutant, id: `fresh/${mutant.id}` })),
].map(({ mutant, id }) => ({
  id,
  operations: mutant.operation === 'deliveries' ? [] : [mutant.operation, ...(mutant.also ?? [])],
  isOfDeliveries: mutant.operation === 'deliveries',
  open: async () => {
    const { fetch, sandbox } = await openMutant(mutant)
    return opened(fetch, sandbox)
  },
}))

/** All mutants. */
export const mutants: readonly Mutant[] = [...written, ...seeded]

/** Correct services that differ from the sandbox in ways that no question is about. */
export const tolerated: readonly Pick<Mutant, 'id' | 'open'>[] = variants.map((variant) => ({
  id: `tolerated/${variant.id}`,
  open: () => openPlanted(variant, variant),
}))

/** Whether one of the findings is where the mutant is wrong. */
export function isNamed(
  { operations, isOfDeliveries }: Pick<Mutant, 'operations' | 'isOfDeliveries'>,
  named: readonly string[],
): boolean {
  return named.some((line) => {
    const { rule, operation } = partsOf(line)
    if (operations.includes(operation)) return true
    if (isOfDeliveries) return rule.startsWith('deliveries-') || /^on[A-Z]/.test(operation)
    return operations.length === 0
  })
}

async function openPlanted(plant: Parameters<typeof planted>[1], manners?: Variant): Promise<OpenService> {
  const sandbox = await openTestSandbox()
  return opened(planted(sandbox, plant), sandbox, manners)
}

function opened(
  fetch: OpenService['fetch'],
  sandbox: { close(): Promise<void> },
  manners?: Parameters<typeof listen>[1],
): OpenService {
  const closing = [() => sandbox.close()]
  return {
    fetch,
    async listen() {
      const { url, close } = await listen(fetch, manners)
      closing.unshift(close)
      return url
    },
    async close() {
      for (const close of closing) await close()
    },
  }
}
