import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openStore, type StoreOptions } from '../src/store/open.ts'
import { fillPayments } from '../src/store/paid-before.ts'
import { UPGRADES } from '../src/store/tables.ts'
import { DURABLE, newState } from './backends.ts'
import { newTxId, readRows } from './callers.ts'
import { MONDAY, type Started, start } from './started.ts'

const KEY = '12ABC34501DE35'

/** What a version before 4 had not written. */
const WITHOUT_RECEIVED = [
  `DELETE FROM deliveries WHERE event_id IN (SELECT id FROM events WHERE type = 'transfer.received')`,
  `DELETE FROM events WHERE type = 'transfer.received'`,
]

test('a state with many payments is filled with at most 500 of them in a trip', async () => {
  const row = { amount: 100n, end_to_end_id: 'E', paid_at: 0n, name: 'Fulano', tax_id: '1' }
  const paid = Array.from({ length: 1_200 }, (_, i) => ({ ...row, id: `${i}` }))
  const results = [paid, []]
  const filled: number[] = []
  let inTrip = 0
  await fillPayments({
    get: () => Promise.reject(new Error('reads no single row')),
    all: <R>() => Promise.resolve((results.shift() ?? []) as R[]),
    async run() {
      inTrip++
      filled.push(inTrip)
      await setImmediate()
      inTrip--
      return 1
    },
  })
  expect(filled.length).toBe(1_200)
  expect(Math.max(...filled)).toBe(500)
})

describe.each(DURABLE)('a state in %s', (kind) => {
  let sandbox: Started
  afterEach(() => sandbox.close())

  async function open(where: StoreOptions): Promise<void> {
    sandbox = await start({ ...where, now: () => MONDAY })
    sandbox.clock.freeze()
  }

  async function listed(id: string) {
    const { data } = await sandbox.partner.qrcodes.listImmediate()
    return data.find((qrcode) => qrcode.id === id)
  }

  const createCode = () =>
    sandbox.partner.qrcodes.createImmediate({
      dict_key: KEY,
      tx_id: newTxId(),
      amount: { original: '35.90' },
    })

  async function payCode() {
    const { id, emv } = await createCode()
    const check = await sandbox.other.codes.check(emv)
    await check.pay()
    return id
  }

  test.each([{ version: 2 }, { version: 3 }])(
    'of version $version is brought up to date, with the payments of its QR codes',
    async ({ version }) => {
      const where = await newState(kind)
      await open(where)
      const byTransfer = await payCode()
      await sandbox.at(MONDAY + 1_000)
      const fromOutside = (await createCode()).id
      await sandbox.control('POST', `/qrcodes/${fromOutside}/pay`)
      const unpaid = (await createCode()).id
      const pending = await payCode()
      const before = await listed(byTransfer)
      expect(before?.payment?.amount).toBe('35.90')
      await sandbox.close()
      await takeBack(where, version, WITHOUT_RECEIVED)

      await open(where)
      expect(await listed(byTransfer)).toEqual(before)
      expect(await listed(unpaid)).toMatchObject({ payment: null })
      expect((await listed(fromOutside))?.payment).toEqual({
        amount: '35.90',
        end_to_end_id: expect.stringMatching(/^E99999029202611231200[A-Za-z0-9]{11}$/),
        paid_at: '2026-11-23T12:00:01.000Z',
        payer: { name: 'Beltrana de Tal', tax_id: '11144477735' },
      })
      expect(await sandbox.findings()).toEqual([])

      // What was pending has its event, with the key of the QR code.
      await sandbox.at(MONDAY + 2_000)
      expect(await listed(pending)).toMatchObject({ status: 'CONCLUIDA' })
      const sql = `SELECT body FROM events WHERE type = 'transfer.received'`
      const [event, ...others] = await readRows<{ body: string }>(sandbox, sql)
      expect(others).toEqual([])
      expect(JSON.parse(`${event?.body}`)).toMatchObject({
        data: { dict_key: KEY, qrcode: { id: pending }, payment: { amount: '35.90' } },
      })
      expect(await sandbox.findings()).toEqual([])
    },
  )

  /** Makes the state one of an older version, without some of its rows. */
  async function takeBack(
    where: StoreOptions,
    version: number,
    deletions: readonly string[],
  ): Promise<void> {
    const store = await openStore(where)
    await store.write(async (queries) => {
      for (const sql of [...deletions, ...undoneUpTo(version)]) await queries.run(sql)
      await queries.run('UPDATE migrations SET version = ?', [version])
    })
    await store.close()
  }
})

/** What undoes the upgrades since a version, the last statement first. */
function undoneUpTo(version: number): string[] {
  const upgrades = UPGRADES.filter(({ from }) => from >= version)
  const statements = upgrades.flatMap((upgrade) => upgrade.statements)
  return statements.toReversed().flatMap((sql) => undone(sql) ?? [])
}

/** What removes a table, an index or a column again; undefined for a change of rows. */
function undone(sql: string): string | undefined {
  const [, kind, name] = /^CREATE (TABLE|INDEX) (\w+)/.exec(sql) ?? []
  if (kind) return `DROP ${kind} ${name}`

  const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(sql) ?? []
  if (table) return `ALTER TABLE ${table} DROP COLUMN ${column}`
  return undefined
}
