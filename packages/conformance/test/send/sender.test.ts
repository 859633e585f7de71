import { createApp } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { stringAt } from '../../src/contract/json.ts'
import { validBody } from '../../src/plans/bodies.ts'
import type { Plan } from '../../src/plans/plan.ts'
import type { RunOptions } from '../../src/run/settings.ts'
import { run } from '../../src/run.ts'
import type { Outcome } from '../../src/send/requests.ts'
import { ConnectionClosed, fetchTransport } from '../../src/send/transport.ts'
import { partner as credentials } from '../service.ts'

const url = 'http://127.0.0.1'
const WEBHOOK = { url: 'https://loja.example.com/pix', type: 'all' }
type Edit = (
  line: string,
  request: Request,
  count: number,
) => Response | Promise<Response> | undefined

/**
 * Runs a plan on a sandbox, some of whose responses are replaced. Lists the requests, each with its
 * status.
 */
async function runPlan(
  plan: Plan['run'],
  edit: Edit = () => undefined,
  options: Partial<RunOptions> = {},
) {
  const app = await createApp({ limitsRates: false })
  onTestFinished(() => app.close())
  const sent: string[] = []
  const transport = fetchTransport(async (request) => {
    const line = lineOf(request)
    const count = sent.filter((sentLine) => sentLine.startsWith(line)).length + 1
    const response = await (edit(line, request, count) ?? app.fetch(request))
    sent.push(`${line} ${response.status}`)
    return response
  })
  const plans = [{ id: 'x', wants: [], run: plan }]
  const result = await run({
    target: 'live',
    rate: 5_000,
    transport,
    url,
    credentials,
    plans,
    ...options,
  })
  return { ...result, first: sent[0], sent: sent.slice(1) }
}

/** Method and path, without the prefix and with `ID` for an id. */
function lineOf({ method, url }: Request): string {
  const path = new URL(url).pathname.replace('/mobile-bff/v1', '')
  return `${method} ${path.replace(/[\w-]{36}/, 'ID')}`
}

const respond = (status: number, headers = {}) => new Response(null, { status, headers })
const LIST = 'GET /partner/user'
const LIST_WEBHOOKS = 'GET /partner/webhook/'
const SIGN_IN = 'POST /auth/partner/token/'
const list: Plan['run'] = async ({ send }) => {
  await send('listUsers')
}
const create: Plan['run'] = async ({ send }) => {
  await send('createWebhook', { body: WEBHOOK })
}

/** The first lists are refused. */
function refuse(status: number, upTo = Number.POSITIVE_INFINITY): Edit {
  return (line, _, count) => {
    if (line !== LIST || count > upTo) return undefined
    return respond(status, { 'retry-after': '0' })
  }
}

const SENT_AGAIN = [
  {
    title: 'it signs in again once after a 401, and sends the request again',
    status: 401,
    upTo: 1,
    // The second one shows that the service takes the token, since none was accepted before.
    expected: [`${LIST} 401`, `${LIST} 200`, `${SIGN_IN} 200`, `${LIST} 200`],
  },
  {
    title: 'it sends a read again after a 503 that says when',
    status: 503,
    upTo: 1,
    expected: [`${LIST} 503`, `${LIST} 200`],
  },
  {
    title: 'it repeats a read twice at most after a 503',
    status: 503,
    expected: [`${LIST} 503`, `${LIST} 503`, `${LIST} 503`],
  },
  {
    title: 'it sends a request again after a 429',
    status: 429,
    upTo: 2,
    expected: [`${LIST} 429`, `${LIST} 429`, `${LIST} 200`],
  },
]

for (const { title, status, upTo, expected } of SENT_AGAIN) {
  test(title, async () => {
    const { sent } = await runPlan(list, refuse(status, upTo))
    expect(sent).toEqual(expected)
  })
}

