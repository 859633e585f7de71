import { describe, expect, it } from 'vitest'
import { createMock } from '../src/index.ts'
import { call, deviations, type Json, operation, operations, readBody, send } from './contract.ts'

const mock = await createMock()

/** Calls an operation with its examples; `headers` and `body` override them. */
const ask = (id: string, init: Parameters<typeof call>[2] = {}) => call(mock, operation(id), init)
const bearer = { authorization: 'Bearer some-token' }
const json = { 'content-type': 'application/json' }

it.each([
  {
    id: 'createTransfer',
    fields: { type: 'dict', initiation_id: 'i' },
    expected: { data: { amount: '1.23' } },
  },
  { id: 'createStaticQrCode', fields: {}, expected: { amount: '1.23', dict_key: 'a' } },
])(
  'repeats values of the request of $id according to x-echoes',
  async ({ id, fields, expected }) => {
    const response = await ask(id, { body: { ...fields, amount: '1.23', dict_key: 'a' } })
    expect(await response.json()).toMatchObject(expected)
  },
)

describe('a path', () => {
  it.each([
    { path: '/mobile-bff/v1/partner/user/' },
    { path: '//host/mobile-bff/v1/partner/user' },
  ])('$path is not found: slashes matter', async ({ path }) => {
    await expectProblem(await send(mock, path, { headers: bearer }), 404, 'not_found')
  })

  it('suggests the path that differs in its trailing slash', async () => {
    const response = await send(mock, '/pix/out/', { method: 'POST', headers: bearer })
    const detail = 'No operation at POST /pix/out/. Trailing slashes matter: did you mean /pix/out?'
    expect(await response.json()).toMatchObject({ detail })
  })

  it('with another difference is refused without a suggestion', async () => {
    const response = await send(mock, '/mobile-bff/v2/partner/user', { headers: bearer })
    const detail = 'No operation at this path. Check its prefix and slashes.'
    expect(await response.json()).toMatchObject({ detail })
  })

  it.each([
    {
      method: 'PUT',
      path: '/mobile-bff/v1/partner/webhook/some-id',
      methods: 'GET, PATCH, DELETE',
    },
    { method: 'GET', path: '/mobile-bff/v1/partner/webhook', methods: 'POST' },
    { method: 'PUT', path: '/partners/webhooks', methods: 'POST, GET' },
    { method: 'HEAD', path: '/mobile-bff/v1/partner/user', methods: 'GET' },
  ])('refuses $method $path, and lists its methods', async ({ method, path, methods }) => {
    const response = await send(mock, path, { method, headers: bearer })
    expect(response.headers.get('allow')).toBe(methods)
    await expectProblem(response, 405, 'method_not_allowed')
  })
})

it('refuses an invalid percent-encoding', async () => {
  const response = await send(mock, '/mobile-bff/v1/partner/webhook/%zz', { headers: bearer })
  await expectProblem(response, 400, 'invalid_request')
})

describe('credentials', () => {
  it.each([
    { authorization: 'bearer abc', id: 'listUsers' },
    { authorization: `basic ${btoa('key:se:cret')}`, id: 'signIn' },
  ])('"$authorization" are accepted by $id', async ({ authorization, id }) => {
    const response = await ask(id, { headers: { authorization } })
    expect(response.status).toBe(200)
  })

  it.each(['', 'Bearer', 'Token abc', `Basic ${btoa('key:secret')}`])(
    '"%s" are refused by listUsers, which asks for a token',
    async (authorization) => {
      const response = await ask('listUsers', { headers: { authorization } })
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
      await expectProblem(response, 401, 'invalid_token')
    },
  )

  it.each(['Bearer abc', 'Basic', `Basic ${btoa('no-colon')}`, `Basic ${btoa('key:')}`])(
    '"%s" are refused by signIn, which asks for a key and a secret',
    async (authorization) => {
      const response = await ask('signIn', { headers: { authorization } })
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
      await expectProblem(response, 401, 'invalid_credentials')
    },
  )

  it('are checked before the body', async () => {
    const response = await check('{', { authorization: '', ...json })
    expect(response.status).toBe(401)
  })
})

