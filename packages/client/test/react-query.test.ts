import {
  focusManager,
  InfiniteQueryObserver,
  MutationObserver,
  onlineManager,
  QueryClient,
  QueryObserver,
} from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as fixtures from '../src/generated/fixtures.ts'
import { operations } from '../src/generated/operations.ts'
import { paymentsQueries } from '../src/react-query.ts'
import {
  CUSTOMER,
  json,
  KEY,
  noResponse,
  problem,
  RECORD,
  type Responder,
  SECRET,
  service,
  settle,
  USERS,
} from './service.ts'

let client: QueryClient
beforeEach(() => {
  // Defaults that an application may set; a payment must ignore them.
  const again = { retry: 3, retryDelay: 0 }
  client = new QueryClient({ defaultOptions: { queries: again, mutations: again } })
  client.mount()
})
afterEach(() => {
  client.unmount()
  client.clear()
  onlineManager.setOnline(true)
})

/** The queries of a service, and its requests. */
function queriesOf(respond: Responder) {
  const { payments, sent } = service(respond, { retries: 0 })
  return { q: paymentsQueries(payments), sent }
}

/** A success of every operation that the tests call. */
const found: Responder = (sent) => {
  const { method, path, body } = sent
  if (method === 'DELETE') return new Response(null, { status: 204 })
  if (path.endsWith('/out/')) return settle(sent)
  const check = path.endsWith('/emv/') ? CODE : KEY
  return json({ ...USERS, ...RECORD, ...check, ...(body as object), path })
}
const CODE = {
  allow_value_change: false,
  final_amount: '1.00',
  beneficiary: { name: 'Padaria Exemplo Ltda' },
}
const unavailable = () => problem(503, 'unavailable')
const body = fixtures.createTransfer.request.payKey

test('has every operation of the contract except those that return tokens', () => {
  const { queryKey: _, ...q } = queriesOf(found).q
  const { auth: __, ...expected } = operations
  const names = (of: object) =>
    Object.entries(of).map(([resource, verbs]) => [resource, Object.keys(verbs)])
  expect(names(q)).toEqual(names(expected))
})

