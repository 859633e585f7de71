import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { initiationLifetimeMs } from '../src/behaviour.ts'
import { createRequest, newTxId, parseResponse, signInCallers } from './callers.ts'

const sandbox = await createApp({ checksResponses: true })
afterAll(() => sandbox.close())
const callers = await signInCallers(sandbox)

async function send(method: string, path: string) {
  const request = createRequest(method, path, { authorization: callers.tokens.partner })
  return parseResponse(await sandbox.service(request))
}

// Such a request has no content-length.
it('reads the body of a request that came over no connection', async () => {
  const app = await createApp()
  const request = createRequest('POST', '/_sandbox/clock', { body: { freeze: true } })
  const response = await app.fetch(request)
  expect(await response.json()).toMatchObject({ frozen: true })

  await app.close()
})

describe('a path that is not in the contract', () => {
  const near = [
    {
      method: 'GET',
      path: '/mobile-bff/v1/partner/webhook',
      status: 405,
      other: '/mobile-bff/v1/partner/webhook/',
    },
    {
      method: 'PATCH',
      path: '/mobile-bff/v1/partner/webhook/17/',
      status: 404,
      other: '/mobile-bff/v1/partner/webhook/{webhook_id}',
    },
    {
      method: 'POST',
      path: '/pix/key/',
      status: 404,
      other: '/pix/key',
    },
  ]

  for (const { method, path, status, other } of near) {
    it(`${method} ${path} is refused with ${status}, and the path ${other} is suggested`, async () => {
      const response = await send(method, path)
      expect(response.status).toBe(status)

      const detail = `No operation at ${method} ${path}. Trailing slashes matter: did you mean ${other}?`
      expect(response.body.detail).toBe(detail)
    })
  }

  it('is shortened if it is long', async () => {
    const { body } = await send('PATCH', `/mobile-bff/v1/partner/webhook/${'x'.repeat(5_000)}/`)
    expect(body.detail).toMatch(
      /^No operation at PATCH \/mobile-bff\S+x…\. Trailing slashes matter: .+\?$/,
    )
    expect(body.detail.length).toBeLessThan(400)
  })

  it('is reported as such, not as a missing record', async () => {
    const { status, body } = await send('GET', '/mobile-bff/v2/users')
    const detail = 'No operation at this path. Check its prefix and its slashes.'
    expect(status).toBe(404)
    expect(body.detail).toBe(detail)
  })

  it('is reported with its methods if it has others', async () => {
    const { status, headers, body } = await send('DELETE', '/mobile-bff/v1/pix/out/')
    const detail =
      'The path exists, but not with this method. A path with a trailing slash is another path.'
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('POST')
    expect(body.detail).toBe(detail)
  })
})

it('ignores fields that the contract does not name, at any depth, and shows them nowhere', async () => {
  const extra = { colour: 'blue' }
  // More fields than a validator reports by default.
  const many: Record<string, number> = {}
  for (let i = 0; i < 300; i++) many[`extra_${i}`] = i

  const body = {
    ...extra,
    dict_key: '12ABC34501DE35',
    tx_id: newTxId(),
    amount: { ...extra, original: '10.00', fine: { ...extra, amount: '1.00', modality: '1' } },
    calendar: { ...extra, due_date: '2100-01-04' },
    payer: { ...extra, name: 'Fulano de Tal', tax_id: '12345678909', ...many },
    additional_infos: [{ ...extra, name: 'Pedido', value: '1' }],
  }

  const { status, text } = await callers.partner('POST', '/pix/qrcode/dynamic/due-date', { body })
  expect(status, text).toBe(200)
  expect(text).not.toMatch(/colour|extra_/)
})

it('validates requests against another version of the contract, and keeps state and tokens', async () => {
  const moved = structuredClone(contract) as { paths: Record<string, unknown> }
  moved.paths['/v2/partner/user'] = moved.paths['/mobile-bff/v1/partner/user']
  delete moved.paths['/mobile-bff/v1/partner/user']

  sandbox.reload(moved)
  expect((await send('GET', '/mobile-bff/v1/partner/user')).status).toBe(404)
  expect((await send('GET', '/v2/partner/user')).status).toBe(200)

  expect(() => sandbox.reload({ openapi: '2.0' })).toThrow('3.1')
  expect((await send('GET', '/v2/partner/user')).status).toBe(200)
})

