import { sample } from '@partner-payments/campaign'
import { expect, test } from 'vitest'
import type { Mutant } from './mutant.ts'
import { openMutant, realistic } from './realistic.ts'
import { openStage } from './stage.ts'

async function shown(mutant: Mutant, plant?: Mutant): Promise<unknown> {
  const { sandbox, fetch } = await openMutant(plant)
  const stage = await openStage(sandbox, fetch)
  try {
    return await mutant.shows(stage)
  } finally {
    await stage.close()
  }
}

test.each(sample(realistic))('it detects $id', async (mutant) => {
  const right = await shown(mutant)
  expect(await shown(mutant)).toEqual(right)
  expect(await shown(mutant, mutant)).not.toEqual(right)
})

test('it names each mutant once', () => {
  expect(new Set(realistic.map(({ id }) => id)).size).toBe(realistic.length)
})
