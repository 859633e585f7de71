import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPayments, type Fetch, logging } from '../src/index.ts'
import { validation } from '../src/validation.ts'
import { testClock } from './clock.ts'
import {
  broken,
  json,
  noResponse,
  problem,
  type Responder,
  SETTLED,
  service,
  TOKEN,
  TRANSFER,
  USERS,
} from './service.ts'

/** Errors that nobody foresaw, after a payment was sent. */

const OUT = '/mobile-bff/v1/pix/out/'

/** JSON that is nested so deeply that walking through it exceeds the stack. */
const DEEP = '['.repeat(5000) + ']'.repeat(5000)

/** Texts of JSON whose values throw when they are converted to a string. */
const UNPRINTABLE = [DEEP, '{"toString":1,"valueOf":1}']

function deepRefusal(status: number): Response {
  const body = `{"type":"about:blank","title":"x","status":${status},"code":"invalid_request","a":${DEEP}}`
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json' } })
}

/** The kinds of a payment through each of the three ways to call. */
async function kindsOf(respond: Responder, options = {}): Promise<string[]> {
  const { payments, api, safeFetch } = service(respond, { auth: TOKEN, retries: 0, ...options })
  const body = JSON.stringify(TRANSFER)
  const calls = [
    payments.transfers.create(TRANSFER).then(() => 'ok'),
    api.POST(OUT, { body: TRANSFER }).then(({ error }) => (error ? 'http' : 'ok')),
    safeFetch(`https://pay.example${OUT}`, { method: 'POST', body }).then(({ ok }) =>
      ok ? 'ok' : 'http',
    ),
  ]
  const ends: string[] = []
  for (const call of calls) ends.push(await call.catch((error) => error.kind ?? `${error}`))
  return ends
}

/** A clock that breaks when the response arrives, which is the only look at a payment. */
function breakingWith(respond: () => Response) {
  const steady = testClock()
  let isBroken = false
  const now = () => {
    if (isBroken) throw new Error('no time')
    return steady.now()
  }
  const fetch: Fetch = async () => {
    isBroken = true
    return respond()
  }
  return service(respond, { auth: TOKEN, clock: { ...steady, now }, fetch }).payments
}

describe('an error that nobody foresaw, after a payment was sent,', () => {
  it.each([
    {
      title: 'is an unknown outcome, although the response is a success',
      respond: () => json(SETTLED, 201),
    },
    {
      title: 'is an unknown outcome, although the response is a refusal',
      respond: () => problem(422, 'insufficient_funds'),
    },
    {
      title: 'is an unknown outcome, although the response is a failure',
      respond: () => problem(503, 'unavailable'),
    },
  ])('$title', async ({ respond }) => {
    const result = await breakingWith(respond).transfers.create(TRANSFER).result()
    expect(result).toMatchObject({
      kind: 'outcome_unknown',
      error: { cause: { kind: 'decode', cause: new Error('no time') } },
    })
  })

  it('is a failed read of another operation, with its cause', async () => {
    const result = await breakingWith(() => json(USERS))
      .users.list()
      .result()
    expect(result).toMatchObject({ kind: 'decode', error: { cause: new Error('no time') } })
  })

  it('is none: a refusal nested 5,000 deep is a refusal', async () => {
    expect(await kindsOf(() => deepRefusal(422))).toEqual(['http', 'http', 'http'])
  })

  it('is none: a success with a field nested 5,000 deep is a success', async () => {
    const text = JSON.stringify(SETTLED).replace('{', `{"a":${DEEP},`)
    const success = () => new Response(text, { status: 201 })
    expect(await kindsOf(success)).toEqual(['ok', 'ok', 'ok'])
  })

  it.each(UNPRINTABLE)('is none: a problem whose texts cannot be printed, %#', async (value) => {
    const text = `{"status":422,"code":${value},"request_id":${value},"errors":[{"pointer":${value}}]}`
    const headers = { 'content-type': 'application/problem+json' }
    const refused = () => new Response(text, { status: 422, headers })
    expect(await kindsOf(refused)).toEqual(['http', 'http', 'http'])
    const failed = () => new Response(text, { status: 500, headers })
    expect(await kindsOf(failed)).toEqual(Array(3).fill('outcome_unknown'))
  })
})

