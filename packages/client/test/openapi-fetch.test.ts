import { wrapAsPathBasedClient } from 'openapi-fetch'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { paths } from '../src/generated/contract.ts'
import {
  type Client,
  ConfigError,
  createClient,
  type Middleware,
  OutcomeUnknownError,
} from '../src/index.ts'
import {
  broken,
  json,
  KEY,
  noResponse,
  problem,
  type Responder,
  SETTLED,
  service,
  TOKEN,
  TRANSFER,
} from './service.ts'

const USERS = '/mobile-bff/v1/partner/user'
const LIST = '/mobile-bff/v1/pix/qrcode/dynamic/due-date'
const OUT = '/mobile-bff/v1/pix/out/'
const WEBHOOK = '/mobile-bff/v1/partner/webhook/{webhook_id}'

const pay = (api: Client) => api.POST(OUT, { body: TRANSFER })
const paying = (respond = () => json(SETTLED, 201) as Response | Error) =>
  service(respond, { auth: TOKEN })
const failing = (respond: () => unknown) => async (): Promise<never> => {
  throw respond()
}

/** Returns what a payment by path ends with, and how often it was sent: `['error', 1]`. */
async function observeOutcome(
  { api, sent }: ReturnType<typeof service>,
  ...middleware: Middleware[]
) {
  api.use(...middleware)
  const outcome = await pay(api).then(
    ({ data, error }) => (error ? 'error' : data),
    (thrown) => thrown.kind ?? thrown,
  )
  return [outcome, sent.length]
}

const sendAgain = ({ request, options }: { request: Request; options: { fetch: typeof fetch } }) =>
  options.fetch(request)
const outcomeAfter = (respond: () => Response | Error, middleware: Middleware) =>
  observeOutcome(paying(respond), middleware)

