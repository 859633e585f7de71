import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../src/store/open.ts'
import { type Queries, type Store, StoreUnavailable, sendInOneTrip } from '../src/store/store.ts'
import { VERSION } from '../src/store/tables.ts'
import { KINDS, newState, settingsOf } from './backends.ts'
import { times } from './callers.ts'

/** A transaction that fails, and its first error. */
interface Failure {
  readonly kind: string
  readonly work: (queries: Queries) => Promise<unknown>
  readonly error: RegExp
}

// Both backends must pass these tests. The rest of the sandbox relies on this behaviour.

describe.each(KINDS)('the state in %s', (kind) => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(await newState(kind))
  })
  beforeEach(() =>
    store.write(async (queries) => {
      await queries.run('DELETE FROM settings')
      await queries.run('DELETE FROM accounts')
    }),
  )
  afterAll(() => store.close())

  const missing = (queries: Queries) => queries.run(`INSERT INTO settings (name) VALUES ('b')`)
  const again = (queries: Queries) => insert(queries, 'd', '4')
  const failures: readonly Failure[] = [
    { kind: 'that fails', work: () => Promise.reject(new Error('no')), error: /^no$/ },
    {
      kind: 'that ignores a failed statement',
      work: (queries) => missing(queries).catch(() => {}),
      error: /null/i,
    },
    {
      kind: 'that continues after a failed statement',
      work: (queries) => missing(queries).catch(() => again(queries)),
      error: /null/i,
    },
    {
      kind: 'of statements in one trip of which one fails',
      work: (queries) =>
        sendInOneTrip([
          missing(queries),
          // Would run after the rollback if the transaction did not wait for it.
          insert(queries, 'c', '3').then(
            () => again(queries),
            () => again(queries),
          ),
        ]),
      error: /null/i,
    },
  ]

  for (const { kind, work, error } of failures) {
    test(`rolls back a transaction ${kind}, and rejects with its first error`, async () => {
      const failing = store.write(async (queries) => {
        await insert(queries, 'a', '1')
        await work(queries)
      })
      await expect(failing).rejects.toThrow(error)
      expect(await settingsOf(store)).toEqual({})
    })
  }

  test('commits the other transactions that wait with a failing one', async () => {
    const results = await Promise.allSettled(
      times(100).map((i) =>
        store.write(async (queries) => {
          await insert(queries, String(i), 'x')
          if (i % 10 === 3) throw new Error(`no ${i}`)
        }),
      ),
    )
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10)

    const committed = times(100).filter((i) => i % 10 !== 3)
    const expected = Object.fromEntries(committed.map((i) => [String(i), 'x']))
    expect(await settingsOf(store)).toEqual(expected)
  })

  test('refuses a statement after the end of its transaction', async () => {
    const kept: Queries[] = []
    await store.write(async (queries) => {
      kept.push(queries)
    })
    await expect(insert(kept[0] as Queries, 'a', '1')).rejects.toThrow(
      'after the end of its transaction',
    )
    expect(await settingsOf(store)).toEqual({})
  })

  test('rejects every transaction of a commit that fails', async () => {
    const breaking = store.write(async (queries) => {
      await deferForeignKeys(store, queries)
      await queries.run(`INSERT INTO keys VALUES ('k', 'i', 'EVP', 'nobody')`)
      await insert(queries, 'a', '1')
    })
    await expect(breaking).rejects.toThrow(/foreign key/i)

    await set(store, 'b', '2')
    expect(await settingsOf(store)).toEqual({ b: '2' })
  })

  test('hides an open transaction from reads', async () => {
    const seen: (string | undefined)[] = []
    const writing = store.write(async (queries) => {
      await insert(queries, 'a', '1')
      seen.push(await valueIn(queries, 'a'))
      await sleep(20)
      await queries.run(`UPDATE settings SET value = '2' WHERE name = 'a'`)
    })
    await sleep(10)

    const before = store.read((queries) => valueIn(queries, 'a'))
    await writing
    // On one connection, the read waits for the commit. On another, it sees the previous state.
    expect([undefined, '2']).toContain(await before)
    expect(seen).toEqual(['1'])
    expect(await store.read((queries) => valueIn(queries, 'a'))).toBe('2')
  })

  test('counts the rows that a statement changed', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => set(store, name, 'x')))
    const sql = `UPDATE settings SET value = 'y' WHERE name <> 'a'`
    expect(await store.write((queries) => queries.run(sql))).toBe(2)

    const none = `DELETE FROM settings WHERE name = 'z'`
    expect(await store.write((queries) => queries.run(none))).toBe(0)
  })

  test.each([-1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)])(
    'stores %d exactly',
    async (amount) => {
      const values = ['a', 'outside', null, ...times(8).map(String), amount]
      const row = `INSERT INTO accounts VALUES (${values.map(() => '?').join()})`
      await store.write((queries) => queries.run(row, values))
      const sql = 'SELECT balance, held_id FROM accounts WHERE balance = ?'
      expect(await store.read((queries) => queries.get(sql, [amount]))).toEqual({
        balance: amount,
        held_id: null,
      })
    },
  )

  test('stores every well-formed string, also U+0000 and its own escape characters', async () => {
    const awkward = fc.string({
      unit: fc.constantFrom('\0', '\u{10FFFF}', '0', '1', 'ã', '\u{1F4B8}', "'", '?'),
    })
    const stores = async (text: string) => {
      await store.write((queries) => queries.run('DELETE FROM settings'))
      await set(store, text, text)
      expect(await settingsOf(store)).toEqual({ [text]: text })
      expect(await store.read((queries) => valueIn(queries, text))).toBe(text)
    }

    // The library's own unit for this takes a second to create.
    const any = fc.string({
      unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code).toWellFormed()),
    })
    await fc.assert(fc.asyncProperty(fc.oneof(awkward, any), stores), { numRuns: 20 })
    // UTF-8 cannot encode a lone surrogate.
    await set(store, 'lone', 'x\uD800y\uDC00\0')
    expect(await settingsOf(store)).toMatchObject({ lone: 'x\uFFFDy\uFFFD\0' })
  })

  test('closes after every started transaction has ended, and rejects later calls as unavailable', async () => {
    const other = await openStore(await newState(kind))
    let done = 0
    const writes = times(300).map((i) => set(other, String(i), 'x').then(() => done++))
    await Promise.all([other.close(), ...writes])
    expect(done).toBe(300)
    await expect(set(other, 'a', '1')).rejects.toThrow(StoreUnavailable)
    await expect(settingsOf(other)).rejects.toThrow(StoreUnavailable)
  })

  test('creates the tables once, however often it is opened', async () => {
    const where = await newState(kind)
    const first = await openStore(where)
    await set(first, 'a', '1')
    await first.close()

    const second = await openStore(where)
    const isDurable = kind !== 'sqlite, in memory'
    expect(await settingsOf(second)).toEqual(isDurable ? { a: '1' } : {})

    await second.close()
  })
})

