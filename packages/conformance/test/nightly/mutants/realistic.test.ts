import { expect, it } from 'vitest'
import type { Mutant } from '../../mutants/mutant.ts'
import { openMutant, realistic } from '../../mutants/realistic.ts'
import { openStage } from '../../mutants/stage.ts'

async function shown(mutant: Mutant, plant?: Mutant): Promise<unknown> {
  const { sandbox, fetch } = await openMutant(plant)
  const stage = await openStage(sandbox, fetch)
  try {
    return await mutant.shows?.(stage)
  } finally {
    await stage.close()
  }
}

it.each(realistic.filter(({ shows }) => shows))('shows that the mutant $id exists', async (mutant) => {
  const right = await shown(mutant)
  expect(await shown(mutant)).toEqual(right)
  expect(await shown(mutant, mutant)).not.toEqual(right)
})