describe('an option of a call', () => {
  interface OpenOption {
    readonly name: string
    readonly init: object
    readonly query: string
    readonly headers?: Record<string, string>
  }
  const openOptions: OpenOption[] = [
    {
      name: 'params',
      init: { params: { query: { limit: '5', cursor: null } } },
      query: '?limit=5',
    },
    {
      name: 'querySerializer, of options',
      init: { params: { query: { cursor: 'a/b' } }, querySerializer: { allowReserved: true } },
      query: '?cursor=a/b',
    },
    {
      name: 'querySerializer, a function',
      init: { querySerializer: () => '?own=1' },
      query: '?own=1',
    },
    {
      name: 'pathSerializer',
      init: { params: { path: {} }, pathSerializer: (url: string) => `${url}?own=2` },
      query: '?own=2',
    },
    {
      name: 'headers',
      init: { headers: { 'X-Own': [1, true], 'x-none': null } },
      query: '',
      headers: { 'x-own': '1, true' },
    },
    {
      name: 'headers, of the engine',
      init: { headers: { authorization: 'Basic x' } },
      query: '',
      headers: { authorization: 'Bearer t' },
    },
    { name: 'nothing', init: {}, query: '' },
  ]
  it.each(openOptions)('has its effect: $name', async ({ init, query, headers = {} }) => {
    const { api, sent } = service(() => json({ data: [] }), { auth: TOKEN })
    expect((await api.GET(LIST, init)).data).toEqual({ data: [] })
    expect(sent[0]).toMatchObject({ path: LIST + query, headers })
    expect(sent[0]?.headers).not.toHaveProperty('x-none')
  })

  it('sends the text of bodySerializer as it is', async () => {
    const { api, sent } = service(() => json(KEY), { auth: TOKEN })
    const bodySerializer = (body: object) => JSON.stringify(body, undefined, 1)
    await api.POST('/mobile-bff/v1/pix/dict/check/', {
      body: { dict_key: KEY.dict_key },
      bodySerializer,
    })
    expect(sent[0]?.init.body).toBe('{\n "dict_key": "a@example.com"\n}')
  })

  const bodies = [
    'no JSON',
    '"text"',
    '[1]',
    'null',
    new FormData(),
    new URLSearchParams('a=1'),
    new Blob(['<']),
  ]
  it.each(bodies)('refuses a body that is no JSON object: %s', async (body) => {
    const { api, sent } = paying()
    const call = api.POST(OUT, { body: TRANSFER, bodySerializer: () => body })
    await expect(call).rejects.toMatchObject({ kind: 'config' })
    expect(sent).toEqual([])
  })

  it('works: parseAs', async () => {
    const { api } = service(() => json({ users: [] }), { auth: TOKEN })
    expect((await api.GET(USERS, { parseAs: 'text' })).data).toBe('{"users":[]}')
    expect((await api.GET(USERS, { parseAs: 'arrayBuffer' })).data?.byteLength).toBe(12)
    const { data } = await api.GET(USERS, { parseAs: 'blob' })
    expectTypeOf(data).toEqualTypeOf<Blob | undefined>()
    expect(await data?.text()).toBe('{"users":[]}')
  })

  it.each(['stream', 'formData', 'clone', 'constructor'])(
    'refuses parseAs: %s',
    async (parseAs) => {
      const { api, sent } = paying()
      await expect(api.POST(OUT, { body: TRANSFER, parseAs } as never)).rejects.toThrow(
        '"parseAs" must be',
      )
      expect(sent).toEqual([])
    },
  )

  it('works: signal, also if a middleware replaces the request without it', async () => {
    const { api, sent } = service((request) => noResponse(request), { auth: TOKEN })
    api.use({ onRequest: ({ request: { url, method } }) => new Request(url, { method }) })
    const controller = new AbortController()
    const call = api.GET(USERS, { signal: controller.signal })
    await expect.poll(() => sent.length).toBe(1)
    controller.abort('enough')
    await expect(call).rejects.toMatchObject({ kind: 'aborted', cause: 'enough' })
    await expect(api.GET(USERS, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'aborted',
    })
    expect(sent).toHaveLength(1)
  })

  const elsewhere = async () => json(SETTLED, 201)
  it.each<{ name: string; value: unknown }>([
    { name: 'fetch', value: elsewhere },
    { name: 'Request', value: class extends Request {} },
    { name: 'baseUrl', value: 'https://elsewhere.example' },
    { name: 'middleware', value: [{ onRequest: elsewhere }] },
    { name: 'redirect', value: 'a value' },
    { name: 'requestInitExt', value: 'a value' },
    { name: 'cache', value: 'a value' },
    { name: 'credentials', value: 'a value' },
    { name: 'keepalive', value: 'a value' },
    { name: 'mode', value: 'a value' },
    { name: 'duplex', value: 'a value' },
    { name: 'timeout', value: 'a value' },
    { name: 'retry', value: 'a value' },
  ])('refuses $name and names it', async ({ name, value }) => {
    const { api, sent } = paying()
    const call = api.POST(OUT, { body: TRANSFER, [name]: value } as never)
    const message = expect.stringContaining(`"${name}"`)
    await expect(call).rejects.toMatchObject({ kind: 'config', message })
    expect(sent).toEqual([])
  })

  it('is typed', () => {
    const { api } = paying()
    const make = () => {
      // @ts-expect-error -- it would bypass the engine
      void api.GET(USERS, { fetch })
      // @ts-expect-error -- so would another URL
      void api.GET(USERS, { baseUrl: 'https://elsewhere.example' })
      // @ts-expect-error -- redirects are not followed
      void api.GET(USERS, { redirect: 'follow' })
      // @ts-expect-error -- the engine reads the response to its end
      void api.GET(USERS, { parseAs: 'stream' })
      // @ts-expect-error -- use `use`
      void api.GET(USERS, { middleware: [] })
      // @ts-expect-error -- a literal of a union
      void api.GET(USERS, { cache: 'no-store' })
      // @ts-expect-error -- of the client
      void api.GET(USERS, { timeout: 5 })
      // @ts-expect-error -- no PUT in the contract
      void api.PUT(USERS)
      // @ts-expect-error -- the body is required
      void api.POST(OUT)
      // @ts-expect-error -- an amount is a string
      void api.request('post', OUT, { body: { ...TRANSFER, amount: 1 } })
    }
    void make
  })
})

