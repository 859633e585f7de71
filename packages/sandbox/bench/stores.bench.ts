import { type Bench, type Row, rowsOf } from '@partner-payments/bench'
import { startPostgres } from '../test/postgres.ts'
import { type Lane, ratesOf, type Send, type Server, startServer } from './load.ts'

const ROUNDS = 5
const ROUND_MS = 1_000
const OURS = '@partner-payments/sandbox, PostgreSQL'
const PEER = '@partner-payments/sandbox, one file'

/** A look-up and a payment of the smallest amount. */
const pay: Lane = async (send) => {
  const dict_key = 'beltrana@example.com'
  const { initiation_id } = await send('POST', '/pix/dict/check/', { dict_key })
  await send('POST', '/pix/out/', { type: 'dict', dict_key, initiation_id, amount: '0.01' })
  return 2
}

/** Payments per second on PostgreSQL, by one instance and by two, beside the same service on one file. */
export const bench: Bench = {
  title: 'sandbox: payments on PostgreSQL beside SQLite',
  run: async () => {
    const postgres = await startPostgres()
    const servers: Server[] = []
    try {
      const [one, shared] = [await postgres.newDatabase(), await postgres.newDatabase()]
      for (const args of [['sqlite'], ['postgres', one], ['postgres', shared], ['postgres', shared]])
        servers.push(await startServer(args.join(' '), args))
      const [file, first, ...pair] = servers
      if (!file || !first) return []
      const both = { ...first, name: 'both', send: inTurns(pair.map(({ send }) => send)) }
      const rates = await ratesOf(pay, [file, first, both], { rounds: ROUNDS, ms: ROUND_MS })
      const peer = rates[file.name]
      return [...rows('one instance', rates[first.name], peer), ...rows('two instances', rates.both, peer)]
    } finally {
      for (const { stop } of servers) await stop()
      await postgres.stop()
    }
  },
}

/** Spreads requests over instances. */
function inTurns(sends: readonly Send[]): Send {
  let next = 0
  return (...request) => {
    const send = sends[next++ % sends.length]
    if (!send) throw new Error('there is no instance')
    return send(...request)
  }
}

function rows(instances: string, ours = Number.NaN, peer = Number.NaN): Row[] {
  const figure = `payments on PostgreSQL, ${instances}`
  const values = { [OURS]: ours, [PEER]: peer }
  return rowsOf({ figure, unit: 'requests/s', better: 'higher' }, values, (subject) => subject === OURS)
}
