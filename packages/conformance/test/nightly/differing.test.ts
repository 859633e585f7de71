import { beforeAll, expect, it } from 'vitest'
import { createFetchTransport, type Finding, type Result } from '../../src/index.ts'
import { run } from '../../src/run.ts'
import { bugs } from '../differing/bugs.ts'
import { oldestFirst, ownForm } from '../differing/own-form.ts'
import { partner as credentials, other } from '../service.ts'
import { openService } from '../services/service.ts'
import { type Service, together } from '../services/wrap.ts'

/** What is found in the service without a bug. */
const differences = new Set<string>()

beforeAll(async () => {
  // What depends on time may differ from run to run.
  for (let i = 0; i < 2; i++) {
    const { findings } = await resultOf(together(ownForm, oldestFirst))
    expect(findings.filter(isFailing)).toEqual([])
    for (const { id } of findings) differences.add(id)
  }
}, 600_000)

for (const { id, service } of bugs) {
  it(`names behind differences: ${id}`, async () => {
    const { findings } = await resultOf(together(ownForm, service, oldestFirst))
    const others = findings.filter((finding) => !differences.has(finding.id))
    expect(others).not.toEqual([])
  }, 600_000)
}

function isFailing({ kind, severity }: Finding): boolean {
  return kind === 'failure' || severity === 'critical'
}

/** Checks a service whose user says the one word that nothing shows. */
async function resultOf(service: Service): Promise<Result> {
  const { fetch, close } = await openService(service)
  const running = run({
    target: 'sandbox',
    url: 'http://127.0.0.1',
    credentials,
    other,
    transport: createFetchTransport(fetch),
    timeMs: 100,
    values: { webhook: { '/status/inactive': 'disabled' } },
  })
  return running.finally(close)
}
