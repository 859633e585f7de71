import { type RunningMock, serve } from '@partner-payments/mock'
import {
  focusManager,
  InfiniteQueryObserver,
  MutationObserver,
  onlineManager,
  QueryClient,
  QueryObserver,
} from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as fixtures from '../src/generated/fixtures.ts'
import { type ClientOptions, createPayments, type PaymentsError } from '../src/index.ts'
import { operations } from '../src/operation.ts'
import { paymentsQueries } from '../src/react-query.ts'

const fulano = fixtures.impersonate.request.actForCustomer
const beltrana = { ...fulano, user_id: 'b0a3ff4b-6f1a-4f57-8b3c-1f4f3f0f2c11' }

let mock: RunningMock
let client: QueryClient
/** The sent requests: method and path. */
let sent: string[]

beforeAll(async () => {
  mock = await serve({ port: 0 })
})
afterAll(() => mock.close())

beforeEach(() => {
  sent = []
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

function paymentsOf(options: Partial<ClientOptions> = {}) {
  return createPayments({
    baseUrl: mock.url,
    auth: { token: () => 'any' },
    fetch: (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`)
      return fetch(url, init)
    },
    ...options,
  })
}

/** Returns the bodies in turn. */
function respondingWith(...bodies: object[]): Partial<ClientOptions> {
  return { retries: 0, fetch: async () => Response.json(bodies.shift(), { status: 200 }) }
}

function refusing(status: number): Partial<ClientOptions> {
  return {
    retries: 0,
    fetch: async (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`)
      return Response.json(fixtures.createTransfer.response[503].unavailable, { status })
    },
  }
}

test('has every operation of the contract except those that return tokens', () => {
  const { queryKey: _, ...q } = paymentsQueries(paymentsOf())
  const { auth: __, ...expected } = operations
  const names = (of: object) => Object.entries(of).map(([resource, verbs]) => [resource, Object.keys(verbs)])
  expect(names(q)).toEqual(names(expected))
})

describe('a query', () => {
  test('returns the data', async () => {
    const q = paymentsQueries(paymentsOf())
    expect(await client.fetchQuery(q.users.list())).toEqual(fixtures.listUsers.response[200].users)
    expect(await client.fetchQuery(q.users.get('u'))).toEqual(fixtures.getUser.response[200].user)
    expect(sent).toEqual(['GET /mobile-bff/v1/partner/user', 'GET /mobile-bff/v1/partner/user/u'])
  })

  test('is aborted when its last observer leaves', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const hanging = paymentsOf({
      fetch: (_, { signal }) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    })
    const q = paymentsQueries(hanging)
    const leave = [
      new QueryObserver(client, q.users.list()).subscribe(() => {}),
      new InfiniteQueryObserver(client, q.qrcodes.listDueDate()).subscribe(() => {}),
    ]
    await expect.poll(() => signals.map((it) => it?.aborted)).toEqual([false, false])
    for (const stop of leave) stop()
    await expect.poll(() => signals.map((it) => it?.aborted)).toEqual([true, true])
  })

  test('is retried by the client only', async () => {
    const q = paymentsQueries(paymentsOf(refusing(500)))
    const error = await client.fetchQuery({ ...q.users.list() }).catch((error: PaymentsError) => error)
    expect(error).toMatchObject({ kind: 'http', status: 500, operationId: 'listUsers' })
    expect(sent).toHaveLength(1)
  })
})

describe('an infinite query', () => {
  const page = fixtures.listDueDateQrCodes.response[200].dueDateQrCodes

  test('follows the cursors to the last page', async () => {
    const asked: (string | null)[] = []
    const cursors = ['two', 'three', null]
    const payments = paymentsOf({
      fetch: async (url) => {
        expect(url).toContain('limit=1&status=ATIVA')
        asked.push(new URL(url).searchParams.get('cursor'))
        return Response.json({ ...page, next_cursor: cursors.shift() })
      },
    })
    const q = paymentsQueries(payments).qrcodes.listDueDate({ limit: '1', status: 'ATIVA' })
    const observer = new InfiniteQueryObserver(client, q)
    const leave = observer.subscribe(() => {})
    await expect.poll(() => observer.getCurrentResult().hasNextPage).toBe(true)
    await observer.fetchNextPage()
    const { data, hasNextPage } = await observer.fetchNextPage()
    leave()
    expect(data?.pages.flatMap((it) => it.data)).toHaveLength(3)
    expect(data?.pageParams).toEqual([undefined, 'two', 'three'])
    expect(hasNextPage).toBe(false)
    expect(asked).toEqual([null, 'two', 'three'])
  })

  test('has the same key for an absent and an empty query', () => {
    const { qrcodes } = paymentsQueries(paymentsOf())
    expect(qrcodes.listImmediate().queryKey).toEqual(qrcodes.listImmediate({}).queryKey)
    expect(qrcodes.listImmediate().queryKey).not.toEqual(qrcodes.listDueDate().queryKey)
  })

  test('throws if a page repeats its cursor', async () => {
    const stuck = { ...page, next_cursor: 'two' }
    const q = paymentsQueries(paymentsOf(respondingWith(stuck, stuck)))
    const fetched = client.fetchInfiniteQuery({ ...q.qrcodes.listDueDate(), pages: 2 })
    await expect(fetched).rejects.toMatchObject({ kind: 'decode', operationId: 'listDueDateQrCodes' })
  })
})

describe('a mutation', () => {
  test('takes the one argument of the method', async () => {
    const q = paymentsQueries(paymentsOf())
    const check = new MutationObserver(client, q.codes.check())
    const { emv } = fixtures.checkCode.request.static
    const checked = await check.mutate(emv)
    expect(checked.beneficiary.name).toBe('Padaria Exemplo Ltda')
    expect((await checked.pay()).status).toBe('pending')

    const transfer = new MutationObserver(client, q.transfers.create())
    expect((await transfer.mutate(fixtures.createTransfer.request.payKey)).status).toBe('settled')
  })

  test('takes an array of several arguments', async () => {
    const q = paymentsQueries(paymentsOf())
    const update = new MutationObserver(client, q.webhooks.update())
    const changed = await update.mutate(['an-id', fixtures.updateWebhook.request.pause])
    expect(changed).toEqual(fixtures.updateWebhook.response[200].pause)
    expect(await new MutationObserver(client, q.webhooks.delete()).mutate('an-id')).toBeUndefined()
    expect(sent).toEqual([
      'PATCH /mobile-bff/v1/partner/webhook/an-id',
      'DELETE /mobile-bff/v1/partner/webhook/an-id',
    ])
  })

  test('that pays is sent once, whatever the application defaults', async () => {
    const q = paymentsQueries(paymentsOf(refusing(503)))
    const transfer = new MutationObserver(client, q.transfers.create())
    const body = fixtures.createTransfer.request.payKey
    await expect(transfer.mutate(body)).rejects.toMatchObject({ kind: 'outcome_unknown' })
    expect(sent).toEqual(['POST /mobile-bff/v1/pix/out/'])
  })

  test('that pays is not paused while the device is offline', async () => {
    onlineManager.setOnline(false)
    const q = paymentsQueries(paymentsOf(refusing(503)))
    const transfer = new MutationObserver(client, q.transfers.create())
    transfer.mutate(fixtures.createTransfer.request.payKey).catch(() => {})
    await expect.poll(() => transfer.getCurrentResult()).toMatchObject({ isPaused: false, status: 'error' })
    onlineManager.setOnline(true)
    await client.resumePausedMutations()
    expect(sent).toHaveLength(1)
  })

  test('that checks is not repeated on window focus, and its check stays used', async () => {
    const q = paymentsQueries(paymentsOf())
    const check = new MutationObserver(client, q.keys.check())
    const leave = check.subscribe(() => {})
    const checked = await check.mutate('beltrana@example.com')
    await checked.pay({ amount: '25.00' })
    focusManager.setFocused(false)
    focusManager.setFocused(true)
    focusManager.setFocused(undefined)
    await expect(check.getCurrentResult().data?.pay({ amount: '25.00' })).rejects.toThrow('was paid')
    leave()
    expect(sent).toEqual(['POST /mobile-bff/v1/pix/dict/check/', 'POST /mobile-bff/v1/pix/out/'])
  })
})

describe('the keys', () => {
  const auth = { clientKey: 'the-key', clientSecret: 'the-secret' }

  test('are readable', () => {
    const q = paymentsQueries(paymentsOf(), { identity: 'fulano' })
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
    const payments = paymentsOf({ auth })
    const keyOf = () => paymentsQueries(payments.as({ ...fulano })).users.list().queryKey
    expect(keyOf()).toEqual(keyOf())
    expect(paymentsQueries(payments).queryKey).toEqual(paymentsQueries(payments).queryKey)
  })

  test('differ between the partner, its customers and the next signed-in user', () => {
    const payments = paymentsOf({ auth })
    const views = [payments, payments.as(fulano), payments.as(beltrana), paymentsOf({ auth }), paymentsOf()]
    const keys = views.map((view) => JSON.stringify(paymentsQueries(view).queryKey))
    expect(new Set(keys).size).toBe(views.length)
  })

  test('contain no credentials and no customer data', () => {
    const q = paymentsQueries(paymentsOf({ auth }).as(fulano))
    expect(JSON.stringify(q.users.list().queryKey)).not.toMatch(
      new RegExp([auth.clientKey, auth.clientSecret, fulano.customer_id, fulano.user_id].join('|')),
    )
  })
})