describe('a body', () => {
  it.each([
    { kind: 'no JSON', body: '{"dict_key":' },
    { kind: 'two values', body: '{} {}' },
    { kind: 'no UTF-8', body: Buffer.from('{"dict_key":"\xe9"}', 'latin1') },
  ])('that is $kind is malformed', async ({ body }) => {
    const response = await check(body)
    await expectProblem(response, 400, 'malformed_body')
  })

  it.each([
    { kind: 'nothing', body: '', detail: /./ },
    { kind: 'an array', body: '[]', detail: /^The body: expected object, got array\.$/ },
  ])('that is $kind is refused', async ({ body, detail }) => {
    const response = await check(body)
    await expectProblem(response, 400, 'invalid_request')
    expect(await response.json()).toMatchObject({
      errors: [{ detail: expect.stringMatching(detail) }],
    })
  })

  const checkAs = (type: string) =>
    check('{"dict_key":"beltrana@example.com"}', { ...bearer, 'content-type': type })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'of type %s is refused',
    async (type) => {
      await expectProblem(await checkAs(type), 415, 'unsupported_media_type')
    },
  )

  it.each([
    'application/json; charset=utf-8',
    // Optional white space may be a tab (RFC 9110, section 5.6.3).
    'application/json\t; charset=utf-8',
    'Application/JSON',
  ])('of type %s is accepted', async (type) => {
    expect((await checkAs(type)).status).toBe(200)
  })

  it('may have 64 KB', async () => {
    const padding = ' '.repeat(65_536 - '{"dict_key":"x"}'.length)
    expect((await check(`{"dict_key":"x"}${padding}`)).status).toBe(200)

    const larger = await check(`{"dict_key":"x"}${padding} `)
    await expectProblem(larger, 413, 'body_too_large')
  })

  it('is ignored if the operation takes none', async () => {
    const response = await ask('signIn', { body: { any: 'thing' } })
    expect(response.status).toBe(200)
  })

  const violations = [
    {
      body: { type: 'emv', amount: '10.5' },
      places: 'in 2 places.',
      expected: {
        '/amount pattern':
          '"amount": expected string that matches ^[0-9]{1,10}\\.[0-9]{2}$, got string of length 4.',
        '/emv required': '"emv": expected a value, got nothing.',
      },
    },
    {
      body: { type: 'ted' },
      places: 'in 1 place.',
      expected: {
        '/type discriminator': '"type": expected one of "emv", "dict", got string of length 3.',
      },
    },
  ]

  for (const { body, places, expected } of violations) {
    it(`that violates the schema gets a list of the violations: ${JSON.stringify(body)}`, async () => {
      const response = await ask('createTransfer', { body })
      const { detail, errors } = (await response.json()) as Violations
      expect(detail.slice(-places.length)).toBe(places)

      const details = errors.map(({ pointer, code, detail }) => [`${pointer} ${code}`, detail])
      expect(Object.fromEntries(details)).toEqual(expected)
    })
  }
})

interface Violations {
  readonly detail: string
  readonly errors: readonly Record<string, string>[]
}

it.each(['limit=0&status=ATIVA', 'limit='])(
  'names a parameter that violates the schema: %s',
  async (query) => {
    const { path } = operation('listImmediateQrCodes')
    const response = await send(mock, `${path}?${query}`, { headers: bearer })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ pointer: 'limit', code: 'pattern' }] })
  },
)

