import { beforeAll, expect, it } from 'vitest'
import type { Finding } from '../../src/index.ts'
import { bugs } from '../differing/bugs.ts'
import { oldestFirst, ownForm } from '../differing/own-form.ts'
import { checkService } from '../services/check.ts'
import { together } from '../services/wrap.ts'

/** Their user says the one word that nothing shows. */
const options = { timeMs: 100, values: { webhook: { '/status/inactive': 'disabled' } } }

/** What is found in the service without a bug. */
const differences = new Set<string>()

beforeAll(async () => {
  // What depends on time may differ from run to run.
  for (let i = 0; i < 2; i++) {
    const { findings } = await checkService(together(ownForm, oldestFirst), options)
    expect(findings.filter(isFailing)).toEqual([])
    for (const { id } of findings) differences.add(id)
  }
}, 600_000)

for (const { id, service } of bugs) {
  it(`names behind differences: ${id}`, async () => {
    const { findings } = await checkService(together(ownForm, service, oldestFirst), options)
    const others = findings.filter((finding) => !differences.has(finding.id))
    expect(others).not.toEqual([])
  }, 600_000)
}

function isFailing({ kind, severity }: Finding): boolean {
  return kind === 'failure' || severity === 'critical'
}
