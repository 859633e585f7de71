import contractDocument from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/engine/context.ts'
import { readContract } from '../../src/model/contract.ts'
import type { HttpRequest } from '../../src/model/http.ts'
import { aliasesServed } from '../../src/rules/requests/aliases-served.ts'
import { bodyOf, type Fault, isSuccess, ok, problem, withBody } from './broken.ts'
import { found, PASSED, resultsOf, runOf } from './in-process.ts'

const run = runOf('aliases-served')
const resultOf = resultsOf('aliases-served')
const resultOfLive = resultsOf('aliases-served', { target: 'live' })

const isShort = ({ path }: HttpRequest, short = '/p') => path.startsWith(short)

/** A service without short paths. */
const notServed: Fault = async (call, next) => (isShort(call) ? problem(404, 'not_found') : next(call))

/** A service that returns something else on one path. */
function returns(path: string, status: number, body: object = {}): Fault {
  return async (call, next) => (call.path === path ? ok(body, status) : next(call))
}

/** A service that creates webhooks on the short path with another status, and leaves the refusals. */
function createdWith(status: number): Fault {
  return async (call, next) => {
    const response = await next(call)
    return isSuccess(response) && call.method === 'POST' && isShort(call, '/partners/webhooks')
      ? { ...response, status }
      : response
  }
}

async function verdictOf(fault?: Fault, results = resultOf) {
  const { verdicts, findings } = await results(fault)
  const { verdict, seen } = verdicts.find(({ question }) => question === 'guide-paths') ?? {}
  return { verdict, seen, kinds: [...new Set(findings.map(({ kind }) => kind))] }
}

describe('a service that serves the short paths', () => {
  test('passes', async () => {
    expect(await run()).toEqual(PASSED)
  })

  test('confirms the open question', async () => {
    expect(await verdictOf()).toEqual({ verdict: 'confirmed', seen: undefined, kinds: [] })
  })

  test('passes if its responses differ from the contract on the full path too', async () => {
    const fault: Fault = async (call, next) => {
      const response = await next(call)
      return isSuccess(response) && /dict\/check|pix\/key/.test(call.path)
        ? withBody(response, (body) => ({ ...body, owner_name: 7 }))
        : response
    }
    expect(await run(fault)).toEqual(PASSED)
  })
})

describe('a sandbox', () => {
  test('keeps no webhook that an alias created', async () => {
    const created: string[] = []
    const deleted: string[] = []
    await run(async (call, next) => {
      const response = await next(call)
      if (isSuccess(response) && call.method === 'POST' && /\/webhooks?$/.test(call.path))
        created.push(String(JSON.parse(response.text).id))
      if (isSuccess(response) && call.method === 'DELETE') deleted.push(call.path.split('/').at(-1) ?? '')
      return response
    })
    expect(created).toHaveLength(2)
    expect(created.filter((it) => !deleted.includes(it))).toEqual([])
  })
})

describe('a service that does not serve them', () => {
  test('deviates from the assumption, for each operation', async () => {
    const operations = ['checkCode', 'checkKey', 'createTransfer', 'createWebhook', 'listWebhooks']
    expect(await run(notServed)).toEqual(found(...operations.map((it) => `deviation aliases-served ${it}`)))
  })

  test('contradicts the open question without a failure', async () => {
    expect(await verdictOf(notServed)).toEqual({
      verdict: 'contradicted',
      seen: expect.stringMatching(/^Expected \w+ \/p\S+ to be served, got 404: it is not served\.$/),
      kinds: ['deviation'],
    })
  })

  test('may support another method on the path', async () => {
    const fault: Fault = async (call, next) =>
      call.method === 'POST' && isShort(call, '/partners/webhooks') ? problem(405) : next(call)
    expect(await run(fault)).toEqual(found('deviation aliases-served createWebhook'))
  })
})

describe('a service whose aliases return other responses', () => {
  const renamed: Fault = async (call, next) => {
    const response = await next(call)
    const isMeant = isSuccess(response) && isShort(call, '/pix/key')
    return isMeant
      ? withBody(response, ({ owner_name, ...body }) => ({ ...body, name: owner_name }))
      : response
  }

  test.each([
    ['a field of another name', renamed, 'checkKey', '/owner_name: '],
    ['another status', returns('/pix/out', 403), 'createTransfer', 'got 403'],
    ['a redirect', returns('/pix/brcode/emv', 308), 'checkCode', 'got 308'],
    ['another success of a creation', createdWith(200), 'createWebhook', 'the status: '],
    [
      'a body of another form',
      returns('/partners/webhooks', 200, { webhooks: [] }),
      'listWebhooks',
      '/data: ',
    ],
  ])('gets a finding for %s', async (_, fault, operation, seen) => {
    const { findings } = await resultOf(fault)
    const own = findings.filter((it) => it.operation === operation)
    expect(own).toMatchObject([{ kind: 'deviation', rule: 'aliases-served', question: 'guide-paths' }])
    expect(own[0]?.message).toContain(seen)
    expect(own[0]?.message).toMatch(/: its responses differ from its document\.$/)
  })
})

describe('is inconclusive', () => {
  test.each([
    ['returns one status for every path', () => problem(401)],
    ['fails', () => problem(503)],
    ['limits the rate', () => problem(429)],
  ])('if the service %s', async (_, response) => {
    const fault: Fault = async (call, next) => {
      const isProbe = call.body === '{' || /partners|partner\/webhook/.test(call.path)
      return isProbe ? response() : next(call)
    }
    const { rules, findings } = await resultOf(fault)
    expect(findings).toEqual([])
    expect(rules.find(({ rule }) => rule === 'aliases-served')).toMatchObject({
      status: 'not-assessed',
      inconclusive: 5,
    })
    expect((await verdictOf(fault)).verdict).toBe('not-exercised')
  })
})

describe('a live service', () => {
  test.each([
    ['serves them', undefined],
    ['does not serve them', notServed],
  ])('that %s gets no payment and no webhook', async (_, behind) => {
    const sent: HttpRequest[] = []
    const fault: Fault = async (call, next, operation) => {
      sent.push(call)
      return behind ? behind(call, next, operation) : next(call)
    }
    const { verdict } = await verdictOf(fault, resultOfLive)
    expect(verdict).toBe(behind ? 'contradicted' : 'confirmed')
    const once = sent.filter(({ method, path }) => method === 'POST' && /\/out|webhook/.test(path))
    expect(once.map(({ path }) => path).sort()).toEqual([
      '/mobile-bff/v1/partner/webhook',
      '/mobile-bff/v1/pix/out/',
      '/partners/webhooks',
      '/pix/out',
    ])
    for (const call of once) expect([call.body, bodyOf(call)]).toEqual(['{', {}])
  })
})

test('sends nothing to the alias of an operation that could be executed without a body', async () => {
  const { operation, validator } = readContract(contractDocument)
  const tried: string[] = []
  const aliases = ['signIn', 'rotateWebhookSecret', 'listUsers', 'createTransfer'].map((id) => {
    const of = operation(id)
    return { view: of, of, validator }
  })
  const each = async (items: readonly (typeof aliases)[number][]) =>
    void tried.push(...items.map(({ of }) => of.id))
  // The part of the context that the rule uses before it sends requests.
  await aliasesServed.run?.({ contract: { aliases }, isIncluded: () => true, each } as unknown as Context)
  expect(tried).toEqual(['listUsers', 'createTransfer'])
})
