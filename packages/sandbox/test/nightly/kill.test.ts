import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { kill } from '../../scripts/kill/kill.ts'
import { openBackends } from '../state/backends.ts'

const KILLS = 40

const backends = openBackends()
afterAll(() => backends.remove())

test('kills of the process under load lose nothing, on a file and on PostgreSQL', async () => {
  const cache = join(backends.newFile(), '../cache')
  const kinds = ['sqlite, in a file', 'postgres'] as const
  const reports = await Promise.all(
    kinds.map(async (kind) => kill({ where: await backends.newState(kind), kills: KILLS, cache })),
  )
  for (const report of reports) {
    expect(report).toMatchObject({ kills: KILLS, lost: 0, pending: 0, findings: [], unexpected: [] })
    expect(report.acknowledged).toBeGreaterThan(0)
  }
})
