import { sample } from '@partner-payments/campaign'
import { expect, test } from 'vitest'
import type { ClinicMutant } from './clinic/mutant.ts'
import { clinicMutants, openClinic, stageOf } from './clinic/mutants.ts'

const shown = ({ shows }: ClinicMutant, id?: string) => shows(stageOf(openClinic(id)))

test.each(sample(clinicMutants))('it detects $id', async (mutant) => {
  const right = await shown(mutant)
  expect(await shown(mutant)).toEqual(right)
  expect(await shown(mutant, mutant.id)).not.toEqual(right)
})

test('it names each mutant once', () => {
  expect(new Set(clinicMutants.map(({ id }) => id)).size).toBe(clinicMutants.length)
})
