import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'

vi.stubEnv('INBOX', ':memory:')
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
const takeLog = () => logged.mock.calls.splice(0)

let inbox: typeof import('../receivers/inbox.ts').inbox
let workOff: typeof import('../receivers/worker.ts').workOff
beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers()
  ;({ inbox } = await import('../receivers/inbox.ts'))
  ;({ workOff } = await import('../receivers/worker.ts'))
})

afterEach(() => {
  vi.useRealTimers()
  expect(takeLog()).toEqual([])
})

const body = '{"type":"qrcode.paid","timestamp":"2026-11-02T14:30:04Z","data":{}}'
const ids = (kept: { id: string }[]) => kept.map(({ id }) => id)
const broken = new Error('the work failed')
const forever = () => new Promise<void>(() => {})

/** Lets the clock pass the time after which an event may be taken again, and fires no timer. */
const passLease = () => vi.setSystemTime(Date.now() + 120_000)

/** Work that fails at its first `times` events, and lists the types of those that it did. */
function failing(times: number) {
  const done: string[] = []
  let left = times
  const work = async (each: { type: string }) => {
    if (left-- > 0) throw broken
    done.push(each.type)
  }
  return { work, done }
}

function addAll(...types: string[]): void {
  for (const type of types) inbox.add(type, JSON.stringify({ type }))
}

test('works once on each event, in the order of their arrival', async () => {
  addAll('first', 'second', 'third')
  const { work, done } = failing(0)
  await workOff(work)
  passLease()
  await workOff(work)
  expect(done).toEqual(['first', 'second', 'third'])
  expect(inbox.waiting()).toEqual([])
})

test('keeps the text as it was signed, however deep and however its numbers are spelled', () => {
  const texts = [
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    '{ "amount": 1.50, "id": 12345678901234567890 }',
  ]
  for (const [i, text] of texts.entries()) inbox.add(`msg_${i}`, text)
  inbox.add('msg_bytes', new TextEncoder().encode('"Café"'))
  inbox.add('msg_buffer', new TextEncoder().encode('"Café"').buffer)
  expect(inbox.waiting().map((kept) => kept.body)).toEqual([...texts, '"Café"', '"Café"'])
})

test('an event that fails stops none behind it, and is tried again two minutes later', async () => {
  addAll('first', 'second', 'third')
  const { work, done } = failing(1)
  await workOff(work)
  expect(done).toEqual(['second', 'third'])
  expect(takeLog()).toEqual([[expect.stringContaining('first'), broken]])
  expect(inbox.waiting()).toEqual([])
  vi.setSystemTime(Date.now() + 119_999)
  expect(inbox.waiting()).toEqual([])
  vi.setSystemTime(Date.now() + 1)
  expect(ids(inbox.waiting())).toEqual(['first'])
  await workOff(work)
  expect(done).toEqual(['second', 'third', 'first'])
})

test('an event that fails five times is dead, until it is revived', async () => {
  inbox.add('msg_1', body)
  const { work, done } = failing(5)
  for (let round = 0; round < 4; round++) {
    await workOff(work)
    passLease()
  }
  expect([ids(inbox.waiting()), ids(inbox.dead())]).toEqual([['msg_1'], []])
  await workOff(work)
  passLease()
  expect([ids(inbox.waiting()), ids(inbox.dead())]).toEqual([[], ['msg_1']])
  inbox.add('msg_1', body)
  expect(inbox.waiting()).toEqual([])
  inbox.revive('msg_1')
  await workOff(work)
  expect(done).toEqual(['qrcode.paid'])
  expect(inbox.dead()).toEqual([])
  // What is done stays so.
  inbox.revive('msg_1')
  passLease()
  expect(inbox.waiting()).toEqual([])
  expect(takeLog()).toHaveLength(5)
})

test('an attempt that the end of the process cuts short counts, once its time is over', () => {
  inbox.add('msg_1', body)
  for (let attempt = 0; attempt < 5; attempt++) {
    passLease()
    void workOff(forever)
  }
  expect([inbox.waiting(), inbox.dead()]).toEqual([[], []])
  passLease()
  expect(ids(inbox.dead())).toEqual(['msg_1'])
})

