import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { message, startRawServer } from '../scripts/raw-server.ts'
import { createPayments } from '../src/index.ts'
import { START, testClock } from './clock.ts'
import { TOKEN as auth, json, noResponse, service, TRANSFER, USERS } from './service.ts'

/** Responds without an end, not completely, or with too much. */
const slow = await startRawServer((socket, { path }) => {
  if (path.endsWith('/bomb')) return socket.write(bomb())
  if (path.endsWith('/endless')) return Readable.from(endless()).pipe(socket)
  socket.write('HTTP/1.1 200 X\r\ncontent-length: 99\r\n\r\n{"user_id":')
  if (path.endsWith('/cut')) socket.end()
})
afterAll(() => slow.close())

describe('timeouts', () => {
  it('end an attempt and start the next', async () => {
    const clock = testClock()
    const { payments, sent } = service((request) => noResponse(request), { clock })
    const result = await clock.endOf(payments.users.list().result())
    expect(result).toMatchObject({ kind: 'timeout', error: { operationId: 'listUsers' } })
    expect(sent.map(({ at, signal }) => [at, signal.aborted])).toEqual([
      [0, true],
      [20_000, true],
      [40_000, true],
    ])
  })

  it('end the call even if retries are left', async () => {
    const clock = testClock()
    const { payments, sent } = service((request) => noResponse(request), { clock })
    const ended = payments.users
      .list({ timeout: 25_000 })
      .result()
      .then(({ kind }) => [kind, clock.now() - START])
    expect(await clock.endOf(ended)).toEqual(['timeout', 25_000])
    expect(sent).toHaveLength(2)
  })

  it('apply even if fetch ignores its signal', async () => {
    const clock = testClock()
    const { payments } = service((request) => noResponse(request, false), { clock })
    expect(await clock.endOf(payments.users.list().result())).toMatchObject({ kind: 'timeout' })
  })

  it.each(['500', '5s', null, Number.NaN, -1, 0])('of %j send no payment', async (timeout) => {
    const { payments, sent, tokens } = service(() => json({}))
    const call = payments.transfers.create(TRANSFER, { timeout: timeout as number })
    const message = expect.stringContaining('"timeout" must be a number from 0')
    await expect(call).rejects.toMatchObject(
      timeout === 0 ? { kind: 'timeout' } : { kind: 'config', message },
    )
    expect([sent.length, tokens.length]).toEqual([0, 0])
  })

  it('leave no timer or listener behind, also if the signal is none', async () => {
    const clock = testClock()
    const { payments } = service(() => json(USERS), { clock })
    const controller = new AbortController()
    await expect(payments.users.list({ signal: controller as never })).rejects.toThrow('signal')
    await payments.users.list(controller)
    expect([clock.timers.size, getEventListeners(controller.signal, 'abort')]).toEqual([0, []])
  })

  it('an already aborted signal sends nothing, not even a sign-in', async () => {
    const { payments, sent, tokens } = service(() => json({}))
    const result = await payments.users.list({ signal: AbortSignal.abort('no') }).result()
    expect(result).toMatchObject({ kind: 'aborted', error: { cause: 'no' } })
    expect([sent.length, tokens.length]).toEqual([0, 0])
  })
})

describe('a caller who aborts', () => {
  it.each([0, 1, 2, 4, 6, 8, 10, 12, 15, 20])(
    'ends the call %i turns after a token',
    async (turns) => {
      let give: (token: string) => void = () => {}
      const token = () => new Promise<string>((resolve) => (give = resolve))
      const { payments } = service((sent) => noResponse(sent), {
        auth: { token },
        clock: testClock(),
      })
      const controller = new AbortController()
      const result = payments.users.list({ signal: controller.signal }).result()
      give('t')
      for (let turn = 0; turn < turns; turn++) await null
      controller.abort()
      expect(await result).toMatchObject({ kind: 'aborted' })
    },
  )
})

describe('over real HTTP', () => {
  const tooLong = { message: expect.stringContaining('at most') }
  it.each([
    {
      problem: 'stalls',
      end: 'ends with a timeout',
      user: 'stalls',
      kind: 'timeout',
      error: {},
    },
    {
      problem: 'is truncated',
      end: 'is a connection error',
      user: 'cut',
      kind: 'connection',
      error: { sent: true },
    },
    {
      problem: 'is endless',
      end: 'is not read completely',
      user: 'endless',
      kind: 'decode',
      error: tooLong,
    },
    {
      problem: 'is a decompression bomb',
      end: 'is not read completely',
      user: 'bomb',
      kind: 'decode',
      error: tooLong,
    },
  ])('a body that $problem $end', async ({ user, kind, error }) => {
    const attemptTimeout = kind === 'timeout' ? 100 : 20_000
    const payments = createPayments({ baseUrl: slow.url, auth, attemptTimeout, retries: 0 })
    expect(await payments.users.get(user).result()).toMatchObject({ kind, error })
  })

  it('a body is read in chunks, whatever length it declares', async () => {
    const response = json(USERS, 200, { 'content-length': '5', 'content-encoding': 'gzip' })
    const text = () => Promise.reject(new Error('read at once'))
    const { payments } = service(() => Object.defineProperty(response, 'text', { value: text }))
    expect(await payments.users.list()).toEqual(USERS)
  })

  it('a refused connection is reported with its error code', async () => {
    const payments = createPayments({ baseUrl: 'http://127.0.0.1:2', auth, retries: 0 })
    const result = await payments.transfers.create(TRANSFER).result()
    const message =
      'createTransfer: no complete response (ECONNREFUSED) ' +
      '[POST http://127.0.0.1:2/mobile-bff/v1/pix/out/]'
    expect(result).toMatchObject({ kind: 'connection', error: { sent: false, message } })
  })
})

function bomb(): Buffer {
  return message(200, gzipSync(Buffer.alloc(2 ** 24, ' ')), 'content-encoding: gzip\r\n')
}

function* endless() {
  yield 'HTTP/1.1 200 X\r\n\r\n'
  for (;;) yield 'x'.repeat(2 ** 16)
}
