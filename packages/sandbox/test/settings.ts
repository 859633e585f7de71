import fc from 'fast-check'
import { expect } from 'vitest'
import type { Queries, Store } from '../src/store/store.ts'

/** Stores any well-formed string as the name and the value of a setting, this many times. */
export async function expectStoresStrings(store: Store, runs: number): Promise<void> {
  const awkward = fc.string({
    unit: fc.constantFrom('\0', '\u{10FFFF}', '0', '1', 'ã', '\u{1F4B8}', "'", '?'),
  })
  await fc.assert(
    fc.asyncProperty(fc.oneof(awkward, fc.string({ unit: 'binary' })), async (text) => {
      await store.write((queries) => queries.run('DELETE FROM settings'))
      await set(store, text, text)
      expect(await all(store)).toEqual({ [text]: text })
      expect(await store.read((queries) => valueIn(queries, text))).toBe(text)
    }),
    { numRuns: runs },
  )
}

export function set(store: Store, name: string, value: string): Promise<number> {
  return store.write((queries) => insert(queries, name, value))
}

export function insert(queries: Queries, name: string, value: string): Promise<number> {
  return queries.run('INSERT INTO settings (name, value) VALUES (?, ?)', [name, value])
}

export async function valueIn(queries: Queries, name: string): Promise<string | undefined> {
  const sql = 'SELECT value FROM settings WHERE name = ?'
  return (await queries.get<{ value: string }>(sql, [name]))?.value
}

export async function all(store: Store): Promise<Record<string, string>> {
  const sql = 'SELECT name, value FROM settings'
  const rows = await store.read((queries) => queries.all<{ name: string; value: string }>(sql))
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