test('it names --rate if requests are refused with 429 to the end', async () => {
  const { interrupted } = await runPlan(list, (line) =>
    line === LIST ? respond(429, { 'retry-after': '3600' }) : undefined,
  )
  expect(interrupted).toBe(
    'listUsers refused requests with 429 until the end; set a lower --rate, such as --rate 2',
  )
})

test('it lists the transfers that it made on a live service, also those of a later day', async () => {
  const pay: Plan['run'] = async ({ send }) => {
    for (const payment_date of [undefined, '2026-12-24'])
      await send('createTransfer', { body: { amount: '0.01', payment_date } })
  }
  const accept: Edit = (line) => {
    return line === 'POST /pix/out/' ? Response.json({ id: 'tr_1' }, { status: 201 }) : undefined
  }
  const allowPayments = { maxAmount: '1.00' }
  const { leftovers } = await runPlan(pay, accept, { allowPayments })
  expect(leftovers).toEqual([
    '/mobile-bff/v1/pix/out/: transfer tr_1 of 0.01',
    '/mobile-bff/v1/pix/out/: transfer tr_1 of 0.01, with payment_date 2026-12-24',
  ])
})

test('it lists creations on a live service that got no response', async () => {
  const { leftovers } = await runPlan(create, (line) => {
    return line === 'POST /partner/webhook' ? Response.error() : undefined
  })
  expect(leftovers).toEqual([
    '/mobile-bff/v1/partner/webhook: a creation got no response once, and may have succeeded',
  ])
})

test.each([
  { status: 0, why: 'no response' },
  { status: 502, why: 'status 502' },
])(
  'it lists a transfer on a live service that got $why, since it may have been made',
  async ({ status, why }) => {
    const pay: Plan['run'] = async ({ send }) => {
      await send('createTransfer', { body: { amount: '0.01' } })
    }
    const lose: Edit = (line) => {
      if (line !== 'POST /pix/out/') return undefined
      return status === 0 ? Response.error() : respond(status)
    }
    const { leftovers } = await runPlan(pay, lose, { allowPayments: { maxAmount: '1.00' } })
    expect(leftovers).toEqual([
      `/mobile-bff/v1/pix/out/: transfer of 0.01, which got ${why} and may have been made`,
    ])
  },
)

test.each([408, 429])(
  'it sends a payment to a live service once if a gateway may have passed it on before a %i',
  async (status) => {
    const pay: Plan['run'] = async ({ send }) => {
      await send('createTransfer', { body: { amount: '0.01' } })
    }
    const options = { allowPayments: { maxAmount: '1.00' } }
    const { sent, leftovers } = await runPlan(
      pay,
      (line) => (line === 'POST /pix/out/' ? respond(status, { 'retry-after': '0' }) : undefined),
      options,
    )
    expect(sent).toEqual([`POST /pix/out/ ${status}`])
    expect(leftovers).toEqual([
      `/mobile-bff/v1/pix/out/: transfer of 0.01, which got status ${status} and may have been made`,
    ])
  },
)

test('it sends a payment to a live service again after a rate limit of the service itself', async () => {
  const pay: Plan['run'] = async ({ send }) => {
    await send('createTransfer', { body: { amount: '0.01' } })
  }
  const headers = { 'retry-after': '0', 'content-type': 'application/problem+json' }
  const limit: Edit = (line, _, count) => {
    if (line !== 'POST /pix/out/') return undefined
    return count === 1 ? Response.json({ status: 429 }, { status: 429, headers }) : respond(422)
  }
  const { sent, leftovers } = await runPlan(pay, limit, { allowPayments: { maxAmount: '1.00' } })
  expect(sent).toEqual(['POST /pix/out/ 429', 'POST /pix/out/ 422'])
  expect(leftovers).toEqual([])
})