describe('Prefer', () => {
  it.each(['code=404', 'CODE="404"', ' code = "404" ', 'wait=5, code=404 , x, =5'])(
    '%s selects the status',
    async (prefer) => {
      expect((await ask('getUser', { headers: { prefer } })).status).toBe(404)
    },
  )

  // RFC 7240, section 2.
  it.each([
    { title: 'of two, the first one counts', prefer: ['code=404, code=403'], status: 404 },
    { title: 'two lines are one list', prefer: ['code=404', 'code=403'], status: 404 },
    { title: 'an unknown parameter says nothing', prefer: ['code=404; foo; bar=1'], status: 404 },
    { title: 'a parameter may be empty', prefer: ['code=404;'], status: 404 },
    {
      title: 'a quoted string may have separators',
      prefer: ['x="a, code=403; b\\"", code=404'],
      status: 404,
    },
    {
      title: 'another preference says nothing',
      prefer: ['return=minimal; x="code=404"'],
      status: 200,
    },
    { title: 'a name is in any case', prefer: ['Code=404'], status: 404 },
    {
      title: 'a status is not written as a power',
      prefer: ['code=4e2'],
      status: 400,
    },
    { title: 'a status is not written in hexadecimal', prefer: ['code=0x194'], status: 400 },
    { title: 'a status has no leading zeros', prefer: ['code=0404'], status: 400 },
    { title: 'one without a value is refused', prefer: ['code'], status: 400 },
    { title: 'dynamic is true or false', prefer: ['dynamic=yes'], status: 400 },
    { title: 'one after a semicolon is refused', prefer: ['code=404; example=user'], status: 400 },
  ])('$title', async ({ prefer, status }) => {
    const headers = new Headers()
    for (const line of prefer) headers.append('prefer', line)
    const all = Object.fromEntries(headers)
    expect((await ask('getUser', { headers: all })).status).toBe(status)
  })

  it('names each status of the operation where the one in it is none', async () => {
    const response = await ask('getUser', { headers: { prefer: 'code=4e2' } })
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: 'prefer', code: 'code', detail: expect.stringContaining('404') }],
    })
  })

  it.each(['dynamic=TRUE', 'dynamic'])('%s generates a response', async (prefer) => {
    const response = await ask('getUser', { headers: { prefer } })
    expect(response.headers.get('preference-applied')).toBe('dynamic=true')
    const example = await (await ask('getUser')).json()
    expect(await response.json()).not.toEqual(example)
  })

  // RFC 7240, section 3.
  it.each([
    { prefer: 'code=404, code=403, wait=5', applied: 'code=404' },
    { prefer: 'example=user, dynamic=true', applied: 'example=user' },
    { prefer: 'return=minimal', applied: null },
  ])('$prefer applies $applied, as a header says', async ({ prefer, applied }) => {
    const { headers } = await ask('getUser', { headers: { prefer } })
    expect(headers.get('preference-applied')).toBe(applied)
  })

  it('does not switch off the query if it asks for something else', async () => {
    const { path } = operation('listUsers')
    const headers = { ...bearer, prefer: 'return=minimal' }
    const response = await send(mock, `${path}?__code=401`, { headers })
    expect(response.status).toBe(401)
  })

  it('counts before the query', async () => {
    const { path } = operation('listUsers')
    const headers = { ...bearer, prefer: 'code=403' }
    const response = await send(mock, `${path}?__code=401`, { headers })
    expect(response.status).toBe(403)
  })

  it('selects an example of the success without a code', async () => {
    const response = await ask('createTransfer', { headers: { prefer: 'example=rejected' } })
    expect(await response.json()).toMatchObject({ status: 'rejected' })
  })

  it('can be set in the query', async () => {
    const { path } = operation('getWebhook')
    const query = '__code=200&__example=errorObjects'
    const response = await send(mock, `${path}?${query}`, { headers: bearer })
    expect(await response.json()).toMatchObject({ created_at: { error: null } })
  })

  it('applies whatever the accept header', async () => {
    const headers = { prefer: 'code=404', accept: 'application/json' }
    expect((await ask('getUser', { headers })).status).toBe(404)
  })

  it.each(['code=418', 'code=abc', 'example=unknown', 'code=404, example=user', 'example=b"c'])(
    '%s is refused, since the contract has no such response',
    async (prefer) => {
      const response = await ask('getUser', { headers: { prefer } })
      await expectProblem(response, 400, 'invalid_request')
    },
  )

  it('is refused with more than 1000 characters, at once', async () => {
    const prefer = `a=${' '.repeat(4000)}b"c`
    const response = await ask('getUser', { headers: { prefer } })
    expect(response.status).toBe(400)

    const detail = 'Prefer must have at most 1000 characters, got 4005.'
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: 'prefer', code: 'maxLength', detail }],
    })
  })

  it('does not bypass the validation of the request', async () => {
    expect((await ask('checkKey', { body: {}, headers: { prefer: 'code=200' } })).status).toBe(400)
  })

  it.each([
    {
      id: 'signIn',
      prefer: 'code=401',
      name: 'www-authenticate',
      value: 'Basic realm="partner-payments"',
    },
    {
      id: 'listWebhooks',
      prefer: 'code=405',
      name: 'allow',
      value: 'GET',
    },
  ])(
    '$id with $prefer has the header $name of the operation',
    async ({ id, prefer, name, value }) => {
      expect((await ask(id, { headers: { prefer } })).headers.get(name)).toBe(value)
    },
  )
})

