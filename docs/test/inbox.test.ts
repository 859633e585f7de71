import type { WebhookEvent } from '@partner-payments/webhooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

vi.stubEnv('INBOX', ':memory:')
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => logged.mockClear())

let inbox: typeof import('../receivers/inbox.ts').inbox
let workOff: typeof import('../receivers/worker.ts').workOff
beforeEach(async () => {
  vi.resetModules()
  ;({ inbox } = await import('../receivers/inbox.ts'))
  ;({ workOff } = await import('../receivers/worker.ts'))
})

const event = { type: 'qrcode.paid', timestamp: '2026-11-02T14:30:04Z', data: {} } as WebhookEvent
const ids = (kept: { id: string }[]) => kept.map(({ id }) => id)
const broken = new Error('the work failed')

/** Work that fails at its first `times` events, and lists those that it did. */
function failing(times: number) {
  const done: WebhookEvent[] = []
  let left = times
  const work = async (each: WebhookEvent) => {
    if (left-- > 0) throw broken
    done.push(each)
  }
  return { work, done }
}

test('works once on each event, in the order of their arrival', async () => {
  const seconds = ['01', '02', '03']
  for (const second of seconds) inbox.add(`msg_${second}`, { ...event, timestamp: second })
  const { work, done } = failing(0)
  await workOff(work)
  await workOff(work)
  expect(done.map(({ timestamp }) => timestamp)).toEqual(seconds)
  expect(inbox.waiting()).toEqual([])
})

test('an event that fails stops none behind it, and is tried again in the next round', async () => {
  for (const id of ['msg_1', 'msg_2', 'msg_3']) inbox.add(id, event)
  const { work, done } = failing(1)
  await workOff(work)
  expect(done).toHaveLength(2)
  expect(ids(inbox.waiting())).toEqual(['msg_1'])
  expect(logged.mock.calls).toEqual([[expect.stringContaining('msg_1'), broken]])
  await workOff(work)
  expect(done).toHaveLength(3)
  expect(inbox.waiting()).toEqual([])
})

test('an event that fails five times is dead, until it is revived', async () => {
  inbox.add('msg_1', event)
  const { work, done } = failing(5)
  for (let round = 0; round < 4; round++) await workOff(work)
  expect([ids(inbox.waiting()), ids(inbox.dead())]).toEqual([['msg_1'], []])
  await workOff(work)
  expect([ids(inbox.waiting()), ids(inbox.dead())]).toEqual([[], ['msg_1']])
  inbox.add('msg_1', event)
  expect(inbox.waiting()).toEqual([])
  inbox.revive('msg_1')
  await workOff(work)
  expect(done).toEqual([event])
  expect(inbox.dead()).toEqual([])
})

test('an attempt that the end of the process cuts short counts', () => {
  inbox.add('msg_1', event)
  for (let attempt = 0; attempt < 5; attempt++) void workOff(() => new Promise(() => {}))
  expect(ids(inbox.dead())).toEqual(['msg_1'])
})

test('revives what is dead, and nothing that is done', async () => {
  inbox.add('msg_1', event)
  await workOff(failing(0).work)
  inbox.revive('msg_1')
  expect(inbox.waiting()).toEqual([])
})