test('it lists creations on a live service that may have succeeded without showing an id', async () => {
  const createThrice: Plan['run'] = async (context) => {
    for (let i = 0; i < 3; i++) await create(context)
  }
  const responses = [respond(502), Response.json({ secret: 's' }, { status: 201 }), respond(503)]
  const { leftovers } = await runPlan(createThrice, (line, _, count) =>
    line === 'POST /partner/webhook' ? responses[count - 1] : undefined,
  )
  expect(leftovers).toEqual([
    '/mobile-bff/v1/partner/webhook: a creation got status 502 once, and may have succeeded',
    '/mobile-bff/v1/partner/webhook: a creation got status 201 without an id once, and may have succeeded',
    '/mobile-bff/v1/partner/webhook: a creation got status 503 once, and may have succeeded',
  ])
})

test.each([408, 429])(
  'it lists a creation on a live service that a gateway may have passed on before a %i',
  async (status) => {
    const { leftovers } = await runPlan(create, (line, _, count) => {
      if (line !== 'POST /partner/webhook') return undefined
      return count === 1 ? respond(status, { 'retry-after': '0' }) : undefined
    })
    expect(leftovers).toEqual([
      `/mobile-bff/v1/partner/webhook: a creation got status ${status} once, and may have succeeded`,
    ])
  },
)

test('it lists no creation that the rate limit of the service itself has refused', async () => {
  const headers = { 'retry-after': '0', 'content-type': 'application/problem+json' }
  const { leftovers } = await runPlan(create, (line, _, count) => {
    const isFirst = line === 'POST /partner/webhook' && count === 1
    return isFirst ? respond(429, headers) : undefined
  })
  expect(leftovers).toEqual([])
})

test('it lists nothing that a request cannot have done', async () => {
  const plan: Plan['run'] = async ({ send }) => {
    await send('createTransfer', { body: '{' })
    await send('createTransfer', { method: 'HEAD' })
    await send('createWebhook', { method: 'OPTIONS' })
  }
  const { sent, leftovers } = await runPlan(plan, (line) =>
    line.includes('/auth/') ? undefined : respond(line.startsWith('POST') ? 500 : 200),
  )
  expect(sent).toEqual([
    'POST /pix/out/ 500',
    'HEAD /pix/out/ 200',
    `${LIST_WEBHOOKS} 200`,
    'OPTIONS /partner/webhook 200',
  ])
  expect(leftovers).toEqual([])
})

const REGISTERED = 'https://loja.com.br/pix'
const MAY_HAVE_CHANGED =
  '/mobile-bff/v1/partner/webhook: record 7, which was there before and may have been changed'

/** A service that returns the webhook with a URL, if there is one already. */
const returnRegistered: Edit = (line) => {
  const own = { id: '7', url: REGISTERED, type: 'all', status: 'active' }
  if (line === LIST_WEBHOOKS) return Response.json({ data: [own] })
  if (line === 'POST /partner/webhook')
    return Response.json({ id: '7', secret: 's' }, { status: 201 })
  return undefined
}

test.each([
  {
    what: 'calls a lost response',
    error: new Error('socket hang up'),
    rules: ['responses-received'],
  },
  {
    what: 'does not call a closed shared connection',
    error: new ConnectionClosed('socket hang up'),
    rules: [],
  },
])('it $what a fault of the service', async ({ error, rules }) => {
  const { findings, leftovers } = await runPlan(create, (line) => {
    if (line === 'POST /partner/webhook') throw error
    return undefined
  })
  expect(findings.map(({ rule }) => rule)).toEqual(rules)
  expect(leftovers).toEqual([
    '/mobile-bff/v1/partner/webhook: a creation got no response once, and may have succeeded',
  ])
})

