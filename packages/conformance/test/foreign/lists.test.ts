import { expect, test } from 'vitest'
import { checkInProcess, inProcess, type Service } from '../in-process-transport.ts'
import { listing } from './todos-listing.ts'
import { createTodos, TOKEN } from './todos-service.ts'

const RULE = 'record-shown'
const LIMIT = { type: 'integer', minimum: 1 }

/** The result of one rule for a list longer than a page. */
async function judged(contract: object, { fault = right, rule = RULE } = {}) {
  const service = fault(createTodos(TOKEN, { contract, page: 50, begun: 60 }))
  const transport = inProcess(service)
  const { rules, findings } = await checkInProcess(transport, {
    contract,
    credentials: { token: TOKEN },
    only: [rule],
  })
  const { status, reason } = rules.find((it) => it.rule === rule) ?? {}
  return { status, reason, found: findings.map((it) => it.rule) }
}

const PASSED = { status: 'passed', reason: undefined, found: [] }
const BROKEN = { status: 'failed', reason: undefined, found: [RULE] }
const right = (service: Service) => service

/** A list without the records of the run. */
const stale = (service: Service): Service => {
  return async (request) => {
    const response = await service(request)
    if (request.method !== 'GET' || !request.url.includes('/todos')) return response
    const body = await response.json()
    return Response.json(Array.isArray(body) ? body.filter(({ id }) => id <= 60) : body, response)
  }
}

test('requests the maximum page size of a list with default pages', async () => {
  const contract = listing({ limit: { ...LIMIT, maximum: 500 } })
  expect(await judged(contract)).toEqual(PASSED)
  expect(await judged(contract, { fault: stale })).toEqual(BROKEN)
})

test('walks a list by its offset', async () => {
  const contract = listing({ offset: { type: 'integer', minimum: 0 } })
  expect(await judged(contract)).toEqual(PASSED)
  expect(await judged(contract, { fault: stale })).toEqual(BROKEN)
})

test('requests a large page if the limit has no maximum', async () => {
  expect(await judged(listing({ limit: LIMIT }))).toEqual(PASSED)
})

test('reports nothing about a list that shows only a part', async () => {
  const contract = listing({ limit: { ...LIMIT, maximum: 20 } })
  expect(await judged(contract, { fault: stale })).toEqual(PASSED)
  expect(await judged(contract, { fault: stale, rule: 'record-changes' })).toEqual(PASSED)
})

test('accepts another notation of a number as a valid parameter', async () => {
  const contract = listing({ limit: { ...LIMIT, maximum: 500 } })
  const reading = lenientIn(createTodos(TOKEN, { contract, page: 50 }))
  const { findings } = await checkInProcess(inProcess(reading), {
    contract,
    credentials: { token: TOKEN },
    only: ['break-refused'],
  })
  expect(findings.map(({ message }) => message)).toEqual([])
})

/** A service that parses a limit as a number before it validates it. */
function lenientIn(service: Service): Service {
  return (request) => {
    const url = new URL(request.url)
    const limit = url.searchParams.get('limit')
    if (limit?.trim() && Number.isInteger(Number(limit))) url.searchParams.set('limit', String(Number(limit)))
    return service(new Request(url, request))
  }
}