describe('a query', () => {
  test('returns the data', async () => {
    const { q } = queriesOf(found)
    expect(await client.fetchQuery(q.users.list())).toMatchObject({
      path: '/mobile-bff/v1/partner/user',
    })
    expect(await client.fetchQuery(q.users.get('u'))).toMatchObject({
      path: '/mobile-bff/v1/partner/user/u',
    })
  })

  test('is aborted when its last observer leaves', async () => {
    const { q, sent } = queriesOf((request) => noResponse(request))
    const leave = [
      new QueryObserver(client, q.users.list()).subscribe(() => {}),
      new InfiniteQueryObserver(client, q.qrcodes.listDueDate()).subscribe(() => {}),
    ]
    await expect.poll(() => sent.map(({ signal }) => signal.aborted)).toEqual([false, false])
    for (const stop of leave) stop()
    await expect.poll(() => sent.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  test('is retried by the client only', async () => {
    const { q, sent } = queriesOf(unavailable)
    const error = { kind: 'http', status: 503, operationId: 'listUsers' }
    await expect(client.fetchQuery({ ...q.users.list() })).rejects.toMatchObject(error)
    expect(sent).toHaveLength(1)
  })
})

describe('an infinite query', () => {
  test('follows the cursors to the last page', async () => {
    const cursors = ['two', 'three', null]
    const { q, sent } = queriesOf(() => json({ data: [1], next_cursor: cursors.shift() }))
    const observer = new InfiniteQueryObserver(
      client,
      q.qrcodes.listDueDate({ limit: '1', status: 'ATIVA' }),
    )
    const leave = observer.subscribe(() => {})
    await expect.poll(() => observer.getCurrentResult().hasNextPage).toBe(true)
    await observer.fetchNextPage()
    const { data, hasNextPage } = await observer.fetchNextPage()
    leave()
    expect(data?.pages.flatMap((page) => page.data)).toEqual([1, 1, 1])
    expect([data?.pageParams, hasNextPage]).toEqual([[undefined, 'two', 'three'], false])
    expect(sent.map(({ path }) => path.split('?')[1])).toEqual([
      'limit=1&status=ATIVA',
      'limit=1&status=ATIVA&cursor=two',
      'limit=1&status=ATIVA&cursor=three',
    ])
  })

  test('has the same key for an absent and an empty query', () => {
    const { qrcodes } = queriesOf(found).q
    expect(qrcodes.listImmediate().queryKey).toEqual(qrcodes.listImmediate({}).queryKey)
    expect(qrcodes.listImmediate().queryKey).not.toEqual(qrcodes.listDueDate().queryKey)
  })

  test('throws if a page has no cursor, since it may not be the last one', async () => {
    const { q } = queriesOf(() => json({ data: [] }))
    await expect(client.fetchInfiniteQuery({ ...q.qrcodes.listDueDate() })).rejects.toMatchObject({
      kind: 'decode',
    })
  })

  test('throws if a page repeats its cursor', async () => {
    const { q } = queriesOf(() => json({ data: [], next_cursor: 'two' }))
    const fetched = client.fetchInfiniteQuery({ ...q.qrcodes.listDueDate(), pages: 2 })
    await expect(fetched).rejects.toMatchObject({
      kind: 'decode',
      operationId: 'listDueDateQrCodes',
    })
  })
})

describe('a mutation', () => {
  test('takes the one argument of the method', async () => {
    const { q } = queriesOf(found)
    const checked = await new MutationObserver(client, q.codes.check()).mutate('000201')
    expect((await checked.pay()).status).toBe('settled')
    const transfer = await new MutationObserver(client, q.transfers.create()).mutate(body)
    expect(transfer.status).toBe('settled')
  })

  test('takes an array of several arguments', async () => {
    const { q, sent } = queriesOf(found)
    const { pause } = fixtures.updateWebhook.request
    await new MutationObserver(client, q.webhooks.update()).mutate(['an-id', pause])
    expect(await new MutationObserver(client, q.webhooks.delete()).mutate('an-id')).toBeUndefined()
    const path = '/mobile-bff/v1/partner/webhook/an-id'
    expect(sent).toMatchObject([
      { method: 'PATCH', path, body: pause },
      { method: 'DELETE', path },
    ])
  })

  test('that pays is sent once, whatever the application defaults', async () => {
    const { q, sent } = queriesOf(unavailable)
    const transfer = new MutationObserver(client, q.transfers.create())
    await expect(transfer.mutate(body)).rejects.toMatchObject({ kind: 'outcome_unknown' })
    expect(sent).toHaveLength(1)
  })

  test('that pays is not paused while the device is offline', async () => {
    onlineManager.setOnline(false)
    const { q, sent } = queriesOf(unavailable)
    const transfer = new MutationObserver(client, q.transfers.create())
    transfer.mutate(body).catch(() => {})
    await expect
      .poll(() => transfer.getCurrentResult())
      .toMatchObject({ isPaused: false, status: 'error' })
    onlineManager.setOnline(true)
    await client.resumePausedMutations()
    expect(sent).toHaveLength(1)
  })

  test('that checks is not repeated on window focus, and its check stays used', async () => {
    const { q, sent } = queriesOf(found)
    const check = new MutationObserver(client, q.keys.check())
    const leave = check.subscribe(() => {})
    const checked = await check.mutate('beltrana@example.com')
    await checked.pay({ amount: '25.00' })
    focusManager.setFocused(false)
    focusManager.setFocused(true)
    focusManager.setFocused(undefined)
    await expect(check.getCurrentResult().data?.pay({ amount: '25.00' })).rejects.toThrow(
      'was paid',
    )
    leave()
    expect(sent.map(({ path }) => path.split('/').at(-2))).toEqual(['check', 'out'])
  })
})

describe('the keys', () => {
  test('are readable', () => {
    const q = paymentsQueries(service(found).payments, { identity: 'fulano' })
    expect(q.users.get('u').queryKey).toEqual(['payments', 'fulano', 'users', 'get', 'u'])
    expect(q.users.list().queryKey).toEqual(['payments', 'fulano', 'users', 'list'])
    expect(q.qrcodes.listDueDate({ limit: '20' }).queryKey).toEqual([
      'payments',
      'fulano',
      'qrcodes',
      'listDueDate',
      { limit: '20' },
    ])
    expect(q.transfers.create().mutationKey).toEqual(['payments', 'fulano', 'transfers', 'create'])
    expect(q.queryKey).toEqual(['payments', 'fulano'])
  })

  test('are the same for the same customer', () => {
    const { payments } = service(found)
    const keyOf = () => paymentsQueries(payments.as({ ...CUSTOMER })).users.list().queryKey
    expect(keyOf()).toEqual(keyOf())
    expect(paymentsQueries(payments).queryKey).toEqual(paymentsQueries(payments).queryKey)
  })

  test('differ between the partner, its customers and the next signed-in user', () => {
    const { payments } = service(found)
    const beltrana = { ...CUSTOMER, user_id: 'b0a3ff4b-6f1a-4f57-8b3c-1f4f3f0f2c11' }
    const views = [payments, payments.as(CUSTOMER), payments.as(beltrana), service(found).payments]
    const keys = views.map((view) => JSON.stringify(paymentsQueries(view).queryKey))
    expect(new Set(keys).size).toBe(views.length)
  })

  test('contain no credentials and no customer data', () => {
    const q = paymentsQueries(service(found).payments.as(CUSTOMER))
    const key = JSON.stringify(q.users.list().queryKey)
    expect(key).not.toContain(SECRET.clientSecret)
    expect(key).not.toContain(CUSTOMER.customer_id)
    expect(key).not.toContain(CUSTOMER.user_id)
  })
})