test('it does not take a webhook that was there before for one that it has created', async () => {
  const createTwice: Plan['run'] = async ({ send }) => {
    const createAndRotate = async () => {
      await send('createWebhook', { body: { ...WEBHOOK, url: REGISTERED } })
      await send('rotateWebhookSecret', { path: { webhook_id: '7' } })
    }
    await Promise.all([createAndRotate(), createAndRotate()])
  }
  const { sent, leftovers } = await runPlan(createTwice, returnRegistered)
  expect(sent.filter((line) => !line.startsWith('POST /auth'))).toEqual([
    `${LIST_WEBHOOKS} 200`,
    'POST /partner/webhook 201',
    'POST /partner/webhook 201',
  ])
  expect(leftovers).toEqual([MAY_HAVE_CHANGED])
})

test('it lists the only webhook that a service lets a partner have, since its URL may have changed', async () => {
  const { sent, leftovers } = await runPlan(create, returnRegistered)
  expect(sent).toEqual([`${LIST_WEBHOOKS} 200`, 'POST /partner/webhook 201'])
  expect(leftovers).toEqual([MAY_HAVE_CHANGED])
})

test('it finds a webhook that was there before on the last page of the list', async () => {
  const rotate: Plan['run'] = async ({ send }) => {
    await send('createWebhook', { body: { ...WEBHOOK, url: REGISTERED } })
    await send('rotateWebhookSecret', { path: { webhook_id: '7' } })
  }
  const { sent, leftovers } = await runPlan(rotate, (line, request) => {
    if (line !== LIST_WEBHOOKS) return returnRegistered(line, request, 1)
    const cursor = new URL(request.url).searchParams.get('cursor')
    const isLast = cursor === 'c-2'
    return Response.json({
      data: [{ id: isLast ? '7' : '8' }],
      next_cursor: isLast ? null : 'c-2',
    })
  })
  expect(sent).toEqual([
    `${LIST_WEBHOOKS} 200`,
    `${LIST_WEBHOOKS} 200`,
    'POST /partner/webhook 201',
  ])
  expect(leftovers).toEqual([MAY_HAVE_CHANGED])
})

test('it lists no webhook that was there before if it only reads it', async () => {
  const createAndRead: Plan['run'] = async (context) => {
    await create(context)
    await context.send('getWebhook', { path: { webhook_id: '7' } })
  }
  const { leftovers } = await runPlan(createAndRead, (line) => {
    if (line === 'GET /partner/webhook/7') return Response.json({ id: '7', url: REGISTERED })
    return line === LIST_WEBHOOKS ? Response.json({ data: [{ id: '7' }] }) : undefined
  })
  expect(leftovers).toEqual([])
})

test('it takes no webhook of its own that is still on its way for one that was there before', async () => {
  const createTwo: Plan['run'] = async ({ send }) => {
    const createWith = (url: string) => send('createWebhook', { body: { ...WEBHOOK, url } })
    await Promise.all([createWith(WEBHOOK.url), createWith('https://10.0.0.1/pix')])
  }
  const webhooks: object[] = []
  const secondCreation = Promise.withResolvers<void>()
  /** The service has the webhook before its response arrives. */
  const createSlowly = async () => {
    const id = `w-${webhooks.length + 1}`
    webhooks.push({ ...WEBHOOK, id })
    if (webhooks.length === 2) secondCreation.resolve()
    await secondCreation.promise
    return Response.json({ id, secret: 's' }, { status: 201 })
  }
  const { sent, leftovers } = await runPlan(createTwo, (line) => {
    if (line === 'POST /partner/webhook') return createSlowly()
    if (line.startsWith('DELETE')) return respond(204)
    return line === LIST_WEBHOOKS ? Response.json({ data: webhooks }) : undefined
  })
  expect(sent).toContain('DELETE /partner/webhook/w-1 204')
  expect(leftovers).toEqual([])
})

const CODES = ['createImmediateQrCode', 'createDueDateQrCode'] as const

const TX_ID = 'A1B2C3D4E5F6G7H8I9J0K1L2M3'

/** Creates a code of each kind. */
const createCodes: Plan['run'] = async (context) => {
  for (const id of CODES)
    await context.send(id, { body: { ...validBody(context, id), tx_id: TX_ID } })
}

