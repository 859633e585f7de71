import { expect, test } from 'vitest'
import { kill } from '../../scripts/kill.ts'
import { DURABLE, newState } from '../backends.ts'

/** Of each kind of state. */
const KILLS = Number(process.env.KILLS ?? 40)
/** Then a new state begins, so that checking it stays fast. */
const PER_STATE = 50

test('kills of the process under load lose nothing, on a file and on PostgreSQL', async () => {
  await Promise.all(DURABLE.map(killAll))

  async function killAll(kind: (typeof DURABLE)[number]): Promise<void> {
    for (let left = KILLS; left > 0; left -= PER_STATE) {
      const report = await kill(await newState(kind), Math.min(left, PER_STATE))
      expect(report).toMatchObject({ lost: 0, pending: 0, findings: [], unexpected: [] })
      expect(report.acknowledged).toBeGreaterThan(0)
    }
  }
})
