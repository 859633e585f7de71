import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient, createPayments, createSafeFetch, logging } from '../src/index.ts'
import { broken, json, SETTLED, service, TOKEN, TRANSFER, USERS } from './service.ts'

/** What browsers lack that are some years old, and React Native. The rest is needed by Vitest. */
const MISSING: readonly { owner: object; name: string }[] = [
  { owner: URL, name: 'canParse' },
  { owner: AbortSignal, name: 'any' },
  { owner: String.prototype, name: 'isWellFormed' },
  { owner: URLSearchParams.prototype, name: 'size' },
]

let restore: (() => void)[] = []

beforeEach(() => {
  restore = MISSING.map(({ owner, name }) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name) ?? {}
    Reflect.deleteProperty(owner, name)
    return () => Object.defineProperty(owner, name, descriptor)
  })
})
afterEach(() => {
  for (const restoreOne of restore) restoreOne()
  vi.unstubAllGlobals()
})

/** A success without a stream, which Node needs for a `Response`. */
function withoutStream(body: unknown): Response {
  const response = {
    status: 201,
    ok: true,
    headers: new Headers(),
    text: async () => JSON.stringify(body),
  }
  return response as unknown as Response
}

describe('without what is new in browsers', () => {
  it('pays, with the body as a string', async () => {
    vi.stubGlobal('ReadableStream', undefined)
    const { payments, sent } = service(() => withoutStream(SETTLED), { auth: TOKEN })
    expect((await payments.transfers.create(TRANSFER)).status).toBe('settled')
    expect(sent[0]?.init.body).toBe(JSON.stringify(TRANSFER))
  })

  it('encodes a query', async () => {
    const { payments, sent } = service(() => json({ data: [], next_cursor: null }), { auth: TOKEN })
    await payments.qrcodes.listImmediate({ cursor: 'a b&c=ção', limit: '20' })
    expect(sent[0]?.path).toMatch(/\?cursor=a%20b%26c%3D%C3%A7%C3%A3o&limit=20$/)
  })

  it('refuses a path value that cannot be encoded', async () => {
    const { payments } = service(() => json(USERS), { auth: TOKEN })
    expect((await payments.users.get('\ud800').result()).kind).toBe('config')
  })

  it('calls by path, and ends when the signal of the call does', async () => {
    const { api } = service(() => json(USERS), { auth: TOKEN })
    expect((await api.GET('/mobile-bff/v1/partner/user')).data).toEqual(USERS)

    const aborted = AbortSignal.abort()
    const call = api.GET('/mobile-bff/v1/partner/user', { signal: aborted })
    await expect(call).rejects.toMatchObject({ kind: 'aborted' })
  })

  it('logs bodies', async () => {
    const records: unknown[] = []
    const { fetch, options } = service(() => json(USERS), { auth: TOKEN })
    const logged = logging((record) => records.push(record), { bodies: true, fetch })
    await createPayments({ ...options, fetch: logged }).users.list()
    expect(records).toHaveLength(1)
  })
})

describe('in React Native', () => {
  /** Its `fetch` gives a GET that is not stored a query parameter. */
  class RequestOfReactNative extends Request {
    constructor(url: string, init?: RequestInit) {
      super(url, init)
      const isUnstored = init?.cache === 'no-store'
      if (isUnstored) Object.defineProperty(this, 'url', { value: `${url}?_=1` })
    }
  }

  beforeEach(() => {
    vi.stubGlobal('navigator', { product: 'ReactNative' })
    vi.stubGlobal('Request', RequestOfReactNative)
  })

  it('pays with the token of a server', async () => {
    const { payments, sent } = service(() => withoutStream(SETTLED), { auth: TOKEN })
    expect((await payments.transfers.create(TRANSFER)).status).toBe('settled')
    expect(sent[0]?.init.body).toBe(JSON.stringify(TRANSFER))
    expect(sent[0]?.init.cache).toBeUndefined()
  })

  it.each([
    {
      title: 'createPayments refuses a clientSecret, which everyone can read in an app',
      create: createPayments,
    },
    {
      title: 'createClient refuses a clientSecret, which everyone can read in an app',
      create: createClient,
    },
    {
      title: 'createSafeFetch refuses a clientSecret, which everyone can read in an app',
      create: createSafeFetch,
    },
  ])('$title', ({ create }) => {
    const auth = { clientKey: 'key', clientSecret: 'secret' }
    expect(() => create({ baseUrl: 'https://pay.example', auth })).toThrow(
      'everyone can read clientSecret in an app: pass "auth.token" instead',
    )
  })
})

describe('caches', () => {
  const cacheOfRead = async () => {
    const { payments, sent } = service(() => json(USERS), { auth: TOKEN })
    await payments.users.list()
    return sent[0]?.init.cache
  }

  it('store no response, such as those of Next.js', async () => {
    expect(await cacheOfRead()).toBe('no-store')
  })

  it('are not mentioned where that throws, as in Workers before November 2024', async () => {
    class RequestOfWorker extends Request {
      constructor(url: string, init?: RequestInit) {
        if (init?.cache) throw new Error('The cache field is not implemented')
        super(url, init)
      }
    }
    vi.stubGlobal('Request', RequestOfWorker)
    expect(await cacheOfRead()).toBeUndefined()
  })
})

describe('a connection error', () => {
  it('keeps the digest of Next.js, which then renders the page when it is opened', async () => {
    const dynamic = Object.assign(new Error('Dynamic server usage'), {
      digest: 'DYNAMIC_SERVER_USAGE',
    })
    const { payments } = service(() => dynamic, { auth: TOKEN, retries: 0 })
    await expect(payments.users.list()).rejects.toMatchObject({
      kind: 'connection',
      digest: 'DYNAMIC_SERVER_USAGE',
    })

    const { payments: broke } = service(() => broken('ECONNRESET'), { auth: TOKEN, retries: 0 })
    await expect(broke.users.list()).rejects.not.toHaveProperty('digest')
  })
})