test('an event that was begun before the clock was set back is taken again', () => {
  const right = Date.now()
  inbox.add('msg_1', body)
  vi.setSystemTime(right + 400 * 86_400_000)
  void workOff(forever)
  vi.setSystemTime(right)
  expect(ids(inbox.waiting())).toEqual(['msg_1'])
  expect(inbox.begin('msg_1', 120_000)).toBe(true)
  expect(inbox.waiting()).toEqual([])
})

test('a lease of more than an hour is refused, and counts no attempt', () => {
  inbox.add('msg_1', body)
  expect(() => inbox.begin('msg_1', 3_600_001)).toThrow(RangeError)
  expect(inbox.begin('msg_1', 3_600_000)).toBe(true)
})

test('rounds that overlap share the events, and repeat none', async () => {
  addAll('first', 'second', 'third')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const seen: string[] = []
  const work = async ({ type }: { type: string }) => {
    seen.push(type)
    if (type === 'first') await released
  }
  const rounds = [workOff(work), workOff(work)]
  await rounds[1]
  release()
  await rounds[0]
  expect(seen).toEqual(['first', 'second', 'third'])
})

test('an event is begun by one process alone, and not after it is done', () => {
  inbox.add('msg_1', body)
  expect([inbox.begin('msg_1', 1000), inbox.begin('msg_1', 1000)]).toEqual([true, false])
  vi.setSystemTime(Date.now() + 1000)
  expect(inbox.begin('msg_1', 1000)).toBe(true)
  inbox.done('msg_1')
  vi.setSystemTime(Date.now() + 1000)
  expect(inbox.begin('msg_1', 1000)).toBe(false)
})

test.each([
  { limit: undefined, waitedMs: 60_000 },
  { limit: 5000, waitedMs: 5000 },
])(
  'work without an end, with the limit $limit, stops those behind it for $waitedMs ms',
  async ({ limit, waitedMs }) => {
    addAll('first', 'second')
    const seen: string[] = []
    const round = workOff(async ({ type }: { type: string }) => {
      seen.push(type)
      if (type === 'first') await forever()
    }, limit)
    await vi.advanceTimersByTimeAsync(waitedMs - 1)
    expect(seen).toEqual(['first'])
    await vi.advanceTimersByTimeAsync(1)
    await round
    expect(seen).toEqual(['first', 'second'])
    expect(takeLog()).toEqual([
      [expect.stringContaining('first'), new Error(`no end of the work within ${waitedMs} ms`)],
    ])
    expect(vi.getTimerCount()).toBe(0)
  },
)

test.each(['waiting', 'begin', 'done'] as const)(
  'a round ends, logs why and rejects nothing, where inbox.%s fails',
  async (verb) => {
    inbox.add('msg_1', body)
    const locked = new Error('database is locked')
    vi.spyOn(inbox, verb).mockImplementationOnce(() => {
      throw locked
    })
    const { work, done } = failing(0)
    await workOff(work)
    expect(done).toHaveLength(verb === 'done' ? 1 : 0)
    expect(takeLog()).toEqual([['the inbox failed, and with it this round of work', locked]])
    passLease()
    await workOff(work)
    expect(inbox.waiting()).toEqual([])
  },
)

test('keeps an event while another process writes, as a worker of its own does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
  vi.stubEnv('INBOX', join(folder, 'inbox.db'))
  onTestFinished(() => {
    vi.stubEnv('INBOX', ':memory:')
    rmSync(folder, { recursive: true })
  })
  vi.resetModules()
  const { inbox } = await import('../receivers/inbox.ts')
  const program = `
    import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(process.env.INBOX)
    database.exec('BEGIN IMMEDIATE')
    console.log('locked')
    setTimeout(() => database.exec('COMMIT'), 100)
  `
  const other = spawn(process.execPath, ['--input-type=module', '-e', program])
  await once(other.stdout, 'data')
  inbox.add('msg_1', '{}')
  expect(inbox.waiting()).toHaveLength(1)
  await once(other, 'exit')
})
