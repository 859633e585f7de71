import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { kill } from '../scripts/kill/kill.ts'
import { openBackends } from './state/backends.ts'

// A thousand of them: node scripts/kill.ts

const backends = openBackends()
afterAll(() => backends.remove())

test('25 kills of the process under load lose nothing, on a file and as many on PostgreSQL', async () => {
  const cache = join(backends.newFile(), '../cache')
  const kinds = ['sqlite, in a file', 'postgres'] as const
  const reports = await Promise.all(
    kinds.map(async (kind) => kill({ where: await backends.newState(kind), kills: 25, cache })),
  )
  for (const report of reports) {
    expect(report).toMatchObject({ kills: 25, lost: 0, pending: 0, findings: [], unexpected: [] })
    expect(report.acknowledged).toBeGreaterThan(25)
  }
}, 120_000)