it('takes the order of a list from another version of spec/behaviour', async () => {
  const { listWebhooks } = behaviour.lists
  const order = { ...listWebhooks.order, direction: 'oldest-first' }
  const lists = { ...behaviour.lists, listWebhooks: { ...listWebhooks, order } }
  const ids: string[] = []
  for (const type of ['transfer', 'qrcode']) {
    const body = { type, url: 'https://shop.example/webhooks' }
    const created = await callers.partner('POST', '/partner/webhook', { body })
    ids.push(created.body.id)
  }
  const listedIds = async () => {
    const { body } = await callers.partner('GET', '/partner/webhook/')
    return body.data.map(({ id }: { id: string }) => id)
  }
  expect(await listedIds()).toEqual(ids.toReversed())

  sandbox.reload(contract, { ...behaviour, lists })
  expect(await listedIds()).toEqual(ids)

  sandbox.reload(contract, behaviour)
})

it('responds with 501 for an operation without a handler, and says where to add one', async () => {
  const copy = structuredClone(contract) as { paths: Record<string, Record<string, object>> }
  const { get = {} } = copy.paths['/mobile-bff/v1/partner/user'] ?? {}
  copy.paths['/v2/statement'] = { get: { ...get, operationId: 'listStatements' } }

  sandbox.reload(copy)
  const { status, body } = await send('GET', '/v2/statement')
  expect(status).toBe(501)
  expect(body).toMatchObject({
    title: 'Not Implemented',
    detail:
      'The sandbox does not perform listStatements yet: add its handler to packages/sandbox/src/handlers.ts.',
  })
})

it('takes the tokens and the values of another version of spec/behaviour', async () => {
  const { permissions, oneTimeValues } = behaviour
  const forCustomers = { ...permissions['partner-only'], operations: ['impersonate'] }
  const edited = {
    ...behaviour,
    permissions: { 'partner-only': forCustomers },
    oneTimeValues: {
      ...oneTimeValues,
      initiation: { ...oneTimeValues.initiation, lifetime: 'PT1M' },
    },
  }
  expect((await callers.customer('GET', '/partner/user')).status).toBe(403)

  sandbox.reload(contract, edited)
  expect((await callers.customer('GET', '/partner/user')).status).toBe(200)
  expect(initiationLifetimeMs()).toBe(60_000)

  expect(() => sandbox.reload(contract, {})).toThrow()
  expect(initiationLifetimeMs()).toBe(60_000)

  sandbox.reload(contract, behaviour)
  expect((await callers.customer('GET', '/partner/user')).status).toBe(403)
  expect(initiationLifetimeMs()).toBe(30 * 60_000)
})

it('refuses a version of spec/behaviour that does not say how a transfer settles', () => {
  const edited = structuredClone(behaviour)
  Reflect.deleteProperty(edited.resources.transfer.states.pending.on, 'settle')
  expect(() => sandbox.reload(contract, edited)).toThrow('"settle" of the state "pending"')
})

it('says in each response that an operation is deprecated, and how long it works', async () => {
  const path = '/mobile-bff/v1/partner/user'
  const days = { since: '2026-12-01', sunset: '2027-06-01' }
  const deprecating = structuredClone(contract)
  Object.assign(deprecating.paths[path].get, { deprecated: true, 'x-deprecation': days })
  sandbox.reload(deprecating)

  const success = await send('GET', path)
  const refusal = parseResponse(await sandbox.service(createRequest('GET', path, {})))
  for (const { headers } of [success, await refusal]) {
    expect(headers.get('deprecation')).toBe('@1796083200')
    expect(headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT')
  }

  sandbox.reload(contract)
  expect((await send('GET', path)).headers.has('deprecation')).toBe(false)
})