describe('an option of the client', () => {
  it('works: headers and serializers, of which those of a call win', async () => {
    const { options, sent } = service(() => json({ data: [] }), { auth: TOKEN })
    const headers = { 'x-own': 'client', 'x-call': '1' }
    const api = createClient({ ...options, headers, querySerializer: () => 'of=client' })
    await api.GET(LIST)
    await api.GET(LIST, {
      headers: { 'x-own': 'call' },
      querySerializer: () => 'of=call',
    })
    expect(sent.map(({ path }) => path)).toEqual([`${LIST}?of=client`, `${LIST}?of=call`])
    expect(sent.map(({ headers }) => [headers['x-own'], headers['x-call']])).toEqual([
      ['client', '1'],
      ['call', '1'],
    ])
  })

  it('works: a pathSerializer that encodes nothing cannot leave the contract', async () => {
    const { options, sent } = service(() => json({}), { auth: TOKEN })
    const pathSerializer = (url: string, values: object) =>
      Object.entries(values).reduce((all, [name, value]) => all.replace(`{${name}}`, value), url)
    const api = createClient({ ...options, pathSerializer })
    for (const webhook_id of ['../../../admin', '', '..', 'a/b', '{x}']) {
      const call = api.DELETE(WEBHOOK, { params: { path: { webhook_id } } })
      await expect(call).rejects.toMatchObject({ kind: 'config' })
    }
    expect(sent).toEqual([])
  })
})

describe('onRequest', () => {
  it('adds a header', async () => {
    const { api, sent } = paying()
    api.use({
      onRequest({ request, schemaPath, params, id, options: { baseUrl } }) {
        request.headers.set(
          'x-seen',
          `${schemaPath} ${JSON.stringify(params)} ${id.length > 0} ${baseUrl}`,
        )
      },
    })
    await pay(api)
    expect(sent[0]?.headers['x-seen']).toBe(`${OUT} {} true https://pay.example`)
  })

  it('returns a changed request, which is judged as it is sent', async () => {
    const raise: Middleware = {
      onRequest: async ({ request }) =>
        new Request(request, { body: (await request.text()).replace('10.50', '20.00') }),
    }
    const original = paying()
    expect(await observeOutcome(original, raise)).toEqual(['outcome_unknown', 1])
    expect(original.sent[0]?.body).toMatchObject({ amount: '20.00' })
    const raised = { ...SETTLED, data: { amount: '20.00' } }
    expect(await outcomeAfter(() => json(raised, 201), raise)).toEqual([raised, 1])
  })

  it('turns a read into a payment, which is then sent once', async () => {
    const { api, sent } = paying(() => problem(503, 'unavailable'))
    const body = JSON.stringify(TRANSFER)
    api.use({ onRequest: () => new Request(`https://pay.example${OUT}`, { method: 'POST', body }) })
    await expect(api.GET(USERS)).rejects.toBeInstanceOf(OutcomeUnknownError)
    expect(sent).toHaveLength(1)
  })

  const refused: { title: string; change: (request: Request) => Request }[] = [
    {
      title: 'refuses a request to another origin, and sends nothing anywhere',
      change: (request) => new Request(`https://elsewhere.example${OUT}`, request),
    },
    {
      title: 'refuses a request to a path outside the contract, and sends nothing anywhere',
      change: (request) => new Request(`https://pay.example/admin`, request),
    },
    {
      title: 'refuses a request with another method, and sends nothing anywhere',
      change: (request) => new Request(request, { method: 'PUT' }),
    },
    {
      title: 'refuses a request with a body that is no JSON, and sends nothing anywhere',
      change: (request) => new Request(request, { body: 'paid' }),
    },
    {
      title: 'refuses a request with a body that was read, and sends nothing anywhere',
      change: (request) => {
        void request.text()
        return request
      },
    },
  ]
  it.each(refused)('$title', async ({ change }) => {
    const refusing = paying()
    const onRequest: Middleware['onRequest'] = ({ request }) => change(request)
    expect(await observeOutcome(refusing, { onRequest })).toEqual(['config', 0])
    expect(refusing.tokens).toEqual([])
  })

  it.each([
    { title: 'that returns a Response sends nothing', onRequest: () => json(SETTLED, 201) },
    {
      title: 'that returns an empty 500 sends nothing',
      onRequest: () => new Response('', { status: 500 }),
    },
    { title: 'that returns something else sends nothing', onRequest: () => ({}) as Request },
    { title: 'that rejects sends nothing', onRequest: failing(() => new Error('no')) },
  ])('$title', async ({ onRequest }) => {
    expect(await observeOutcome(paying(), { onRequest })).toEqual(['config', 0])
  })

  it('that pays by itself sends once, and only its own response is believed', async () => {
    const itself: Middleware = {
      onRequest: ({ request, options }) => options.fetch(request.clone()),
    }
    expect(await observeOutcome(paying(), itself)).toEqual([SETTLED, 1])
    const unawaited: Middleware = {
      onRequest: ({ request, options }) => void options.fetch(request.clone()),
    }
    expect(await observeOutcome(paying(), unawaited)).toEqual(['outcome_unknown', 1])
    expect(await outcomeAfter(() => problem(409, 'initiation_used'), itself)).toEqual(['error', 1])
  })

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'that fails, and pays %i turns later, hides nothing',
    async (turns) => {
      const failingLater = paying()
      const onRequest: Middleware['onRequest'] = ({ request, options }) => {
        const later = async () => {
          for (let turn = 0; turn < turns; turn++) await undefined
          await options.fetch(request.clone())
        }
        later().catch(() => {})
        throw new Error('no')
      }
      const [kind] = await observeOutcome(failingLater, { onRequest })
      await new Promise(setImmediate)
      const wasSent = failingLater.sent.length > 0
      expect([kind, failingLater.sent.length]).toEqual(
        wasSent ? ['outcome_unknown', 1] : ['config', 0],
      )
    },
  )

  it('cannot send after the call has ended', async () => {
    const { api, sent } = paying()
    let send: () => Promise<unknown> = async () => {}
    api.use({
      onRequest({ request, options }) {
        send = () => options.fetch(request.clone())
        throw new Error('no')
      },
    })
    await expect(pay(api)).rejects.toMatchObject({ kind: 'config' })
    await expect(send()).rejects.toBeInstanceOf(ConfigError)
    expect(sent).toEqual([])
  })
})