test('it removes codes of two kinds that have the same id', async () => {
  const { sent, leftovers } = await runPlan(createCodes, (line) => {
    if (line.startsWith('POST /pix/qrcode/')) return Response.json({ id: '21' })
    return line.startsWith('DELETE') ? Response.json({}) : undefined
  })
  expect(sent.filter((line) => line.startsWith('DELETE')).sort()).toEqual([
    'DELETE /pix/qrcode/dynamic/due-date/21 200',
    'DELETE /pix/qrcode/dynamic/immediate/21 200',
  ])
  expect(leftovers).toEqual([])
})

test('it removes codes whose records stand elsewhere in the response', async () => {
  const { sent, leftovers } = await runPlan(createCodes, (line) => {
    if (line.startsWith('DELETE')) return Response.json({})
    if (!line.startsWith('POST /pix/qrcode/')) return undefined
    return Response.json({ data: { id: line.includes('immediate') ? '21' : '22', tx_id: TX_ID } })
  })
  expect(sent.filter((line) => line.startsWith('DELETE')).sort()).toEqual([
    'DELETE /pix/qrcode/dynamic/due-date/22 200',
    'DELETE /pix/qrcode/dynamic/immediate/21 200',
  ])
  expect(leftovers).toEqual([])
})

/** Creates codes that have no `id`, and lists them before the last one: the list shows what their id may be called. */
const createNumbered: Plan['run'] = async (context) => {
  for (let i = 0; i < 3; i++)
    await context.send(CODES[0], { body: { ...validBody(context, CODES[0]), tx_id: TX_ID + i } })
  await context.send('listImmediateQrCodes')
  await context.send(CODES[0], { body: { ...validBody(context, CODES[0]), tx_id: `${TX_ID}3` } })
}

const numberCode: Edit = (line, _, count) => {
  if (line.startsWith('DELETE')) return Response.json({})
  const codes = [1, 2, 3, 4].map((number) => ({
    number: `n-${number}`,
    tx_id: `${TX_ID}${number - 1}`,
  }))
  if (line.startsWith('POST /pix/qrcode/')) return Response.json(codes[count - 1])
  if (line.startsWith('GET /pix/qrcode/')) return Response.json({ data: codes.slice(0, 3) })
  return undefined
}

test('it cancels nothing by an id whose name it has guessed', async () => {
  const { sent, form } = await runPlan(createNumbered, numberCode)
  expect(form).toContainEqual(expect.objectContaining({ name: 'place/immediateQrCode/id' }))
  expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual([])
})

test('it cancels codes by an id whose name the user has given', async () => {
  const place = { '/immediateQrCode/id': '/number' }
  const { sent, leftovers } = await runPlan(createNumbered, numberCode, { values: { place } })
  expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(4)
  expect(leftovers).toEqual([])
})

test('it cancels nothing by an id that may be that of another object', async () => {
  const { sent, leftovers } = await runPlan(createCodes, (line) => {
    if (!line.startsWith('POST /pix/qrcode/')) return undefined
    return Response.json({ tx_id: TX_ID, account: { id: '7' } })
  })
  expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual([])
  expect([...leftovers].sort()).toEqual([
    '/mobile-bff/v1/pix/qrcode/dynamic/due-date/7',
    '/mobile-bff/v1/pix/qrcode/dynamic/immediate/7',
  ])
})

test('it removes a webhook, although it must leave thirty codes that came after it', async () => {
  const createMany: Plan['run'] = async (context) => {
    await create(context)
    for (let i = 0; i < 30; i++)
      await context.send(CODES[0], { body: validBody(context, CODES[0]) })
  }
  const { sent, leftovers } = await runPlan(createMany, (line, _, count) =>
    line.startsWith('POST /pix/qrcode/')
      ? Response.json({ account: { id: `account-${count}` } })
      : undefined,
  )
  expect(sent.at(-1)).toBe('DELETE /partner/webhook/ID 204')
  expect(leftovers).toHaveLength(30)
})

