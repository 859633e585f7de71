import { sample } from '@partner-payments/campaign'
import { expect, test } from 'vitest'
import { check } from '../src/check.ts'
import { createFetchTransport } from '../src/mutation/fetch-transport.ts'
import type { ClinicMutant } from './foreign/clinic/mutant.ts'
import { clinicMutants, configurationOfClinic, openClinic, stageOf } from './foreign/clinic/mutants.ts'

const shown = ({ shows }: ClinicMutant, id?: string) => shows(stageOf(openClinic(id)))

test.each(sample(clinicMutants))('it detects $id', async (mutant) => {
  const right = await shown(mutant)
  expect(await shown(mutant)).toEqual(right)
  expect(await shown(mutant, mutant.id)).not.toEqual(right)
})

test('it names each mutant once', () => {
  expect(new Set(clinicMutants.map(({ id }) => id)).size).toBe(clinicMutants.length)
})

/** The rules of records and lists, and the mutants that each notices without links and examples. */
const NOTICED: Readonly<Record<string, readonly string[]>> = {
  'record-shown': [
    'patient-phone-without-plus',
    'patient-phone-null-as-text',
    'patient-sets-created-at',
    'appointment-loses-offset',
    'appointment-read-changes-it',
    'note-pinned-lost',
    'notes-of-all-appointments',
    'note-through-another-appointment',
  ],
  'record-changes': [
    'patch-doctor-resets-the-rest',
    'patch-doctor-ignores-false-and-zero',
    'confirm-not-saved',
    'note-deleted-still-listed',
    'put-own-email-refused',
  ],
  'values-unique': ['patient-email-twice', 'patch-doctor-license-twice'],
  'foreign-record-hidden': ['cancel-of-other-clinics'],
  'list-pages': ['doctors-total-of-all', 'patients-total-of-the-page', 'patients-ten-by-default'],
}

test.each(Object.entries(NOTICED).flatMap(([rule, ids]) => [undefined, ...ids].map((id) => ({ rule, id }))))(
  'notices $id with $rule',
  async ({ rule, id }) => {
    const transport = createFetchTransport(openClinic(id))
    const operations = id && operationsOf(id)
    const { findings } = await check({
      ...configurationOfClinic,
      url: 'http://127.0.0.1',
      transport,
      only: [rule],
      ...(operations && { operations }),
    })
    expect(findings.map((it) => it.rule)).toEqual(id === undefined ? [] : expect.arrayContaining([rule]))
  },
)

/** The operations of a mutant: to check them alone takes a part of the time. */
function operationsOf(mutant: string): string[] {
  const { operation, also = [] } = clinicMutants.find(({ id }) => id === mutant) ?? {}
  return operation === undefined ? [] : [operation, ...also]
}