describe('onResponse', () => {
  it('reads a copy of a success, and of an error response', async () => {
    const read: unknown[] = []
    const onResponse: Middleware['onResponse'] = async ({ response }) => {
      read.push(await response.clone().json())
    }
    expect(await observeOutcome(paying(), { onResponse })).toEqual([SETTLED, 1])
    expect(await outcomeAfter(() => problem(409, 'initiation_used'), { onResponse })).toEqual([
      'error',
      1,
    ])
    expect(read).toMatchObject([SETTLED, { code: 'initiation_used' }])
  })

  const replacing: { title: string; onResponse: Middleware['onResponse'] & object }[] = [
    {
      title: 'that returns another success leaves the outcome of a payment unknown',
      onResponse: () => json(SETTLED, 201),
    },
    {
      title: 'that returns a refusal leaves the outcome of a payment unknown',
      onResponse: () => problem(409, 'initiation_used'),
    },
    {
      title: 'that returns a copy leaves the outcome of a payment unknown',
      onResponse: ({ response }) => response.clone(),
    },
    {
      title: 'that returns something else leaves the outcome of a payment unknown',
      onResponse: () => ({}) as Response,
    },
    {
      title: 'that reads the body leaves the outcome of a payment unknown',
      onResponse: async ({ response }) => void (await response.text()),
    },
    { title: 'that sends again leaves the outcome of a payment unknown', onResponse: sendAgain },
    {
      title: 'that throws leaves the outcome of a payment unknown',
      onResponse: failing(() => new Error('no')),
    },
    {
      title: 'that throws a refusal of this package leaves the outcome of a payment unknown',
      onResponse: failing(() => new ConfigError('no')),
    },
  ]
  it.each(replacing)('$title', async ({ onResponse }) => {
    expect(await observeOutcome(paying(), { onResponse })).toEqual(['outcome_unknown', 1])
  })

  it('that turns a refusal into a success is refused', async () => {
    const refusing = paying(() => problem(409, 'initiation_used'))
    expect(await observeOutcome(refusing, { onResponse: () => json(SETTLED, 201) })).toEqual([
      'config',
      1,
    ])
  })

  it('is not called without a response', async () => {
    let calls = 0
    const onResponse = () => void calls++
    expect(await outcomeAfter(() => broken('ECONNRESET'), { onResponse })).toEqual([
      'outcome_unknown',
      1,
    ])
    expect(calls).toBe(0)
  })
})

