import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isMountPoint } from '../src/store/files.ts'
import { openStore } from '../src/store/open.ts'
import { StoreError, StoreUnavailable, sendInOneTrip } from '../src/store/store.ts'
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

test.skipIf(process.platform === 'win32').for([
  { name: 'no file', file: ':memory:' },
  { name: 'a URI', file: 'file:named' },
  { name: 'a URI of the memory', file: 'file:named?mode=memory' },
])('a file that SQLite would take for $name is a file all the same', async ({ file }) => {
  const started = process.cwd()
  process.chdir(mkdtempSync(join(folder, 'named-')))
  onTestFinished(() => process.chdir(started))

  const store = await openStore({ file })
  await store.write(({ run }) => run(`INSERT INTO settings (name, value) VALUES ('kept', '1')`))
  await store.close()
  expect(readdirSync('.').filter((name) => !name.endsWith('.lock'))).toEqual([file])

  const reopened = await openStore({ file })
  onTestFinished(() => reopened.close())
  const kept = await reopened.read(({ get }) =>
    get(`SELECT value FROM settings WHERE name = 'kept'`),
  )
  expect(kept).toEqual({ value: '1' })
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
      sendInOneTrip([
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

// Windows removes and renames no file that is open.
describe.skipIf(process.platform === 'win32')('a file in use', () => {
  /** What happens to the files of a state, and what is then said of it. */
  const FAULTS: readonly {
    readonly what: string
    readonly happens: (file: string) => void
    readonly words: string
    /** Whether reads go on: they lose nothing. */
    readonly isReadable?: boolean
  }[] = [
    {
      what: 'was removed',
      happens: (file) => rmSync(file),
      words: 'gone.db was removed while it was in use',
    },
    {
      what: 'was removed with all files beside it',
      happens: (file) => {
        for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(file + suffix)
      },
      words: 'gone.db was removed while it was in use',
    },
    {
      what: 'lost its log',
      happens: (file) => rmSync(`${file}-wal`),
      words: 'gone.db-wal was removed while it was in use',
      isReadable: true,
    },
    {
      what: 'lost its lock',
      happens: (file) => rmSync(`${file}.lock`),
      words: 'gone.db.lock was removed while it was in use',
      isReadable: true,
    },
    {
      what: 'was replaced',
      happens: (file) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
      words: 'gone.db was replaced while it was in use',
    },
    {
      what: 'was moved away',
      happens: (file) => renameSync(file, `${file}.moved`),
      words: 'gone.db was removed while it was in use',
    },
    {
      what: 'was moved, and a link was left in its place',
      happens: (file) => {
        renameSync(file, `${file}.moved`)
        symlinkSync(`${file}.moved`, file)
      },
      words: 'gone.db was replaced while it was in use',
    },
    {
      what: 'got a second name',
      happens: (file) => linkSync(file, `${file}.second`),
      words: 'gone.db has a second name; remove the hard link',
    },
  ]

  for (const [i, { what, happens, words, isReadable }] of FAULTS.entries()) {
    test(`is not used as before if it ${what}`, async () => {
      const home = join(folder, `gone-${i}`)
      mkdirSync(home)
      const file = join(home, 'gone.db')
      const store = await openStore({ file })
      const put = (name: string) =>
        store.write((queries) => queries.run('INSERT INTO settings VALUES (?, ?)', [name, '']))
      await put('before')

      const read = () => store.read((queries) => queries.all('SELECT * FROM settings'))
      await read()
      // Another process does it between two turns of the event loop.
      await nextTurn()
      happens(file)
      const uses: (() => Promise<unknown>)[] = [
        () => put('after'),
        () => store.clear(() => Promise.resolve()),
      ]
      if (isReadable) await read()
      else uses.push(read)
      for (const use of uses) {
        const error: unknown = await use().catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(StoreUnavailable)
        expect(String(error)).toContain(words)
      }
      await store.close()
    })
  }

  test('is not acknowledged if it is removed during the transaction', async () => {
    const file = join(folder, 'during.db')
    const store = await openStore({ file })
    const writing = store.write(async (queries) => {
      await queries.run(`INSERT INTO settings VALUES ('a', '')`)
      rmSync(file)
    })
    await expect(writing).rejects.toThrow('was removed while it was in use')
    await store.close()
  })

  test('can be used again when its second name is gone, and kept nothing of the time between', async () => {
    const file = join(folder, 'linked.db')
    const second = join(folder, 'second.db')
    const store = await openStore({ file })
    const put = (name: string) =>
      store.write((queries) => queries.run('INSERT INTO settings VALUES (?, ?)', [name, '']))
    await put('before')
    linkSync(file, second)
    await expect(put('between')).rejects.toThrow(StoreUnavailable)
    await expect(openStore({ file: second })).rejects.toThrow(/it has a second name/)
    rmSync(second)
    await put('after')
    expect(await store.read((queries) => queries.all('SELECT name FROM settings'))).toEqual([
      { name: 'after' },
      { name: 'before' },
    ])
    await store.close()
  })

  test('is locked by a link to it that led nowhere', async () => {
    const file = join(folder, 'new.db')
    const link = join(folder, 'dangling.db')
    symlinkSync(file, link)
    const store = await openStore({ file: link })
    await expect(openStore({ file })).rejects.toThrow(IN_USE)
    await store.close()
  })

  test('stays usable after a reset, which copies a new state into it, and keeps settings', async () => {
    const sql = 'SELECT name FROM settings ORDER BY name'
    const store = await openStore({ file: join(folder, 'reset.db') })
    for (let i = 0; i < 3; i++) {
      await store.clear(async (queries) => {
        await queries.run(`INSERT INTO settings VALUES ('a${i}', '')`)
      })
      await store.write((queries) => queries.run(`INSERT INTO settings VALUES ('b${i}', '')`))
    }
    const rows = await store.read((queries) => queries.all<{ name: string }>(sql))
    expect(rows.map(({ name }) => name)).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2'])
    await store.close()
  })
})

test('a file that is mounted by itself is recognized', () => {
  const mountinfo = [
    '21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
    String.raw`36 21 8:1 /home/me/a.db /data/my\040state.db rw - ext4 /dev/sda1 rw`,
  ].join('\n')
  expect(isMountPoint('/data/my state.db', mountinfo)).toBe(true)
  expect(isMountPoint('/data/state.db', mountinfo)).toBe(false)
  expect(isMountPoint('/home/me/a.db', mountinfo)).toBe(false)
})
