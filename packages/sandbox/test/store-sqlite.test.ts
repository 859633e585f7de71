import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStore } from '../src/store/open.ts'
import { inOneTrip, StoreError, StoreUnavailable } from '../src/store/store.ts'
import { newFile } from './backends.ts'

const folder = dirname(newFile())

const IN_USE =
  /cannot be opened: another process is using it; stop that one, name another with --file, or share a/

test('a file in use is refused a second time, under any of its names, and released by close', async () => {
  const file = join(folder, 'named.db')
  const link = join(folder, 'link.db')
  const store = await openStore({ file })
  symlinkSync(file, link)

  for (const name of [file, link, join(folder, '.', 'x', '..', 'named.db')])
    await expect(openStore({ file: name })).rejects.toThrow(IN_USE)

  await store.close()
  const reopened = await openStore({ file: link })
  await reopened.close()
})

describe('a path that cannot hold a state', () => {
  test('is reported if it is not a database, and stays unchanged', async () => {
    const file = join(folder, 'letter.txt')
    const text = 'Prezado Fulano, segue o comprovante. '.repeat(100)
    writeFileSync(file, text)

    const words = /letter\.txt cannot be opened as a database: file is not a database$/
    await expect(openStore({ file })).rejects.toThrow(words)
    // The first attempt leaves no lock behind.
    await expect(openStore({ file })).rejects.toThrow(words)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('is reported if it is a folder', async () => {
    const file = join(folder, 'folder.db')
    mkdirSync(file)
    await expect(openStore({ file })).rejects.toThrow(/folder\.db cannot be opened as a database: /)
    await expect(openStore({ file })).rejects.toThrow(StoreError)
  })
})

describe('a file', () => {
  test('is written through to the disk by each commit', async () => {
    const store = await openStore({ file: join(folder, 'durable.db') })
    const pragma = (name: string) => store.read((queries) => queries.get(`PRAGMA ${name}`))
    expect(await pragma('journal_mode')).toEqual({ journal_mode: 'wal' })
    expect(await pragma('synchronous')).toEqual({ synchronous: 2n })
    expect(await pragma('foreign_keys')).toEqual({ foreign_keys: 1n })

    await store.close()
  })

  test('commits waiting transactions together, and later ones next', async () => {
    const store = await openStore({ file: join(folder, 'batch.db') })
    const inserts = Array.from({ length: 600 }, (_, i) =>
      store.write((queries) => queries.run('INSERT INTO settings VALUES (?, ?)', [String(i), ''])),
    )
    const counts = new Set<bigint>()
    for (let i = 0; i < 6; i++) {
      const row = await store.read((queries) =>
        queries.get<{ count: bigint }>('SELECT count(*) AS count FROM settings'),
      )
      counts.add(row?.count ?? -1n)
      await new Promise(setImmediate)
    }

    await Promise.all(inserts)
    // Reads happen between commits and see whole ones, of 256 transactions at most.
    expect([...counts].filter((count) => ![0n, 256n, 512n, 600n].includes(count))).toEqual([])

    await store.close()
  })

  test('that is full keeps nothing of a trip whose first statement found no space', async () => {
    const store = await openStore({ file: join(folder, 'trip.db') })
    await store.write((queries) => queries.run(`INSERT INTO settings VALUES ('a', '1')`))
    await store.read(async (queries) => {
      const row = await queries.get<{ page_count: bigint }>('PRAGMA page_count')
      await queries.get(`PRAGMA max_page_count = ${row?.page_count}`)
    })
    const writing = store.write((queries) =>
      inOneTrip([
        queries.run('INSERT INTO settings VALUES (?, ?)', ['b', 'x'.repeat(100_000)]),
        // SQLite has rolled back all transactions of the commit, so this would be a transaction of
        // its own.
        queries.run(`UPDATE settings SET value = '2'`),
      ]),
    )
    await expect(writing).rejects.toThrow(StoreUnavailable)
    expect(await store.read((queries) => queries.all('SELECT name, value FROM settings'))).toEqual([
      { name: 'a', value: '1' },
    ])

    await store.close()
  })
})
