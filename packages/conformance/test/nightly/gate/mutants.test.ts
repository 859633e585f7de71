import { it } from 'vitest'
import { expectNamed, namedMutants } from '../../gate/named-mutants.ts'

// Most wait for deliveries.
it.concurrent.each(namedMutants.filter(isOfDeliveries))('names the mutant %s', (id) => expectNamed(id))

it.each(namedMutants.filter((id) => !isOfDeliveries(id)))('names the mutant %s', (id) => expectNamed(id))

function isOfDeliveries(id: string): boolean {
  return /deliver/.test(id)
}