test('it goes on with Bearer if the service takes that too, and refused for another reason', async () => {
  const takeTokenAlone: Edit = (line, { headers }, count) => {
    if (line === LIST_WEBHOOKS && count === 1) return respond(401)
    const isAlone = !headers.get('authorization')?.includes(' ')
    return line === LIST && isAlone ? Response.json({}) : undefined
  }
  const { form, sent } = await runPlan(create, takeTokenAlone)
  expect(form).toEqual([])
  expect(sent.slice(0, 4)).toEqual([
    `${LIST_WEBHOOKS} 401`,
    `${LIST} 200`,
    `${SIGN_IN} 200`,
    `${LIST_WEBHOOKS} 200`,
  ])
})

test('it sends a request that is refused only once in the scheme that the user names', async () => {
  const { sent } = await runPlan(list, refuse(401), {
    values: { authorization: { '/scheme': 'Token' } },
  })
  expect(sent).toEqual([`${LIST} 401`, `${SIGN_IN} 200`, `${LIST} 401`])
})

test('it does not sign in again for an operation that refuses every token', async () => {
  const { sent } = await runPlan(async (context) => {
    for (let i = 0; i < 3; i++) await list(context)
  }, refuse(401))
  expect(sent.filter((line) => line.startsWith(SIGN_IN))).toHaveLength(1)
})

test('it signs in once for requests that are refused at the same time', async () => {
  const { sent } = await runPlan(async ({ identities }) => {
    const refused = await identities.authorization('partner', { scheme: 'bearer' })
    await Promise.all([
      identities.renewHeader('partner', refused),
      identities.renewHeader('partner', refused),
    ])
  })
  expect(sent.filter((line) => line.startsWith(SIGN_IN))).toHaveLength(1)
})

test('it does not sign in again for a header of the plan', async () => {
  const by = { authorization: 'Bearer unknown' }
  const { sent } = await runPlan(async ({ send }) => {
    await send('listUsers', { by })
  })
  expect(sent).toEqual([`${LIST} 401`])
})

test('it sends nothing as an identity that the run does not have', async () => {
  const { sent, notSent } = await runPlan(async ({ send }) => {
    await send('listUsers', { by: 'other' })
  })
  expect(sent).toEqual([])
  expect(notSent).toEqual(['not sent: the run has no credentials of "other" for it'])
})

test('it uses a token of elsewhere without a sign-in', async () => {
  const { first, sent } = await runPlan(list, () => respond(200), {
    credentials: { token: 'a-token' },
  })
  expect(first).toBe(`${LIST} 200`)
  expect(sent).toEqual([])
})

test('it removes after Ctrl-C what was created, also by a request that was on its way', async () => {
  const ending = new AbortController()
  const { sent, interrupted, leftovers } = await runPlan(
    async ({ send }) => {
      await Promise.all([
        send('createWebhook', { body: WEBHOOK }),
        send('createWebhook', { body: WEBHOOK }),
      ])
      await send('listUsers')
    },
    (line, _, count) => {
      if (line.startsWith('POST /partner') && count === 1) ending.abort('Ctrl-C')
      return undefined
    },
    { signal: ending.signal },
  )
  expect(interrupted).toBe('Ctrl-C')
  const creations = sent.filter((line) => line === 'POST /partner/webhook 201')
  const deletions = sent.filter((line) => line === 'DELETE /partner/webhook/ID 204')
  expect(creations.length).toBeGreaterThan(0)
  expect(deletions).toHaveLength(creations.length)
  expect(sent.filter((line) => line.startsWith(LIST))).toEqual([])
  expect(leftovers).toEqual([])
})