describe('the AbortController of React Native, which drops the reason,', () => {
  afterEach(() => vi.unstubAllGlobals())

  class ReasonlessController extends AbortController {
    override abort(): void {
      super.abort('dropped')
    }
  }

  it('ends a payment as unknown after a timeout, and a read as timed out', async () => {
    vi.stubGlobal('AbortController', ReasonlessController)
    const clock = testClock()
    const { payments } = service((sent) => noResponse(sent), { auth: TOKEN, clock, retries: 0 })
    const paid = await clock.endOf(payments.transfers.create(TRANSFER).result())
    expect(paid).toMatchObject({ kind: 'outcome_unknown', error: { cause: { kind: 'timeout' } } })
    expect(await clock.endOf(payments.users.list().result())).toMatchObject({ kind: 'timeout' })
  })
})

describe('code that observes a response', () => {
  it.each([
    {
      title: 'changes no outcome if it is logging that cannot copy it',
      observe: (fetch: Fetch) => logging(() => {}, { fetch }),
    },
    {
      title: 'changes no outcome if it is validation that cannot copy it',
      observe: (fetch: Fetch) => validation({ mode: 'enforce', fetch }),
    },
  ])('$title', async ({ observe }) => {
    const { fetch, options } = service(() => {
      const response = json(SETTLED, 201)
      return Object.defineProperty(response, 'clone', {
        value: () => {
          throw new TypeError('no clone')
        },
      })
    })
    const payments = createPayments({ ...options, auth: TOKEN, fetch: observe(fetch) })
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('ok')
  })
})

describe('an error code of a failed connection', () => {
  it.each(['ECONNREFUSED', 'ConnectionRefused'])(
    'proves nothing if the error itself has it, as one of a database does: %s',
    async (code) => {
      let sent = 0
      const fetch: Fetch = async () => {
        sent++
        throw Object.assign(new Error('the database is down'), { code })
      }
      const { payments } = service(() => json({}), { auth: TOKEN, fetch })
      expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
      expect(sent).toBe(1)
    },
  )

  it('proves that nothing was sent if fetch has it as its cause', async () => {
    expect(await kindsOf(() => broken('ECONNREFUSED'))).toEqual(Array(3).fill('connection'))
  })
})

describe('a body that takes long to parse', () => {
  it('is not read, and leaves the outcome unknown', async () => {
    const text = JSON.stringify({ ...SETTLED, more: 'a'.repeat(4 * 2 ** 20) })
    const { payments } = service(() => new Response(text, { status: 201 }))
    const error = await payments.transfers.create(TRANSFER).catch((thrown) => thrown)
    expect(error).toMatchObject({
      kind: 'outcome_unknown',
      message: expect.stringContaining('at most'),
    })
  })
})

describe('a body of 3,145,728 bytes', () => {
  it.each([
    { more: 0, kind: 'ok' },
    { more: 1, kind: 'outcome_unknown' },
  ])('with $more bytes more is $kind', async ({ more, kind }) => {
    const text = JSON.stringify(SETTLED).padEnd(3 * 2 ** 20 + more)
    const { payments } = service(() => new Response(text, { status: 201 }))
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe(kind)
  })
})

describe('headers that throw when they are read', () => {
  it('leave the outcome of a payment unknown', async () => {
    const headers = {
      get() {
        throw new Error('boom')
      },
    }
    const { payments } = service(() =>
      Object.defineProperty(json(SETTLED, 201), 'headers', { value: headers }),
    )
    expect((await payments.transfers.create(TRANSFER).result()).kind).toBe('outcome_unknown')
  })
})
