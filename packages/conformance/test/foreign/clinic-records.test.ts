import { expect, test } from 'vitest'
import { check } from '../../src/check.ts'
import { createFetchTransport } from '../../src/transport/fetch-transport.ts'
import { clinicMutants, configurationOfClinic, openClinic } from './clinic/mutants.ts'

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

test.each(Object.keys(NOTICED))('%s finds nothing in the clinic without a mutant', async (rule) => {
  expect(await findingsOf(rule)).toEqual([])
})

test.each(Object.entries(NOTICED).flatMap(([rule, ids]) => ids.map((id) => ({ rule, id }))))(
  '$rule notices $id at its operation',
  async ({ rule, id }) => {
    const operations = operationsOf(id)
    const findings = await findingsOf(rule, id, operations)
    expect(findings.some((it) => it.rule === rule && operations.includes(String(it.operation)))).toBe(true)
  },
)

async function findingsOf(rule: string, mutant?: string, operations?: readonly string[]) {
  const transport = createFetchTransport(openClinic(mutant))
  const options = { ...configurationOfClinic, url: 'http://127.0.0.1', transport, only: [rule] }
  return (await check({ ...options, ...(operations && { operations }) })).findings
}

/** The operations that show a mutant. To check them alone saves time. */
function operationsOf(mutant: string): string[] {
  const { operation, also = [] } = clinicMutants.find(({ id }) => id === mutant) ?? {}
  return operation === undefined ? [] : [operation, ...also]
}
