import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { startPostgres } from '../test/postgres.ts'
import { connectTo, type Lane, newFile, ratesOf, runSandbox } from './load.ts'

const OURS = '@partner-payments/sandbox, PostgreSQL'
const PEER = '@partner-payments/sandbox, one file'

/** A look-up and a payment of the smallest amount. */
const pay: Lane = async (send) => {
  const dict_key = 'beltrana@example.com'
  const { initiation_id } = await send('POST', '/pix/dict/check/', { dict_key })
  await send('POST', '/pix/out/', { type: 'dict', dict_key, initiation_id, amount: '0.01' })
}

/**
 * Payments per second on PostgreSQL, by one instance and by two, beside the same service on one
 * file.
 */
export const bench: Bench = {
  title: 'sandbox: payments on PostgreSQL beside SQLite',
  run: async () => {
    const postgres = await startPostgres()
    const one = await postgres.newDatabase()
    const two = await postgres.newDatabase()
    const runTwo = () => runSandbox({ databaseUrl: two })
    try {
      const servers = {
        'one file': await connectTo(runSandbox({ file: newFile() })),
        'one instance': await connectTo(runSandbox({ databaseUrl: one })),
        'two instances': await connectTo(runTwo(), runTwo()),
      }
      const rates = await ratesOf({ payments: pay }, servers)
      return rates.flatMap(([title, rateOf]) => rowsOfLane(title, rateOf))
    } finally {
      await postgres.stop()
    }
  },
}

/** Each number of instances on PostgreSQL, beside the same service on one file. */
function rowsOfLane(title: string, rateOf: Readonly<Record<string, number>>): Row[] {
  const { 'one file': peer = Number.NaN, ...others } = rateOf
  return Object.entries(others).flatMap(([instances, rate]) =>
    rowsOf(`${title} on PostgreSQL, ${instances}`, 'requests/s', { [OURS]: rate, [PEER]: peer }),
  )
}
