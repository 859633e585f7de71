import { type Bench, rowsOf } from '@partner-payments/bench'
import { startPostgres } from '../test/postgres.ts'
import { type Connection, type Lane, ratesOf, startServer } from './load.ts'

const OURS = '@partner-payments/sandbox, PostgreSQL'
const PEER = '@partner-payments/sandbox, one file'

/** A look-up and a payment of the smallest amount. */
const pay: Lane = async (send) => {
  const dict_key = 'beltrana@example.com'
  const { initiation_id } = await send('POST', '/pix/dict/check/', { dict_key })
  await send('POST', '/pix/out/', { type: 'dict', dict_key, initiation_id, amount: '0.01' })
}

/** Payments per second on PostgreSQL, by one instance and by two, beside the same service on one file. */
export const bench: Bench = {
  title: 'sandbox: payments on PostgreSQL beside SQLite',
  run: async () => {
    const postgres = await startPostgres()
    const [one, two] = [await postgres.newDatabase(), await postgres.newDatabase()]
    const servers = {
      'one file': await startServer('sqlite'),
      'one instance': await startServer('postgres', one),
      'two instances': inTurns(await startServer('postgres', two), await startServer('postgres', two)),
    }
    try {
      const { 'one file': peer = Number.NaN, ...rates } = await ratesOf(pay, servers)
      return Object.entries(rates).flatMap(([instances, rate]) =>
        rowsOf(`payments on PostgreSQL, ${instances}`, 'requests/s', { [OURS]: rate, [PEER]: peer }),
      )
    } finally {
      for (const server of Object.values(servers)) await server.close()
      await postgres.stop()
    }
  },
}

/** Spreads requests over two instances. */
function inTurns(first: Connection, second: Connection): Connection {
  let isFirst = false
  return {
    send(...request) {
      isFirst = !isFirst
      return (isFirst ? first : second).send(...request)
    },
    successes: () => first.successes() + second.successes(),
    async close() {
      await first.close()
      await second.close()
    },
  }
}