describe('a flow', () => {
  it.each([
    { name: 'payCode', payee: 'Padaria Exemplo Ltda', initiation_type: 'QRES' },
    { name: 'payImmediate', payee: 'Loja Exemplo Ltda', initiation_type: 'QRDN' },
    { name: 'payDueDate', payee: 'Loja Exemplo Ltda', initiation_type: 'QRDN' },
    { name: 'payKey', payee: 'Beltrana de Tal', initiation_type: 'DICT' },
    { name: 'payCompany', payee: 'Padaria Exemplo Ltda', initiation_type: 'DICT' },
  ])('$name pays the beneficiary of the check', async ({ name, payee, initiation_type }) => {
    const body = readBody(operation('createTransfer'), name)
    const response = await ask('createTransfer', { body })
    const data = { amount: body?.amount, initiation_type, beneficiary: { name: payee } }
    expect(await response.json()).toMatchObject({ data })
  })

  it.each([
    { dict_key: '11222333000181', owner: { owner_type: 'LEGAL_PERSON' } },
    // No request example matches, so it is the first response with the requested key.
    {
      dict_key: 'someone@example.com',
      owner: { dict_key: 'someone@example.com', owner_name: 'Beltrana de Tal' },
    },
  ])('returns the owner of the key $dict_key', async ({ dict_key, owner }) => {
    const response = await ask('checkKey', { body: { dict_key } })
    expect(await response.json()).toMatchObject(owner)
  })
})

describe('a page on another port', () => {
  it('gets a preflight response', async () => {
    const requested = 'authorization,content-type,prefer'
    const headers = {
      origin: 'http://127.0.0.1:3000',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': requested,
    }
    const response = await send(mock, '/mobile-bff/v1/pix/out/', { method: 'OPTIONS', headers })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe('PATCH')
    expect(response.headers.get('access-control-allow-headers')).toBe(requested)
  })

  it('can read responses, including refusals', async () => {
    for (const headers of [bearer, {}]) {
      const response = await send(mock, '/mobile-bff/v1/partner/user', { headers })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')

      const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['x-request-id', 'www-authenticate', 'retry-after']),
      )
    }
  })
})

it('gives every response a new request id', async () => {
  const ids = await Promise.all(
    operations.map(async (operation) => (await call(mock, operation)).headers.get('x-request-id')),
  )
  expect(new Set(ids).size).toBe(operations.length)
})

function check(body: string | Buffer, headers: Record<string, string> = { ...bearer, ...json }) {
  return send(mock, operation('checkKey').path, { method: 'POST', headers, body })
}

/** Expects problem details with the status, the code and the request id of the response. */
async function expectProblem(response: Response, status: number, code: string) {
  const { headers } = response
  expect(response.status).toBe(status)
  expect(headers.get('content-type')).toBe('application/problem+json')

  const problem = (await response.clone().json()) as Json
  expect(problem).toMatchObject({ code, status, request_id: headers.get('x-request-id') })

  // All problems share a schema, so any operation that declares the status works.
  const declaring = operations.find(({ responses }) =>
    responses.some((documented) => documented.status === status),
  )
  if (!declaring) throw new Error(`no operation declares the status ${status}`)
  expect(await deviations(declaring, response)).toEqual([])
}