const REMOVED = [
  {
    title: 'it removes with a new token what it created with one that has expired',
    status: 401,
    between: [`${SIGN_IN} 200`],
  },
  {
    title: 'it removes again what a service that lags does not find at first',
    status: 404,
    between: [],
  },
]

for (const { title, status, between } of REMOVED) {
  test(title, async () => {
    const { sent, leftovers } = await runPlan(create, (line, _, count) => {
      const isFirst = line.startsWith('DELETE') && count === 1
      return isFirst ? respond(status) : undefined
    })
    const first = `DELETE /partner/webhook/ID ${status}`
    const second = 'DELETE /partner/webhook/ID 204'
    const creation = sent.indexOf('POST /partner/webhook 201')
    expect(sent.slice(creation + 1)).toEqual([first, ...between, second])
    expect(leftovers).toEqual([])
  })
}

test('it removes what a service that lags does not find before the run ends', async () => {
  const { leftovers, sent } = await runPlan(
    create,
    // The first after the plan, the second at the end of the run, the third after the lag.
    (line, _, count) => (line.startsWith('DELETE') && count <= 2 ? respond(404) : undefined),
    { lagMs: 10 },
  )
  expect(sent.at(-1)).toBe('DELETE /partner/webhook/ID 204')
  expect(leftovers).toEqual([])
})

test('it tries three times in all to remove what a service never finds, after however many plans', async () => {
  const nothing: Plan['run'] = async () => {}
  const plans = [create, ...Array.from({ length: 5 }, () => nothing)]
  const { sent } = await runPlan(
    create,
    (line) => (line.startsWith('DELETE') ? respond(404) : undefined),
    { lagMs: 10, plans: plans.map((run, i) => ({ id: `plan-${i}`, wants: [], run })) },
  )
  expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(3)
})

test('it lists nothing that is not found after the lag of a service', async () => {
  const { leftovers } = await runPlan(
    create,
    (line) => (line.startsWith('DELETE') ? respond(404) : undefined),
    { lagMs: 10 },
  )
  expect(leftovers).toEqual([])
})

test('it lists a creation whose response has the id of something else, which is not found', async () => {
  const { leftovers } = await runPlan(
    create,
    (line) => {
      if (line.startsWith('DELETE')) return respond(404)
      if (line !== 'POST /partner/webhook') return undefined
      return Response.json({ id: 'op-1', status: 'PROCESSING' }, { status: 202 })
    },
    { lagMs: 10 },
  )
  expect(leftovers).toEqual(['/mobile-bff/v1/partner/webhook/op-1'])
})

test('it takes no request for a code that is still to be created for the code itself', async () => {
  const { leftovers } = await runPlan(
    createCodes,
    (line) => {
      if (line.startsWith('DELETE')) return respond(404)
      if (!line.startsWith('POST /pix/qrcode/')) return undefined
      return Response.json({ id: 'op-1', tx_id: TX_ID }, { status: 202 })
    },
    { lagMs: 10 },
  )
  expect(leftovers).toHaveLength(2)
})

