import { describe, expect, it } from 'vitest'
import { json, service } from './service.ts'

describe('a list of QR codes', () => {
  const pages = (sent: { path: string }) => {
    const cursor = Number(new URL(sent.path, 'http://x').searchParams.get('cursor') ?? 0)
    const next_cursor = cursor < 2 ? `${cursor + 1}` : null
    return json({ data: [{ id: `${cursor}a` }, { id: `${cursor}b` }], next_cursor })
  }

  it('returns one page when awaited', async () => {
    const { payments, sent } = service(pages)
    const page = await payments.qrcodes.listDueDate({ limit: '2' })
    expect(page.data).toHaveLength(2)
    expect(sent).toHaveLength(1)
  })

  it('iterates over the records of all pages and keeps the query', async () => {
    const { payments, sent } = service(pages)
    const ids: string[] = []
    for await (const { id } of payments.qrcodes.listImmediate({ limit: '2', status: 'ATIVA' }))
      ids.push(id)
    expect(ids).toEqual(['0a', '0b', '1a', '1b', '2a', '2b'])
    expect(sent.map(({ path }) => path.split('?')[1])).toEqual([
      'limit=2&status=ATIVA',
      'limit=2&status=ATIVA&cursor=1',
      'limit=2&status=ATIVA&cursor=2',
    ])
  })

  it('requests no page in advance', async () => {
    const { payments, sent } = service(pages)
    for await (const { id } of payments.qrcodes.listDueDate()) if (id === '1a') break
    expect(sent).toHaveLength(2)
  })

  it.each(['again', 1])('throws if a cursor repeats: %j', async (next_cursor) => {
    const { payments, sent } = service((_, count) =>
      json({ data: [], next_cursor: count > 9 ? '' : next_cursor }),
    )
    await expect(all(payments.qrcodes.listDueDate())).rejects.toMatchObject({ kind: 'decode' })
    expect(sent).toHaveLength(2)
  })

  it('throws if a page has no data, names the field and gives the body', async () => {
    const page = { items: [] }
    const { payments } = service(() => json(page))
    await expect(all(payments.qrcodes.listDueDate())).rejects.toMatchObject({
      kind: 'decode',
      message: 'listDueDateQrCodes: expected /data to be an array, got nothing',
      body: page,
    })
  })

  it.each([undefined, false, {}, []])('throws if next_cursor is %j', async (next_cursor) => {
    // A service that names its cursor in another way has more records than these two.
    const page = { data: [{ id: 'a' }, { id: 'b' }], next_cursor, next: 'c2' }
    const { payments } = service(() => json(page))
    const ids: string[] = []
    const listed = (async () => {
      for await (const { id } of payments.qrcodes.listImmediate()) ids.push(id)
    })()
    await expect(listed).rejects.toMatchObject({
      kind: 'decode',
      message: expect.stringContaining('expected /next_cursor to be a cursor, or null'),
      body: { next: 'c2' },
    })
    expect(ids).toEqual(['a', 'b'])
  })

  it.each([null, ''])('ends with next_cursor %j', async (next_cursor) => {
    const { payments } = service(() => json({ data: [{ id: 'a' }], next_cursor }))
    expect(await all(payments.qrcodes.listImmediate())).toHaveLength(1)
  })
})

async function all(records: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const record of records) found.push(record)
  return found
}