test.each([
  { kind: 'sqlite, in a file', version: 1, what: 'remove it, or use the sandbox that wrote it' },
  { kind: 'postgres', version: 99, what: 'use a later sandbox' },
] as const)(
  'a state in $kind of version $version is refused, and stays unchanged',
  async ({ kind, version, what }) => {
    const where = await newState(kind)
    const store = await openStore(where)
    await store.write((queries) => queries.run('UPDATE migrations SET version = ?', [version]))
    await store.close()

    const refusal = `the state is of version ${version}, and this sandbox knows ${VERSION}; ${what}`
    await expect(openStore(where)).rejects.toThrow(refusal)
    await expect(openStore(where)).rejects.toThrow(refusal)
  },
)

/** Defers foreign key checks to the commit, which is the only way to make a commit fail. */
function deferForeignKeys({ backend }: Store, queries: Queries): Promise<number> {
  if (backend === 'sqlite') return queries.run('PRAGMA defer_foreign_keys = ON')

  const name = 'keys_account_id_fkey'
  return queries.run(`ALTER TABLE keys ALTER CONSTRAINT ${name} DEFERRABLE INITIALLY DEFERRED`)
}

function set(store: Store, name: string, value: string): Promise<number> {
  return store.write((queries) => insert(queries, name, value))
}

function insert(queries: Queries, name: string, value: string): Promise<number> {
  return queries.run('INSERT INTO settings (name, value) VALUES (?, ?)', [name, value])
}

async function valueIn(queries: Queries, name: string): Promise<string | undefined> {
  const sql = 'SELECT value FROM settings WHERE name = ?'
  const row = await queries.get<{ value: string }>(sql, [name])
  return row?.value
}