test('it lists a webhook that gets another id when it is changed', async () => {
  const changeWebhook: Plan['run'] = async (context) => {
    const { json } = await context.send('createWebhook', { body: WEBHOOK })
    const path = { webhook_id: String(stringAt(json, '/id')) }
    await context.send('updateWebhook', { path, body: { ...WEBHOOK, status: 'inactive' } })
  }
  const { leftovers } = await runPlan(
    changeWebhook,
    (line) => {
      if (line.startsWith('PATCH')) return Response.json({ ...WEBHOOK, id: 'version-2' })
      return line.startsWith('DELETE') ? respond(404) : undefined
    },
    { lagMs: 10 },
  )
  expect(leftovers).toEqual([expect.stringMatching(/^\/mobile-bff\/v1\/partner\/webhook\//)])
})

test('it removes again what a service is still working on at first', async () => {
  const { sent, leftovers } = await runPlan(create, (line, _, count) =>
    line.startsWith('DELETE') && count === 1 ? respond(409) : undefined,
  )
  expect(sent.at(-1)).toBe('DELETE /partner/webhook/ID 204')
  expect(leftovers).toEqual([])
})

test('it lists what a service refuses to remove with 409 to the end', async () => {
  const { sent, leftovers } = await runPlan(
    create,
    (line) => (line.startsWith('DELETE') ? respond(409) : undefined),
    { lagMs: 10 },
  )
  expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(3)
  expect(leftovers).toEqual([expect.stringMatching(/^\/mobile-bff\/v1\/partner\/webhook\//)])
})

test('it does not list a code that it has paid and so cannot cancel', async () => {
  const payCode: Plan['run'] = async (context) => {
    const { json } = await context.send(CODES[0], { body: validBody(context, CODES[0]) })
    await context.send('createTransfer', {
      body: { type: 'emv', emv: stringAt(json, '/emv'), amount: '0.01' },
    })
  }
  const { leftovers } = await runPlan(
    payCode,
    (line) => {
      if (line === 'POST /pix/out/') return Response.json({ id: 'tr_1' }, { status: 201 })
      return line.startsWith('DELETE') ? respond(409) : undefined
    },
    { lagMs: 10, allowPayments: { maxAmount: '1.00' } },
  )
  expect(leftovers).toEqual(['/mobile-bff/v1/pix/out/: transfer tr_1 of 0.01'])
})

test.each([
  { what: 'has ended', createdSecondsAgo: 3_600, isListed: false },
  { what: 'may not have ended', createdSecondsAgo: 601, isListed: true },
])(
  'it lists a code that cannot be cancelled only if it can be paid: one that $what',
  async (row) => {
    const { sent, leftovers } = await runPlan(
      async ({ send }) => {
        await send(CODES[0], { body: { tx_id: TX_ID } })
      },
      (line) => {
        if (line.startsWith('DELETE')) return respond(409)
        if (!line.startsWith('POST /pix/qrcode/')) return undefined
        const created_at = new Date(Date.now() - row.createdSecondsAgo * 1_000).toISOString()
        return Response.json({ id: '21', tx_id: TX_ID, calendar: { expiration: 600 }, created_at })
      },
      { lagMs: 10 },
    )
    const path = '/mobile-bff/v1/pix/qrcode/dynamic/immediate/21'
    expect(leftovers).toEqual(row.isListed ? [path] : [])
    // It is not tried again if it has ended.
    expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(row.isListed ? 3 : 1)
  },
)

test('it lists after Ctrl-C what a service does not find yet', async () => {
  const ending = new AbortController()
  const { leftovers } = await runPlan(
    create,
    (line) => {
      if (line.startsWith('POST /partner')) ending.abort('Ctrl-C')
      return line.startsWith('DELETE') ? respond(404) : undefined
    },
    { signal: ending.signal },
  )
  expect(leftovers).toEqual([expect.stringMatching(/^\/mobile-bff\/v1\/partner\/webhook\//)])
})

test.each([503, 422])('it reports what it cannot remove because of a %i', async (status) => {
  const { leftovers } = await runPlan(create, (line) =>
    line.startsWith('DELETE') ? respond(status) : undefined,
  )
  expect(leftovers).toEqual([
    expect.stringMatching(/^\/mobile-bff\/v1\/partner\/webhook\/[\w-]{36}$/),
  ])
})

test('it says why no response arrived', async () => {
  let outcome: Outcome | undefined
  const look: Plan['run'] = async ({ send }) => {
    outcome = await send('listUsers')
  }
  await runPlan(look, (line) => {
    if (line === LIST) throw new Error('socket hang up')
    return undefined
  })
  expect(outcome?.status).toBe(0)
  expect(outcome?.failure).toBe('socket hang up')
  expect(outcome?.json).toBeUndefined()
})