describe('onError', () => {
  it.each([
    {
      title: 'learns an unknown outcome, and cannot replace it by a success',
      replace: () => json(SETTLED, 201),
    },
    {
      title: 'learns an unknown outcome, and cannot replace it by a refusal',
      replace: () => problem(409, 'initiation_used'),
    },
    {
      title: 'learns an unknown outcome, and cannot replace it by another Error',
      replace: () => new Error('declined'),
    },
    {
      title: 'learns an unknown outcome, and cannot replace it by something else',
      replace: () => ({}) as Response,
    },
    {
      title: 'learns an unknown outcome, and cannot replace it by what it throws',
      replace: failing(() => new Error('declined')),
    },
    {
      title: 'learns an unknown outcome, and cannot replace it by a second request',
      replace: sendAgain,
    },
  ])('$title', async ({ replace }) => {
    const errors: unknown[] = []
    const onError: Middleware['onError'] = (context) => {
      errors.push(context.error)
      return replace(context)
    }
    expect(await outcomeAfter(() => broken('ECONNRESET'), { onError })).toEqual([
      'outcome_unknown',
      1,
    ])
    expect(errors).toEqual([expect.any(OutcomeUnknownError)])
  })

  it('replaces another error by an Error, not by a Response', async () => {
    const mine = new Error('mine')
    const { api } = service(() => broken('ECONNREFUSED'), { auth: TOKEN, retries: 0 })
    api.use({ onError: () => json({ users: [] }) })
    await expect(api.GET(USERS)).rejects.toMatchObject({ kind: 'connection' })
    const other = service(() => broken('ECONNREFUSED'), { auth: TOKEN, retries: 0 }).api
    other.use({ onError: () => mine })
    await expect(other.GET(USERS)).rejects.toBe(mine)
  })
})

describe('use and eject', () => {
  it('run onRequest in order, and onResponse in reverse', async () => {
    const calls: string[] = []
    const named = (name: string): Middleware => ({
      onRequest: () => void calls.push(`> ${name}`),
      onResponse: () => void calls.push(`< ${name}`),
    })
    const { api } = paying()
    const ejected = named('b')
    api.use(named('a'), ejected, named('c'))
    api.eject(ejected)
    await pay(api)
    expect(calls).toEqual(['> a', '> c', '< c', '< a'])
  })

  it('run once for a call, which the engine retries below', async () => {
    let calls = 0
    const busy: Responder = (_, count) => (count < 3 ? problem(503, 'x') : json({ users: [] }))
    const { api, sent } = service(busy, { auth: TOKEN })
    api.use({ onRequest: () => void calls++ })
    await api.GET(USERS)
    expect([calls, sent.length]).toEqual([1, 3])
  })
})

it('wrapAsPathBasedClient of openapi-fetch uses the guarded methods', async () => {
  const { api, sent } = paying()
  const { POST } = wrapAsPathBasedClient<paths>(api as never)[OUT]
  expect((await POST({ body: TRANSFER })).data).toEqual(SETTLED)
  const elsewhere = POST({ body: TRANSFER, fetch: async () => json(SETTLED, 201) })
  await expect(elsewhere).rejects.toThrow('"fetch"')
  expect(sent).toHaveLength(1)
})
